"""Write the hooks that grade pushed tags, and answer `git push -o ask`, into a bare repository.

One repository may serve several assignments, each with a pattern of tags: `hw1/*`, `hw2/*`.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from grader.errors import UsageError
from grader.forge.git import environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from grader.forge.git import Repository

ALL_TAGS = "*"
_DATE = "date -u +%Y-%m-%dT%H:%M:%SZ"
_MARK = "# Put here by `grader hook install`; the same command changes it."
_START = f"#!/bin/sh\n{_MARK}\n"
# The time is taken before anything is loaded: a busy server makes nobody late.
_GRADE = f'at="$({_DATE})"\npushed="$(cat)"\n'
_ASK = """\
asked=; number=0
while [ "$number" -lt "${GIT_PUSH_OPTION_COUNT:-0}" ]; do
  eval "option=\\$GIT_PUSH_OPTION_$number"
  [ "$option" = ask ] && asked=yes
  number=$((number + 1))
done
[ -n "$asked" ] || exit 0
"""
_ASKED = "echo 'You asked, so nothing was pushed: the same command without -o ask hands it in.'\nexit 1\n"


class Service(NamedTuple):
    """How a hook grades one assignment."""

    arguments: tuple[str, ...]
    """The options of `hook receive`, each with its value."""
    exported: tuple[tuple[str, str], ...] = ()
    """Variables of the environment."""

    def __str__(self) -> str:
        return f"{self.tags} as {self.assignment}"

    @property
    def assignment(self) -> str:
        return self._said("--assignment")

    @property
    def tags(self) -> str:
        return self._said("--tags") or ALL_TAGS

    @property
    def student(self) -> str:
        return self._said("--student")

    @property
    def for_all(self) -> Service:
        """The same without what is one repository's alone, and without bounds that only a push has."""
        own = {"--student", "--most-tags"}
        pairs = zip(self.arguments[::2], self.arguments[1::2], strict=True)
        return self._replace(arguments=tuple(part for pair in pairs if pair[0] not in own for part in pair))

    def line(self, *more: str) -> str:
        command = shlex.join([sys.executable, "-I", "-m", "grader", "hook", "receive", *more, *self.arguments])
        exports = "".join(f"{name}={shlex.quote(value)}; export {name}; " for name, value in self.exported)
        return f"""( {exports}printf '%s\\n' "$pushed" | {command} --received "$at" )\n"""

    def _said(self, option: str) -> str:
        return next((value for name, value in pairwise(self.arguments) if name == option), "")


def install(
    repository: Repository, arguments: Sequence[str], *, exported: Mapping[str, str], is_replacing: bool = False
) -> Path:
    """Write `hooks/post-receive` and `hooks/pre-receive`, and let the server note the time of every push.

    A foreign hook is left alone. Ours for another assignment stays beside the new one when their tags differ; it is
    never replaced unasked.
    """
    folder = repository.folder / "hooks"
    path = folder / "post-receive"
    folder.mkdir(exist_ok=True)
    mine = Service(tuple(arguments), tuple(exported.items()))
    others = [] if is_replacing else [each for each in _services(path) if each.assignment != mine.assignment]
    _services(folder / "pre-receive")
    for each in others:
        if fnmatchcase(each.tags, mine.tags) or fnmatchcase(mine.tags, each.tags):
            _raise_taken(path, each, mine)
    services = sorted([*others, mine])
    grading, asking = ("".join(each.line(*more) for each in services) for more in ((), ("--ask",)))
    is_secret = "GRADER_BOOK=" in grading  # a URL may hold a password
    _write(path, f"{_START}{_GRADE}{grading}", is_secret=is_secret)
    _write(folder / "pre-receive", f"{_START}{_ASK}{_GRADE}{asking}{_ASKED}", is_secret=is_secret)
    repository.ask("config", "--local", "core.logAllRefUpdates", "always")
    repository.ask("config", "--local", "receive.advertisePushOptions", "true")
    return path


def services_of(repository: Repository) -> tuple[Service, ...]:
    """Return what the repository's hook grades; nothing where it has none of ours."""
    path = written_hook(repository)
    return tuple(_services(path)) if path else ()


def written_hook(repository: Repository) -> Path | None:
    """Return the repository's hook if it is ours."""
    path = repository.folder / "hooks" / "post-receive"
    try:
        return path if _MARK in path.read_text(errors="replace") else None
    except FileNotFoundError:
        return None


def _services(path: Path) -> list[Service]:
    """Read the assignments of a hook of ours; raise UsageError for another program's hook."""
    if not path.exists():
        return []
    text = path.read_text(errors="replace")
    if _MARK not in text:
        raise UsageError(
            f"{path} is another program's hook; it was left alone.",
            hint="Move it away first, and call it from the new one if you need both.",
        )
    return [_service(shlex.split(line)) for line in text.splitlines() if " grader hook receive " in line]


def _service(words: list[str]) -> Service:
    """Read one assignment's line, split as the shell does."""
    start = words.index("receive") + 1
    assigned = (word.removesuffix(";").partition("=") for word in words[: words.index("grader")])
    exported = tuple((name, value) for name, equals, value in assigned if equals and name.isidentifier())
    return Service(tuple(words[start : words.index("--received", start)]), exported)


def _raise_taken(path: Path, there: Service, new: Service) -> None:
    raise UsageError(
        f"{path} grades the tags {there.tags} as {there.assignment}; {new.assignment} asks for {new.tags}.",
        hint=f"Give each assignment tags of its own (--tags '{new.assignment}/*'), or --replace: then only "
        f"{new.assignment} is graded, and what {there.assignment} has in the book stays.",
    )


def _write(path: Path, text: str, *, is_secret: bool) -> None:
    draft = path.with_name(f".{path.name}")
    draft.touch(mode=0o700)
    draft.write_text(text)
    draft.chmod(0o700 if is_secret else 0o755)
    draft.replace(path)


def bare_repositories(folder: Path) -> list[Path]:
    """Find the bare repositories directly in a folder."""
    return sorted(path for path in folder.iterdir() if (path / "HEAD").is_file() and (path / "objects").is_dir())


def create_bare(path: Path) -> None:
    """Make an empty bare repository that only its owner may read."""
    command = ["git", "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(path)]
    subprocess.run(command, check=True, env=environment(), capture_output=True)  # noqa: S603 -- fixed program
    path.chmod(0o700)
