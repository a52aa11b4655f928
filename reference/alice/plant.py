"""Plant a legal walk on an empty grid: it lays its own arrows and colours."""

from __future__ import annotations

from enum import StrEnum

from reference.alice.puzzle import OFFSETS, Arrow, Colour, Place, Square


class End(StrEnum):
    """How a planted walk ends."""

    GOAL = "goal"
    OUTSIDE = "outside"
    CIRCLE = "circle"
    NO_STEP = "d below 1"


class PlantedWalk:
    """A walk in the making."""

    def __init__(self, size: tuple[int, int], start: Place) -> None:
        self.size = size
        self.start = self.place = start
        self.d = 1
        self.colours: dict[Place, Colour] = {start: Colour.BLACK}
        """Every square of the walk, in the order in which it came there first."""
        self.arrows: dict[Place, list[Arrow]] = {}

    def targets(self) -> list[tuple[Arrow, Place]]:
        """Every arrow whose move stays inside the grid, with the square it leads to."""
        row, column = self.place
        reached = [
            (arrow, (row + self.d * down, column + self.d * right)) for arrow, (down, right) in OFFSETS.items()
        ]
        rows, columns = self.size
        return [(arrow, to) for arrow, to in reached if 0 <= to[0] < rows and 0 <= to[1] < columns]

    def move(self, choice: int, colour: Colour) -> None:
        """Go on, if a move stays inside and leaves d at least 1."""
        targets = self.targets()
        if not targets:
            return
        arrow, place = targets[choice % len(targets)]
        if self.d + colour.change < 1:
            colour = Colour.BLACK
        change = self.colours.get(place, colour).change
        if self.d + change >= 1:
            self.lay(arrow, place, colour)
            self.place, self.d = place, self.d + change

    def lay(self, arrow: Arrow, place: Place, colour: Colour) -> None:
        """Give the present square an arrow and, where it is fresh, the next one its colour."""
        arrows = self.arrows.setdefault(self.place, [])
        if arrow not in arrows:
            arrows.append(arrow)
        self.colours.setdefault(place, colour)

    def finish(self, end: End, choice: int, beside: Place) -> Place:
        """End the walk and give the goal: the last fresh square, or one beside the walk that it never reaches."""
        if end is End.GOAL:
            return list(self.colours)[-1]
        targets = self.targets()
        inside = {arrow for arrow, _ in targets}
        outside = [(arrow, self.place) for arrow in Arrow if arrow not in inside]
        circle = [(arrow, place) for arrow, place in targets if place in self.colours]
        fresh = [(arrow, place) for arrow, place in targets if place not in self.colours and place != beside]
        options = {End.OUTSIDE: outside, End.CIRCLE: circle, End.NO_STEP: fresh if self.d == 1 else []}[end]
        if options:
            self.lay(*options[choice % len(options)], Colour.YELLOW)
        return beside

    def grid(self) -> dict[Place, Square]:
        """Give the squares of the walk."""
        return {
            place: Square(colour=colour, arrows=tuple(self.arrows.get(place, ())))
            for place, colour in self.colours.items()
        }
