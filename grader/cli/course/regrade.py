"""Judges a set of attempts anew, and shows the difference before it counts."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec
from tabulate import tabulate

from grader.cli.course.course_options import book_options, by_option, nearest, warn
from grader.cli.options import Running, as_value, running_options
from grader.errors import UsageError
from grader.gradebook import staff
from grader.gradebook.contents import kept_sheet, kept_submission
from grader.gradebook.event import Key
from grader.gradebook.history import Attempt, State, histories
from grader.gradebook.staff import Change
from grader.gradebook.standing import standing
from grader.model.words import plural
from grader.pipeline.grade import grade
from grader.pipeline.prepare import prepare
from grader.report.clean import clean_line
from grader.report.since import moved
from grader.submit.course import FAILED, Course, open_staff_course, slots_of
from grader.submit.publish import publish_change, publish_stale
from grader.wiring import open_grading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from grader.gradebook.history import History
    from grader.gradebook.ledger import Ledger
    from grader.model.assignment import Assignment
    from grader.model.regulations import Regulations
    from grader.model.result import CaseResult, GradeSheet
    from grader.model.submission import Submission
    from grader.submit.course import BookOptions
    from grader.wiring import Settings

Chosen = dict[str, tuple[str, Attempt]]
"""Attempt's id → party and attempt."""

_ABLE = {State.SETTLED, State.REFUNDED}


class _Asked(NamedTuple):
    """Which attempts, and what is to become of the outcome."""

    tag: tuple[str, ...]
    is_applied: bool
    expect: str | None
    why: str
    by: str


@click.command()
@click.argument("students", nargs=-1)
@click.option("--tag", multiple=True, help="Only attempts of this tag.")
@click.option("--apply", "is_applied", is_flag=True, help="Write the new judgements; without it they are only shown.")
@click.option("--expect", metavar="PREVIEW", help="With --apply: only if the outcome is the one a preview named.")
@click.option("--why", default="", metavar="TEXT", help="The reason, kept for good and told; needed with --apply.")
@by_option
@book_options
@running_options
@as_value(Running, "running")
@as_value(_Asked, "asked")
def regrade(students: tuple[str, ...], place: BookOptions, running: Running, asked: _Asked) -> int:
    """Judge the attempts of STUDENTS (all by default) again, by the catalogue as it is now.

    Everything is run again, and nothing is kept of it but what --apply writes. Attempts keep their time, number and
    cost. Programs may do something else each time: a preview names its outcome, and --expect holds --apply to it.
    """
    if asked.is_applied and not asked.why.strip():
        raise click.UsageError("--apply needs --why")
    with open_staff_course(place, tell=warn) as course:
        past = histories(course.ledger, course.assignment.name)
        changes = _changes(course, _choose(past, set(students), set(asked.tag)), running.settings(remember=False))
        able = tuple(each for each in changes if not each.our_fault)
        _show(course.assignment, past, changes)
        if not asked.is_applied:
            apply = f"--apply --expect {_outcome_of(able)} --why TEXT"
            click.echo(f"Nothing is written yet: {apply} does." if able else "Nothing changes.")
            return 0
        _hold_to(asked.expect, _outcome_of(able))
        fine = [_apply(course, each, by=asked.by, why=asked.why) for each in able]
        fine.append(publish_stale(course, past))
    click.echo(f"{plural(len(able), 'attempt')} regraded.")
    return 0 if all(fine) else FAILED


def _hold_to(expected: str | None, outcome: str) -> None:
    if expected not in {None, outcome}:
        raise UsageError(
            f"This outcome ({outcome}) is not the one that was previewed ({expected}); nothing was written.",
            hint="Catalogue, book or a program's behaviour changed in between: look at it above, then preview again.",
        )


def _apply(course: Course, change: Change, *, by: str, why: str) -> bool:
    """Write one new judgement, and let it reach the student."""
    key = Key(assignment=course.assignment.name, party=change.party)
    fact = staff.regraded(change.sheet, by=by, why=why)
    staff.regrade(course.ledger, key, change, fact=fact, now=datetime.now(UTC))
    return publish_change(course, key, change.attempt)


