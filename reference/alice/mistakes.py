"""The rules of the maze with one thing changed, as students change it by mistake.

Each class is the rules with one mistake in them. None of them decides a verdict; they only find the words for it.
"""

from __future__ import annotations

from itertools import islice, takewhile
from typing import TYPE_CHECKING

from msgspec.structs import replace

from reference.alice.puzzle import OFFSETS, Arrow, Maze, Place, StartColour, first_step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

State = tuple[Place, int]
"""A square, and d on it."""
_DIAGONALS = (Arrow.NW, Arrow.NE, Arrow.SE, Arrow.SW)


class Reading:
    """The rules as they are."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        self.maze = maze
        self.start_colour = start_colour

    def first_d(self) -> int:
        return first_step(self.maze, self.start_colour)

    def arrows(self, place: Place) -> Sequence[Arrow]:
        return self.maze.at(place).arrows

    def change(self, place: Place) -> int:
        return self.maze.at(place).colour.change

    def d_after(self, here: Place, there: Place, d: int) -> int:
        del here
        return d + self.change(there)

    def is_alive(self, d: int) -> bool:
        return d >= 1

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        there = _jump(here, arrow, d)
        if self.maze.holds(there):
            yield there

    def moves(self, state: State) -> Iterator[State]:
        """Give every pair (square, d) that one move reaches; on the goal d no longer matters."""
        here, d = state
        for arrow in self.arrows(here):
            for there in self.landings(here, arrow, d):
                if there == self.maze.goal:
                    yield from [(there, d)] if self.is_end(there, d) else []
                elif self.is_alive(new_d := self.d_after(here, there, d)) and not self.maze.is_blank(there):
                    yield there, new_d

    def is_end(self, place: Place, d: int) -> bool:
        del d
        return place == self.maze.goal

    def key(self, state: State) -> object:
        """Give what the search remembers of a state that it has seen."""
        return state


class RedIgnored(Reading):
    def change(self, place: Place) -> int:
        return min(super().change(place), 0)


class YellowIgnored(Reading):
    def change(self, place: Place) -> int:
        return max(super().change(place), 0)


class ColoursIgnored(Reading):
    def change(self, place: Place) -> int:
        del place
        return 0


class ColoursExchanged(Reading):
    def change(self, place: Place) -> int:
        return -super().change(place)


class YellowAdds(Reading):
    def change(self, place: Place) -> int:
        return abs(super().change(place))


class LateColour(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        del there
        return d + self.change(here)


class StartCounts(Reading):
    def first_d(self) -> int:
        return first_step(self.maze, StartColour.APPLIED)


class RedStartCounts(Reading):
    def first_d(self) -> int:
        return max(first_step(self.maze, StartColour.APPLIED), 1)


class YellowStartCounts(Reading):
    def first_d(self) -> int:
        return min(first_step(self.maze, StartColour.APPLIED), 1)


class StartIgnored(Reading):
    def first_d(self) -> int:
        return first_step(self.maze, StartColour.IGNORED)


class RedDoubles(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return 2 * d if self.change(there) > 0 else super().d_after(here, there, d)


class RedSetsTwo(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return 2 if self.change(there) > 0 else super().d_after(here, there, d)


class YellowHalves(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return d // 2 if self.change(there) < 0 else super().d_after(here, there, d)


class YellowSetsOne(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return 1 if self.change(there) < 0 else super().d_after(here, there, d)


class BlackResets(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return super().d_after(here, there, d) if self.change(there) else 1


class GoalColour(Reading):
    def is_end(self, place: Place, d: int) -> bool:
        return place == self.maze.goal and self.is_alive(d + self.change(place))


class OneSquare(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        del d
        return super().landings(here, arrow, 1)


class DiagonalsSplit(Reading):
    def arrows(self, place: Place) -> Sequence[Arrow]:
        return [Arrow(letter) for arrow in super().arrows(place) for letter in arrow]


class NoDiagonals(Reading):
    def arrows(self, place: Place) -> Sequence[Arrow]:
        return [arrow for arrow in super().arrows(place) if arrow not in _DIAGONALS]


class FirstArrow(Reading):
    def arrows(self, place: Place) -> Sequence[Arrow]:
        return super().arrows(place)[:1]


class LastArrow(Reading):
    def arrows(self, place: Place) -> Sequence[Arrow]:
        return super().arrows(place)[-1:]


class FirstMove(Reading):
    def moves(self, state: State) -> Iterator[State]:
        return islice(super().moves(state), 1)


class BreaksAtEdge(Reading):
    def moves(self, state: State) -> Iterator[State]:
        here, d = state
        inside = takewhile(lambda arrow: self.maze.holds(_jump(here, arrow, d)), self.arrows(here))
        ways = {_jump(here, arrow, d) for arrow in inside}
        return (new for new in super().moves(state) if new[0] in ways)


class SquaresOnce(Reading):
    def key(self, state: State) -> object:
        return state[0]


class StartOnce(Reading):
    def moves(self, state: State) -> Iterator[State]:
        return (new for new in super().moves(state) if new[0] != self.maze.start)


class SquareGrid(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        most = min(self.maze.rows, self.maze.columns)
        return (there for there in super().landings(here, arrow, d) if max(there) < most)


class WidthTwice(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        return (there for there in super().landings(here, arrow, d) if there[0] < self.maze.columns)


class HeightTwice(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        return (there for there in super().landings(here, arrow, d) if there[1] < self.maze.rows)


class AtLeastOne(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return max(1, super().d_after(here, there, d))


class Backwards(Reading):
    def is_alive(self, d: int) -> bool:
        return abs(d) <= self.maze.longest_jump


class BlanksBlock(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        for there in super().landings(here, arrow, d):
            if not any(self.maze.is_blank(_jump(here, arrow, step)) for step in range(1, d)):
                yield there


class GoalPassed(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        if self.maze.goal in (_jump(here, arrow, step) for step in range(1, d + 1)):
            yield self.maze.goal
        else:
            yield from super().landings(here, arrow, d)


class StopsAtEdge(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        inside = [step for step in range(1, d + 1) if self.maze.holds(_jump(here, arrow, step))]
        yield from (_jump(here, arrow, step) for step in inside[-1:])


class Wraps(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        row, column = _jump(here, arrow, d)
        yield row % self.maze.rows, column % self.maze.columns


class NegativeWraps(Wraps):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        row, column = _jump(here, arrow, d)
        if -self.maze.rows <= row < self.maze.rows and -self.maze.columns <= column < self.maze.columns:
            yield row % self.maze.rows, column % self.maze.columns


class RowsRunOn(Wraps):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        row, column = _jump(here, arrow, d)
        place = divmod(row * self.maze.columns + column, self.maze.columns)
        if self.maze.holds(place):
            yield place


class UpToD(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        yield from filter(self.maze.holds, (_jump(here, arrow, step) for step in range(1, d + 1)))


class RowsByD(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        there = here[0] + d * OFFSETS[arrow][0], here[1] + OFFSETS[arrow][1]
        yield from filter(self.maze.holds, [there])


class ColumnsByD(Reading):
    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        there = here[0] + OFFSETS[arrow][0], here[1] + d * OFFSETS[arrow][1]
        yield from filter(self.maze.holds, [there])


class ThreeAtMost(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return min(super().d_after(here, there, d), 3)


class NeverAboveThree(Reading):
    def is_alive(self, d: int) -> bool:
        return 1 <= d <= 3


class GridCaps(Reading):
    def d_after(self, here: Place, there: Place, d: int) -> int:
        return min(super().d_after(here, there, d), self.maze.longest_jump)


class NeverThere(Reading):
    def is_end(self, place: Place, d: int) -> bool:
        del place, d
        return False


class Retabled(Reading):
    """Arrows that lead where others should, or nowhere."""

    def __init__(self, maze: Maze, start_colour: StartColour, table: dict[Arrow, Arrow | None]) -> None:
        super().__init__(maze, start_colour)
        self._table = table

    def arrows(self, place: Place) -> Sequence[Arrow]:
        led = (self._table.get(arrow, arrow) for arrow in super().arrows(place))
        return [arrow for arrow in led if arrow is not None]


class Exchanged(Reading):
    """The start is taken for the goal."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        super().__init__(replace(maze, start=maze.goal, goal=maze.start), start_colour)


class ColumnsFirst(Reading):
    """The two numbers of start and goal are exchanged."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        places = [place[::-1] for place in (maze.start, maze.goal)]
        if all(map(maze.holds, places)):
            maze = replace(maze, start=places[0], goal=places[1])
        super().__init__(maze, start_colour)


class ReadByColumns(Reading):
    """The squares are exchanged along the diagonal; start, goal and arrows aren't."""

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        if maze.rows == maze.columns:
            places = [(column, row) for row in range(maze.rows) for column in range(maze.columns)]
            maze = replace(maze, squares=tuple(maze.at(place) for place in places))
        super().__init__(maze, start_colour)


def _jump(here: Place, arrow: Arrow, d: int) -> Place:
    rows, columns = OFFSETS[arrow]
    return here[0] + d * rows, here[1] + d * columns
