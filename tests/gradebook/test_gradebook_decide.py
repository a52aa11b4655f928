"""The rules on attempts, one by one and as laws."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.gradebook import regulations
from grader.gradebook.decide import Decision, decide
from grader.gradebook.event import Extended, Received
from grader.gradebook.history import Attempt, History, State
from grader.gradebook.messages import describe
from grader.gradebook.regulations.rule import Rule, Situation
from grader.gradebook.standing import standing
from grader.model.regulations import Counts, Late, Per, Regulations, Window

START = datetime(2019, 4, 1, 12, tzinfo=UTC)
DUE = datetime.fromisoformat("2019-04-04T23:59:59+08:00")
SEED = Regulations(
    due=DUE,
    zone="CST",
    attempts=30,
    window=Window(attempts=10, hours=24),
    extra_percent=10,
    private_repository=True,
)


def attempt(at: datetime, points: float | None = 1.0, state: State = State.SETTLED, name: str = "") -> Attempt:
    received = Received(tag="t", commit="c")
    identity = name or at.isoformat()
    return Attempt(id=identity, student="s1", at=at, received=received, state=state, points=points, max_points=10)


def extended(due: datetime | None = None, attempts: int = 0) -> Extended:
    return Extended(due=due, attempts=attempts, by="ta", why="ill")


def history(*times: datetime, extensions: tuple[Extended, ...] = ()) -> History:
    attempts = tuple(attempt(at, name=f"a{index}") for index, at in enumerate(sorted(times)))
    return History(attempts=attempts, extensions=extensions)


def ask(regulations: Regulations, past: History, at: datetime, *, private: bool | None = True) -> Decision:
    return decide(regulations, past.before(at, private=private))


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


def test_empty_regulations_accept_anything() -> None:
    """Without rules everybody may submit at any time at no cost."""
    decision = ask(Regulations(), history(*[START] * 500), START, private=None)
    assert decision.accepted
    assert (decision.number, decision.cost_percent, decision.room) == (501, 0.0, None)


@pytest.mark.parametrize(
    ("written", "accepted"),
    [
        ("2019-04-04T23:59:59+08:00", True),
        ("2019-04-04T15:59:59.900000+00:00", True),
        ("2019-04-04T16:00:00+00:00", False),
        ("2019-04-04T18:00:00-08:00", False),
    ],
)
def test_due_second_is_in_time_in_every_zone(written: str, accepted: bool) -> None:
    """The due date is a moment: its zone matters, the server's and the pusher's don't."""
    decision = ask(SEED, history(), datetime.fromisoformat(written))
    assert decision.accepted is accepted
    assert accepted or decision.reason == "late"


def test_refusal_says_when_it_was_due() -> None:
    """A late push is told the last moment in the course's own zone and that it costs nothing."""
    assert ask(SEED, history(), DUE + hours(1)).text == (
        "Not graded, and not counted: the last moment was 23:59:59, April 4, 2019, CST, by the server's clock."
    )


@pytest.mark.parametrize(
    ("late", "behind", "percent"),
    [
        (Late(percent=10), timedelta(seconds=1), 10),
        (Late(percent=10), timedelta(days=1), 10),
        (Late(percent=10), timedelta(days=1, seconds=1), 20),
        (Late(percent=2, per=Per.HOUR), timedelta(hours=3, minutes=1), 8),
        (Late(percent=10, cap_percent=35), timedelta(days=9), 35),
        (Late(), timedelta(days=9), 0),
        (Late(days=2), timedelta(days=2), 0),
        (Late(days=2, percent=25), timedelta(days=2, hours=1), 25),
        (Late(days=1, percent=1, per=Per.HOUR), timedelta(days=1, hours=5), 5),
    ],
)
def test_lateness_costs_by_started_units(late: Late, behind: timedelta, percent: float) -> None:
    """Each started day or hour costs, free days first, never above the cap."""
    decision = ask(Regulations(due=DUE, late=late), history(), DUE + behind)
    assert decision.accepted
    assert decision.cost_percent == percent


@pytest.mark.parametrize(
    ("late", "behind"),
    [
        (Late(days=2), timedelta(days=2, seconds=1)),
        (Late(percent=10, until=DUE + timedelta(days=3)), timedelta(days=3, seconds=1)),
    ],
)
def test_lateness_ends_somewhere(late: Late, behind: timedelta) -> None:
    """After the last free day, or after `until`, nothing is accepted."""
    decision = ask(Regulations(due=DUE, late=late), history(), DUE + behind)
    assert (decision.accepted, decision.reason, decision.next_allowed) == (False, "late", None)


def test_late_days_are_shared_between_assignments() -> None:
    """Days used elsewhere are no longer free here."""
    past = History(late_days_elsewhere=2)
    regulations = Regulations(due=DUE, late=Late(days=3))
    assert decide(regulations, past.before(DUE + hours(23))).late_days == 1
    assert not decide(regulations, past.before(DUE + hours(25))).accepted


