"""Promises that nothing outlives a case, a sandbox, or the grader itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from sandbox_bench import LEVELS, Bench, out

from grader.errors import SandboxError
from grader.model.run import File, Limits, Program, RunRequest
from grader.model.verdict import Ending, Level
from grader.sandbox.levels import probe
from grader.sandbox.open import open_sandbox
from grader.sandbox.supervisor import users

SUPERVISOR = """
import sys
from grader.model.run import File, Limits, Program, RunRequest
from grader.model.verdict import Level
from grader.sandbox.open import open_sandbox
sandbox = open_sandbox(Level(sys.argv[1]))
run = lambda text: sandbox.run(RunRequest(how=Program(main="s.py"), files=(File(path="s.py", content=text),),
    limits=Limits(wall_s=60)))
run(b"pass")
print(next(iter(sandbox._zygotes.values())).pid, flush=True)
run(b"import time\\nopen('left', 'w').write('x')\\ntime.sleep(60)")
"""


@pytest.mark.parametrize("level", LEVELS)
def test_nothing_survives_a_killed_supervisor(level: Level, tmp_path: Path) -> None:
    """After SIGKILL of the grader no process and no file of it is left."""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, level.value], stdout=subprocess.PIPE, env=environment, text=True
    )
    assert process.stdout is not None
    zygote = int(process.stdout.readline())
    tree = wait_for(lambda: [pid for pid in [zygote, *descendants(zygote)] if alive(pid)], at_least=2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    wait_for(lambda: [] if any(alive(pid) for pid in tree) or any(tmp_path.iterdir()) else [1], at_least=1)
    assert [pid for pid in tree if alive(pid)] == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("delay_s", [0.0, 0.004, 0.009, 0.015])
def test_nothing_survives_a_supervisor_killed_between_two_cases(level: Level, delay_s: float, tmp_path: Path) -> None:
    """Whichever step the zygote is at, it sees that it is alone."""
    busy = SUPERVISOR[: SUPERVISOR.rindex("run(")] + "while True:\n    run(b\"open('left', 'w')\")\n"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", busy, level.value], stdout=subprocess.PIPE, env=environment, text=True
    )
    assert process.stdout is not None
    zygote = int(process.stdout.readline())
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    wait_for(lambda: [] if alive(zygote) or any(tmp_path.iterdir()) else [1], at_least=1)
    assert not alive(zygote)
    assert list(tmp_path.iterdir()) == []


def wait_for(look: object, *, at_least: int) -> list[int]:
    """Look until there is enough to see, or give up after a patience that only a broken wall needs."""
    end = time.monotonic() + 30
    while True:
        found: list[int] = look()  # type: ignore[operator]  # a plain callable
        if len(found) >= at_least or time.monotonic() > end:
            return found
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def descendants(pid: int) -> list[int]:
    """Return the children of a process and theirs."""
    try:
        children = [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return [*children, *(below for child in children for below in descendants(child))]


@pytest.mark.parametrize("level", LEVELS)
def test_a_closed_sandbox_leaves_no_folder(level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither its own folder nor a case's odd files stay."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bench = Bench(level)
    bench.program("import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nos.symlink('/', 'a/root')")
    bench.sandbox.close()
    assert [path for path in tmp_path.iterdir() if path.name.startswith("grader-")] == []
    assert Path("/").exists()


MESSES = {
    "deep": "for _ in range(1500):\n    os.mkdir('d')\n    os.chdir('d')\n",
    "names": "for n in range(40):\n    os.makedirs(f'../\\x01{n}/full')\n    os.makedirs(f'd/\\x01{n}/full')",
    "odd names": "for n in (b'\\xff', b'-rf', b'a\\n', b' ', b'..x', b'x' * 255): os.makedirs(n + b'/' + n)\n",
    "no rights": "os.makedirs('a/b')\nos.chmod('a/b', 0)\nos.chmod('a', 0)\nos.chmod('.', 0)\nos.chmod('..', 0)\n",
    "links": "os.symlink('.', 'loop')\nos.symlink('/', 'root')\nos.link('solution.py', 'hard')\n",
    "moved": "os.rename('../work', '../other')\nos.symlink('/', '../work')\n",
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("mess", MESSES)
def test_no_mess_reaches_the_next_case_or_stays(
    level: Level, mess: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever names, depths and rights a case leaves, it is no failure of ours, and all of it goes."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    bench = Bench(level)
    endings = {bench.program("import os\n" + MESSES[mess]).ending for _ in range(2)}
    after = bench.program("import os\nprint(os.listdir(), os.listdir('..'))")
    bench.sandbox.close()
    assert Ending.SANDBOX_FAILED not in endings
    assert out(after) in {f"['solution.py'] {names}\n" for names in (["work", "tmp"], ["tmp", "work"])}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("level", LEVELS)
def test_a_killed_zygote_fails_one_case_and_is_replaced(level: Level) -> None:
    """A mechanism that breaks is told as our failure; the next case gets a new zygote."""
    bench = Bench(level)
    try:
        assert bench.program("pass").ending is Ending.EXITED
        zygote = next(iter(bench.sandbox._zygotes.values())).pid  # type: ignore[attr-defined]  # the sandbox's own
        tree = [zygote, *descendants(zygote)]
        os.kill(zygote, signal.SIGKILL)
        wait_for(lambda: [] if any(alive(pid) for pid in tree) else [1], at_least=1)
        broken = bench.program("print(1)")
        assert broken.ending is Ending.SANDBOX_FAILED
        assert broken.detail
        assert out(bench.program("print(2)")) == "2\n"
    finally:
        bench.sandbox.close()


def test_a_path_that_leaves_the_folder_fails_the_case() -> None:
    """A file named `../x` is never written."""
    bench = Bench(LEVELS[-1])
    record = bench.program("print(1)", files=(File(path="../x", content=b""),))
    bench.sandbox.close()
    assert record.ending is Ending.SANDBOX_FAILED


def test_a_child_that_cannot_be_set_up_says_why() -> None:
    """What fails before the case is even known is told with it, as our failure; the next case is not touched."""
    bench = Bench(Level.ISOLATED)
    broken = bench.program("print(1)", limits=Limits(disk_mib=-1))
    whole = bench.program("print(2)")
    bench.sandbox.close()
    assert broken.ending is Ending.SANDBOX_FAILED
    assert "mount /home/student" in broken.detail
    assert out(whole) == "2\n"


@pytest.mark.needs("isolated")
def test_sandboxes_run_side_by_side_in_threads() -> None:
    """Each worker's sandbox answers for its own cases only."""
    answers: dict[int, list[str]] = {}

    def work(number: int) -> None:
        bench = Bench(LEVELS[-1])
        answers[number] = [out(bench.program(f"print({number}, {turn})")) for turn in range(5)]
        bench.sandbox.close()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: [f"{number} {turn}\n" for turn in range(5)] for number in range(4)}


