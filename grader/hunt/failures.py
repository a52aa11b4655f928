"""Asks about each puzzle once, and follows the first kind of failure that it meets."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from grader.model.verdict import ENDLESS, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

QUICK_S = 0.1
"""CPU seconds for one puzzle while searching, so that a hunt among endless loops still gets somewhere."""
DOUBT_S = 0.4
"""The same, before nothing can be taken away: a time-out may hide the failure that is followed."""
SURE_S = 1.0
"""CPU seconds after which a small puzzle is a time-out worth showing."""
PASSED = frozenset({Verdict.AC, Verdict.JE})
_ALONE = 24
"""So many puzzles are asked alone first: what a program does past `sys.stdout` or at its end shows with each."""
_TOO_FEW = 2
"""So few puzzles are asked alone: each is answered at once, on a core of its own."""
_FEW = 8
_SHARE = 8
"""Doubts about so few puzzles, or about less than this part of all, may be unfounded before each is asked alone."""


class Asking(NamedTuple):
    """How puzzles are put to a submission, with the CPU seconds for each."""

    verdicts: Callable[[Iterable[Any], float], list[Verdict]]
    """Runs each in a process of its own."""
    pass_each: Callable[[Iterable[Any], float], list[bool]]
    """Runs many in one: tells quickly which ones pass, and leaves the others in doubt."""


class Failures:
    """What was asked, and which failure is followed."""

    def __init__(self, asking: Asking, *, name: Callable[[Any], str]) -> None:
        self._asking = asking
        self._name = name
        self._known: dict[str, Verdict | None] = {}
        """None for a puzzle in doubt."""
        self._together: set[str] = set()
        """Those that were asked among others only."""
        self._given_time: set[str] = set()
        """Those whose time-out was still one with more time."""
        self._unfounded = 0
        self._followed: frozenset[Verdict] = frozenset()
        self._quick_s = QUICK_S
        self.first: Any = None
        """The first puzzle that failed, beyond doubt."""

    @property
    def tried(self) -> int:
        return len(self._known)

    def fail_each(self, puzzles: Iterable[Any], *, alone: bool = False) -> Iterator[bool]:
        """Ask about all puzzles, then tell of each whether it fails as the first one that failed did.

        `alone` takes no answer that was given among others, and no time-out for another failure at once.
        """
        each = alone or self._must_not_share()
        named: list[tuple[str, Any]] = []
        unknown: dict[str, None] = {}
        asked = self._unknown(puzzles, named, unknown, alone=each)
        few = list(islice(asked, _TOO_FEW + 1))
        if each or len(few) <= _TOO_FEW:
            self._know(unknown, self._asking.verdicts(chain(few, asked), self._quick_s))
        else:
            passes = self._asking.pass_each(chain(few, asked), self._quick_s)
            self._know(unknown, [Verdict.AC if is_right else None for is_right in passes])
            self._together |= unknown.keys()
        if alone and self._followed != ENDLESS:
            self._give_time(dict(named))
        return (self._fails(name, puzzle) for name, puzzle in named)

    def _must_not_share(self) -> bool:
        """Tell whether a shared process is of no use: at first, where it misleads, where most use up their time."""
        is_misled = self._unfounded > max(_FEW, self.tried // _SHARE)
        return is_misled or self.tried < _ALONE or self._followed == ENDLESS

    def _give_time(self, named: dict[str, Any]) -> None:
        """Ask again about time-outs, on all cores."""
        slow = [name for name in named if name not in self._given_time and self._known[name] in ENDLESS]
        self._know(slow, self._asking.verdicts([named[name] for name in slow], DOUBT_S))
        self._given_time.update(slow)

    def _unknown(
        self, puzzles: Iterable[Any], named: list[tuple[str, Any]], unknown: dict[str, None], *, alone: bool
    ) -> Iterator[Any]:
        """Pass on what must be asked, and note all names."""
        for puzzle in puzzles:
            name = self._name(puzzle)
            named.append((name, puzzle))
            if name not in unknown and (name not in self._known or (alone and name in self._together)):
                unknown[name] = None
                yield puzzle

    def _know(self, names: Iterable[str], verdicts: Iterable[Verdict | None]) -> None:
        for name, verdict in zip(names, verdicts, strict=True):
            self._known[name] = verdict
            self._together.discard(name)

    def _fails(self, name: str, puzzle: Any) -> bool:
        verdict = self._known[name]
        if verdict is None:
            verdict = self._ask_alone(name, puzzle, self._quick_s)
            self._unfounded += verdict in PASSED
        if verdict in ENDLESS and not self._followed:
            verdict = self._ask_alone(name, puzzle, SURE_S)
        if verdict in PASSED:
            return False
        if not self._followed:
            self._followed = verdict.faces
            self.first = puzzle
        return verdict in self._followed

    def _ask_alone(self, name: str, puzzle: Any, cpu_s: float) -> Verdict:
        [verdict] = self._asking.verdicts([puzzle], cpu_s)
        self._know([name], [verdict])
        return verdict

    def believe_no_time_out(self) -> None:
        """Give every puzzle from now on the time of the one that is shown."""
        self._quick_s = SURE_S
        self._known = {name: verdict for name, verdict in self._known.items() if verdict not in ENDLESS}
        self._given_time.clear()
