"""A ban condemns nobody for what the harness itself does in the student's process."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from grader import policy, sandbox
from grader.catalogue.load import load_assignment
from grader.model.run import Calls, File, Limits, Program, RunRequest
from grader.model.submission import Submission
from grader.model.verdict import Ending
from grader.pipeline.prepare import prepare, request_for
from grader.policy.shipped import watcher_source
from grader.policy.source import parse
from grader.sandbox.open import open_sandbox
from grader.sandbox.portable.sandbox import PortableSandbox

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.seams import Sandbox

ROOT = Path(__file__).parents[2]
ASSIGNMENTS = sorted(path.parent.name for path in ROOT.glob("cases/*/assignment.yaml"))
LIMITS = Limits(cpu_s=4, wall_s=20, memory_mib=256)
ORDINARY = {
    "raises": "def f(): raise ValueError('x')\nf()",
    "leaves": "print('left', flush=True)\nexit(3)",
    "reads no file": "open('nothing')",
    "is no Python": "x = (",
    "starts a process": "import subprocess\nsubprocess.run(['ls'])",
    "logs": "import logging\nlogging.warning('x %s', 1)\ntry: 1 / 0\nexcept Exception: logging.exception('y')",
    "waits": "import asyncio\nasyncio.run(asyncio.sleep(0))",
    "has threads": "from concurrent.futures import ThreadPoolExecutor as P\nwith P(2) as p: print(*p.map(len, 'ab'))",
    "leaves words": "class A:\n    def __del__(self): print('bye')\nx = A()",
    "asks for the time": "import datetime\nprint(datetime.datetime.strptime('2020', '%Y'), datetime.date.today())",
}


@cache
def of_the_harness() -> tuple[str, ...]:
    """Name every library module that our code in the student's process imports, and some that these need."""
    own = Path(sandbox.__path__[0])
    files = [*own.glob("inside/**/*.py"), *own.glob("*/child.py"), Path(policy.__path__[0], "watch.py")]
    named = {name for file in files for name in imports(file.read_bytes())}
    found = {name for name in named if name.partition(".")[0] in sys.stdlib_module_names} - {"__future__"}
    return tuple(sorted({*found, "threading", "logging", "asyncio", "io", "collections", "functools", "warnings"}))


def imports(source: bytes) -> Iterator[str]:
    tree = parse(source)
    for node in ast.walk(tree) if isinstance(tree, ast.Module) else ():
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


def banned_for(request: RunRequest, bans: tuple[str, ...]) -> RunRequest:
    """Ban all these that the submission doesn't import itself."""
    files = [file for file in request.files if file.path.endswith(".py")]
    own = {name.partition(".")[0] for file in files for name in imports(file.content)}
    return msgspec.structs.replace(request, watch=tuple(name for name in bans if name.partition(".")[0] not in own))


@pytest.fixture(scope="module", params=["behind the wall", "portable"])
def box(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    source = watcher_source()
    opened = (
        PortableSandbox(watcher_source=source) if request.param == "portable" else open_sandbox(watcher_source=source)
    )
    yield opened
    opened.close()


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_right_solution_is_accused_of_what_the_harness_uses(box: Sandbox, name: str) -> None:
    """Every right solution may run, by each kind of case, though every module that the harness needs is banned."""
    assignment = load_assignment(ROOT / "cases", name)
    first = {prepared.case.kind.name: prepared for prepared in reversed(prepare(assignment).cases)}
    accused = {}
    folders = sorted((ROOT / "reference" / "solutions" / name / "AC").iterdir())
    for folder in folders[: 1 if isinstance(box, PortableSandbox) else None]:  # which starts an interpreter each time
        paths = [path for path in folder.rglob("*") if path.is_file()]
        files = tuple(File(path=path.relative_to(folder).as_posix(), content=path.read_bytes()) for path in paths)
        for kind, prepared in first.items():
            request = request_for(prepared, Submission(id=folder.name, files=files), assignment)
            record = box.run(banned_for(request, of_the_harness()))
            if record.ban_uses or record.ending is not Ending.EXITED:
                accused[folder.name, kind] = (record.ending, record.ban_uses)
    assert accused == {}


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY.keys())
def test_no_ordinary_end_is_an_accusation(box: Sandbox, text: str) -> None:
    """However a program ends, as a program or in a call, the harness's part in it isn't the student's use."""
    body = "".join(f"    {line}\n" for line in text.split("\n"))
    called = Calls(module="main.py", function="solve", arguments=((1,),))
    for how, source in ((Program(main="main.py"), text), (called, f"def solve(x):\n{body}")):
        files = (File(path="main.py", content=source.encode()),)
        request = RunRequest(how=how, files=files, limits=LIMITS)
        plain = box.run(request)
        watched = box.run(banned_for(request, of_the_harness()))
        assert watched.ban_uses == ()
        assert (watched.ending, watched.exit_status) == (plain.ending, plain.exit_status)
