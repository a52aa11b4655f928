"""Promises that a shortage lowers no level, blames no student, hangs nowhere and is told in a sentence."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from sandbox_bench import LEVELS, Bench, out

from grader.model.run import Limits
from grader.model.verdict import Ending, Level
from grader.sandbox.supervisor.zygote_folder import PREFIX

RUN = """
import sys
from grader.errors import GraderError
from grader.model.run import File, Limits, Program, RunRequest
from grader.model.verdict import Level
from grader.sandbox.open import open_sandbox
try:
    sandbox = open_sandbox(Level(sys.argv[1]) if len(sys.argv) > 1 else None)
except GraderError as error:
    print("refused", error)
else:
    text = b"import threading\\nx = bytearray(150 << 20)\\nopen('f', 'wb').write(bytes(3 << 20))\\n"
    text += b"end = threading.Event()\\nthreads = [threading.Thread(target=end.wait) for _ in range(8)]\\n"
    text += b"for thread in threads: thread.start()\\nend.set()\\nprint('right')"
    for _ in range(3):
        record = sandbox.run(RunRequest(how=Program(main="s.py"), files=(File(path="s.py", content=text),),
            limits=Limits(memory_mib=256, wall_s=60)))
    print(sandbox.isolation.level, record.ending, record.stdout.content().decode().strip(), record.detail)
    sandbox.close()
"""


def under(limit: str, tmp_path: Path, *arguments: str) -> str:
    """Run the script under a limit that it inherits; it must end by itself."""
    command = ["sh", "-c", f'{limit}; exec "$@"', "sh", sys.executable, "-c", RUN, *arguments]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout + done.stderr


@pytest.mark.needs("confined")
@pytest.mark.parametrize("count", [16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 256])
def test_few_descriptors_are_refused_or_enough(count: int, tmp_path: Path) -> None:
    """Never a weaker level, never a wait for something that can't come, never a folder left."""
    said = under(f"ulimit -n {count}", tmp_path)
    whole = said.strip() == "isolated exited right"
    assert whole or "Too few open files" in said or "Too many open files" in said, said
    assert whole or count < 256
    assert [path.name for path in tmp_path.iterdir()] == []


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("limit", "word"),
    [
        ("ulimit -v 300000", "memory"),
        ("ulimit -f 2000", "the size of a file"),
        ("ulimit -t 3", "processor time"),
        ("ulimit -s 4096", "the stack"),
    ],
)
def test_an_inherited_limit_is_no_verdict_of_a_students(limit: str, word: str, level: Level, tmp_path: Path) -> None:
    """It is named, with what to type, and the case is our failure."""
    said = under(limit, tmp_path, level.value)
    assert f"limit on {word}" in said, said
    assert "ulimit" in said
    assert "right" not in said


@pytest.mark.parametrize("level", LEVELS)
def test_more_files_than_we_may_open_ourselves_is_our_failure(level: Level, tmp_path: Path) -> None:
    """A case is promised its 64 open files, or doesn't run."""
    said = under("ulimit -n 128", tmp_path, level.value)
    assert said.startswith(f"{level} exited right"), said


if os.getuid() != 0:  # root's processes aren't counted; test_sandbox_user runs this file as an ordinary user

    def test_few_processes_are_refused(tmp_path: Path) -> None:
        """A thread that can't be started for want of a number is not the program's fault."""
        said = under("ulimit -p 40 2>/dev/null || ulimit -u 40", tmp_path)
        assert "Too few processes" in said, said


def test_a_leftover_of_a_killed_run_is_removed_and_a_live_one_is_not(tmp_path: Path) -> None:
    """Whoever holds the lock lives; other folders and links of that name are not ours to touch."""
    leftover = tmp_path / f"{PREFIX}dead"
    (leftover / "box" / "work").mkdir(parents=True)
    (leftover / "box").chmod(0)
    (tmp_path / f"{PREFIX}link").symlink_to("/")
    (tmp_path / f"{PREFIX}file").write_text("")
    (tmp_path / "grader-other").mkdir()
    live = "import tempfile, sys\ntempfile.tempdir = sys.argv[1]\n"
    live += "from grader.sandbox.supervisor.zygote_folder import Scratch\n"
    code = f"{live}s = Scratch(); print(s.path, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        held = Path(holder.stdout.readline().strip())
        subprocess.run([sys.executable, "-c", f"{live}Scratch().remove()", str(tmp_path)], check=True)
        assert held.is_dir()
        holder.kill()
    assert not leftover.exists()
    subprocess.run([sys.executable, "-c", f"{live}Scratch().remove()", str(tmp_path)], check=True)
    names = {f"{PREFIX}link", f"{PREFIX}file", "grader-other"}
    assert {path.name for path in tmp_path.iterdir()} == names


def test_a_full_disk_is_our_failure() -> None:
    """Where a case shares the machine's disk, there must be room for what it may write."""
    bench = Bench(Level.CONFINED)
    record = bench.program("pass", limits=Limits(disk_mib=1 << 40))
    bench.sandbox.close()
    assert record.ending is Ending.SANDBOX_FAILED
    assert "MiB" in record.detail or "limit" in record.detail


def descriptors() -> list[int]:
    return [int(path.name) for path in Path("/dev/fd").iterdir()]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("spare", range(0, 12, 2))
def test_descriptors_that_run_out_in_the_middle_fail_the_case_only(level: Level, spare: int) -> None:
    """Whichever step meets the lack, the case is our failure or goes right, nothing leaks, and the next one runs."""
    bench = Bench(level)
    bench.program("pass")
    before = len(descriptors())
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(descriptors()) + spare, hard))
    try:
        endings = {bench.program("print(1)").ending for _ in range(3)}
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert endings <= {Ending.EXITED, Ending.SANDBOX_FAILED}
    assert out(bench.program("print(2)")) == "2\n"
    assert len(descriptors()) == before
    bench.sandbox.close()


@pytest.mark.needs("mounts")
@pytest.mark.parametrize("level", LEVELS)
def test_a_full_place_for_scratch_folders_is_told(level: Level, tmp_path: Path) -> None:
    """Without room nothing is graded, at no level, and the sentence names the place or the lack."""
    script = 'mount -t tmpfs -o size=64k,nr_inodes=8 tmpfs "$1"; shift; exec "$@"'
    command = ["unshare", "-m", "sh", "-c", script, "sh", str(tmp_path), sys.executable, "-c", RUN, level.value]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    said = done.stdout + done.stderr
    assert "No space left" in said or "MiB left" in said, said
    assert "right" not in said
