"""What is exported: every mark of the book is in some line or named, whatever became of the class list."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_values import make_assignment

from grader.errors import GraderError
from grader.gradebook.event import Received
from grader.gradebook.export import Export, export, plain
from grader.gradebook.history import Attempt, History, State
from grader.gradebook.roster import Roster, read_roster
from grader.gradebook.standing import standing
from grader.model.lms import Student
from grader.model.regulations import Counts, Regulations

if TYPE_CHECKING:
    from pathlib import Path

    from grader.model.assignment import Assignment

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
NAMES = ("ann", "bob", "cat", "dan")
GROUPS = ("", "red", "blue")


def assignment(counts: Counts = Counts.BEST) -> Assignment:
    return make_assignment(regulations=Regulations(counts=counts))


def attempt(student: str, points: float | None, *members: str, hour: int = 0, **facts: object) -> Attempt:
    state = State.REFUSED if points is None else State.SETTLED
    return Attempt(
        id=f"{student}-{hour}",
        student=student,
        at=START + timedelta(hours=hour),
        received=Received(tag=f"t{hour}", commit="c", members=members),
        state=state,
        points=points,
        max_points=100,
        quoted_percent=0.0,
        **facts,  # type: ignore[arg-type]
    )


def roster(**groups: str) -> Roster:
    return Roster(entries=tuple(Student(student=name, group=group) for name, group in groups.items()))


def shown(found: Export) -> dict[str, str]:
    return {row["student"]: row["points"] for row in csv.DictReader(io.StringIO(plain(assignment(), found.lines)))}


def named(found: Export) -> dict[str, float]:
    return {each.who: each.points for each in found.unmatched}


def played(pushes: list[tuple[str, int, dict[str, str]]]) -> dict[str, History]:
    """Take pushes one after the other, each under the class list of its day."""
    parties: dict[str, list[Attempt]] = {}
    for hour, (student, points, groups) in enumerate(pushes):
        today = roster(**groups)
        party = today.party(student)
        one = attempt(student, float(points) or None, *today.members(party), hour=hour)
        parties.setdefault(party, []).append(one)
    return {party: History(attempts=tuple(attempts)) for party, attempts in parties.items()}


groups = st.fixed_dictionaries({name: st.sampled_from(GROUPS) for name in NAMES})
edited = st.dictionaries(st.sampled_from([*NAMES, "eve"]), st.sampled_from([*GROUPS, "renamed"]))
pushes = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 99), groups), max_size=12)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=300)
@given(pushes, edited, st.sampled_from(list(Counts)))
def test_no_mark_gets_lost(
    pushes: list[tuple[str, int, dict[str, str]]], edited: dict[str, str], counts: Counts
) -> None:
    """Whatever became of students, groups and names: the marks exported and the marks named are those of the book."""
    asked = assignment(counts)
    past = played(pushes)
    found = export(asked, past, roster(**edited))
    book = {party: standing(asked.regulations, history) for party, history in past.items()}
    marks = {party: each.points for party, each in book.items() if each.counted}
    lines = {line.party: line.standing.points for line in found.lines if line.standing.counted}
    lost = set(marks) - set(lines)
    people = {
        party: {p for each in past[party].attempts for p in (each.student, *each.received.members)} for party in lost
    }
    named = {(each.who, each.points) for each in found.unmatched}
    for party in lost:
        assert any((who, marks[party]) in named for who in people[party] | {party}), party
    assert sum(lines.values()) + sum(marks[party] for party in lost) == pytest.approx(sum(marks.values()))
    listed = {line.entry.student for line in found.lines} | {each.who for each in found.unmatched}
    assert {student for student, _, _ in pushes} <= listed, "whoever pushed is in some list"


def test_a_renamed_group_keeps_its_mark() -> None:
    """Both members have it, also the one who never pushed."""
    past = {"red": History(attempts=(attempt("ann", 42, "ann", "bob"),))}
    found = export(assignment(), past, roster(ann="crimson", bob="crimson"))
    assert (shown(found), found.unmatched) == ({"ann": "42", "bob": "42"}, ())


def test_whoever_left_the_group_keeps_what_it_had_then() -> None:
    """The ledger says who was in it when the tag came; who joined later and pushed elsewhere has their own."""
    past = {
        "red": History(attempts=(attempt("ann", 42, "ann", "bob"),)),
        "cat": History(attempts=(attempt("cat", 7),)),
    }
    found = export(assignment(), past, roster(ann="red", bob="", cat="red"))
    assert shown(found) == {"ann": "42", "bob": "42", "cat": "7"}


def test_two_who_swap_groups_keep_their_own_marks() -> None:
    """Nobody gains by moving into a group that has a better mark already."""
    past = {
        "red": History(attempts=(attempt("ann", 10, "ann"),)),
        "blue": History(attempts=(attempt("bob", 42, "bob"),)),
    }
    assert shown(export(assignment(), past, roster(ann="blue", bob="red"))) == {"ann": "10", "bob": "42"}


def test_a_newcomer_has_the_mark_of_the_group() -> None:
    """The class list speaks for a student of whom the ledger knows nothing."""
    past = {"red": History(attempts=(attempt("ann", 42, "ann"),))}
    assert shown(export(assignment(), past, roster(ann="red", new="red"))) == {"ann": "42", "new": "42"}


def test_a_groups_own_repository_gives_its_members_the_mark() -> None:
    """The repository is called like the group; an older book doesn't even know who was in it."""
    for members in ((), ("ann", "bob")):
        past = {"red": History(attempts=(attempt("red", 42, *members),))}
        found = export(assignment(), past, roster(ann="red", bob="red"))
        assert (shown(found), found.unmatched) == ({"ann": "42", "bob": "42"}, ())


def test_whoever_is_not_in_the_class_list_is_named() -> None:
    """With points or without, alone or in a group."""
    past = {
        "zed": History(attempts=(attempt("zed", 21),)),
        "yan": History(attempts=(attempt("yan", None),)),
        "red": History(attempts=(attempt("ann", 42, "ann", "gone"),)),
    }
    found = export(assignment(), past, roster(ann="red"))
    assert named(found) == {"zed": 21, "yan": 0, "gone": 42}
    assert shown(found) == {"ann": "42"}


def test_a_mark_with_an_unjudged_case_is_blank_and_named() -> None:
    """Our judge error is nobody's lost point: an import leaves the cell alone, and staff hear of it."""
    past = {"ann": History(attempts=(attempt("ann", 20, verdicts={"AC": 20, "JE": 1}),))}
    found = export(assignment(), past, roster(ann=""))
    assert (shown(found), named(found)) == ({"ann": ""}, {"ann": 20})


@pytest.mark.parametrize("text", ["", "ann,g1\n", "student\na\u202eb\n", 'student\n"a\nb"\n'])
def test_a_class_list_that_would_name_nobody_is_refused(tmp_path: Path, text: str) -> None:
    """An empty file, a missing first line and names that can't be seen are told."""
    path = tmp_path / "roster.csv"
    path.write_text(text)
    with pytest.raises(GraderError, match=r"roster\.csv"):
        read_roster(path)


def test_a_group_called_like_a_stranger_is_refused(tmp_path: Path) -> None:
    """The two would share one quota and one grade."""
    path = tmp_path / "roster.csv"
    path.write_text("student,group\nann,\nbob,ann\n")
    with pytest.raises(Exception, match=r"roster.csv:3: the group ann is called like the student ann"):
        read_roster(path)
    path.write_text("student,group\nann,ann\nbob,ann\n")
    assert read_roster(path).members("ann") == ("ann", "bob")
