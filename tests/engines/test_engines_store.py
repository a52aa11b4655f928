"""Promises of the store of records: bounded, shared, and never wrong after a crash."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

import pytest

from grader.engines.store import RunStore, default_folder
from grader.errors import UsageError
from grader.model.run import Reply, RunRecord, Stream
from grader.model.verdict import Ending


def digest(number: int) -> bytes:
    return blake2b(str(number).encode(), digest_size=20).digest()


def record(number: int, *, size: int = 200) -> RunRecord:
    return RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream(size=size, data=bytes([number % 256]) * size))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def rows(folder: Path) -> int:
    with sqlite3.connect(folder / "runs.sqlite") as database:
        (count,) = database.execute("select count(*) from record").fetchone()
    database.close()
    return int(count)


def test_a_record_comes_back_as_it_was(folder: Path) -> None:
    """What was put is what is got, also by the next grader."""
    kept = RunRecord(ending=Ending.EXITED, stdout=Stream.of(b"\xff" * 9000), replies=(Reply(value=[1, {"a": None}]),))
    store = RunStore(folder)
    store.put(digest(1), kept)
    assert store.get(digest(1)) == kept
    store.close()
    store = RunStore(folder)
    assert store.get(digest(1)) == kept
    assert store.get(digest(2)) is None
    store.close()


def test_a_record_put_again_is_replaced(folder: Path) -> None:
    """The newest run counts."""
    store = RunStore(folder)
    store.put(digest(1), record(1))
    store.put(digest(1), record(2))
    assert store.get(digest(1)) == record(2)
    store.close()
    assert rows(folder) == 1


def test_what_has_no_plain_form_is_left_out(folder: Path) -> None:
    """An answer that can't be written down is no reason to fail: that case just runs again."""
    store = RunStore(folder)
    store.put(digest(1), RunRecord(ending=Ending.EXITED, replies=(Reply(value=object()),)))
    assert store.get(digest(1)) is None
    store.close()


def test_nobody_else_can_read_or_write_it(folder: Path) -> None:
    """On a shared machine a student can't plant a record."""
    store = RunStore(folder)
    store.put(digest(1), record(1))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in folder.glob("*.sqlite*")} == {0}
    store.close()


def test_an_open_folder_is_closed_to_others(folder: Path) -> None:
    """A folder left open by a loose umask is put right."""
    folder.mkdir()
    folder.chmod(0o777)
    RunStore(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_in_place_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    """A planted link can't lead the store elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="link"):
        RunStore(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_is_refused(folder: Path) -> None:
    """What another user can write, nobody's marks are read from."""
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    with pytest.raises(UsageError, match="another user"):
        RunStore(folder)


@pytest.mark.parametrize("statement", ["update record set data = zeroblob(9)", "update record set digest = x'00'"])
def test_a_damaged_record_is_ignored_and_removed(folder: Path, statement: str) -> None:
    """A record that fails its checksum, or stands under another's digest, is no record."""
    store = RunStore(folder)
    store.put(digest(1), record(1))
    store.close()
    with sqlite3.connect(folder / "runs.sqlite") as database:
        database.execute(statement)
    database.close()
    store = RunStore(folder)
    assert store.get(digest(1)) is None
    assert store.get(b"\0") is None
    store.close()
    assert rows(folder) == 0


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 500, b"SQLite format 3\0" + b"\7" * 5000])
def test_a_damaged_file_is_begun_anew(folder: Path, content: bytes) -> None:
    """No damage keeps anybody from grading."""
    folder.mkdir()
    (folder / "runs.sqlite").write_bytes(content)
    store = RunStore(folder)
    store.put(digest(1), record(1))
    assert store.get(digest(1)) == record(1)
    store.close()


def test_damage_found_while_reading_begins_anew(folder: Path) -> None:
    """A page that rots after the file was opened costs runs, not marks."""
    store = RunStore(folder)
    for number in range(400):
        store.put(digest(number), record(number))
    store.close()
    path = folder / "runs.sqlite"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    store = RunStore(folder)
    found = [store.get(digest(number)) for number in range(400)]
    assert all(one is None or one == record(number) for number, one in enumerate(found))
    store.put(digest(1), record(1))
    assert store.get(digest(1)) == record(1)
    store.close()