def test_quota_without_penalty_refuses() -> None:
    """The attempt after the last is refused, and waiting doesn't help."""
    decision = ask(Regulations(attempts=2), history(START, START), START + hours(100))
    assert (decision.accepted, decision.reason, decision.next_allowed) == (False, "attempts", None)
    assert decision.text == "Not graded, and not counted: all 2 attempts are used."


def test_seed_charges_ten_percent_for_each_extra() -> None:
    """The 30th is free, the 31st costs 10 %, the 33rd 30 %, the 41st no more than everything."""
    free = msgspec.structs.replace(SEED, window=None)
    costs = [ask(free, history(*[START] * count), START).cost_percent for count in (29, 30, 32, 40, 45)]
    assert costs == [0, 10, 30, 100, 100]


def test_seed_allows_ten_in_any_day() -> None:
    """The eleventh within 24 hours waits until the first is a day old."""
    times = [START + timedelta(minutes=each) for each in range(10)]
    decision = ask(SEED, history(*times), START + hours(5))
    assert (decision.reason, decision.next_allowed) == ("window", START + hours(24))
    assert "from 20:00:00, April 2, 2019, CST" in decision.text
    assert ask(SEED, history(*times), START + hours(24)).accepted


def test_seed_neither_grades_nor_counts_a_public_repository() -> None:
    """A public repository is refused, and refused pushes take no quota."""
    assert ask(SEED, history(), START, private=False).reason == "not-private"
    refused = tuple(attempt(START, None, State.REFUSED, f"r{each}") for each in range(40))
    assert ask(SEED, History(attempts=refused), START).number == 1


def test_what_is_not_known_is_neither_accepted_nor_refused() -> None:
    """Whether it is private can't be told: the push waits, unless another rule refuses it anyway."""
    waiting = ask(SEED, history(), START, private=None)
    assert (waiting.accepted, waiting.is_open, waiting.reason) == (False, True, "")
    late = ask(SEED, history(), DUE + hours(1), private=None)
    assert (late.accepted, late.is_open, late.reason) == (False, False, "late")
    assert ask(Regulations(), history(), START, private=None).accepted


def test_extension_gives_time_and_attempts() -> None:
    """An extension moves the due date and adds attempts for one party only."""
    regulations = Regulations(due=DUE, attempts=1, late=Late(percent=10, until=DUE + hours(24)))
    more = (extended(DUE + hours(48)), extended(attempts=1))
    assert ask(regulations, history(START), START).reason == "attempts"
    decision = ask(regulations, history(START, extensions=more), DUE + hours(48))
    assert (decision.accepted, decision.cost_percent) == (True, 0)
    assert ask(regulations, history(START, extensions=more), DUE + hours(72)).cost_percent == 10
    assert not ask(regulations, history(START, extensions=more), DUE + hours(73)).accepted


@pytest.mark.parametrize(("counts", "points"), [(Counts.BEST, 8.0), (Counts.LAST, 5.0)])
def test_best_or_last_counts(counts: Counts, points: float) -> None:
    """The best attempt counts, or the last, never a voided, refused or spoiled one."""
    attempts = (
        attempt(START, 3),
        attempt(START + hours(1), 8),
        attempt(START + hours(2), 5),
        attempt(START + hours(3), 9, State.VOIDED),
        attempt(START + hours(4), None, State.REFUNDED),
        attempt(START + hours(5), None, State.STARTED),
    )
    assert standing(Regulations(counts=counts), History(attempts=attempts)).points == points


def test_best_is_found_after_costs() -> None:
    """A late ten of ten loses against nine in time."""
    regulations = Regulations(due=START, late=Late(percent=20))
    attempts = (attempt(START, 9), attempt(START + hours(1), 10))
    result = standing(regulations, History(attempts=attempts))
    assert result.points == 9
    assert [each.cost_percent for each in result.attempts] == [0, 20]


def test_cost_falls_when_an_earlier_attempt_is_given_back() -> None:
    """After a refund the extra attempt is no extra any more; what was quoted is the most it can cost."""
    regulations = Regulations(attempts=1, extra_percent=10)
    first = attempt(START, 2, name="first")
    second = msgspec.structs.replace(attempt(START + hours(1), 10, name="second"), quoted_percent=10.0)
    assert standing(regulations, History(attempts=(first, second))).points == 9
    refunded = msgspec.structs.replace(first, state=State.REFUNDED, points=None)
    assert standing(regulations, History(attempts=(refunded, second))).points == 10


def test_stricter_rules_never_reach_back() -> None:
    """An attempt that was accepted keeps its quoted cost when the due date is later moved forward."""
    taken = msgspec.structs.replace(attempt(START, 10), quoted_percent=0.0)
    assert standing(Regulations(due=START - hours(50)), History(attempts=(taken,))).points == 10


law = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine breaks no law
moments = st.integers(0, 200).map(lambda each: START + hours(each / 2))
regulations_strategy = st.builds(
    Regulations,
    due=st.one_of(st.none(), st.just(START + hours(60))),
    attempts=st.one_of(st.none(), st.integers(1, 6)),
    window=st.one_of(st.none(), st.builds(Window, attempts=st.integers(1, 3), hours=st.integers(1, 24))),
)


def played(regulations: Regulations, times: list[datetime]) -> History:
    """Play pushes in the order given, which need not be the order of time, as a retried attempt does."""
    past = History()
    for index, at in enumerate(times):
        if ask(regulations, past, at).accepted:
            together = sorted([*past.attempts, attempt(at, name=f"a{index}")], key=lambda each: each.at)
            past = History(attempts=tuple(together))
    return past


@law
@given(regulations_strategy, st.lists(moments, max_size=25))
def test_nobody_ever_gets_more_than_the_quota(regulations: Regulations, times: list[datetime]) -> None:
    """In whatever order pushes are taken, the total and every window hold."""
    taken = [each.at for each in played(regulations, times).attempts]
    if regulations.attempts is not None:
        assert len(taken) <= regulations.attempts
    if regulations.window:
        length = hours(regulations.window.hours)
        assert all(sum(s <= each < s + length for each in taken) <= regulations.window.attempts for s in taken)
    assert regulations.due is None or all(each <= regulations.due for each in taken)


@law
@given(regulations_strategy, st.lists(moments, max_size=12), moments)
def test_a_refund_restores_exactly(regulations: Regulations, times: list[datetime], at: datetime) -> None:
    """Taking an attempt and giving it back leaves every later decision as it was."""
    past = played(regulations, times)
    spoiled = attempt(START + hours(1), None, State.REFUNDED, "spoiled")
    together = tuple(sorted([*past.attempts, spoiled], key=lambda each: each.at))
    assert ask(regulations, past, at) == ask(regulations, History(attempts=together), at)


@law
@given(regulations_strategy, st.lists(moments, max_size=12), moments, st.integers(0, 100), st.integers(0, 3))
def test_an_extension_never_takes_away(
    regulations: Regulations, times: list[datetime], at: datetime, more_hours: int, more: int
) -> None:
    """What was accepted without an extension is accepted with it, and never costs more."""
    past = played(regulations, times)
    extension = extended(START + hours(more_hours), more)
    before, after = (
        ask(regulations, past, at),
        ask(regulations, History(attempts=past.attempts, extensions=(extension,)), at),
    )
    assert after.accepted or not before.accepted
    assert after.cost_percent <= before.cost_percent or not before.accepted


@law
@given(regulations_strategy, st.lists(moments, max_size=12), moments)
def test_waiting_until_the_named_moment_helps(regulations: Regulations, times: list[datetime], at: datetime) -> None:
    """A refusal that names a moment is lifted at that moment."""
    past = played(regulations, times)
    decision = ask(regulations, past, at)
    if decision.next_allowed is not None:
        assert not decision.accepted
        assert ask(regulations, past, decision.next_allowed).accepted


@law
@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(list(Per)), st.integers(0, 3))
def test_lateness_never_grows_cheaper(first: int, second: int, per: Per, days: int) -> None:
    """Later is never better."""
    regulations = Regulations(due=START, late=Late(percent=3, per=per, cap_percent=80, days=days))
    early, later = sorted((first, second))
    assert (
        ask(regulations, History(), START + hours(early)).cost_percent
        <= ask(regulations, History(), START + hours(later)).cost_percent
    )


class NoSundays(Rule):
    """A regulation of a course's own, in one class."""

    reason = "sunday"

    @classmethod
    def of(cls, regulations: Regulations) -> NoSundays:
        del regulations
        return cls()

    def refusal(self, push: Situation) -> str:
        return "nothing is graded on a Sunday" if push.at.isoweekday() == 7 else ""

    def opens(self, push: Situation) -> tuple[datetime, ...]:
        return (push.at + timedelta(days=1),)

    def percent(self, push: Situation) -> float:
        return 5.0 if push.at.isoweekday() == 6 else 0.0

    def lines(self) -> tuple[str, ...]:
        return ("Nothing is graded on a Sunday",)


def test_a_regulation_is_one_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a new rule refuses, costs and says reaches every decision, charge and description."""
    monkeypatch.setattr(regulations, "RULES", (*regulations.RULES, NoSundays))
    rules = Regulations(attempts=3)
    sunday = datetime(2026, 3, 1, 12, tzinfo=UTC)
    refused = ask(rules, history(), sunday)
    assert (refused.reason, refused.next_allowed) == ("sunday", sunday + timedelta(days=1))
    assert refused.text.startswith("Not graded, and not counted: nothing is graded on a Sunday. The next one")
    assert ask(rules, history(), sunday - timedelta(days=1)).cost_percent == 5
    assert standing(rules, history(sunday - timedelta(days=1))).attempts[0].cost_percent == 5
    assert "- Nothing is graded on a Sunday" in describe(rules)
