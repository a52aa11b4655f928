"""Proves, copies and clears the book: check, backup, restore, key, forget."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli.course.course_options import book_option, by_option, nearest, roster_option, warn, why_option
from grader.errors import UsageError
from grader.gradebook import check as checking
from grader.gradebook import copying, signing
from grader.gradebook.event import Forgotten
from grader.gradebook.forgetting import forget as erase
from grader.gradebook.ledger import open_ledger
from grader.gradebook.queries import known_names
from grader.gradebook.regulations.rule import plural
from grader.gradebook.roster import read_roster
from grader.model.file_names import cache_folder

if TYPE_CHECKING:
    from grader.gradebook.check import Checked

_file = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.option("--head", default="", metavar="HEAD", help="A head that was told before: the book must still begin so.")
@book_option
def check(book: str, head: str) -> None:
    """Prove that the book is what was written: every event, their chain of hashes, every sheet and file.

    It ends with the chain's head. Whoever notes that elsewhere can prove later that nothing was taken away.
    """
    click.echo(_told(book, checking.check(open_ledger(book), head=head)))


@click.command()
@click.argument("file", type=_file)
@book_option
def backup(file: Path, book: str) -> None:
    """Write one moment of the book to FILE, a SQLite book, while graders go on; proved before it has its name."""
    click.echo(_told(str(file), copying.back_up(open_ledger(book), file)))


@click.command()
@click.argument("file", type=_file)
@book_option
def restore(file: Path, book: str) -> None:
    """Make the book, which must be new or empty, from the backup FILE; proved to be the same."""
    click.echo(_told(book, copying.restore(file, book)))


@click.command()
@book_option
def key(book: str) -> None:
    """Make the key with which reports are signed from now on, or show the public key of the one there is.

    The private key is BOOK.key, or where $GRADER_KEY says. The public one goes to whoever checks reports with
    `grader verify`, and into course.yaml.
    """
    place = signing.key_place(open_ledger(book))
    if place is None:
        raise UsageError("Where is the key to lie?", hint="Set GRADER_KEY to a file that only the grader reads.")
    click.echo(signing.public_key(place) if place.exists() else signing.make_key(place))


@click.command()
@click.argument("student")
@click.option("--also", multiple=True, metavar="NAME", help="Another name of the student's, to be erased as well.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@why_option
@by_option
@roster_option
@book_option
def forget(student: str, also: tuple[str, ...], yes: bool, roster: Path | None, **said: str) -> None:
    """Erase STUDENT's name, files, sheets and reports; points stay under a pseudonym, and the book's chain holds.

    Names of the class list are erased as well. The cache is emptied. It can't be undone, and a backup still has it.
    """
    ledger = open_ledger(said["book"])
    known = known_names(ledger)
    if student not in known:
        raise UsageError(f"{student} is not in the book.", hint=nearest(student, known))
    if not yes:
        click.confirm(f"Erase {student} from {ledger.name} for good?", abort=True)
    entry = next((each for each in read_roster(roster).entries if each.student == student), None)
    names = (*also, *((entry.name, entry.email, entry.sis_login_id, entry.sis_user_id) if entry else ()))
    fact = Forgotten(by=said["by"], why=said["why"])
    done = erase(ledger, student, names=names, fact=fact, now=datetime.now(UTC))
    _remove(done.reports)
    for path in cache_folder().glob("runs.sqlite*"):
        path.unlink(missing_ok=True)
    click.echo(
        f"{done.pseudonym}: {plural(done.events, 'event')} rewritten, {plural(done.contents, 'content')} erased"
    )
    for place in done.still_named:
        warn(f"the name still stands in the files of {place}, which are not {done.pseudonym}'s")
    warn("Not touched: repositories, class lists, backups, hook.log, issues on a host.")


def _told(name: str, checked: Checked) -> str:
    return (
        f"{name}: {plural(checked.events, 'event')} and {plural(checked.contents, 'content')} as they were written; "
        f"head {checked.head}"
    )


def _remove(folders: tuple[str, ...]) -> None:
    """Remove report folders that are on this machine, and the student's own folder once it is empty."""
    for folder in map(Path, folders):
        shutil.rmtree(folder, ignore_errors=True)
        if folder.exists():
            warn(f"{folder} could not be removed")
        elif folder.parent.is_dir() and not any(folder.parent.iterdir()):
            folder.parent.rmdir()
