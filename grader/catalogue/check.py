"""Checks what types alone can't say: names, expectations that fit."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from grader.catalogue.nodes import Mapping, Scalar, Sequence, find
from grader.catalogue.words import did_you_mean, quoted
from grader.model.options import OPTIONS, NoOptions
from grader.model.syntax import CONSTRUCTS, is_known

if TYPE_CHECKING:
    from grader.catalogue.document import Document
    from grader.catalogue.format import AssignmentFile, CaseEntry, CaseFile
    from grader.catalogue.nodes import Node
    from grader.model.assignment import Kind

EXPECTED = {
    "transcript": ("transcript",),
    "path": ("steps",),
    "value": ("value",),
    "moves": ("moves",),
    "play": ("outcome",),
    "stdout": ("stdout",),
}
"""Judge → the expectations that it reads."""


def check_assignment(document: Document[AssignmentFile], file: AssignmentFile) -> None:
    """Check the names of the files."""
    names = [handin.name for handin in file.files]
    for handin in file.files:
        node = find(document.node(handin), "name")
        path = PurePosixPath(handin.name)
        if not handin.name.strip() or path.is_absolute() or ".." in path.parts:
            document.complaints.at(node, f"{quoted(handin.name)} is no name of a file that students hand in")
        elif names.count(handin.name) > 1:
            document.complaints.at(node, f"the file {handin.name} stands here twice")


def check_policy(document: Document[AssignmentFile]) -> None:
    """Check that each entry of `no` and `require` names syntax that the scan knows."""
    for key in ("no", "require"):
        entries = find(document.root, "policy", key)
        for entry in entries.items if isinstance(entries, Sequence) else ():
            name = find(entry, "name")
            if isinstance(name, Scalar) and not is_known(name.text):
                message = f"policy.{key}: {quoted(name.text)} names no syntax that the scan looks for"
                document.complaints.at(name, message, hint=_nearest_syntax(name.text))


def _nearest_syntax(text: str) -> str:
    rest = text.partition(" ")[2]
    heads = ("class", "def", "import", "while", "if") if rest else ()
    return did_you_mean(text, (*CONSTRUCTS, *(f"{head} {rest}" for head in heads)))


def check_options(document: Document[Any], options: Node | None, judge: str) -> None:
    """Check the options of a kind or a case by the judge that reads them."""
    struct = OPTIONS.get(judge)
    if options is None or struct is None:
        return
    if struct is NoOptions and isinstance(options, Mapping) and options.entries:
        document.complaints.at(options, f"the judge {judge} takes no options", hint="take them out")
    else:
        document.decoder.check(options, struct, "options")


def check_expect(document: Document[CaseFile], entry: CaseEntry, kind: Kind) -> None:
    """Check that the judge of the kind reads the expectations that are given."""
    node = document.node(entry).get("expect")
    fitting = EXPECTED.get(kind.judge)
    if fitting is None or not isinstance(node, Mapping):
        return
    for key, _ in node:
        if key.text in entry.expect.__struct_fields__ and key.text not in fitting:
            message = f"the judge {kind.judge} doesn't read expect.{key.text}"
            document.complaints.at(key, message, hint=f"it reads {' and '.join(fitting)}")
    transcript = entry.expect.transcript
    if transcript is not None and not transcript.endswith((".out", ".out.gz")):
        at = find(node, "transcript")
        document.complaints.at(at, f"{quoted(transcript)} is no transcript", hint="it ends with .out or .out.gz")
