"""Real pushes to real bare repositories: the pusher sees the grading."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import course
import gitrepo
import pytest

from grader.forge import hook as forge_hook
from grader.forge.git import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator

    from course import Done


def install(folder: Path, *names: str, more: tuple[str, ...] = ()) -> Done:
    repositories = [str(folder / f"{name}.git") for name in names]
    return course.grader(folder, "hook", "install", *repositories, *course.entering(folder), *more)


def bare(folder: Path, name: str, *, content: bytes = course.RIGHT) -> Path:
    """Make a bare repository on the server and a student's clone with one commit; give the clone."""
    subprocess.run(["git", "init", "-q", "--bare", str(folder / f"{name}.git")], check=True, env=gitrepo.ENVIRONMENT)
    clone = gitrepo.new_repository(folder / f"clone-{name}")
    gitrepo.commit(clone, {"hello.py": content})
    gitrepo.git(clone, "remote", "add", "origin", f"file://{folder / f'{name}.git'}")
    return clone


def push(clone: Path, *refs: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["git", "-C", str(clone), "push", "origin", *refs],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**gitrepo.ENVIRONMENT, "XDG_CACHE_HOME": str(clone.parent / "cache")},
    )


def pushed(clone: Path, *refs: str) -> str:
    """Push, and give what the pusher's terminal showed of the server."""
    _, err = push(clone, *refs).communicate(timeout=300)
    return "\n".join(line.removeprefix("remote: ").rstrip() for line in err.splitlines())


def states(folder: Path) -> dict[str, int]:
    book = sqlite3.connect(folder / "book.sqlite")
    query = "SELECT json_extract(fact, '$.type'), count(*) FROM events GROUP BY 1"
    found = dict(book.execute(query).fetchall())
    book.close()
    return found


def test_a_pushed_tag_is_graded_before_the_pushers_eyes(tmp_path: Path) -> None:
    """The terminal shows attempt, progress, verdict and points; a branch or a deleted tag costs nothing."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann", content=course.WRONG)
    assert install(folder, "ann").returncode == 0
    gitrepo.git(clone, "tag", "v1")
    told = pushed(clone, "v1", "main")
    assert "This is attempt 1 of 3. 2 attempts left." in told
    assert "1 of 1 visible cases judged" in told
    assert re.search(r"✓ first +Says ok +passed", told)
    assert "What counts by now: 1 of 4 points (best attempt, v1)." in told
    assert (folder / "out" / "hello" / "ann" / "v1" / "report.html").exists()
    assert "The tag 'v1' was deleted; its attempt stays in the book." in pushed(clone, ":refs/tags/v1")
    assert states(folder) == {"received": 1, "started": 1, "settled": 1}


def test_a_moved_tag_is_told_to_the_pusher(tmp_path: Path) -> None:
    """A forced push of a graded tag is refused by the book, with both commits."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann")
    install(folder, "ann")
    gitrepo.git(clone, "tag", "v1")
    pushed(clone, "v1")
    gitrepo.commit(clone, {"hello.py": course.WRONG})
    gitrepo.git(clone, "tag", "-f", "v1")
    assert "A tag keeps the commit it first came with" in pushed(clone, "--force", "v1")
    assert states(folder) == {"received": 2, "started": 1, "settled": 1, "refused": 1}


def test_ten_pushes_at_once_keep_the_quota(tmp_path: Path) -> None:
    """Five students of one group push two tags each at the same time: three are graded, seven refused."""
    folder = course.make(tmp_path)
    names = [f"s{number}" for number in range(5)]
    (folder / "roster.csv").write_text("student,group\n" + "".join(f"{name},team\n" for name in names))
    clones = [bare(folder, name) for name in names]
    install(folder, *names, more=("--roster", "roster.csv"))
    for clone in clones:
        for tag in ("a", "b"):
            gitrepo.commit(clone, {"who.txt": f"{clone.name} {tag}".encode()}, tag=tag)
    running = [push(clone, tag) for clone in clones for tag in ("a", "b")]
    told = [process.communicate(timeout=300)[1] for process in running]
    assert [process.returncode for process in running] == [0] * 10
    assert sum("1 of 1 visible cases judged" in each for each in told) == 3
    assert sum("all 3 attempts are used" in each for each in told) == 7
    assert states(folder) == {"received": 10, "started": 3, "settled": 3, "refused": 7}