def test_a_file_of_another_format_is_begun_anew(folder: Path) -> None:
    """A newer grader's file is not misread."""
    RunStore(folder).close()
    with sqlite3.connect(folder / "runs.sqlite") as database:
        database.execute("drop table record")
        database.execute("pragma user_version = 77")
    database.close()
    store = RunStore(folder)
    store.put(digest(1), record(1))
    assert store.get(digest(1)) == record(1)
    store.close()


def test_the_store_stays_below_its_bound(folder: Path) -> None:
    """Old records make room for new ones, and the file shrinks."""
    most = 400_000
    store = RunStore(folder, most_bytes=most)
    for number in range(200):
        store.put(digest(number), record(number, size=10_000))
    store.close()
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1.3 * most
    store = RunStore(folder, most_bytes=most)
    assert store.get(digest(199)) is not None
    assert store.get(digest(0)) is None
    store.close()


def test_the_records_used_last_outlive_the_others(folder: Path) -> None:
    """Least recently used goes first, not first written."""
    store = RunStore(folder, most_bytes=400_000)
    for number in range(20):
        store.put(digest(number), record(number, size=10_000))
    store.close()
    with sqlite3.connect(folder / "runs.sqlite") as database:
        database.execute("update record set used = used - 48")
    database.close()
    store = RunStore(folder, most_bytes=400_000)
    assert store.get(digest(3)) is not None
    store.close()
    store = RunStore(folder, most_bytes=400_000)
    for number in range(100, 120):
        store.put(digest(number), record(number, size=10_000))
    assert store.get(digest(3)) is not None
    assert store.get(digest(2)) is None
    store.close()


def test_a_giant_record_does_not_push_out_the_rest(folder: Path) -> None:
    """One flood of output can't empty the store."""
    store = RunStore(folder, most_bytes=100_000)
    store.put(digest(1), record(1))
    store.put(digest(2), record(2, size=90_000))
    assert store.get(digest(1)) is not None
    assert store.get(digest(2)) is None
    store.close()


def test_the_default_folder_is_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_CACHE_HOME is heeded where it is absolute, as its specification says."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "maze-grader"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert default_folder() == Path.home() / ".cache" / "maze-grader"


_WRITER = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from test_engines_store import digest, record
from grader.engines.store import RunStore
store = RunStore(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.put(digest(number), record(number, size=5000))
    if number % 10 == 0:
        print(number, flush=True)
store.close()
"""


def writer(folder: Path, first: int, last: int) -> subprocess.Popen[str]:
    script = _WRITER.format(tests=str(Path(__file__).parent))
    command = [sys.executable, "-c", script, str(folder), str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_graders_at_once_lose_nothing(folder: Path) -> None:
    """Four processes that begin the file together and write at once keep every record."""
    writers = [writer(folder, number * 100, number * 100 + 100) for number in range(4)]
    for process in writers:
        process.communicate(timeout=60)
        assert process.returncode == 0
    store = RunStore(folder)
    assert all(store.get(digest(number)) == record(number, size=5000) for number in range(400))
    store.close()


def test_kill_nine_in_mid_write_leaves_whole_records_only(folder: Path) -> None:
    """A dead grader's finished records are there; a half-written one is not a record."""
    for round_ in range(3):
        process = writer(folder, round_ * 100_000, round_ * 100_000 + 99_999)
        assert process.stdout is not None
        for line in process.stdout:
            done = int(line)
            if done % 100_000 >= 50:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        store = RunStore(folder)
        told = range(round_ * 100_000, done + 1)
        assert all(store.get(digest(number)) == record(number, size=5000) for number in told)
        later = (store.get(digest(number)) for number in range(done + 1, done + 500))
        assert all(one is None or one.stdout.size == 5000 for one in later)
        store.close()
