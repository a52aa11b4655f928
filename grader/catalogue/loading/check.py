"""Checks what types alone can't say: names, expectations that fit."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Any

from grader.catalogue.placed_yaml.messages import did_you_mean, quoted
from grader.catalogue.placed_yaml.nodes import Mapping, Sequence, find
from grader.model.assignment import RunAs
from grader.model.file_names import unsafe_reason, why_dropped

if TYPE_CHECKING:
    from grader.catalogue.loading.files import AssignmentFile
    from grader.catalogue.loading.inputs import Input
    from grader.catalogue.placed_yaml.decode import Document
    from grader.catalogue.placed_yaml.nodes import Node
    from grader.catalogue.placed_yaml.source import Complaints
    from grader.model.assignment import RunSpec
    from grader.model.kit import Kit
    from grader.model.run import Limits

_ALIKE = 0.7
_LEAST = {"cpu_s": 0.1, "wall_s": 0.1, "files": 8, "output_mib": 0.001}
"""Limit → the least with which Python starts, reads its source and prints a line."""


def check_assignment(document: Document[AssignmentFile], file: AssignmentFile) -> None:
    """Check the names of the files, and that the packages are installed where the programs run."""
    names = [handin.name.casefold() for handin in file.files]
    for handin in file.files:
        node = find(document.node(handin), "name")
        reason = _unfit(handin.name) or ("it lies in a folder" if "/" in handin.name else "")
        if reason:
            message = f"{quoted(handin.name)} is no name of a file that students hand in: {reason}"
            document.complaints.at(node, message, hint="wherever it lies in a submission, it is found by its name")
        elif names.count(handin.name.casefold()) > 1:
            document.complaints.at(node, f"the file {handin.name} stands here twice")
    packages = document.root.get("packages")
    for name, node in zip(file.packages, packages.items if isinstance(packages, Sequence) else (), strict=False):
        if not _is_installed(name):
            document.complaints.at(
                node, f"the package {quoted(name)} isn't installed here", hint=f"pip install {name}"
            )


def check_run(document: Document[AssignmentFile], file: AssignmentFile, kind: str, kit: Kit | None) -> None:
    """Check that a kind's run can work for anybody: its module is handed in, its input is in nobody's way."""
    run = file.kinds[kind].run
    node, complaints = document.node(run), document.complaints
    handed_in = [handin.name for handin in file.files]
    if run.module not in handed_in:
        hint = did_you_mean(run.module, handed_in)
        complaints.at(
            find(node, "module"), f"{quoted(run.module)} isn't among the files that students hand in", hint=hint
        )
    elif not run.module.endswith(".py") or (run.run_as is not RunAs.PROGRAM and "." in run.module[:-3]):
        complaints.at(find(node, "module"), f"{quoted(run.module)} is no Python file that can be run or imported")
    _check_input(complaints, node, run, handed_in)
    if run.run_as is not RunAs.PROGRAM and not run.function.isidentifier():
        found = quoted(run.function) if run.function else "nothing"
        message = f"run as {run.run_as.value}, it needs the name of the student's function, found {found}"
        complaints.at(find(node, "function"), message, hint="add `function: solve`")
    if not run.exit_status or any(not 0 <= status < 256 for status in run.exit_status):
        complaints.at(find(node, "exit_status"), "exit_status needs one or more numbers between 0 and 255")
    needed = {RunAs.FUNCTION: "calls" if run.args is None else "", RunAs.AGENT: "world"}.get(run.run_as)
    if kit is not None and needed and not callable(getattr(kit, needed, None)):
        hint = "write `args: […]`" if needed == "calls" else ""
        message = f"the kit {file.kinds[kind].kit} has no {needed}, which `as: {run.run_as.value}` needs"
        complaints.at(find(node, "as"), message, hint=hint)


def _check_input(complaints: Complaints, node: Node, run: RunSpec, handed_in: list[str]) -> None:
    at = find(node, "file")
    words = (run.stdin, *run.argv, *(word for word in run.args or () if isinstance(word, str)))
    used = {name for word in words for name in re.findall(r"\{(\w+)\}", word)}
    for name in sorted(used - {"file"}):
        if difflib.SequenceMatcher(None, name.lower(), "file").ratio() > _ALIKE:
            complaints.at(node, f"{{{name}}} stands for nothing", hint="did you mean {file}?")
    if not run.file:
        if "file" in used:
            complaints.at(at, "{file} is used here, but there is no input file", hint="give `file` a name")
    elif reason := _unfit(run.file):
        message = f"{quoted(run.file)} is no name for an input beside the program: {reason}"
        complaints.at(at, message, hint="such as `file: input.txt`")
    elif run.file.split("/")[0].casefold() in {name.casefold() for name in handed_in}:
        message = f"the input {quoted(run.file)} would take the place of a file that students hand in"
        complaints.at(at, message, hint="give it another name, such as `file: input.txt`")


def check_limits(complaints: Complaints, node: Node, limits: Limits) -> None:
    """Check that a program can begin at all within the limits that are written at the node."""
    for name, least in _LEAST.items():
        if getattr(limits, name) < least:
            complaints.at(find(node, "limits", name), f"with limits.{name} below {least:g} no program can begin")


def check_size(given: Input, limits: Limits, *, complaints: Complaints, node: Node) -> None:
    """Check that the input leaves room on the disk that a case has."""
    if len(given.raw) > limits.disk_mib << 19:
        message = f"the input has {len(given.raw)} bytes, more than half of the disk that a case has"
        complaints.at(node, message, hint=f"raise limits.disk_mib ({limits.disk_mib} MiB)")


def _unfit(name: str) -> str:
    """Say why no file of this name can be laid out for a program."""
    if not name.strip():
        return "it is empty"
    return unsafe_reason(name) or why_dropped(name) or ("it has a backslash" if "\\" in name else "")


def _is_installed(name: str) -> bool:
    from importlib import metadata  # noqa: PLC0415 - slow to import, and few assignments allow packages

    try:
        metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return False
    return True


def check_options(document: Document[Any], options: Node | None, judge: str, module: Any) -> None:
    """Check the options of a kind or a case by the judge that reads them."""
    struct = getattr(module, "Options", None)
    if options is None or struct is None:
        return
    if not struct.__struct_fields__ and isinstance(options, Mapping) and options.entries:
        document.complaints.at(options, f"the judge {judge} takes no options", hint="take them out")
    else:
        document.decoder.decode(options, struct, "options")


def check_file(complaints: Complaints, node: Node, key: str, name: str, endings: tuple[str, ...]) -> None:
    """Check the ending of a file that an expectation names."""
    if not name.endswith(endings):
        complaints.at(node, f"{quoted(name)} is no {key}", hint=f"it ends with {' or '.join(endings)}")
