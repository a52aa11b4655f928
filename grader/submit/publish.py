"""Tell a result to everyone: report files, the pusher's terminal, the tag's issue."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grader.errors import GraderError
from grader.forge.host import Notice, open_host, title_for
from grader.gradebook import staff
from grader.gradebook.contents import kept_sheet, kept_submission
from grader.gradebook.event import Key, Posted
from grader.gradebook.history import State
from grader.gradebook.judging import with_remarks
from grader.gradebook.messages import came_text
from grader.gradebook.regulations import rules_of
from grader.gradebook.regulations.due_date import DueDate
from grader.gradebook.reserve import read_history
from grader.gradebook.standing import standing
from grader.model.submission import Note
from grader.model.verdict import Audience, Verdict
from grader.model.words import number_text
from grader.report import markdown
from grader.report.layout import RESULTS
from grader.report.registry import SHEET_FORMATS
from grader.report.writer import Wanted
from grader.submit.course import FAILED, OUR_FAULT, PASSED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from grader.gradebook.history import Attempt, History
    from grader.gradebook.reserve import Arrival
    from grader.gradebook.standing import Standing
    from grader.model.result import GradeSheet
    from grader.submit.course import Course, Rendered

_UNSETTLED = "This result could not be written into the gradebook yet."
_POST_LATER = "The result is in the book; `grader hook catch-up`, or the same tag again, posts it and costs nothing."


_STAFF = "staff"
"""The kind of the notes by which reports tell what the staff did."""
_FILES = {name: file for name, (file, _) in SHEET_FORMATS.items()} | {"json": RESULTS}
"""Format → file; results.json comes last, so that it tells what all of them tell."""
_GRADED = {State.SETTLED, State.REFUNDED, State.VOIDED}
_STATES = {PASSED: "passed", FAILED: "failed", OUR_FAULT: "our fault"}


class ReportError(GraderError):
    """The result is in the book, but its report files couldn't be written."""


class Graded(NamedTuple):
    """A settled attempt of the book, and its sheet."""

    key: Key
    attempt: str
    sheet: GradeSheet


class _Made(NamedTuple):
    """What was rendered, the words beside it, and the attempt as it stands."""

    rendered: Rendered
    words: str
    own: Attempt
    changes: tuple[str, ...]
    status: int


def publish(course: Course, graded: Graded, *, first: str = "") -> int:
    """Write every report of a settled attempt, tell the student, bring the issue up to date; return the status."""
    made = _make(course, graded, first=first)
    course.tell(made.rendered.terminal)
    course.tell(made.words)
    address = _post(course, graded.key, made)
    if address:
        course.tell(f"Issue: {address}")
    if made.rendered.problem:
        raise ReportError(made.rendered.problem, hint="The result is in the book; the same tag again writes them.")
    return made.status


def publish_change(course: Course, key: Key, attempt: Attempt, *, makes: bool = False) -> bool:
    """Let a change by the staff reach the student: report files where they were, the issue, a comment on it.

    A folder that isn't there is made only where the command `makes` one: the attempt may be of another machine.
    """
    sheet = kept_sheet(course.ledger, attempt.id)
    if sheet is None:
        return True
    folder, host = attempt.received.reports, attempt.received.host
    is_here = bool(folder) and (makes or Path(folder).is_dir())
    there = replace(course, formats=_formats(course, Path(folder), makes=makes)) if is_here else course
    made = _make(there, Graded(key, attempt.id, sheet), folder=folder if is_here else "")
    problems = [made.rendered.problem]
    if not is_here and not host:
        where = folder or "nobody noted where"
        problems.append(f"Its report files are not on this machine ({where}), and stay as they were.")
    if host:
        try:
            elsewhere = replace(course, host=open_host(host, os.environ))
            problems.append("" if _post(elsewhere, key, made) else _POST_LATER)
        except GraderError as error:
            problems.append(f"The issue was not brought up to date. {error}")
    for problem in filter(None, problems):
        course.tell(f"{attempt.student} {attempt.tag}: {problem}")
    return not any(problems)