def test_five_hundred_tags_in_one_push_are_bounded(tmp_path: Path) -> None:
    """Of 500 tags the first two are taken, the rest noted and told in one line."""
    folder = course.make(tmp_path, "{}")
    clone = bare(folder, "ann")
    install(folder, "ann", more=("--most-tags", "2"))
    commit = gitrepo.git(clone, "rev-parse", "HEAD")
    lines = "".join(f"create refs/tags/t{number:03} {commit}\n" for number in range(500))
    gitrepo.git(clone, "update-ref", "--stdin", given=lines.encode())
    told = pushed(clone, "--tags")
    assert "498 more tags of this push: Not graded, and not counted: one push may bring at most 2 tags." in told
    assert states(folder) == {"received": 500, "started": 1, "settled": 1, "refused": 499}, "the second is the same"


def test_catch_up_grades_what_a_dead_hook_left(tmp_path: Path) -> None:
    """A tag that reached git while the hook could not run is graded later, under the server's time of the push."""
    folder = course.make(tmp_path, "{attempts: 3, due: 2030-01-01T00:00:00Z}")
    clone = bare(folder, "ann")
    install(folder, "ann")
    hook = folder / "ann.git" / "hooks" / "post-receive"
    hook.rename(hook.with_name("away"))
    gitrepo.git(clone, "tag", "v1")
    pushed(clone, "v1")
    assert states(folder) == {}
    (log,) = (folder / "ann.git" / "logs" / "refs" / "tags").iterdir()
    told = course.grader(folder, "hook", "catch-up", "ann.git", *course.entering(folder))
    assert told.returncode == 0, told.stderr
    assert "ann: v1" in told.stdout
    book = sqlite3.connect(folder / "book.sqlite")
    (received,) = book.execute("SELECT at_us FROM events ORDER BY number").fetchone()
    book.close()
    assert str(received // 1_000_000) in log.read_text()
    assert states(folder) == {"received": 1, "started": 1, "settled": 1}


def test_a_killed_hook_blocks_nobody(tmp_path: Path) -> None:
    """Kill -9 while a student's program runs: the push of another student goes through."""
    folder = course.make(tmp_path)
    slow = bare(folder, "slow", content=b"import time\ntime.sleep(60)\n")
    quick = bare(folder, "quick")
    install(folder, "slow", "quick")
    for clone in (slow, quick):
        gitrepo.git(clone, "tag", "v1")
    with push(slow, "v1") as hanging:
        while states(folder).get("started") != 1:
            assert hanging.poll() is None
            time.sleep(0.05)
        _kill_hooks(folder / "slow.git")
        hanging.communicate(timeout=120)
    assert "1 of 1 visible cases judged" in pushed(quick, "v1")
    assert states(folder) == {"received": 2, "started": 2, "settled": 1}


def _kill_hooks(repository: Path) -> None:
    """Kill the hook's own processes, found by the folder in which git started them; some end by themselves."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (process / "cwd").resolve() == repository and b"receive\0" in (process / "cmdline").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def test_our_troubles_are_not_the_pushers(tmp_path: Path) -> None:
    """With a broken catalogue the pusher hears that the tag is kept; the log says why; it is graded later."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann")
    install(folder, "ann")
    cases = folder / "cases" / "hello" / "cases.yaml"
    sound = cases.read_text()
    cases.write_text(sound.replace("first", "[SECRET"))
    gitrepo.git(clone, "tag", "v1")
    told = pushed(clone, "v1")
    assert "Your tag is kept with the time of its push" in told
    assert "SECRET" not in told
    assert "cases.yaml" in (folder / "out" / "hook.log").read_text()
    cases.write_text(sound)
    course.grader(folder, "hook", "catch-up", "ann.git", *course.entering(folder))
    assert states(folder) == {"received": 1, "started": 1, "settled": 1}


