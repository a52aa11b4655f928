r"""Writes the site.

public/
├── index.html, site.css, page.js      the page, with its editor
├── room.html, {start,judge,run}.js    what the page passes into a frame without an origin
├── service.js                         keeps all of this for when there is no network
├── python/…                           Python in WebAssembly, and its memory: just after the start, and with the judge
├── licences.txt
└── lefthand/
    ├── assignment.json                what the page shows; what a worker with a student's program needs
    ├── judge.zip                      judges, scan, released parts of the kit and visible cases, as in check.pyz
    ├── handout.html                   if the course wrote one
    └── lefthand-kit.zip               the same check for a computer of one's own
"""

from __future__ import annotations

import gzip
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from grader import __version__
from grader.bundled import bundled
from grader.errors import UsageError
from grader.handout.modules import needed
from grader.handout.pack import checking_files, pack_kit, visible_cases
from grader.handout.page import handout_html
from grader.policy.shipped import watcher_source
from grader.report.html.page import PLAYER, SCRIPTS, STYLES
from grader.report.html.templates import fill, hash_of, page_hashes
from grader.report.layout import write_atomically
from grader.sandbox.browser.lacks import COURSE, DIFFERENCES, CoursePython
from grader.zips import zip_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from grader.model.assignment import Assignment
    from grader.pipeline.prepare import Prepared
    from grader.site.packages import Packages

_JUDGE, _CHILD = "grader.site.judge", "grader.sandbox.browser.child"
_AS_THEY_ARE = ("pyodide.asm.js", "pyodide.js", "python_stdlib.zip")
_LARGE = ("python/python.wasm.gz", "python/memory.gz", "python/judge.gz", "python/python_stdlib.zip")
"""What the page waits for, and says how much of it has come."""
Files = dict[str, bytes]
"""Path below the site → content."""


def publish(assignments: Iterable[Assignment], out: Path, packages: Packages) -> int:
    """Write the site of these assignments; return its size in bytes."""
    given = tuple(assignments)
    cases = [visible_cases(_publishable(each)) for each in given]
    judges = [checking_files(each, visible, root=_JUDGE) for each, visible in zip(given, cases, strict=True)]
    files = _python(packages, _preloaded(judges)) | _page(given, packages)
    facts = {"weight": sum(len(files[name]) for name in _LARGE)}
    for assignment, visible, judge in zip(given, cases, judges, strict=True):
        own = _assignment(assignment, visible, judge, facts)
        files |= {f"{assignment.name}/{name}": content for name, content in own.items()}
    files["service.js"] = _service(files)
    for name, content in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out / name, content)
    return sum(map(len, files.values()))


def _preloaded(judges: Sequence[Files]) -> Files:
    """Choose the modules and templates that every judge has: ours, and what they need."""
    given = {name: content for name, content in judges[0].items() if name.endswith((".py", ".html"))}
    return {name: content for name, content in given.items() if all(each.get(name) == content for each in judges)}


def _python(packages: Packages, preloaded: Files) -> Files:
    """Take what the browser needs of Pyodide; its list of further packages stays behind."""
    folder = packages.pyodide
    lock = json.loads((folder / "pyodide-lock.json").read_text("utf-8")) | {"packages": {}}
    wasm = (folder / "pyodide.asm.wasm").read_bytes()
    return {
        **{f"python/{name}": (folder / name).read_bytes() for name in _AS_THEY_ARE},
        "python/python.wasm.gz": gzip.compress(wasm, 9, mtime=0),
        **{f"python/{name}": content for name, content in packages.memory(preloaded).items()},
        "python/lock.json": json.dumps(lock).encode(),
    }


def _page(assignments: tuple[Assignment, ...], packages: Packages) -> Files:
    source = bundled("web", "src")
    room = "".join((source / name).read_text("utf-8") for name in ("start.js", "room.js"))
    lock = json.loads((packages.pyodide / "pyodide-lock.json").read_text("utf-8"))
    index = fill(
        "site/index.html",
        scripts=(),
        assignments=assignments,
        policy=_policy(room),
        differences=DIFFERENCES,
        course=CoursePython.of_this().name,
        version=__version__,
        python=lock["info"]["python"],
        pyodide=packages.version("pyodide"),
    )
    style = bundled("templates", "style.css").read_bytes() + bundled("templates", "site", "site.css").read_bytes()
    return {
        "index.html": index.encode(),
        "site.css": style,
        "page.js": packages.bundle(source / "page.js"),
        "room.html": _room(room).encode(),
        **{name: (source / name).read_bytes() for name in ("start.js", "judge.js", "run.js")},
        "licences.txt": packages.licences().encode(),
    }


def _policy(room: str) -> str:
    """Return the page's content policy; the frames inherit it, so it names their scripts by their hashes."""
    styles, reports = page_hashes(STYLES, SCRIPTS, PLAYER)
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src 'self' 'wasm-unsafe-eval' '{hash_of(room)}' {reports}",
            f"style-src 'self' {styles}",
            "img-src data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def _room(script: str) -> str:
    """Return the frame in which Python runs: what is inside may compile WebAssembly, and reach nothing."""
    policy = f"default-src 'none'; script-src '{hash_of(script)}' 'wasm-unsafe-eval'; worker-src blob:"
    return (
        f'<!doctype html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>Python</title></head><body><script>{script}</script></body></html>"
    )


def _publishable(assignment: Assignment) -> Assignment:
    if assignment.packages:
        raise UsageError(
            f"{assignment.name} gives students {', '.join(assignment.packages)}, which browsers don't have",
            hint="leave this assignment out of the site; its kit works",
        )
    return assignment


def _assignment(assignment: Assignment, cases: tuple[Prepared, ...], judge: Files, facts: dict[str, Any]) -> Files:
    python = {COURSE: msgspec.json.encode(CoursePython.of_this())}
    files = {"judge.zip": zip_files(judge | python)}
    files[f"{assignment.name}-kit.zip"] = pack_kit(assignment)
    links = [(f"{assignment.name}/{assignment.name}-kit.zip", "the same check for your own computer (zip)")]
    if handout := handout_html(assignment):
        files["handout.html"] = handout.encode()
        links.insert(0, (f"{assignment.name}/handout.html", "Read the assignment"))
    files["assignment.json"] = json.dumps(
        _facts(assignment, cases) | facts | {"links": links}, ensure_ascii=False
    ).encode()
    return files


def _facts(assignment: Assignment, cases: tuple[Prepared, ...]) -> dict[str, Any]:
    """Say what the page shows, and what a worker is prepared with."""
    watched = assignment.policy.watched
    sources = {name: path.read_text("utf-8") for name, path in needed([_CHILD]).files.items()}
    child = {"sources": sources, "watcher": watcher_source() if watched else "", "watch": watched}
    return {
        "name": assignment.name,
        "title": assignment.title,
        "about": assignment.about,
        "files": [{"name": each.name, "starter": _starter(assignment, each.name)} for each in assignment.files],
        "cases": [{"id": one.case.id, "title": one.case.facts.title} for one in cases],
        "child": child,
    }


def _starter(assignment: Assignment, name: str) -> str | None:
    path = Path(assignment.starter) if assignment.starter else None
    return path.read_text("utf-8") if path and path.name == name else None


def _service(files: Files) -> bytes:
    """Name every file with its digest, so that a new version fetches only what has changed."""
    text = bundled("web", "src", "service.js").read_text("utf-8")
    digests = {name: hashlib.sha256(content).hexdigest()[:16] for name, content in sorted(files.items())}
    return text.replace("/* filled in by grader/site/publish.py */ {}", json.dumps(digests)).encode()
