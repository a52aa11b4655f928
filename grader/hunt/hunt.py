"""Searches the puzzles of an assignment for the smallest that a submission gets wrong."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from grader.errors import UsageError
from grader.hunt.ask import Question
from grader.hunt.puzzle_files import PuzzleFiles, hunted
from grader.hunt.search import Space, Trials, search, shrink_within
from grader.model.assignment import Kind
from grader.model.result import CaseResult
from grader.model.verdict import ENDLESS, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from grader.hunt.ask import Asker
    from grader.hunt.puzzle_files import PuzzleFile
    from grader.model.run import Limits
    from grader.model.submission import Submission

_QUICK_S = 0.1
"""CPU seconds for one puzzle while searching, so that a hunt among endless loops still gets somewhere."""
_DOUBT_S = 0.4
"""The same, before nothing can be taken away: a time-out may hide the failure that is followed."""
_SURE_S = 1.0
"""CPU seconds after which a small puzzle is a time-out worth showing."""
_SHOWN_S = 0.7
"""CPU seconds of the puzzle that is shown: fewer, so that what was surely a time-out is one again."""
_MOST_OUTPUT_MIB = 2.0
_PASSED = frozenset({Verdict.AC, Verdict.JE})


class Hunt(msgspec.Struct, frozen=True, kw_only=True):
    """How long to hunt, and where to begin."""

    seconds: float = 30.0
    seed: int = 0
    kind: str | None = None


class Counterexample(msgspec.Struct, frozen=True, kw_only=True):
    """What a hunt found: a puzzle as text, with the submission's result on it; or only how many were tried."""

    tried: int
    kind: Kind | None = None
    text: str = ""
    result: CaseResult | None = None
    is_smallest: bool = False
    """Nothing can be taken away from the puzzle; False when the time ran out before that was sure."""


def hunt(asker: Asker, submission: Submission, plan: Hunt, *, tell: Callable[[int], None]) -> Counterexample:
    """Hunt in each kind of case in turn, sharing the time; the first that fails has what is left of it."""
    assignment = asker.questions.assignment
    kinds = [kind for kind in assignment.kinds.values() if plan.kind in (None, kind.name)]
    if not kinds:
        raise UsageError(f"there is no kind {plan.kind}", hint=f"kinds are {', '.join(assignment.kinds)}")
    kinds = [kind for kind in kinds if _is_huntable(asker.questions.kits[kind.name])]
    if not kinds:
        raise UsageError(
            f"the kit of {assignment.name} makes no puzzles to hunt with", hint="give it `vary` and `write`"
        )
    share = plan.seconds / len(kinds)
    tried = 0
    for number, kind in enumerate(kinds, start=1):
        turn = _Turn(search_s=share, shrink_s=plan.seconds - number * share, seed=plan.seed)
        found = _KindHunt(asker, kind, submission).hunt(turn, lambda count, before=tried: tell(before + count))  # type: ignore[misc]  # mypy can't infer a lambda with a default
        tried += found.tried
        if found.result is not None:
            return msgspec.structs.replace(found, tried=tried)
    return Counterexample(tried=tried)


def _is_huntable(kit: Any) -> bool:
    return hasattr(kit, "vary") and hasattr(kit, "write") and bool(hunted(kit))


class _Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One kind's share of the hunt."""

    search_s: float
    shrink_s: float
    seed: int