def test_a_foreign_hook_is_left_alone(tmp_path: Path) -> None:
    """Another program's hook isn't overwritten; ours may be installed twice."""
    folder = course.make(tmp_path)
    bare(folder, "ann")
    hook = folder / "ann.git" / "hooks" / "post-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho mine\n")
    refused = install(folder, "ann")
    assert (refused.returncode, "another program's hook" in refused.stderr) == (2, True)
    assert hook.read_text() == "#!/bin/sh\necho mine\n"
    hook.unlink()
    assert [install(folder, "ann").returncode for _ in range(2)] == [0, 0]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """Serve a course's repositories with git's own daemon on a free port."""
    folder = course.make(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "roster.csv").write_text("student\nann\nbob\n")
    command = [
        sys.executable,
        "-m",
        "grader",
        "serve-git",
        "repositories",
        "--port",
        str(port),
        "--roster",
        "roster.csv",
    ]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    with subprocess.Popen(
        [*command, "--roster", "roster.csv", *course.entering(folder)],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            _wait_for(port, server)
            yield folder, port
        finally:
            server.terminate()  # not SIGINT, which whatever a shell started in the background ignores
            server.wait(timeout=60)


def _wait_for(port: int, server: subprocess.Popen[Any]) -> None:
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server ended")


def test_serve_git_makes_repositories_and_grades_over_the_network(served: tuple[Path, int]) -> None:
    """Every student of the roster has a repository; a push over git:// shows its grading."""
    folder, port = served
    clone = gitrepo.new_repository(folder / "clone")
    gitrepo.commit(clone, {"hello.py": course.RIGHT}, tag="v1")
    gitrepo.git(clone, "remote", "add", "origin", f"git://127.0.0.1:{port}/bob.git")
    told = pushed(clone, "v1")
    assert "1 of 1 visible cases judged" in told
    assert sorted(path.name for path in (folder / "repositories").iterdir()) == ["ann.git", "bob.git"]
    assert states(folder) == {"received": 1, "started": 1, "settled": 1}


def test_what_is_graded_is_what_was_pushed(tmp_path: Path) -> None:
    """A tag moved while an earlier one is graded: what came in time is graded, what came later is refused."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann", content=b"import time\ntime.sleep(3)\nprint('ok')\n")
    install(folder, "ann")
    gitrepo.git(clone, "tag", "v1")
    gitrepo.commit(clone, {"hello.py": course.WRONG})
    gitrepo.git(clone, "tag", "v2")
    with push(clone, "v1", "v2") as first:
        while states(folder).get("received") != 2:
            assert first.poll() is None
            time.sleep(0.05)
        gitrepo.commit(clone, {"hello.py": course.RIGHT})
        gitrepo.git(clone, "tag", "-f", "v2")
        assert "A tag keeps the commit it first came with" in pushed(clone, "--force", "v2")
        _, told = first.communicate(timeout=300)
    assert "4 of 4 points" not in told
    assert "What counts by now: 1 of 4 points" in told
    assert states(folder) == {"received": 3, "started": 2, "settled": 2, "refused": 1}


def test_a_deleted_tag_is_graded_as_it_came(tmp_path: Path) -> None:
    """What the book received and a dead hook left open is graded by its commit, though the tag is gone."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann", content=b"import time\ntime.sleep(60)\n")
    install(folder, "ann")
    gitrepo.git(clone, "tag", "v1")
    gitrepo.commit(clone, {"hello.py": course.RIGHT})
    gitrepo.git(clone, "tag", "v2")
    with push(clone, "v1", "v2") as hanging:
        while states(folder).get("started") != 1:
            assert hanging.poll() is None
            time.sleep(0.05)
        _kill_hooks(folder / "ann.git")
        hanging.communicate(timeout=120)
    gitrepo.git(folder / "ann.git", "update-ref", "-d", "refs/tags/v2")
    told = course.grader(folder, "hook", "catch-up", "ann.git", *course.entering(folder))
    assert (told.returncode, "ann: v2" in told.stdout) == (0, True), told.stderr
    assert "What counts by now: 4 of 4 points (best attempt, v2)." in told.stdout


ODD = ("a\u200bb", "a\u00a0b", "x" * 201, "\udcff", "tab\u2028le")


def test_odd_tags_and_repositories_stop_nobody_else(tmp_path: Path) -> None:
    """Each is named, the others are graded, and the exit status tells."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann")
    pushed(clone, "main")
    commit = gitrepo.git(clone, "rev-parse", "HEAD")
    lines = b"".join(
        b"create refs/tags/%s %s\n" % (os.fsencode(name), commit.encode()) for name in (*ODD, "-v1", "v2")
    )
    gitrepo.git(folder / "ann.git", "update-ref", "--stdin", given=lines)
    bare(folder, "empty")
    (folder / "corrupt.git" / "objects").mkdir(parents=True)
    (folder / "corrupt.git" / "HEAD").write_text("nonsense\n")
    (folder / "file.git").write_text("no repository")
    paths = ["missing.git", "file.git", "corrupt.git", "empty.git", "ann.git"]
    done = course.grader(folder, "hook", "catch-up", *paths, *course.entering(folder))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    for name in ("missing.git", "file.git", "corrupt.git"):
        assert f"{name}: " in done.stderr
    assert done.stderr.count("is no name for a tag") == len(ODD)
    assert [line for line in done.stdout.splitlines() if line.startswith("ann: ")] == ["ann: -v1", "ann: v2"]
    assert states(folder) == {"received": 2, "started": 1, "settled": 1, "refused": 1}, "the second is the same"


def test_thousands_of_tags_keep_nobody_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A catch-up takes so many new tags of one repository, says so, and goes on to the next one."""
    monkeypatch.setattr("grader.submit.push.MOST_CAUGHT_UP", 2)
    folder = course.make(tmp_path, "{attempts: 1}")
    course.student(folder, "ann", tag="v1")
    commit = gitrepo.git(folder / "ann", "rev-parse", "HEAD")
    lines = "".join(f"create refs/tags/t{number:04} {commit}\n" for number in range(3000))
    gitrepo.git(folder / "ann", "update-ref", "--stdin", given=lines.encode())
    course.student(folder, "bob")
    done = course.grader(folder, "hook", "catch-up", "ann", "bob", *course.entering(folder))
    assert (done.returncode, "ann: 3001 new tags; 2 are taken now" in done.stderr) == (1, True)
    assert "bob: v1" in done.stdout
    assert states(folder) == {"received": 3, "started": 2, "settled": 2, "refused": 1}


