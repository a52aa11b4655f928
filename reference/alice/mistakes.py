"""The rules of the maze with one thing changed, as students change it by mistake.

Each class is the rules with one mistake in them. None of them decides a verdict; they only find the words for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.alice.puzzle import OFFSETS, Arrow, Maze, Place, StartColour, first_step

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

State = tuple[Place, int]
"""A square, and d on it."""
_DIAGONALS = (Arrow.NW, Arrow.NE, Arrow.SE, Arrow.SW)


class Reading:
    """The rules as they are; `needs` says what a maze asks of a program, `would` when a wrong path would be right."""

    needs = ""
    would = ""

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
    needs = "red making d larger"
    would = "red didn't add 1 to d"

    def change(self, place: Place) -> int:
        return min(super().change(place), 0)


class YellowIgnored(Reading):
    needs = "yellow making d smaller"
    would = "yellow didn't take 1 from d"

    def change(self, place: Place) -> int:
        return max(super().change(place), 0)


class ColoursIgnored(Reading):
    would = "colours didn't change d at all"

    def change(self, place: Place) -> int:
        del place
        return 0


class ColoursExchanged(Reading):
    would = "red and yellow were exchanged"

    def change(self, place: Place) -> int:
        return -super().change(place)


class YellowAdds(Reading):
    would = "yellow, too, added 1 to d"

    def change(self, place: Place) -> int:
        return abs(super().change(place))


class LateColour(Reading):
    would = "a colour counted one move too late"

    def d_after(self, here: Place, there: Place, d: int) -> int:
        del there
        return d + self.change(here)


class OtherStart(Reading):
    """The start's colour counts where it doesn't, or doesn't where it does."""

    needs = "the rule for the start's colour"
    would = "the other rule for the start's colour held"

    def __init__(self, maze: Maze, start_colour: StartColour) -> None:
        is_ignored = start_colour is StartColour.IGNORED
        self.would = f"the start's colour {'counted' if is_ignored else 'did not count'}"
        self.needs = f"that the start's colour {'does not count' if is_ignored else 'counts'}"
        super().__init__(maze, StartColour.APPLIED if is_ignored else StartColour.IGNORED)


class GoalColour(Reading):
    needs = "that the goal's colour does not count"

    def is_end(self, place: Place, d: int) -> bool:
        return place == self.maze.goal and self.is_alive(d + self.change(place))


class NoDiagonals(Reading):
    needs = "diagonal arrows"

    def arrows(self, place: Place) -> Sequence[Arrow]:
        return [arrow for arrow in super().arrows(place) if arrow not in _DIAGONALS]


class FirstArrow(Reading):
    needs = "more than the first arrow of a square"

    def arrows(self, place: Place) -> Sequence[Arrow]:
        return super().arrows(place)[:1]


class SquaresOnce(Reading):
    needs = "coming back to a square with another d"

    def key(self, state: State) -> object:
        return state[0]


class StartOnce(Reading):
    needs = "coming back to the start"

    def moves(self, state: State) -> Iterator[State]:
        return (new for new in super().moves(state) if new[0] != self.maze.start)


class SquareGrid(Reading):
    needs = "that the maze has more rows than columns, or fewer"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        most = min(self.maze.rows, self.maze.columns)
        return (there for there in super().landings(here, arrow, d) if max(there) < most)


class AtLeastOne(Reading):
    would = "d never fell below 1"

    def d_after(self, here: Place, there: Place, d: int) -> int:
        return max(1, super().d_after(here, there, d))


class Backwards(Reading):
    would = "one could go on with d = 0, and backwards with a d below 0"

    def is_alive(self, d: int) -> bool:
        return abs(d) <= self.maze.longest_jump


class BlanksBlock(Reading):
    needs = "jumping over blank squares"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        for there in super().landings(here, arrow, d):
            if not any(self.maze.is_blank(_jump(here, arrow, step)) for step in range(1, d)):
                yield there


class GoalPassed(Reading):
    would = "passing over the goal counted as reaching it"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        if self.maze.goal in (_jump(here, arrow, step) for step in range(1, d + 1)):
            yield self.maze.goal
        else:
            yield from super().landings(here, arrow, d)


class StopsAtEdge(Reading):
    would = "a jump that leaves the grid stopped at its edge"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        inside = [step for step in range(1, d + 1) if self.maze.holds(_jump(here, arrow, step))]
        yield from (_jump(here, arrow, step) for step in inside[-1:])


class Wraps(Reading):
    would = "a jump off one side came in at the other side"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        row, column = _jump(here, arrow, d)
        yield row % self.maze.rows, column % self.maze.columns


class NegativeWraps(Wraps):
    would = "a negative row or column counted from the other side, as in a Python list"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        row, column = _jump(here, arrow, d)
        if -self.maze.rows <= row < self.maze.rows and -self.maze.columns <= column < self.maze.columns:
            yield row % self.maze.rows, column % self.maze.columns


class RowsRunOn(Wraps):
    would = "a jump off the right or left edge went on in the next or last row"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        row, column = _jump(here, arrow, d)
        place = divmod(row * self.maze.columns + column, self.maze.columns)
        if self.maze.holds(place):
            yield place


class UpToD(Reading):
    would = "a move could be shorter than d"

    def landings(self, here: Place, arrow: Arrow, d: int) -> Iterator[Place]:
        yield from filter(self.maze.holds, (_jump(here, arrow, step) for step in range(1, d + 1)))


class GridCaps(Reading):
    would = "d never grew beyond the longest jump in the grid"

    def d_after(self, here: Place, there: Place, d: int) -> int:
        return min(super().d_after(here, there, d), self.maze.longest_jump)


class _Turned(Reading):
    turned = staticmethod(lambda row, column: (row, column))

    def arrows(self, place: Place) -> Sequence[Arrow]:
        arrow_of = {offset: arrow for arrow, offset in OFFSETS.items()}
        return [arrow_of[self.turned(*OFFSETS[arrow])] for arrow in super().arrows(place)]


class Mirrored(_Turned):
    would = "left and right were exchanged in the arrows"
    turned = staticmethod(lambda row, column: (row, -column))


class UpsideDown(_Turned):
    would = "up and down were exchanged in the arrows"
    turned = staticmethod(lambda row, column: (-row, column))


class Transposed(_Turned):
    would = "rows and columns were exchanged in the arrows"
    turned = staticmethod(lambda row, column: (column, row))


class MirroredDiagonals(_Turned):
    would = "left and right were exchanged in the diagonal arrows"
    turned = staticmethod(lambda row, column: (row, -column if row else column))


def _jump(here: Place, arrow: Arrow, d: int) -> Place:
    rows, columns = OFFSETS[arrow]
    return here[0] + d * rows, here[1] + d * columns
