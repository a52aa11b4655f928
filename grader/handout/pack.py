r"""Packs the students' kit.

lefthand-kit.zip
├── README.md                how to use it
├── handout.html             the assignment, if the course wrote one (page.py)
├── maze_solver.py           the starter
├── check.pyz                `grader check` for students: needs Python 3.11, nothing else
└── cases/<id>/…             the visible cases, to be looked at

check.pyz is unpacked by start.py while it runs:

├── __main__.py              start.py
├── kit.json, expected/…     the assignment and the visible cases
├── answers.json             what withheld modules say about the visible cases (contents.py)
├── templates/, jinja2/, …   the page, and the libraries that fill it, with their licences
└── grader/, kits/, …        our modules that it needs; of kit and judge, those that aren't withheld, with their data
"""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader import __version__
from grader.bundled import bundled
from grader.catalogue.kits import KitError, kit_path
from grader.errors import UsageError
from grader.handout.contents import ANSWERS, DATA, answers_about
from grader.handout.modules import needed, whole_package, withheld_by
from grader.handout.page import handout_html
from grader.judge import registry
from grader.model.kit import Transcribed
from grader.model.regulations import Regulations
from grader.model.run import Agent
from grader.model.verdict import Visibility
from grader.pipeline.prepare import prepare
from grader.zips import zip_files

if TYPE_CHECKING:
    from grader.model.assignment import Assignment, Case, Kind, RuleCase
    from grader.pipeline.prepare import Prepared

_CHECK = "grader.handout.program"
_STRUCTS = "grader.handout.plain_structs"
_IMPORTS = re.compile(rb"^([ \t]*)import msgspec(?=\s*(?:#.*)?$)", re.MULTILINE)
_IMPORTS_FROM = re.compile(rb"^([ \t]*)from msgspec((?:\.\w+)*) import\b", re.MULTILINE)
_BY_NAME = ("grader.judge", "grader.policy")
"""Packages whose modules are also found by name while they run."""
BUNDLED = ("jinja2", "markupsafe", "pygments")
"""What the page needs: plain Python, and free to be passed on with its licence; of each the imported modules."""
_PROOF_S = 120


def pack_kit(assignment: Assignment) -> bytes:
    """Return the kit as a zip: visible cases only, no solver, nothing hidden."""
    cases = visible_cases(assignment)
    files = checking_files(assignment, cases, root=_CHECK)
    files["__main__.py"] = Path(__file__).with_name("start.py").read_bytes()
    runner = b"#!/usr/bin/env python3\n" + zip_files(files)
    proof = zip_files({"check.pyz": runner})
    run_alone(proof, "-S", "check.pyz", "--prove", what=f"the kit of {assignment.name} doesn't run")
    files = {"README.md": _readme(assignment, cases).encode(), "check.pyz": runner}
    if handout := handout_html(assignment):
        files["handout.html"] = handout.encode()
    if assignment.starter:
        files[Path(assignment.starter).name] = Path(assignment.starter).read_bytes()
    for prepared in cases:
        files |= _shown(prepared)
    return zip_files(files)


def visible_cases(assignment: Assignment) -> tuple[Prepared, ...]:
    """Prepare the cases that students may see, with their answers."""
    cases = tuple(map(_keyed, prepare(assignment, lambda case: not _is_hidden(case)).cases))
    if not cases:
        raise UsageError(f"{assignment.name} has no visible case", hint="a kit without cases checks nothing")
    return cases


def checking_files(assignment: Assignment, cases: tuple[Prepared, ...], *, root: str) -> dict[str, bytes]:
    """Return all that a module needs to check solutions: its modules and the cases."""
    released = {name: _released(kind) for name, kind in assignment.kinds.items()}
    withheld = frozenset(name for kind in assignment.kinds.values() for name in withheld_by(kind) or ())
    files = _modules([root, _STRUCTS, *_roots(cases, released)], withheld)
    packed = [_packed(prepared, released[prepared.case.kind.name], files) for prepared in cases]
    bare = msgspec.structs.replace(
        assignment,
        cases=(),
        rules=tuple(rule for rule in assignment.rules if not _is_hidden(rule)),
        kinds={},
        folder=None,
        regulations=Regulations(),
        starter="",
        about="",
    )
    data = {"assignment": msgspec.to_builtins(bare), "cases": packed, "withheld": sorted(withheld), "by": __version__}
    data["hidden"] = sum(facts.visibility is not Visibility.VISIBLE for facts in assignment.facts)
    files[DATA] = json.dumps(data, ensure_ascii=False).encode()
    files[ANSWERS] = json.dumps(answers_about(cases), ensure_ascii=False).encode()
    return files


def _released(kind: Kind) -> str:
    """Name the kit that students get, as module:factory; empty when the judge can do without it."""
    if withheld_by(kind) is not None:
        return kit_path(kind.kit)
    if kind.judge not in registry.NAMES or hasattr(registry.find(kind.judge), "ASKS"):
        raise KitError(
            f"the kit {kind.kit} doesn't say which of its modules stay with the course",
            hint='name those that hold its solver: WITHHELD = ("module", …), or () when there is nothing to hide',
        )
    return ""


def _roots(cases: tuple[Prepared, ...], released: dict[str, str]) -> list[str]:
    kinds = {prepared.case.kind.name: prepared.case.kind for prepared in cases}
    roots = [name for package in _BY_NAME for name in whole_package(package)]
    roots += [released[name].partition(":")[0] for name in kinds if released[name]]
    roots += [kind.judge for kind in kinds.values() if kind.judge not in registry.NAMES]
    roots += [each.how.world.partition(":")[0] for each in cases if isinstance(each.how, Agent)]
    return roots


