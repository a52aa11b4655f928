"""Promises of the store: bounded, shared, and never wrong after a crash."""

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

from grader.cache.store import Store
from grader.errors import UsageError
from grader.model.file_names import cache_folder


def digest(number: int) -> bytes:
    return blake2b(str(number).encode(), digest_size=20).digest()


def entry(number: int, *, size: int = 200) -> bytes:
    return bytes([number % 256]) * size


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def rows(folder: Path) -> int:
    with sqlite3.connect(folder / "runs.sqlite") as database:
        (count,) = database.execute("select count(*) from entry").fetchone()
    database.close()
    return int(count)


def test_an_entry_comes_back_as_it_was(folder: Path) -> None:
    """What was put is what is got, also by the next grader."""
    kept = b"\xff" * 9000
    store = Store(folder)
    store.put(digest(1), kept)
    assert store.get(digest(1)) == kept
    store.close()
    store = Store(folder)
    assert store.get(digest(1)) == kept
    assert store.get(digest(2)) is None
    store.close()


def test_an_entry_put_again_is_replaced(folder: Path) -> None:
    """The newest run counts."""
    store = Store(folder)
    store.put(digest(1), entry(1))
    store.put(digest(1), entry(2))
    assert store.get(digest(1)) == entry(2)
    store.close()
    assert rows(folder) == 1


def test_nobody_else_can_read_or_write_it(folder: Path) -> None:
    """On a shared machine a student can't plant an entry."""
    store = Store(folder)
    store.put(digest(1), entry(1))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in folder.glob("*.sqlite*")} == {0}
    store.close()


def test_an_open_folder_is_closed_to_others(folder: Path) -> None:
    """A folder left open by a loose umask is put right."""
    folder.mkdir()
    folder.chmod(0o777)
    Store(folder).close()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_link_in_place_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    """A planted link can't lead the store elsewhere."""
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="link"):
        Store(folder)


@pytest.mark.needs("root")
def test_a_folder_of_another_user_is_refused(folder: Path) -> None:
    """What another user can write, nobody's marks are read from."""
    folder.mkdir()
    os.chown(folder, 65534, 65534)
    with pytest.raises(UsageError, match="another user"):
        Store(folder)


@pytest.mark.parametrize("statement", ["update entry set data = zeroblob(9)", "update entry set digest = x'00'"])
def test_a_damaged_entry_is_ignored_and_removed(folder: Path, statement: str) -> None:
    """An entry that fails its checksum, or stands under another's digest, is no entry."""
    store = Store(folder)
    store.put(digest(1), entry(1))
    store.close()
    with sqlite3.connect(folder / "runs.sqlite") as database:
        database.execute(statement)
    database.close()
    store = Store(folder)
    assert store.get(digest(1)) is None
    assert store.get(b"\0") is None
    store.close()
    assert rows(folder) == 0


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 500, b"SQLite format 3\0" + b"\7" * 5000])
def test_a_damaged_file_is_begun_anew(folder: Path, content: bytes) -> None:
    """No damage keeps anybody from grading."""
    folder.mkdir()
    (folder / "runs.sqlite").write_bytes(content)
    store = Store(folder)
    store.put(digest(1), entry(1))
    assert store.get(digest(1)) == entry(1)
    store.close()


def test_damage_found_while_reading_begins_anew(folder: Path) -> None:
    """A page that rots after the file was opened costs time, not marks."""
    store = Store(folder)
    for number in range(400):
        store.put(digest(number), entry(number))
    store.close()
    path = folder / "runs.sqlite"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    store = Store(folder)
    found = [store.get(digest(number)) for number in range(400)]
    assert all(one is None or one == entry(number) for number, one in enumerate(found))
    store.put(digest(1), entry(1))
    assert store.get(digest(1)) == entry(1)
    store.close()


def test_a_file_of_another_format_is_begun_anew(folder: Path) -> None:
    """A newer grader's file is not misread."""
    Store(folder).close()
    with sqlite3.connect(folder / "runs.sqlite") as database:
        database.execute("drop table entry")
        database.execute("pragma user_version = 77")
    database.close()
    store = Store(folder)
    store.put(digest(1), entry(1))
    assert store.get(digest(1)) == entry(1)
    store.close()


def test_the_store_stays_below_its_bound(folder: Path) -> None:
    """Old entries make room for new ones, and the file shrinks."""
    most = 400_000
    store = Store(folder, most_bytes=most)
    for number in range(200):
        store.put(digest(number), entry(number, size=10_000))
    store.close()
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1.3 * most
    store = Store(folder, most_bytes=most)
    assert store.get(digest(199)) is not None
    assert store.get(digest(0)) is None
    store.close()


def test_a_giant_entry_does_not_push_out_the_rest(folder: Path) -> None:
    """One flood of output can't empty the store."""
    store = Store(folder, most_bytes=100_000)
    store.put(digest(1), entry(1))
    store.put(digest(2), entry(2, size=90_000))
    assert store.get(digest(1)) is not None
    assert store.get(digest(2)) is None
    store.close()


def test_the_default_folder_is_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_CACHE_HOME is heeded where it is absolute, as its specification says."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "maze-grader"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache" / "maze-grader"


_WRITER = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from test_cache_store import digest, entry
from grader.cache.store import Store
store = Store(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.put(digest(number), entry(number, size=5000))
    if number % 10 == 0:
        print(number, flush=True)
store.close()
"""


def writer(folder: Path, first: int, last: int) -> subprocess.Popen[str]:
    script = _WRITER.format(tests=str(Path(__file__).parent))
    command = [sys.executable, "-c", script, str(folder), str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_graders_at_once_lose_nothing(folder: Path) -> None:
    """Four processes that begin the file together and write at once keep every entry."""
    writers = [writer(folder, number * 100, number * 100 + 100) for number in range(4)]
    for process in writers:
        process.communicate(timeout=60)
        assert process.returncode == 0
    store = Store(folder)
    assert all(store.get(digest(number)) == entry(number, size=5000) for number in range(400))
    store.close()


def test_kill_nine_in_mid_write_leaves_whole_entries_only(folder: Path) -> None:
    """A dead grader's finished entries are there; a half-written one is not an entry."""
    for round_ in range(3):
        process = writer(folder, round_ * 100_000, round_ * 100_000 + 99_999)
        assert process.stdout is not None
        for line in process.stdout:
            done = int(line)
            if done % 100_000 >= 50:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        store = Store(folder)
        told = range(round_ * 100_000, done + 1)
        assert all(store.get(digest(number)) == entry(number, size=5000) for number in told)
        later = (store.get(digest(number)) for number in range(done + 1, done + 500))
        assert all(one is None or len(one) == 5000 for one in later)
        store.close()