def publish_missing(course: Course, known: Iterable[tuple[Key, Attempt]]) -> bool:
    """Write and post what a killed hook left in the book alone."""
    lacking = [(key, each) for key, each in known if each.is_untold or not _is_published(course, each)]
    fine = [publish_change(course, key, each, makes=True) for key, each in lacking]
    return all(fine)


def publish_stale(course: Course, past: Mapping[str, History]) -> bool:
    """Bring up to date the report files of which a killed command changed the book alone."""
    own = [
        (Key(assignment=course.assignment.name, party=party), each)
        for party, history in past.items()
        for each in history.attempts
    ]
    fine = [publish_change(course, key, attempt) for key, attempt in own if _is_stale(attempt)]
    return all(fine)


def _is_published(course: Course, attempt: Attempt) -> bool:
    """Tell whether all report files of a graded attempt are there, and tell what the staff changed.

    Where its student reads an issue, files that are gone were a job's own, and need not come again.
    """
    reports, host = attempt.received.reports, attempt.received.host
    if not reports or attempt.state not in _GRADED:
        return True
    wanted = (_FILES[name] for name in _in_order(course.formats))
    is_whole = bool(host) or all((Path(reports) / name).exists() for name in wanted)
    return is_whole and not _is_stale(attempt)


def _is_stale(attempt: Attempt) -> bool:
    """Tell whether report files are there that don't tell all that the staff changed."""
    if not attempt.changes or not attempt.received.reports:
        return False
    try:
        found = msgspec.json.decode((Path(attempt.received.reports) / RESULTS).read_bytes())
        told: int = sum(note["kind"] == _STAFF for note in found["submissions"][0]["notes"])
    except OSError:
        return False
    except (msgspec.DecodeError, LookupError, TypeError):
        return True
    return told < len(attempt.changes) + bool(came_text(attempt.received))


def _formats(course: Course, folder: Path, *, makes: bool) -> tuple[str, ...]:
    """Return the formats of the report files that are in a folder, and of those that are to be there."""
    there = tuple(name for name, file in _FILES.items() if (folder / file).exists())
    return (*there, *course.formats) if makes or not there else there


def _in_order(formats: Iterable[str]) -> tuple[str, ...]:
    """Return formats in the order in which their files are written."""
    return tuple(name for name in _FILES if name in formats)


def page_of(course: Course, key: Key, attempt: Attempt, *, folder: Path) -> bytes:
    """Return the attempt's page as its student may see it by now; `folder` is where it may be written first."""
    sheet = kept_sheet(course.ledger, attempt.id)
    if sheet is None:
        raise GraderError(f"The sheet of {attempt.tag} was not kept.")
    made = _make(course, Graded(key, attempt.id, sheet), folder=str(folder))
    if made.rendered.problem:
        raise GraderError(made.rendered.problem)
    return (folder / _FILES["html"]).read_bytes()


def publish_unsettled(course: Course, arrival: Arrival, sheet: GradeSheet) -> None:
    """Write the report that a student is owed even when the book has gone."""
    folder = str(course.report_folder(arrival.student, arrival.tag))
    wanted = Wanted(sheet=sheet, audience=Audience.STUDENT, folder=folder, formats=course.formats)
    course.tell(course.render(wanted).terminal)
    course.tell(_UNSETTLED)