def _modules(roots: list[str], withheld: frozenset[str]) -> dict[str, bytes]:
    found = needed(roots, withheld=withheld, bundled=BUNDLED)
    for name, place in found.installed.items():
        if name != "msgspec":
            raise KitError(
                f"{place}: {name} is imported, and students' machines may not have it",
                hint="import it inside the function that needs it, or name the module in WITHHELD",
            )
    files = {name: path.read_bytes() for name, path in found.files.items()}
    files |= {name: _plain(source) for name, source in files.items() if name.endswith(".py")}
    return files | _licences() | _templates()


def _plain(source: bytes) -> bytes:
    """Have a module import our plain structs in the place of msgspec, which students' machines don't have."""
    source = _IMPORTS.sub(rb"\1import %b as msgspec" % _STRUCTS.encode(), source)
    return _IMPORTS_FROM.sub(rb"\1from %b\2 import" % _STRUCTS.encode(), source)


def _licences() -> dict[str, bytes]:
    """Return the licence of each library, by its place in the kit."""
    named = ((name, path) for name in BUNDLED for path in metadata.files(name) or ())
    return {
        f"licences/{name}/{path.name}": path.read_binary()
        for name, path in named
        if path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING"))
    }


def _templates() -> dict[str, bytes]:
    """Take the pages' files; what `grader new` copies is in a folder below."""
    files = (path for path in bundled("templates").iterdir() if path.suffix in {".css", ".html", ".js"})
    return {f"templates/{path.name}": path.read_bytes() for path in files}


def _keyed(prepared: Prepared) -> Prepared:
    """Ask the kit for an answer key that isn't stored: what solves the puzzle stays here."""
    case = prepared.case
    if case.expect is not None:
        return prepared
    expect = registry.key(registry.find(case.kind.judge), prepared.kit, prepared.puzzle)
    return msgspec.structs.replace(prepared, case=msgspec.structs.replace(case, expect=expect))


def _packed(prepared: Prepared, kit: str, files: dict[str, bytes]) -> dict[str, Any]:
    """Pack a visible case; the files that its expectation names come along."""
    kind = msgspec.structs.replace(prepared.case.kind, kit=kit)
    case = msgspec.to_builtins(msgspec.structs.replace(prepared.case, kind=kind, path="", line=0))
    named = {}
    for number, (key, content) in enumerate(_files(prepared).items()):
        named[key] = f"expected/{prepared.case.id}-{number}.out"
        case["expect"][key] = named[key]  # and not where it lies with the course
        files[named[key]] = content
    plain = {"how": msgspec.to_builtins(prepared.how), "inputs": msgspec.to_builtins(prepared.inputs)}
    return {"case": case, "files": named, **plain}


def _files(prepared: Prepared) -> dict[str, bytes]:
    """Read the files that an expectation names; the kit writes those that aren't stored."""
    read: dict[str, bytes] = {}
    for key in getattr(registry.find(prepared.case.kind.judge), "FILES", {}):
        path = getattr(prepared.case.expect, key)
        if path is not None:
            raw = Path(path).read_bytes()
            read[key] = gzip.decompress(raw) if path.endswith(".gz") else raw
        elif isinstance(prepared.kit, Transcribed):
            read[key] = "".join(f"{line}\n" for line in prepared.kit.transcript(prepared.puzzle)).encode()
    return read


def run_alone(content: bytes, *words: str, what: str) -> None:
    """Unpack a zip and run a bare Python beside it; raise KitError for what would fail elsewhere."""
    with tempfile.TemporaryDirectory(prefix="grader-proof-") as folder:
        zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
        command = [sys.executable, "-I", *words]
        done = subprocess.run(  # noqa: S603 - our own program
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, timeout=_PROOF_S
        )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise KitError(
            f"{what} by itself: {said[-1] if said else done.returncode}",
            hint="it has the modules that its kits and judges import, and the data files that their sources name",
        )


def _is_hidden(case: Case | RuleCase) -> bool:
    return case.facts.visibility is not Visibility.VISIBLE


def _shown(prepared: Prepared) -> dict[str, bytes]:
    """Give the files of one case that a student may want to read."""
    case = prepared.case
    folder = f"cases/{case.id}"
    shown = {f"{folder}/{file.path}": file.content for file in prepared.inputs}
    if not shown:
        shown[f"{folder}/input.txt"] = case.raw
    files = {f"{folder}/expected.out": content for content in _files(prepared).values()}
    told = msgspec.json.format(msgspec.json.encode(case.expect), indent=2) + b"\n"
    shown |= files or {f"{folder}/expected.json": told}
    return shown


def _readme(assignment: Assignment, cases: tuple[Prepared, ...]) -> str:
    wanted = ", ".join(f"`{handin.name}`" for handin in assignment.files)
    rows = "\n".join(f"- `{prepared.case.id}`: {prepared.case.facts.title}" for prepared in cases)
    return f"""# {assignment.title}

{assignment.about}

You hand in {wanted}. To check it on the visible cases:

    python3 check.pyz                   the solution in this folder; on Windows: py check.pyz
    python3 check.pyz path/to/{assignment.files[0].name}
    python3 check.pyz --only {cases[0].case.id}
    python3 check.pyz --open            see it step by step in the browser
    python3 check.pyz --watch           check again whenever you save
    python3 check.pyz --help            everything else

It needs Python 3.11 or newer and nothing else, on Linux, macOS and Windows. Your program runs without a sandbox, so
run only code you trust. Your grade comes from the course's run, which has the same judges and also hidden cases.

## The visible cases

{rows}
"""
