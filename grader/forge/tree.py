"""List the files of a commit, and read them from git's objects.

Nothing is checked out: no hook, filter, submodule or link has a chance. Sizes are known before anything is read.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import GraderError
from grader.forge.git import TIMEOUT_S, is_oid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO

    from grader.forge.git import Repository

MOST_LISTED = 20_000
_LONGEST_LINE = 8192
_LFS = b"version https://git-lfs.github.com/spec/v"
LARGEST_POINTER = 1024
_KINDS = {
    b"120000": "a symbolic link",
    b"160000": "a submodule; its files are not part of this repository",
}


class TooMuchError(Exception):
    """The commit holds more than anyone reads; the text is for the student."""


class Blob(NamedTuple):
    """A plain file of the commit, not yet read."""

    path: str
    size: int
    oid: str


class Unfit(NamedTuple):
    """A name of the commit that is no plain file, and why."""

    path: str
    reason: str


def list_files(repository: Repository, commit: str) -> Iterator[Blob | Unfit]:
    """Yield every entry of the commit's tree, in git's order; links and submodules are unfit."""
    with repository.open("ls-tree", "-r", "-z", "-l", "--full-tree", commit) as process:
        assert process.stdout is not None
        for number, line in enumerate(_lines(process.stdout)):
            if number == MOST_LISTED:
                raise TooMuchError(f"the commit {commit[:10]} holds more than {MOST_LISTED} files")
            yield _entry(line)
        if process.wait(TIMEOUT_S) != 0:
            raise GraderError(f"The commit {commit[:10]} can't be read: {repository.path} is damaged or incomplete.")


@contextmanager
def blob_reader(repository: Repository) -> Iterator[Callable[[Blob, int], bytes]]:
    """Return a function that reads a file whole; one process of git serves all of them."""
    with repository.open("cat-file", "--batch") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to_git, from_git = process.stdin, process.stdout

        def read(blob: Blob, limit: int) -> bytes:
            if blob.size > limit:
                raise TooMuchError(f"{blob.path} has {blob.size} bytes; at most {limit} are read")
            to_git.write(f"{blob.oid}\n".encode())
            to_git.flush()
            header = from_git.readline(_LONGEST_LINE).split()
            if header[1:] != [b"blob", str(blob.size).encode()]:
                raise GraderError(f"{blob.path} is missing in {repository.path}.", hint="Is it a partial clone?")
            return from_git.read(blob.size + 1)[: blob.size]  # a line end follows each object

        yield read


def lfs_reason(content: bytes) -> str:
    """Say why a file that Git LFS put elsewhere can't be graded; empty for any other file."""
    if len(content) <= LARGEST_POINTER and content.startswith(_LFS):
        return (
            "only a Git LFS pointer; its content is not in git. "
            "Stop tracking it (git lfs untrack), add the file itself, commit, and push a new tag"
        )
    return ""


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Cut at NULs, in bounded memory."""
    rest = b""
    while chunk := stream.read(1 << 16):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
        if len(rest) > _LONGEST_LINE:
            raise TooMuchError("a file's name in this commit is longer than any file system allows")


def _entry(line: bytes) -> Blob | Unfit:
    facts, _, raw = line.partition(b"\t")
    mode, kind, oid, size = facts.split()
    path = raw.decode("utf-8", "backslashreplace")
    if mode in _KINDS:
        return Unfit(_printable(path), _KINDS[mode])
    if size == b"BAD":
        raise GraderError(f"{_printable(path)} can't be read: the repository is damaged or incomplete.")
    if kind != b"blob" or not is_oid(oid.decode()) or not size.isdigit():
        return Unfit(_printable(path), "no plain file")
    reason = _unsafe(raw, path)
    return Unfit(_printable(path), reason) if reason else Blob(path, int(size), oid.decode())


def _unsafe(raw: bytes, path: str) -> str:
    """Say why a name can't be a path below a folder: git's own tools let hostile trees through."""
    if any(part in {"", ".", ".."} or part.lower() == ".git" for part in path.split("/")):
        return "a path that leaves the repository"
    if not path.isprintable():
        return "control characters in its name; rename it"
    if raw != path.encode():
        return "its name is no UTF-8; rename it"
    return ""


def _printable(path: str) -> str:
    return path if path.isprintable() else path.encode("unicode_escape").decode("ascii")
