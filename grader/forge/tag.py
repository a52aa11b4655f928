"""Tags: which commit came with one, and when the server itself saw it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from grader.errors import GraderError, UsageError
from grader.forge.git import is_oid

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.forge.git import Repository

LONGEST_NAME = 200
_PREFIX = "refs/tags/"
_SHOWN_TAGS = 5
_MOST_LISTED = 20_000


class TagError(UsageError):
    """Something about a tag that whoever pushed it can fix; it names nothing of the server's."""


class PushedTag(msgspec.Struct, frozen=True, kw_only=True):
    """A tag as git told of it: the object is the one that came then, wherever the tag points later."""

    name: str
    oid: str

    @property
    def is_deletion(self) -> bool:
        return not self.oid.strip("0")


def read_pushed(lines: Iterable[bytes]) -> Iterator[PushedTag]:
    """Read the tags among the lines that git gives a post-receive hook: old object, new object, ref."""
    for line in lines:
        _, oid, ref = line.rstrip(b"\n").decode("utf-8", "surrogateescape").split(" ", 2)
        if ref.startswith(_PREFIX):
            yield PushedTag(name=ref.removeprefix(_PREFIX), oid=oid)


def named(repository: Repository, tag: str) -> PushedTag:
    """Find a tag by its name; raise TagError when there is none."""
    name = checked_name(repository, tag)
    found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{_PREFIX}{name}")
    if found is None:
        raise TagError(f"There is no tag {shown(name)}.", hint=_hint(repository))
    return PushedTag(name=name, oid=found)


def commit_of(repository: Repository, tag: PushedTag) -> str:
    """Return the commit of the object that came; raise TagError when it is none."""
    found = repository.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{tag.oid}^{{commit}}")
    if found is not None and is_oid(found):
        return found
    raise TagError(
        f"The tag {shown(tag.name)} names no commit.", hint="Tag a commit: git tag NAME && git push origin NAME"
    )


def checked_name(repository: Repository, tag: str) -> str:
    """Return a tag's name without `refs/tags/`; raise TagError for one that people or git couldn't read."""
    name = tag.removeprefix(_PREFIX)
    well_formed = len(name) <= LONGEST_NAME and name.isprintable() and not name.isspace()
    if not well_formed or repository.ask("check-ref-format", f"{_PREFIX}{name}") is None:
        raise TagError(
            f"{shown(name)} is no name for a tag, so it isn't graded.",
            hint=f"Use letters, digits, dots and dashes, at most {LONGEST_NAME}.",
        )
    return name


def list_tags(repository: Repository) -> list[PushedTag]:
    """Return every tag with its object, oldest first; raise GraderError when the repository can't be read."""
    listed = repository.ask(
        "for-each-ref", f"--count={_MOST_LISTED}", "--sort=creatordate", "--format=%(objectname) %(refname)", _PREFIX
    )
    if listed is None:
        raise GraderError(f"The tags of {repository.path} can't be listed: it is damaged or incomplete.")
    lines = (line.split(" ", 1) for line in listed.split("\n") if line)
    return [PushedTag(name=name.removeprefix(_PREFIX), oid=oid) for oid, name in lines]


def arrived_at(repository: Repository, tag: PushedTag) -> datetime | None:
    """Return the server's time at which this very object came; None without a log, as before `hook install`."""
    try:
        facts = [line.split(b"\t", 1)[0].split(b" ") for line in _log_lines(repository, f"{_PREFIX}{tag.name}")]
        return next(datetime.fromtimestamp(int(each[-2]), UTC) for each in facts if each[1] == tag.oid.encode())
    except (IndexError, ValueError, OverflowError, StopIteration):
        return None


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What a branch held at some moment, and since when, by the server's own clock."""

    commit: str
    since: datetime


def held_at(repository: Repository, moment: datetime, *, branch: str = "") -> Held | None:
    """Return what a branch (that of HEAD by default) held at a moment; None when nothing, or nobody logged it.

    The log is the server's: a commit's own dates are whatever its author says.
    """
    ref = f"refs/heads/{branch}" if branch else repository.ask("symbolic-ref", "--quiet", "HEAD")
    if ref is None or repository.ask("check-ref-format", ref) is None:
        return None
    found = None
    for line in _log_lines(repository, ref):
        facts = line.split(b"\t", 1)[0].split(b" ")
        try:
            since, commit = datetime.fromtimestamp(int(facts[-2]), UTC), facts[1].decode("ascii")
        except (IndexError, ValueError, OverflowError):
            continue
        if since <= moment:
            found = Held(commit=commit, since=since) if is_oid(commit) else None
    return found if found and found.commit.strip("0") else None


def _log_lines(repository: Repository, ref: str) -> list[bytes]:
    try:
        return (repository.folder / "logs" / ref).read_bytes().splitlines()
    except OSError:
        return []


def shown(name: str) -> str:
    """Quote a name for people; what can't be printed is escaped, what is long is cut."""
    text = ascii(name) if not name.isprintable() else repr(name)
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def _hint(repository: Repository) -> str:
    there = [shown(tag.name) for tag in list_tags(repository)[-_SHOWN_TAGS:]]
    push = "Did you push it? git push origin TAG"
    return f"{push} (newest tags here: {', '.join(there)})" if there else f"{push} (there is no tag at all yet)"