class _KindHunt:
    """The hunt in one kind of case."""

    def __init__(self, asker: Asker, kind: Kind, submission: Submission) -> None:
        self._asker = asker
        self._kind = kind
        self._kit: Any = asker.questions.kits[kind.name]
        self._files = PuzzleFiles(self._kit, kind)
        self._submission = submission

    def hunt(self, turn: _Turn, tell: Callable[[int], None]) -> Counterexample:
        failures = _Failures(self._verdicts, name=self._files.write)
        trials = Trials(
            failures.fail_each, seconds=turn.search_s, shrink_s=turn.shrink_s, tried=lambda _: tell(failures.tried)
        )
        space = self._space()
        found = search(space, trials, seed=turn.seed)
        if found.puzzle is None:
            return Counterexample(tried=failures.tried)
        result = self._ask(found.puzzle, _SHOWN_S, draws=True)
        if result.verdict in _PASSED:  # slow, but right after all: shrink again with more time for each puzzle
            failures.believe_no_time_out()
            found = shrink_within(failures.first, trials, space, seed=turn.seed)
            result = self._ask(found.puzzle, _SHOWN_S, draws=True)
        text = self._files.write(found.puzzle)
        return Counterexample(
            tried=failures.tried, kind=self._kind, text=text, result=result, is_smallest=found.is_smallest
        )

    def _ask(self, file: PuzzleFile, cpu_s: float, *, draws: bool = False) -> CaseResult:
        return self._asker.ask(self._submission, self._question(file, cpu_s), draws=draws)

    def _verdicts(self, files: Iterable[PuzzleFile], cpu_s: float) -> list[Verdict]:
        questions = (self._question(file, cpu_s) for file in files)
        return [result.verdict for result in self._asker.ask_all(self._submission, questions)]

    def _question(self, file: PuzzleFile, cpu_s: float) -> Question:
        limits = _within(self._asker.questions.assignment.limits, cpu_s)
        return Question(kind=self._kind.name, text=self._files.write(file), limits=limits)

    def _space(self) -> Space:
        return Space(
            draw=self._files.draw,
            draw_long=partial(self._files.draw, long=True) if hunted(self._kit, long=True) else None,
            smaller=self._files.smaller,
            size=self._files.size,
        )


class _Failures:
    """Asks about each puzzle once, and follows the first kind of failure that it meets."""

    def __init__(self, ask: Callable[[Iterable[Any], float], list[Verdict]], *, name: Callable[[Any], str]) -> None:
        """Ask for the verdicts of puzzles with so many CPU seconds for each."""
        self._ask = ask
        self._name = name
        self._known: dict[str, Verdict] = {}
        self._given_time: set[str] = set()
        """Those whose time-out was still one with more time."""
        self._followed: frozenset[Verdict] = frozenset()
        self._quick_s = _QUICK_S
        self.first: Any = None
        """The first puzzle that failed, beyond doubt."""

    @property
    def tried(self) -> int:
        return len(self._known)

    def fail_each(self, puzzles: Iterable[Any], *, patient: bool = False) -> Iterator[bool]:
        """Ask about all puzzles, then tell of each whether it fails as the first one that failed did."""
        named: list[tuple[str, Any]] = []
        unknown: dict[str, None] = {}
        verdicts = self._ask(self._unknown(puzzles, named, unknown), self._quick_s)
        self._known |= dict(zip(unknown, verdicts, strict=True))
        if patient and self._followed != ENDLESS:
            self._give_time(dict(named))
        return (self._fails(name, puzzle) for name, puzzle in named)

    def _unknown(
        self, puzzles: Iterable[Any], named: list[tuple[str, Any]], unknown: dict[str, None]
    ) -> Iterator[Any]:
        """Pass on what must be asked, and note all names."""
        for puzzle in puzzles:
            name = self._name(puzzle)
            named.append((name, puzzle))
            if name not in self._known and name not in unknown:
                unknown[name] = None
                yield puzzle

    def _give_time(self, named: dict[str, Any]) -> None:
        """Ask again about time-outs, on all cores."""
        slow = [name for name in named if name not in self._given_time and self._known[name] in ENDLESS]
        self._known |= dict(zip(slow, self._ask([named[name] for name in slow], _DOUBT_S), strict=True))
        self._given_time.update(slow)

    def _fails(self, name: str, puzzle: Any) -> bool:
        if self._known[name] in ENDLESS and not self._followed:
            [self._known[name]] = self._ask([puzzle], _SURE_S)
        verdict = self._known[name]
        if verdict in _PASSED:
            return False
        if not self._followed:
            self._followed = verdict.faces
            self.first = puzzle
        return verdict in self._followed

    def believe_no_time_out(self) -> None:
        """Give every puzzle from now on the time of the one that is shown."""
        self._quick_s = _SURE_S
        self._known = {name: verdict for name, verdict in self._known.items() if verdict not in ENDLESS}
        self._given_time.clear()


def _within(limits: Limits, cpu_s: float) -> Limits:
    """Give one puzzle less time and output than a case; the clock has slack for a busy machine."""
    return msgspec.structs.replace(
        limits,
        cpu_s=min(limits.cpu_s, cpu_s),
        wall_s=min(limits.wall_s, 2 + 8 * cpu_s),
        output_mib=min(limits.output_mib, _MOST_OUTPUT_MIB),
    )
