"""Checks a policy's words: a slip of the pen would switch a rule off without a word."""

from __future__ import annotations

import builtins
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from grader.catalogue.placed_yaml.messages import did_you_mean, quoted
from grader.catalogue.placed_yaml.nodes import Mapping, Scalar, Sequence, find
from grader.model.assignment import PolicyCost, RuleName
from grader.model.syntax import CONSTRUCTS, is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.catalogue.placed_yaml.nodes import Node
    from grader.catalogue.placed_yaml.source import Complaints
    from grader.model.assignment import PolicySpec

_PACKAGES = frozenset(
    {"PIL", "cv2", "graph_tool", "igraph", "jax", "matplotlib", "more_itertools", "networkx", "numba", "numpy"}
    | {"pandas", "polars", "pygame", "requests", "scipy", "sklearn", "sortedcontainers", "sympy", "tensorflow"}
    | {"toolz", "torch"}
)
"""Packages of others that courses name, whether they are installed here or not."""
_TOPS = frozenset(sys.stdlib_module_names) | _PACKAGES


def check_policy(complaints: Complaints, node: Node | None, policy: PolicySpec, packages: tuple[str, ...]) -> None:
    """Check that each entry names something, each message something that can be found, and points cost something."""
    if node is None:
        return
    for key in ("ban", "only"):
        for name in _names(node, key):
            hint = unknown_module(name.text, packages, builtins_too=key == "ban")
            if hint is not None:
                kind = "no module of Python's, package or builtin" if key == "ban" else "no module or package"
                complaints.at(name, f"policy.{key}: {quoted(name.text)} is {kind}", hint=hint)
    for key in ("no", "require"):
        for name in _names(node, key):
            if not is_known(name.text):
                message = f"policy.{key}: {quoted(name.text)} names no syntax that the scan looks for"
                complaints.at(name, message, hint=_nearest_syntax(name.text))
    _check_required(complaints, node)
    _check_messages(complaints, node)
    _check_points(complaints, node, policy)


def _check_required(complaints: Complaints, node: Node) -> None:
    """Check that nothing is asked for that the same policy refuses."""
    refused, banned = ({name.text for name in _names(node, key)} for key in ("no", "ban"))
    allowed = {name.text for name in _names(node, "only")}
    for name in _names(node, "require"):
        module = name.text.removeprefix("import ") if name.text.startswith("import ") else ""
        by = "no" if name.text in refused else "ban" if module in banned else ""
        by = "only" if module and allowed and module not in allowed else by
        if by:
            message = f"policy.require: {quoted(name.text)} is what policy.{by} refuses, so nobody could pass"
            complaints.at(name, message, hint="take one of them out")


def unknown_module(name: str, packages: tuple[str, ...], *, builtins_too: bool) -> str | None:
    """Return what may have been meant by a name that means nothing; None for one that is known."""
    known = {*_TOPS, *packages, *(vars(builtins) if builtins_too else ())}
    top, _, rest = name.partition(".")
    if not name.replace(".", "").isidentifier():
        return "write the bare name, such as heapq or functools.reduce"
    if top not in known and not _is_installed(top):
        near = did_you_mean(name, known)
        return near if near.startswith("did") else "a package of others must stand in `packages`"
    if not rest or top not in sys.stdlib_module_names:
        return None
    return _unknown_member(name)


def _unknown_member(name: str) -> str | None:
    home, _, last = name.rpartition(".")
    try:
        module = import_module(home)
    except ImportError:
        return f"there is no module {home}"
    if hasattr(module, last) or _is_installed(name):
        return None
    return did_you_mean(name, (f"{home}.{other}" for other in vars(module) if other[0] != "_"))


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _names(node: Node, key: str) -> Iterator[Scalar]:
    entries = find(node, key)
    for entry in entries.items if isinstance(entries, Sequence) else ():
        name = find(entry, "name")
        if isinstance(name, Scalar):
            yield name


def _nearest_syntax(text: str) -> str:
    rest = text.partition(" ")[2]
    heads = ("class", "def", "import", "while", "if") if rest else ()
    known = {*CONSTRUCTS, "while True", *(f"{head} {rest}" for head in heads)}
    return did_you_mean(text, known - {text})


def _check_messages(complaints: Complaints, node: Node) -> None:
    messages = node.get("messages") if isinstance(node, Mapping) else None
    entries = {name.text for key in ("ban", "only", "no", "require") for name in _names(node, key)}
    for key, _ in messages if isinstance(messages, Mapping) else ():
        if key.text not in entries | {*RuleName}:
            message = f"policy.messages: {quoted(key.text)} is neither a rule nor an entry of this policy"
            complaints.at(key, message, hint=did_you_mean(key.text, entries | {*RuleName}))


def _check_points(complaints: Complaints, policy_node: Node, policy: PolicySpec) -> None:
    node = find(policy_node, "points")
    if policy.points and policy.cost is not PolicyCost.POINTS and isinstance(node, Scalar):
        message = f"policy.points is taken off with `cost: points` only; the cost here is {policy.cost}"
        complaints.at(node, message, hint="add `cost: points`, or take it out")
