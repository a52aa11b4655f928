"""Promises that a program sees an ordinary Python: it prints what it does in a fresh interpreter, at every level."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sandbox_bench import LEVELS, Bench, err, out

from grader.model.run import File, Limits
from grader.sandbox.supervisor import interpreter
from grader.sandbox.supervisor.zygote_folder import ZygoteFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.verdict import Level

PROGRAMS = sorted((Path(__file__).parent.parent / "data" / "sandbox-programs").glob("*.py"))
STDIN = b"first line\nsecond\n\nlast without newline"
ARGV = ("one", "two words")
LIMITS = Limits(cpu_s=20, wall_s=60, memory_mib=512)
BESIDE = {"maze.txt": b"#S#\n# #\n"}
"""Files beside every program; some have more."""
MORE = {
    "helper_modules": {
        "helper.py": b"NAME = 'helper'\n",
        "package/__init__.py": b"",
        "package/part.py": b"VALUE = 5\n",
    },
    "own_module_named_like_a_library_one": {"queue.py": b"WHO = 'mine'\n", "copy.py": b"WHO = 'mine too'\n"},
    "library_uses_an_own_module": {"bisect.py": b"print('my own bisect')\n"},
    "own_random": {"random.py": b"import sys\nprint('my own random', __name__)\n"},
}


@pytest.fixture(scope="module")
def home() -> Iterator[ZygoteFolder]:
    home = ZygoteFolder(interpreter.find(), owner=None, container=False)
    yield home
    home.remove()


@pytest.fixture(params=LEVELS, scope="module")
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    bench = Bench(request.param)
    yield bench
    bench.sandbox.close()


_fresh: dict[str, tuple[int, str, str]] = {}


def fresh(program: Path, files: dict[str, bytes], home: ZygoteFolder) -> tuple[int, str, str]:
    """Run `python3 solution.py` by a fresh interpreter without packages, once for all levels."""
    if program.stem not in _fresh:
        folder = Path(home.work)
        for path, content in {**files, "solution.py": program.read_bytes()}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        Path(home.temporary).mkdir(exist_ok=True)
        done = subprocess.run(
            [home.executable, "solution.py", *ARGV],
            input=STDIN,
            capture_output=True,
            cwd=folder,
            env=home.environment(),
            check=False,
        )
        _fresh[program.stem] = (done.returncode, plain(done.stdout, home.work), plain(done.stderr, home.work))
        subprocess.run(["rm", "-rf", folder], check=True)
    return _fresh[program.stem]


def plain(output: bytes, *folders: str) -> str:
    text = output.decode("utf-8", "surrogateescape")
    for folder in folders:
        text = text.replace(folder, "<work>")
    return re.sub(r"0x[0-9a-f]{6,}|(?<=started )\d{6,}", "<address>", text)


def without_depths(facts: tuple[int, str, str]) -> tuple[int, str, str]:
    """Before Python 3.12 recursion ends one level early: the way to the program has used one."""
    status, stdout, stderr = facts
    return status, re.sub(r"\d{3,}", "<depth>", stdout), re.sub(r"\d{3,}", "<depth>", stderr)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_sees_an_ordinary_python(bench: Bench, home: ZygoteFolder, program: Path) -> None:
    """Exit status, stdout and stderr are a fresh interpreter's, byte by byte."""
    files = {**BESIDE, **MORE.get(program.stem, {})}
    record = bench.program(
        program.read_bytes(),
        stdin=STDIN,
        argv=ARGV,
        limits=LIMITS,
        files=tuple(File(path=path, content=content) for path, content in files.items()),
    )
    status = record.exit_status if record.exit_status is not None else -(record.signal or 0)
    folders = work_folders(bench)
    found = (status, plain(record.stdout.content(), *folders), plain(record.stderr.content(), *folders))
    expected = fresh(program, files, home)
    if program.stem.startswith("recursion_") and sys.version_info < (3, 12):
        found, expected = without_depths(found), without_depths(expected)
    assert found == expected, record.detail


def work_folders(bench: Bench) -> set[str]:
    """Return the working directories that cases of this sandbox have, one for each zygote."""
    zygotes = bench.sandbox._zygotes.values()  # type: ignore[attr-defined]  # the sandbox's own handles
    return {zygote.home.work for zygote in zygotes}


@pytest.mark.parametrize("level", LEVELS)
def test_each_case_has_its_own_chance(level: Level) -> None:
    """`random` is warm, yet two cases never draw the same numbers, whichever module brings it."""
    bench = Bench(level)
    source = "import statistics, random\nprint(random.random(), statistics.random.random())"
    drawn = [out(bench.program(source if turn % 2 else "import random\nprint(random.random())")) for turn in range(6)]
    bench.sandbox.close()
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("level", LEVELS)
def test_all_threads_that_are_promised_can_live_at_once(level: Level) -> None:
    """Whether a thread ends before the next one starts is chance, and must not decide."""
    bench = Bench(level)
    source = """
import threading
block, end = bytearray(300 << 20), threading.Event()
threads = [threading.Thread(target=end.wait) for _ in range(16)]
[thread.start() for thread in threads]
print(threading.active_count(), flush=True)
end.set()
"""
    record = bench.program(source, limits=Limits(memory_mib=512, threads=16))
    bench.sandbox.close()
    assert out(record) == "17\n", err(record)


@pytest.mark.parametrize("level", LEVELS)
def test_a_warm_threading_knows_the_case_as_its_main_thread(level: Level) -> None:
    """Locks, the main thread and joins are those of a process that has just begun."""
    bench = Bench(level)
    source = """
import _thread, threading
main = threading.main_thread()
print(main is threading.current_thread(), main.ident == _thread.get_ident(), threading.active_count())
done = []
threads = [threading.Thread(target=done.append, args=(n,)) for n in range(3)]
[thread.start() for thread in threads], [thread.join() for thread in threads]
print(sorted(done), threading.active_count())
threading.Thread(target=lambda: print("last")).start()
"""
    record = bench.program(source)
    bench.sandbox.close()
    assert out(record) == "True True 1\n[0, 1, 2] 1\nlast\n", err(record)