def test_the_hook_keeps_the_catalogue_it_was_installed_with(tmp_path: Path) -> None:
    """`./cases` of the course's folder is written down, whichever folder git runs the hook in."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann")
    places = ["-a", "hello", "--book", "book.sqlite", "-o", "out"]
    done = course.grader(folder, "hook", "install", "ann.git", *places)
    assert done.returncode == 0, done.stderr
    gitrepo.git(clone, "tag", "v1")
    assert "1 of 1 visible cases judged" in pushed(clone, "v1")


def test_a_second_assignment_does_not_replace_the_first(tmp_path: Path) -> None:
    """Refused with the way to do it; an assignment that is over is told of at once."""
    folder = course.make(tmp_path)
    other = folder / "cases" / "later"
    other.mkdir()
    for path in (folder / "cases" / "hello").iterdir():
        (other / path.name).write_text(path.read_text().replace("{attempts: 3}", "{due: 2019-01-01T00:00:00Z}"))
    bare(folder, "ann")
    install(folder, "ann")
    hook = folder / "ann.git" / "hooks" / "post-receive"
    first = hook.read_text()
    second = ["hook", "install", "ann.git", *course.entering(folder)]
    second[second.index("hello")] = "later"
    refused = course.grader(folder, *second)
    assert (refused.returncode, "grades the tags * as hello" in refused.stderr) == (2, True)
    assert hook.read_text() == first
    replaced = course.grader(folder, *second, "--replace")
    assert (replaced.returncode, "every push is refused: the last moment was" in replaced.stderr) == (0, True)


def test_a_books_password_stands_on_no_command_line(tmp_path: Path) -> None:
    """A URL goes by the environment, in a hook that only its owner reads."""
    repository = Repository(gitrepo.new_repository(tmp_path / "ann"))
    url = "postgresql+psycopg://grader:secret@host/book"
    path = forge_hook.install(repository, ["--assignment", "hello"], exported={"GRADER_BOOK": url})
    (line,) = [line for line in path.read_text().splitlines() if " hook receive " in line]
    assert "secret" not in line[line.index("printf") :], "it is exported before, and stands on no command line"
    assert path.stat().st_mode & 0o077 == 0


def test_pushers_see_nothing_of_the_server(tmp_path: Path) -> None:
    """A class list, an assignment or an OUT that has gone: one kind sentence, no path; the log has it."""
    folder = course.make(tmp_path)
    clone = bare(folder, "ann")
    (folder / "roster.csv").write_text("student\nann\n")
    install(folder, "ann", more=("--roster", "roster.csv"))
    gitrepo.git(clone, "tag", "v1")
    gitrepo.git(clone, "tag", "v2")
    (folder / "roster.csv").rename(folder / "away.csv")
    told = pushed(clone, "v1")
    assert "Your tag is kept" in told
    (folder / "away.csv").rename(folder / "roster.csv")
    shutil.rmtree(folder / "out")
    (folder / "out").write_text("a file where reports should go")
    told += pushed(clone, "v2")
    (folder / "out").unlink()
    (folder / "out" / "hello" / "ann").mkdir(parents=True)
    (folder / "out" / "hello" / "ann" / "v3").write_text("a file where reports should go")
    gitrepo.git(clone, "tag", "v3")
    told += pushed(clone, "v3")
    assert "its report files could not be written" in told
    assert "Not a directory" in (folder / "out" / "hook.log").read_text()
    said = [line for line in told.splitlines() if not line.startswith("To file://")]
    assert str(folder) not in "\n".join(said)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_daemon_ends_with_its_server(tmp_path: Path, number: signal.Signals) -> None:
    """No daemon without a password stays behind."""
    folder = course.make(tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "grader", "serve-git", "repositories", "--create", "ann", "--port", str(port)]
    with subprocess.Popen([*command, *course.entering(folder)], cwd=folder, stdout=subprocess.PIPE) as server:
        _wait_for(port, server)
        server.send_signal(number)
        assert server.wait(timeout=60) == 130
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
