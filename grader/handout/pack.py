r"""Packs the students' kit.

lefthand-kit.zip
├── README.md                how to use it
├── maze_solver.py           the starter
├── check.pyz                the runner: needs Python 3.11, nothing else
└── cases/<id>/…             the visible cases, to be looked at
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader import __version__
from grader.errors import UsageError
from grader.handout.closure import closure, whole_packages
from grader.handout.digests import digest_of, expected_answer
from grader.handout.runner import CLAIMED, DATA
from grader.handout.zips import zip_files
from grader.model.assignment import Expect
from grader.model.regulations import Regulations
from grader.model.verdict import Visibility
from grader.pipeline.prepare import prepare

if TYPE_CHECKING:
    from grader.model.assignment import Assignment, Case, Kind
    from grader.pipeline.prepare import Prepared

_RUNNER = "grader.handout.runner"
_BY_NAME = ("grader.judge", "grader.policy", "grader.sandbox")
"""Packages whose modules are also found by name while they run."""
_MAIN = "import sys\nfrom grader.handout.runner import main\nsys.exit(main())\n"


def pack_kit(assignment: Assignment, *, self_check: bool = False) -> bytes:
    """Give the kit as a zip: visible cases only, no solver, nothing hidden.

    With `self_check` it also holds the inputs of hidden cases, and of their answers keyed digests, where those give
    nothing away.
    """
    plan = prepare(assignment, lambda case: case.visibility is Visibility.VISIBLE)
    if not plan.cases:
        raise UsageError(f"{assignment.name} has no visible case", hint="a kit without cases checks nothing")
    runner = _runner(assignment, plan.cases, self_check=self_check)
    files = {"README.md": _readme(assignment, plan.cases).encode(), "check.pyz": runner}
    if assignment.starter:
        files[Path(assignment.starter).name] = Path(assignment.starter).read_bytes()
    for prepared in plan.cases:
        files |= _shown(prepared)
    return zip_files(files)


def _runner(assignment: Assignment, cases: tuple[Prepared, ...], *, self_check: bool) -> bytes:
    """Build the zipapp: our modules that it needs, the packed cases, and a stand-in for msgspec."""
    withheld = frozenset(name for kind in assignment.kinds.values() for name in _withheld(kind))
    kits = {prepared.case.kind.kit for prepared in cases if prepared.case.kind.judge in CLAIMED}
    modules = closure([_RUNNER, *kits, *whole_packages(_BY_NAME)], without=withheld)
    files = {_inside(name, path): path.read_bytes() for name, path in modules.items()}
    files["__main__.py"] = _MAIN.encode()
    files["msgspec.py"] = Path(__file__).with_name("structs.py").read_bytes()
    packed = [_packed(prepared, files) for prepared in cases]
    bare = msgspec.structs.replace(assignment, cases=(), folder=None, regulations=Regulations(), starter="", about="")
    data = {"assignment": msgspec.to_builtins(bare), "cases": packed, "withheld": sorted(withheld), "by": __version__}
    data["hidden"] = [_sealed(each) for each in prepare(assignment, _is_hidden).cases] if self_check else []
    files[DATA] = json.dumps(data, ensure_ascii=False).encode()
    return b"#!/usr/bin/env python3\n" + zip_files(files)


def _withheld(kind: Kind) -> tuple[str, ...]:
    """Name the kit's modules that stay with the course."""
    module = importlib.import_module(kind.kit)
    package = importlib.import_module(kind.kit.rpartition(".")[0] or kind.kit)
    names = getattr(module, "WITHHELD", None) or getattr(package, "WITHHELD", None)
    if names is None:
        raise UsageError(
            f"the kit {kind.kit} doesn't say which modules hold its solver",
            hint='give it WITHHELD = ("module", …): they stay out of what students get',
        )
    return tuple(names)


def _packed(prepared: Prepared, files: dict[str, bytes]) -> dict[str, Any]:
    case = msgspec.to_builtins(msgspec.structs.replace(prepared.case, path="", line=0))
    transcript = prepared.case.expect.transcript
    if transcript is not None:
        name = f"expected/{Path(transcript).name}"
        files[name] = Path(transcript).read_bytes()
        case["expect"]["transcript"] = name
    return {"case": case, "how": msgspec.to_builtins(prepared.how), "inputs": msgspec.to_builtins(prepared.inputs)}


def _is_hidden(case: Case) -> bool:
    return case.visibility is not Visibility.VISIBLE


def _sealed(prepared: Prepared) -> dict[str, Any]:
    """Pack a hidden case without its answer: a keyed digest, or nothing where that could be guessed."""
    case = prepared.case
    answer = expected_answer(case)
    if answer is None:
        return {"checkable": False}
    bare = msgspec.structs.replace(
        case, id="hidden", hint="", tags=(), path="", line=0, maze="", raw=b"", expect=Expect()
    )
    key = hashlib.sha256(case.raw).hexdigest()
    return {
        "checkable": True,
        "case": msgspec.to_builtins(bare),
        "how": msgspec.to_builtins(prepared.how),
        "inputs": msgspec.to_builtins(prepared.inputs),
        "key": key,
        "digest": digest_of(answer, key),
    }


def _shown(prepared: Prepared) -> dict[str, bytes]:
    """Give the files of one case that a student may want to read."""
    case = prepared.case
    folder = f"cases/{case.id}"
    shown = {f"{folder}/{file.path}": file.content for file in prepared.inputs}
    if not shown:
        shown[f"{folder}/input.txt"] = case.raw
    transcript = case.expect.transcript
    if transcript is not None:
        raw = Path(transcript).read_bytes()
        shown[f"{folder}/expected.out"] = gzip.decompress(raw) if transcript.endswith(".gz") else raw
    else:
        shown[f"{folder}/expected.json"] = msgspec.json.format(msgspec.json.encode(case.expect), indent=2) + b"\n"
    return shown


def _inside(name: str, path: Path) -> str:
    base = name.replace(".", "/")
    return f"{base}/__init__.py" if path.name == "__init__.py" else f"{base}.py"


def _readme(assignment: Assignment, cases: tuple[Prepared, ...]) -> str:
    wanted = ", ".join(f"`{handin.name}`" for handin in assignment.files)
    rows = "\n".join(f"- `{prepared.case.id}`: {prepared.case.title}" for prepared in cases)
    return f"""# {assignment.title}

{assignment.about}

You hand in {wanted}. To check it on the visible cases:

    python3 check.pyz            # the solution in this folder
    python3 check.pyz path/to/{assignment.files[0].name}
    python3 check.pyz --only {cases[0].case.id}

It needs Python 3.11 or newer and nothing else. Your program runs with your own rights, held only by limits, so run
only code you trust. The official run uses the same judges behind a stronger wall, and has hidden cases besides.

## The visible cases

{rows}
"""