def _choose(past: dict[str, History], students: set[str], tags: set[str]) -> Chosen:
    known = set(past) | {each.student for history in past.values() for each in history.attempts}
    there = {each.tag for history in past.values() for each in history.attempts}
    for name, names, what in [(name, known, "") for name in students] + [(tag, there, "the tag ") for tag in tags]:
        if name not in names:
            raise UsageError(f"{what}{name} is not in the book for this assignment.", hint=nearest(name, names))
    return {
        each.id: (party, each)
        for party, history in past.items()
        for each in history.attempts
        if each.state in _ABLE
        and (not students or party in students or each.student in students)
        and (not tags or each.tag in tags)
    }


def _changes(course: Course, chosen: Chosen, settings: Settings) -> tuple[Change, ...]:
    """Run everything again and return what differs, in a lasting order."""
    found = []
    in_line = slots_of(None).bulk(lambda: warn("Pushes are being graded; the regrade waits in line …"))
    with in_line as give_way, open_grading(settings, prepare(course.assignment)) as grading:
        for sheet in grade(grading, _submissions(course.ledger, chosen, give_way)):
            party, attempt = chosen[sheet.submission]
            new = msgspec.structs.replace(sheet, submission=attempt.student)
            old = kept_sheet(course.ledger, attempt.id)
            found.append(Change(party=party, attempt=attempt, sheet=new, reasons=tuple(_reasons(old, new))))
    return tuple(sorted((each for each in found if each.matters), key=lambda each: (each.party, each.attempt.at)))


def _submissions(ledger: Ledger, chosen: Chosen, give_way: Callable[[], None]) -> Iterator[Submission]:
    """Yield what was handed in, one at a time, under the attempt's own name; pushes that wait go first."""
    for name, (_, attempt) in chosen.items():
        give_way()
        kept = kept_submission(ledger, name)
        if kept is None:
            click.echo(
                f"{attempt.student} {attempt.tag}: its files were not kept, so it can't be regraded.", err=True
            )
        else:
            yield msgspec.structs.replace(kept, id=name)


def _show(assignment: Assignment, past: dict[str, History], changes: tuple[Change, ...]) -> None:
    able = tuple(each for each in changes if not each.our_fault)
    rows = _moves(assignment.regulations, past, able)
    if rows:
        click.echo(tabulate(rows, headers=("party", "goes", "from", "to"), disable_numparse=True) + "\n")
    for each in changes:
        before = "–" if each.before is None else f"{each.before:g}"
        fault = " — the grader itself failed; left as it was" if each.our_fault else ""
        click.echo(clean_line(f"{each.attempt.student} {each.attempt.tag}: {before} → {each.after:g}{fault}"))
        for reason in each.reasons:
            click.echo(f"    {clean_line(reason)}")


def _outcome_of(changes: Iterable[Change]) -> str:
    """Return a short name of what these changes say, down to every case's points."""
    said = sorted(
        (each.attempt.id, each.before, each.after, each.reasons, [_short(case) for case in each.sheet.cases])
        for each in changes
    )
    return hashlib.blake2b(repr(said).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def _moves(
    regulations: Regulations, past: Mapping[str, History], changes: tuple[Change, ...]
) -> list[tuple[str, str, str, str]]:
    """Return every party whose attempts changed: whether it goes up or down, from which points to which."""
    news = {each.attempt.id: each.after for each in changes}
    found = []
    for party in sorted({each.party for each in changes}):
        own = past[party].attempts
        attempts = tuple(msgspec.structs.replace(each, points=news.get(each.id, each.points)) for each in own)
        before = standing(regulations, past[party]).points
        after = standing(regulations, msgspec.structs.replace(past[party], attempts=attempts)).points
        direction = "up" if after > before else "down" if after < before else "same"
        found.append((party, direction, f"{before:g}", f"{after:g}"))
    return found


def _reasons(old: GradeSheet | None, new: GradeSheet) -> Iterator[str]:
    """Compare two sheets of one attempt, case by case."""
    if old is None:
        yield "no earlier sheet was kept"
        return
    before, after = ({case.id: _short(case) for case in sheet.cases} for sheet in (old, new))
    for name, was, now in moved(before, after):
        is_new = f"new case, {(now or '').split()[0]}" if now else "no longer a case"
        yield f"{name}: {was} → {now}" if was and now else f"{name}: {is_new}"
    if old.problem != new.problem:
        yield new.problem or "it can be graded now"


def _short(case: CaseResult) -> str:
    return f"{case.verdict} {case.points:g}/{case.facts.points:g}"
