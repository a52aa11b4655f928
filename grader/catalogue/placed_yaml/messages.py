"""Words for people: what was found, what was perhaps meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grader.catalogue.placed_yaml.nodes import Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 40


def cut(text: str) -> str:
    """Cut the text to a readable length."""
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def quoted(text: str) -> str:
    """Quote the text, cut to a readable length."""
    return repr(cut(text))


def found(node: Node) -> str:
    """Say in plain words what stands at the node."""
    if isinstance(node, Mapping):
        return "keys with values"
    if isinstance(node, Sequence):
        return "a list"
    return _found_scalar(node)


def _found_scalar(node: Scalar) -> str:
    match node.type:
        case "int" | "float":
            return f"the number {node.text[:_LONGEST]}"
        case "bool":
            return f"{quoted(node.text)}, which YAML reads as {'true' if truth(node.text) else 'false'}"
        case "null":
            return "nothing" if not node.text else f"{quoted(node.text)}, which YAML reads as nothing"
        case "timestamp":
            return f"the date {node.text[:_LONGEST]}"
        case _:
            return f"the text {quoted(node.text)}"


def truth(text: str) -> bool:
    """Read a YAML 1.1 boolean."""
    return text.lower() in {"yes", "true", "on"}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Suggest the nearest known word, or list them all."""
    import difflib  # noqa: PLC0415 - only for a mistake

    words = sorted(set(known))
    lowered = {other.lower(): other for other in words}
    near = difflib.get_close_matches(word.lower()[:_LONGEST], lowered, n=1, cutoff=0.6)
    if near:
        return f"did you mean {lowered[near[0]]}?"
    return f"known: {', '.join(words)}" if words else ""