def _make(course: Course, graded: Graded, *, first: str = "", folder: str | None = None) -> _Made:
    """Render a sheet as its student may see it by now, with what the staff changed."""
    with course.ledger.reading() as connection:
        history = read_history(course.ledger, connection, graded.key)
    own = next(each for each in history.attempts if each.id == graded.attempt)
    audience = _audience(course, history)
    is_silent = course.assignment.hides_outcomes(audience)  # a sum would tell of hidden cases
    now = standing(course.assignment.regulations, history)
    words = " ".join(part for part in (first, _remark(course, now, own, is_silent=is_silent)) if part)
    changes = tuple(change.text(is_silent=is_silent) for change in own.changes)
    told = filter(None, (came_text(own.received), *changes))
    notes = tuple(Note(kind=_STAFF, message=words) for words in told)
    submission = kept_submission(course.ledger, own.id) if own.adjustments else None
    sheet = with_remarks(course.assignment, own, graded.sheet, submission)
    noted = msgspec.structs.replace(sheet, notes=(*notes, *sheet.notes))
    place = str(_place(course, own)) if folder is None else folder
    before = _before(course, history, own)
    formats = _in_order(course.formats)
    wanted = Wanted(sheet=noted, audience=audience, folder=place, formats=formats, before=before)
    rendered = course.render(wanted)
    status = OUR_FAULT if graded.sheet.unjudged else PASSED if rendered.has_passed else FAILED
    return _Made(rendered, words, own, changes, status)


def _place(course: Course, own: Attempt) -> Path:
    """Return the folder of its report files: the one that was noted, if it is among this course's."""
    noted = own.received.reports
    is_here = bool(noted) and Path(noted).is_relative_to(course.out.absolute())
    return Path(noted) if is_here else course.report_folder(own.student, own.tag)


def _before(course: Course, history: History, own: Attempt) -> GradeSheet | None:
    """Return the sheet of the last attempt before this one that was graded and counts."""
    graded = [each for each in history.attempts if each.at < own.at and each.state is State.SETTLED]
    return kept_sheet(course.ledger, max(graded, key=lambda each: each.at).id) if graded else None


def _post(course: Course, key: Key, made: _Made) -> str:
    """Bring the issue up to date, and note that the host has it."""
    body = f"{markdown.words(made.words)}\n\n{made.rendered.markdown}"
    untold = made.changes[made.own.posted or 0 :]
    labels = (_STATES[made.status], *made.rendered.verdicts)
    address = post(course, made.own.tag, body=body, labels=labels, changes=untold)
    if address:
        staff.note_told(course.ledger, key, made.own, Posted, now=datetime.now(UTC))
    return address


def post(course: Course, tag: str, *, body: str, labels: tuple[str, ...], changes: tuple[str, ...] = ()) -> str:
    """Open or update the tag's issue, comment on what the staff changed, and return the issue's address.

    A host that fails is told, and costs nobody a result.
    """
    if course.host is None:
        return ""
    title = title_for(course.assignment.title, tag)
    try:
        address = course.host.post(Notice(title=title, body=body, labels=labels))
        for change in changes:
            course.host.comment(title, markdown.words(change))
    except GraderError as error:
        course.tell(f"The issue could not be posted. {error}\n  {_POST_LATER}")
        return ""
    return address


def _remark(course: Course, now: Standing, own: Attempt, *, is_silent: bool) -> str:
    """Say what the attempt costs, what couldn't be judged, and what counts by now."""
    words = []
    charged = next((each for each in now.attempts if each.number and each.attempt.id == own.id), None)
    if charged is not None and charged.cost_percent:
        points = "." if is_silent else f": {charged.points:g} points."
        words.append(f"{number_text(charged.cost_percent)}% is taken off this attempt{points}")
    if own.points is not None and own.verdicts.get(Verdict.JE):
        words.append("A case could not be judged; it costs you nothing, and the staff look into it.")
    if now.counted is not None and not is_silent:
        counted = now.counted.attempt
        most = counted.max_points + course.assignment.rubric_points
        total = f"{number_text(now.points)} of {number_text(most)} points"
        words.append(f"What counts by now: {total} ({course.assignment.regulations.counts} attempt, {counted.tag}).")
    return " ".join(words)


def _audience(course: Course, history: History) -> Audience:
    """Open what waits for the due date only to a party that can submit no more."""
    now = history.before(datetime.now(UTC))
    over = any(isinstance(rule, DueDate) and rule.refusal(now) for rule in rules_of(course.assignment.regulations))
    return Audience.STUDENT_AFTER_DUE if over else Audience.STUDENT