@pytest.mark.needs("isolated")
def test_closing_from_another_thread_ends_the_case() -> None:
    """An engine can take a worker down while its case still runs."""
    sandbox = open_sandbox(LEVELS[-1])
    request = RunRequest(
        how=Program(main="s.py"),
        files=(File(path="s.py", content=b"import time; time.sleep(60)"),),
        limits=Limits(wall_s=50),
    )
    sandbox.run(RunRequest(how=request.how, files=(File(path="s.py", content=b""),)))
    timer = threading.Timer(0.3, sandbox.close)
    timer.start()
    record = sandbox.run(request)
    timer.join()
    assert record.ending is Ending.SANDBOX_FAILED
    sandbox.close()


def test_the_probe_names_a_level_that_holds() -> None:
    """What it says can be opened, and has its mechanisms and no unexplained gap."""
    isolation = probe()
    assert isolation == open_sandbox().isolation
    assert isolation.mechanisms
    assert all(gap["what"] and gap["why"] and gap["consequence"] for gap in isolation.missing)


def test_a_level_that_does_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for more than the machine has fails closed."""
    from grader.sandbox import levels as room

    failure = room.Failure(level=Level.ISOLATED, why="no namespaces")
    monkeypatch.setattr(room, "try_level", lambda _level: failure)
    with pytest.raises(SandboxError, match="no namespaces"):
        open_sandbox(Level.ISOLATED)


@pytest.mark.needs("root")
def test_root_gives_each_sandbox_a_user_of_its_own() -> None:
    """No case runs as root, and no two sandboxes share a user."""
    first, second = users.own_user("/usr"), users.own_user("/usr")
    assert first is not None
    assert second is not None
    assert 0 < first["id"] != second["id"] > 0
