"""Follow a claimed path by the rules and explain its first fault."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from reference.alice.puzzle import OFFSETS, Arrow, Maze, Place, StartColour, first_step

WAYS = {
    Arrow.NW: "north-west (up left)",
    Arrow.N: "north (up)",
    Arrow.NE: "north-east (up right)",
    Arrow.E: "east (right)",
    Arrow.SE: "south-east (down right)",
    Arrow.S: "south (down)",
    Arrow.SW: "south-west (down left)",
    Arrow.W: "west (left)",
}

_MOST_WRITTEN = 24
"""Squares of a path that a message shows."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What the assignment and the case say beside the maze itself."""

    steps: int
    """Fewest moves, by the stored expectation."""
    start_colour: StartColour
    show: Callable[[Place], str]
    """Writes a place as the assignment's format does."""

    @property
    def order(self) -> str:
        """What the two numbers of a square are."""
        return "(column, row)" if self.show((0, 1)) == "(1,0)" else "(row, column)"

    @property
    def legend(self) -> str:
        """Say how squares are written, at the end of a message."""
        return f". Squares are {self.order}, counted from 0 at the top left."


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """The first move that breaks the rules."""

    move: int
    """From 1; 0 when the path doesn't begin at the start."""
    kind: str
    message: str


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """How far a path keeps to the rules."""

    d: tuple[int, ...]
    """d on each square up to the first slip, after its colour has counted; the goal's doesn't."""
    slip: Slip | None = None


def follow(maze: Maze, path: tuple[Place, ...], rules: Rules) -> Walk:
    """Walk along the path until it ends or breaks a rule."""
    if path[0] != maze.start:
        show = rules.show
        message = f"your path begins at {show(path[0])}; the start is {show(maze.start)}"
        return Walk(d=(), slip=Slip(move=0, kind="wrong-start", message=message))
    trail = [first_step(maze, rules.start_colour)]
    while len(trail) < len(path):
        move = _Move(maze, rules, path, trail)
        slip = move.slip()
        if slip:
            return Walk(d=tuple(trail), slip=slip)
        trail.append(trail[-1] + (0 if move.there == maze.goal else maze.at(move.there).colour.change))
    return Walk(d=tuple(trail))


class _Move:
    """The next move of a path, and what may be wrong with it."""

    def __init__(self, maze: Maze, rules: Rules, path: tuple[Place, ...], trail: list[int]) -> None:
        self.maze = maze
        self.rules = rules
        self.show = rules.show
        self.number = len(trail)
        self.here, self.there = path[self.number - 1], path[self.number]
        self.trail = trail
        self.d = trail[-1]

    def slip(self) -> Slip | None:
        """Give the first rule that the move breaks."""
        for kind, find in (
            ("past-goal", self.past_goal),
            ("no-step", self.no_step),
            ("outside", self.outside),
            ("not-straight", self.not_straight),
            ("no-arrow", self.no_arrow),
            ("passes-goal", self.passes_goal),
            ("distance", self.distance),
            ("blank", self.blank),
        ):
            message = find()
            if message:
                return Slip(move=self.number, kind=kind, message=message)
        return None

    @property
    def squares(self) -> int:
        return max(abs(self.there[0] - self.here[0]), abs(self.there[1] - self.here[1]))

    @property
    def way(self) -> Arrow | None:
        """The arrow along which the move went; None when it wasn't straight."""
        rows, columns = self.there[0] - self.here[0], self.there[1] - self.here[1]
        for arrow, (down, right) in OFFSETS.items():
            if (down * self.squares, right * self.squares) == (rows, columns):
                return arrow
        return None

    def past_goal(self) -> str:
        if self.here != self.maze.goal:
            return ""
        if self.number == 1:
            return f"the start {self.show(self.here)} is the goal, so the walk ends at once; your path goes on"
        goal, there = self.show(self.here), self.show(self.there)
        return f"move {self.number - 1} reaches the goal {goal} and the walk ends there; your path goes on to {there}"

    def no_step(self) -> str:
        return f"{self.about_d()}: there is no further move; your path goes on" if self.d < 1 else ""

    def outside(self) -> str:
        if self.maze.holds(self.there):
            return ""
        size = f"{self.maze.rows} rows and {self.maze.columns} columns"
        return f"move {self.number} leaves the grid: {self.show(self.there)} is outside its {size}"

    def not_straight(self) -> str:
        here, there = self.show(self.here), self.show(self.there)
        if here == there:
            return f"move {self.number} stays on {here}; d is {self.d}, so it must go {_squares(self.d)}"
        return f"move {self.number} from {here} to {there} is no straight line" if self.way is None else ""

    def no_arrow(self) -> str:
        arrows = self.maze.at(self.here).arrows
        if self.way is None or self.way in arrows:
            return ""
        has = f"only {', '.join(arrows)}" if arrows else "none at all"
        there = self.show(self.there)
        went = f"move {self.number} goes {WAYS[self.way]} to {there}"
        return f"{went}, but {self.show(self.here)} has no arrow that way ({has})"

    def distance(self) -> str:
        if self.squares == self.d:
            return ""
        which = "your next move" if self.number > 1 else "your first move"
        return f"{self.about_d()}; {which} went {_squares(self.squares)}"

    def passes_goal(self) -> str:
        """Explain a move that is too short and ends on the goal: d is forgotten, or passing is taken for reaching."""
        if self.there != self.maze.goal or self.squares >= self.d:
            return ""
        down, right = OFFSETS[self.way] if self.way else (0, 0)
        lands = (self.here[0] + self.d * down, self.here[1] + self.d * right)
        ends = f"to {self.show(lands)}" if self.maze.holds(lands) else "out of the grid"
        jump = f"move {self.number} goes {_squares(self.d)}, over the goal {self.show(self.there)} {ends}"
        return f"{self.about_d()}, so {jump}; only landing on the goal counts"

    def blank(self) -> str:
        if not self.maze.is_blank(self.there):
            return ""
        there = self.show(self.there)
        return f"move {self.number} lands on {there}, which is blank: a move may pass over it, not land on it"

    def about_d(self) -> str:
        """Say what d is on this square, and why."""
        if self.number == 1:
            return self.about_first_d()
        lands = f"move {self.number - 1} lands on {self.show(self.here)}"
        colour = self.maze.at(self.here).colour
        if colour.change:
            verb = "rises" if colour.change > 0 else "drops"
            return f"{lands}, which is {colour}: d {verb} from {self.trail[-2]} to {self.d}"
        return f"{lands}, which leaves d at {self.d}"

    def about_first_d(self) -> str:
        colour = self.maze.at(self.maze.start).colour
        if not colour.change:
            return f"d is {self.d} at the start"
        counts = "counts" if self.rules.start_colour is StartColour.APPLIED else "doesn't count"
        return f"d is {self.d} at the start (its colour {colour} {counts})"


def count_moves(number: int) -> str:
    return "1 move" if number == 1 else f"{number} moves"


def written(places: list[str]) -> str:
    """Write a path; of a long one both ends."""
    shown = (
        places
        if len(places) <= _MOST_WRITTEN
        else [*places[: _MOST_WRITTEN // 2], "…", *places[-_MOST_WRITTEN // 2 + 1 :]]
    )
    return "->".join(shown)


def _squares(number: int) -> str:
    return "1 square" if number == 1 else f"{number} squares"
