"""Make fresh Alice mazes from seeded dice: a shape for each sort of fault, in every written format.

The size counts rows and columns.
"""

from __future__ import annotations

import heapq
import itertools
import sys
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from grader.model.kit import Shape
from reference.alice.csv import parse
from reference.alice.plant import End, PlantedWalk
from reference.alice.puzzle import (
    BLANK,
    OFFSETS,
    UNSOLVABLE,
    Arrow,
    Colour,
    Maze,
    Place,
    Square,
    StartColour,
    first_step,
    flip,
    transpose,
)
from reference.alice.solve import solve

if TYPE_CHECKING:
    from grader.model.dice import Dice
    from reference.alice.puzzle import Form


ARROWS = tuple(Arrow)
COLOURS = (Colour.BLACK, Colour.BLACK, Colour.BLACK, Colour.RED, Colour.YELLOW)
COLOURED = (Colour.BLACK, Colour.RED, Colour.YELLOW)
_REDDISH = (Colour.BLACK, *(Colour.RED,) * 9)
Range = tuple[int, int]
TURNS = ((), (flip,), (transpose,), (flip, transpose), (transpose, flip), (flip, transpose, flip))
_TRIES = 60
_TEN = 10
_LARGE = 24
_SIZES = (3, 15)
_LEAST_STATES, _WANTED_STATES, _MOST_STATES = 1050, 1300, 2200
"""States of a large maze: more than a recursion's depth, few enough for a program that reads the file for each."""

SHAPES = {
    "deep": Shape(
        title="A long way for so small a maze", hint="A square can be worth another visit, with another d."
    ),
    "tricky": Shape(
        title="Ways that meet and part again",
        hint="Keep where you came from for each square and d, not for each square.",
    ),
    "crowded": Shape(
        title="Many arrows on every square",
        hint="Take up states in the order in which they were found.",
        sizes=_SIZES,
    ),
    "detour": Shape(
        title="A detour that pays", hint="Going away from the goal can be quicker: a longer step makes up for it."
    ),
    "overlong": Shape(
        title="Steps longer than the grid", hint="d may exceed the grid; a move that would leave it can't be made."
    ),
    "stride": Shape(title="Steps of ten squares and more", hint="d can have two digits."),
    "bare": Shape(
        title="Squares without arrows", hint="A square without arrows is a dead end; the search goes on elsewhere."
    ),
    "walk": Shape(title="A winding way", hint="Every value of d makes a state of its own.", sizes=_SIZES),
    "start-colour": Shape(
        title="A start with a colour", hint="The colour of the start doesn't count before the first move."
    ),
    "goal-colour": Shape(
        title="A goal with a colour", hint="The walk ends on the goal: its colour no longer matters."
    ),
    "blanks": Shape(
        title="Moves that would land on blank squares",
        hint="A move may pass over a blank square, but not land on it.",
        sizes=_SIZES,
    ),
    "lost-outside": Shape(
        title="Ways that leave the grid", hint="A move that would leave the grid can't be made.", sizes=_SIZES
    ),
    "lost-circle": Shape(
        title="Ways that go round in a circle",
        hint="A search that doesn't remember where it has been never ends here.",
        sizes=_SIZES,
    ),
    "lost-no-step": Shape(
        title="Ways that run out of steps", hint="With d below 1 there is no further move.", sizes=_SIZES
    ),
    "home": Shape(
        title="The start is the goal", hint="No move is needed: the path is one square, the count 0.", sizes=_SIZES
    ),
    "oblong": Shape(title="More columns than rows, or more rows than columns"),
    "windows": Shape(
        title="A file with Windows line ends", hint="Open the file as text: Python then turns \\r\\n into \\n."
    ),
    "no-newline": Shape(
        title="A file without a final newline", hint="The last line of a file need not end with a newline."
    ),
    "large": Shape(
        title="A large maze",
        hint="A function that calls itself for every state doesn't get this far.",
        limits={"cpu_s": 10, "wall_s": 15},
        sizes=(16, _LARGE),
    ),
    "any": Shape(title="A small maze of any kind", sizes=(2, 9), hunted=(1, 5)),
    "far": Shape(
        title="A large maze, or steps of ten squares and more",
        hint="Numbers can have two digits, and a search many states.",
        limits={"cpu_s": 10, "wall_s": 15},
        sizes=(17, 22),
        hunted=(17, 22),
        is_long=True,
    ),
}
DEEP = (
    "3\n2,0\n2,2\nB,167,Y,58,R,148\nR,468,B,237,Y,348\nB,48,R,248,G,0\n",
    "3\n1,0\n1,2\nB,14,B,67,Y,346\nB,27,B,5,G,0\nR,46,B,58,B,18\n",
    "3\n0,1\n0,2\nB,457,B,8,G,0\nB,356,B,27,B,567\nB,28,B,3,R,8\n",
    "3\n1,2\n0,2\nB,368,B,6,G,0\nB,368,B,14,B,135\nB,234,B,134,R,1\n",
    "4\n3,2\n1,3\nR,5,B,134,B,7,Y,7\nY,3,B,13,R,6,G,0\nB,245,Y,27,B,38,R,14\nB,268,B,134,B,146,B,28\n",
    "4\n3,0\n0,1\nB,56,G,0,R,236,Y,78\nY,248,R,67,B,478,R,68\nB,134,R,368,R,1,Y,68\nB,46,B,358,Y,1,R,2\n",
    "4\n1,3\n0,3\nY,36,B,5,B,8,G,0\nY,456,R,4,B,257,B,157\nY,467,R,8,Y,78,R,148\nR,2,B,4,R,2,R,24\n",
    "4\n0,2\n2,2\nB,56,Y,48,B,17,B,147\nB,146,B,4,B,158,Y,37\nB,5,B,256,G,0,R,28\nY,134,R,4,B,45,R,145\n",
)
"""Long solutions for their size, 10 to 22 moves: changed at random, keeping what lengthens the way."""
TRICKY = (
    "4\n1,0\n3,0\nR,5,B,6,B,5,B,5\nB,24,B,5,R,6,B,7\nB,1,B,8,B,25,B,8\nG,0,B,1,B,8,B,8\n",
    "5\n0,1\n3,1\nR,4,B,6,B,2,B,7,Y,8\nR,6,B,568,B,7,B,8,B,6\nY,5,B,5,B,58,B,4,B,7\nR,2,G,0,B,6,B,5,R,1\nB,8,B,5,R,1,B,3,B,8\n",
    "4\n1,0\n2,3\nR,56,Y,8,B,7,Y,6\nB,6,B,5,B,7,B,6\nB,4,R,2,B,1,G,0\nY,4,B,3,Y,4,R,2\n",
    "4\n3,0\n3,3\nB,8,B,8,B,3,R,6\nB,8,B,3,Y,5,B,2\nB,5,B,5,B,3,B,2\nB,3,B,7,R,8,G,0\n",
    "4\n0,0\n3,0\nB,45,R,4,B,6,R,6\nB,1,B,6,B,8,B,2\nB,2,B,4,B,7,B,4\nG,0,B,18,B,2,R,8\n",
    "5\n2,2\n4,3\nB,8,B,6,B,8,R,6,B,4\nB,4,R,5,B,6,B,5,B,8\nB,5,B,6,B,1,B,6,B,8\nB,6,B,3,B,8,R,2,B,5\nB,8,B,8,B,4,G,0,B,6\n",
    "6\n0,0\n0,5\nB,46,B,4,B,46,B,4,B,4,G,0\nR,6,B,2,B,8,Y,2,B,6,B,8\nB,24,B,4,B,1,B,6,B,8,B,7\nB,4,B,1,R,3,B,2,Y,8,B,1\nB,2,Y,4,B,2,B,8,B,6,B,8\nB,4,B,4,B,2,B,1,B,8,B,8\n",
    "6\n4,0\n5,5\nB,236,R,458,B,1,B,135,B,2,B,567\nR,2,Y,12,B,458,B,458,R,346,B,3\nR,345,R,4,B,17,Y,2,B,568,R,146\nR,48,Y,7,B,237,Y,26,B,7,B,368\nB,2,B,237,B,4,R,348,Y,457,R,14\nR,245,B,137,Y,468,B,137,B,678,G,0\n",
    "6\n1,2\n1,4\nR,347,B,458,B,168,B,38,Y,368,R,3\nB,47,R,46,B,128,R,7,G,0,B,3\nB,26,Y,12,B,8,Y,456,Y,45,R,578\nB,36,B,8,R,135,Y,7,Y,7,B,4\nR,12,R,267,B,238,Y,458,B,7,R,18\nR,16,Y,7,R,245,Y,8,B,468,B,1\n",
)
"""Two ways that meet on one square in the same step, detours that pay, many values of d, three visits and more."""


def shapes(form: Form) -> dict[str, Shape]:
    """Give the shapes that the format can write."""
    missing = {
        "home": not form.start_may_be_goal,
        "bare": not form.has_bare,
        "blanks": not form.has_blanks,
        "goal-colour": not form.has_blanks,
        "oblong": form.square_only or not form.has_blanks,
    }
    return {name: shape for name, shape in SHAPES.items() if not missing.get(name)}


def vary(dice: Dice, shape: str, form: Form, size: int | None = None) -> str:
    """Write a fresh maze of this shape."""
    text = form.write(_make(dice, shape, form, size))
    if shape == "windows":
        return text.replace("\n", "\r\n")
    return text.removesuffix("\n") if shape == "no-newline" else text


def _make(dice: Dice, shape: str, form: Form, size: int | None) -> Maze:
    side = size or dice.between(3, 5)
    match shape:
        case "deep":
            return _deep(dice, form)
        case "tricky" | "windows" | "no-newline":
            return _tricky(dice, form)
        case "crowded":
            side = size or side + 1
            return _solvable(dice, form, (side, side), most=4)
        case "detour":
            return _detour(dice, form)
        case "overlong":
            return _overlong(dice, form)
        case "stride":
            return _stride(dice, form)
        case "bare":
            return _bare(dice, form)
        case "blanks":
            side = size or 7
            return _solvable(dice, form, (side, side), most=4, blank=0.4)
        case "start-colour" | "goal-colour":
            return _coloured(dice, form, shape)
        case "lost-outside":
            return _lost(dice, form, End.OUTSIDE, size)
        case "lost-circle":
            return _lost(dice, form, End.CIRCLE, size)
        case "lost-no-step":
            return _lost(dice, form, End.NO_STEP, size)
        case "home":
            place = (dice.pick(side), dice.pick(side))
            return _put(_thrown(dice, form, (side, side)), form, start=place, goal=place)
        case "oblong":
            wide = (dice.between(2, 3), dice.between(5, 8))
            return _solvable(dice, form, wide if dice.happens(0.5) else wide[::-1], most=4, blank=0.1)
        case "large":
            return _large(dice, form, size or _LARGE)
        case "any":
            return _any(dice, form, side)
        case "far":
            return _far(dice, form, size or dice.between(17, 22))
        case _:
            return _planted(dice, form, size)


def difficulty(maze: Maze, start_colour: StartColour) -> dict[str, float]:
    """Measure the shortest way, the arrows per square and the states that a search takes up."""
    filled = [square for square in maze.squares if square.arrows]
    branching = sum(len(square.arrows) for square in filled) / max(1, len(filled))
    return {
        "length": solve(maze, start_colour).steps,
        "branching": round(branching, 2),
        "steps": states(maze, start_colour),
    }


def states(maze: Maze, start_colour: StartColour = StartColour.IGNORED) -> int:
    """Count the pairs of square and d that a search takes up when the goal doesn't end it."""
    return len(_reached(maze, first_step(maze, start_colour)))


def _reached(maze: Maze, first_d: int) -> list[tuple[Place, int]]:
    """Give every pair of square and d that can be reached, in the order of a search."""
    found = [(maze.start, first_d)]
    seen = {*found}
    for (row, column), d in found:
        for arrow in maze.at((row, column)).arrows:
            down, right = OFFSETS[arrow]
            there = (row + d * down, column + d * right)
            if not maze.holds(there) or maze.is_blank(there) or there == maze.goal:
                continue
            new = (there, d + maze.at(there).colour.change)
            if new[1] >= 1 and new not in seen:
                seen.add(new)
                found.append(new)
    return found


def _thrown(dice: Dice, form: Form, size: tuple[int, int], arrows: Range = (1, 3), blank: float = 0.0) -> Maze:
    """Throw squares on a grid; the start is black."""
    grid = {place: _square(dice, form, arrows, blank) for place in _places(size)}
    start, goal = (2 * dice.some(_places(size), 2))[:2]
    grid[start] = Square(colour=Colour.BLACK, arrows=_arrows(dice, (1, arrows[1])))
    return _built(form, size, grid, start, goal)


def _square(dice: Dice, form: Form, arrows: Range, blank: float) -> Square:
    if form.has_blanks and dice.happens(blank):
        return BLANK
    return Square(colour=dice.choose(COLOURS), arrows=_arrows(dice, arrows))


def _arrows(dice: Dice, count: Range) -> tuple[Arrow, ...]:
    return tuple(dice.some(ARROWS, dice.between(*count)))


def _places(size: tuple[int, int]) -> list[Place]:
    return [(row, column) for row in range(size[0]) for column in range(size[1])]


def _built(form: Form, size: tuple[int, int], grid: dict[Place, Square], start: Place, goal: Place) -> Maze:
    """Put the squares together so that the format can write them."""
    if start == goal and not form.start_may_be_goal:
        goal = ((start[0] + 1) % size[0], start[1])
    filler = BLANK if form.has_blanks else Square(colour=Colour.BLACK, arrows=(Arrow.NW,))
    squares = {place: grid.get(place, filler) for place in _places(size)}
    if not form.has_bare:
        squares = {place: replace(each, arrows=each.arrows or (Arrow.NW,)) for place, each in squares.items()}
    squares[goal] = BLANK
    return Maze(rows=size[0], columns=size[1], start=start, goal=goal, squares=tuple(squares.values()))


def _put(maze: Maze, form: Form, *, start: Place, goal: Place) -> Maze:
    """Move start and goal; what was the goal gets an arrow."""
    size = (maze.rows, maze.columns)
    grid = {place: maze.at(place) for place in _places(size)}
    grid[maze.goal] = Square(colour=Colour.BLACK, arrows=(Arrow.N,))
    return _built(form, size, grid, start, goal)


def _solvable(dice: Dice, form: Form, size: tuple[int, int], *, most: int, blank: float = 0.0) -> Maze:
    """Throw until there is a way; the longest of some is kept."""
    found = [_thrown(dice, form, size, (1, most), blank) for _ in range(_TRIES)]
    return max(found, key=lambda maze: solve(maze).steps)


def _detour(dice: Dice, form: Form) -> Maze:
    """Turn a maze in which a search that goes straight for the goal finds too long a way, and change squares."""
    maze = parse(TRICKY[6])
    for turn in dice.choose(TURNS):
        maze = turn(maze)
    for _ in range(3 * len(maze.squares)):
        changed = _changed(dice, form, maze)
        if _misled(changed, hopeful=True) > solve(changed).steps > 2:
            maze = changed
    return maze


def _overlong(dice: Dice, form: Form) -> Maze:
    """Throw until a search goes wrong that lets d grow no longer than the grid."""
    maze = _thrown(dice, form, (3, 3))
    for _ in range(_TRIES * 10):
        side = dice.between(3, 4)
        maze = _thrown(dice, form, (side, side))
        for place in dice.some(_places((side, side)), side):
            if place not in (maze.start, maze.goal):
                maze = _with(maze, place, replace(maze.at(place), colour=Colour.RED))
        if _misled(maze, longest=side - 1) != solve(maze).steps:
            break
    return maze


def _stride(dice: Dice, form: Form) -> Maze:
    """Plant a walk over red squares until it jumps over ten squares and nothing shorter will do."""
    size = (13, 13)
    maze = _thrown(dice, form, size)
    for _ in range(_TRIES * 10):
        maze = _walked(dice, form, size, _Walk((11, 15), colours=_REDDISH))
        path = solve(maze).path if maze.start != maze.goal else ()
        if any(_distance(*move) >= _TEN for move in itertools.pairwise(path)):
            break
    return maze


def _bare(dice: Dice, form: Form) -> Maze:
    """Take the arrows from squares that a search meets before the goal, off the way."""
    maze = _solvable(dice, form, (5, 5), most=3)
    path = solve(maze).path
    off = [place for place, _ in _reached(maze, 1) if place not in path]
    for place in dice.some(off[: 1 + len(off) // 2], 3):
        maze = _with(maze, place, replace(maze.at(place), arrows=()))
    return maze


def _misled(maze: Maze, *, hopeful: bool = False, longest: int = sys.maxsize) -> int:
    """Give the moves of a way found by taking every move for one square, or by keeping d from growing."""
    waiting = [(0, 0, maze.start, 1)]
    seen = {(maze.start, 1)}
    while waiting:
        _, moves, place, d = heapq.heappop(waiting)
        if place == maze.goal:
            return moves
        for arrow in maze.at(place).arrows:
            there = (place[0] + d * OFFSETS[arrow][0], place[1] + d * OFFSETS[arrow][1])
            if maze.holds(there) and not maze.is_blank(there):
                new = (there, min(longest, d + maze.at(there).colour.change))
                if there == maze.goal or (new[1] >= 1 and new not in seen):
                    seen.add(new)
                    estimate = _distance(there, maze.goal) if hopeful else 0
                    heapq.heappush(waiting, (moves + 1 + estimate, moves + 1, *new))
    return UNSOLVABLE


class _Walk(NamedTuple):
    """What is planted."""

    moves: Range
    end: End = End.GOAL
    colours: tuple[Colour, ...] = COLOURED


def _walked(dice: Dice, form: Form, size: tuple[int, int], plan: _Walk) -> Maze:
    """Plant a walk that ends somehow; unless it ends there, the goal is where the walk never was."""
    walk = PlantedWalk(size, (dice.pick(size[0]), dice.pick(size[1])))
    for _ in range(dice.between(*plan.moves)):
        walk.move(dice.pick(8), dice.choose(plan.colours))
    free = [place for place in _places(size) if place not in walk.colours]
    goal = walk.finish(plan.end, dice.pick(8), dice.choose(free or [walk.start]))
    return _built(form, size, walk.grid(), walk.start, goal)


def _any(dice: Dice, form: Form, most: int) -> Maze:
    """Throw squares, plant a walk, or vary a maze on which rare faults show: quickly, without a look at what came."""
    rows, columns = (dice.between(1 if form.start_may_be_goal else 2, max(2, most)) for _ in range(2))
    size = (rows, rows if form.square_only else columns)
    match dice.pick(5):
        case 0:
            maze = _thrown(dice, form, size, (0 if dice.happens(0.1) else 1, 4), 0.05)
        case 1:
            maze = _thrown(dice, form, size, (4, 5))
        case 2:
            maze = _beside(dice, form, _walked(dice, form, size, _Walk((1, 18))))
        case 3:
            maze = _beside(dice, form, _walked(dice, form, size, _Walk((1, 18), dice.choose(tuple(End)))))
        case _:
            maze = _turned(dice)
            for _ in range(dice.pick(3)):
                maze = _changed(dice, form, maze)
    return _with_coloured_ends(dice, form, maze)


def _beside(dice: Dice, form: Form, maze: Maze) -> Maze:
    """Give a few squares more arrows, and blank ones a colour."""
    for _ in range(dice.pick(5)):
        place = (dice.pick(maze.rows), dice.pick(maze.columns))
        old, new = maze.at(place), _square(dice, form, (1, 4), 0.05)
        if place != maze.goal:
            arrows = tuple(dict.fromkeys(old.arrows + new.arrows))
            maze = _with(maze, place, Square(colour=old.colour or new.colour, arrows=arrows))
    return maze


def _with_coloured_ends(dice: Dice, form: Form, maze: Maze) -> Maze:
    """Make some goals yellow and, where courses agree about it, some starts red or yellow."""
    if not form.colours_start or maze.start == maze.goal:
        return maze
    if dice.happens(0.1) and form.has_blanks:
        maze = _with(maze, maze.goal, replace(maze.at(maze.goal), colour=Colour.YELLOW))
    other = replace(maze.at(maze.start), colour=dice.choose((Colour.RED, Colour.YELLOW)))
    return _with(maze, maze.start, other) if dice.happens(0.15) else maze


def _far(dice: Dice, form: Form, side: int) -> Maze:
    """Throw a large maze with the goal where a search comes last, or plant a walk over red squares."""
    if dice.happens(0.5):
        return _walked(dice, form, (13, 13), _Walk((11, 15), colours=_REDDISH))
    maze = _thrown(dice, form, (side, side), (1, 2))
    goal = _farthest(maze)
    return maze if goal == maze.start else _put(maze, form, start=maze.start, goal=goal)


def _planted(dice: Dice, form: Form, size: int | None) -> Maze:
    """Plant a walk that comes back to its own squares."""
    best = None
    for _ in range(_TRIES // 3):
        side = size or dice.between(3, 5)
        maze = _walked(dice, form, (side, side), _Walk((8, 20)))
        if maze.start != maze.goal and (best is None or solve(maze).steps > solve(best).steps):
            best = maze
    return best or _tricky(dice, form)


def _lost(dice: Dice, form: Form, end: End, size: int | None) -> Maze:
    """Plant a walk that ends somehow, with the goal where no way leads; the one with most states is kept."""
    best = None
    for _ in range(_TRIES):
        side = size or dice.between(3, 5)
        maze = _walked(dice, form, (side, side), _Walk((2, 12), end))
        if solve(maze).steps == UNSOLVABLE and (best is None or states(maze) > states(best)):
            best = maze
    return best or _built(form, (2, 2), {(0, 0): Square(colour=Colour.BLACK, arrows=(Arrow.NW,))}, (0, 0), (1, 1))


def _tricky(dice: Dice, form: Form) -> Maze:
    """Turn a maze on which rare faults show, and change squares as long as its length stays."""
    maze = _turned(dice)
    steps = solve(maze).steps
    for _ in range(2 * len(maze.squares)):
        changed = _changed(dice, form, maze)
        if solve(changed).steps == steps:
            maze = changed
    return maze


def _turned(dice: Dice) -> Maze:
    maze = parse(dice.choose(TRICKY + DEEP))
    for turn in dice.choose(TURNS):
        maze = turn(maze)
    return maze


def _deep(dice: Dice, form: Form) -> Maze:
    """Change a maze at random and keep what lengthens the way."""
    side = dice.between(4, 5)
    maze = _solvable(dice, form, (side, side), most=2)
    steps = solve(maze).steps
    for _ in range(400):
        changed = _changed(dice, form, maze)
        longer = solve(changed).steps
        if longer >= steps:
            maze, steps = changed, longer
    return maze


def _changed(dice: Dice, form: Form, maze: Maze) -> Maze:
    """Change one square that is neither start nor goal; the start gets other arrows."""
    place = (dice.pick(maze.rows), dice.pick(maze.columns))
    square = _square(dice, form, (1, 3), 0.05)
    if place == maze.goal:
        return maze
    if place == maze.start:
        square = replace(square, colour=Colour.BLACK, arrows=square.arrows or (Arrow.N,))
    return _with(maze, place, square)


def _with(maze: Maze, place: Place, square: Square) -> Maze:
    number = place[0] * maze.columns + place[1]
    return replace(maze, squares=(*maze.squares[:number], square, *maze.squares[number + 1 :]))


def _coloured(dice: Dice, form: Form, shape: str) -> Maze:
    """Colour the start where that would change the answer, or make a goal yellow that is reached with d = 1."""
    maze = _thrown(dice, form, (4, 4))
    for _ in range(_TRIES):
        maze = _thrown(dice, form, (4, 4))
        answer = solve(maze)
        if answer.steps < 2:
            continue
        if shape == "goal-colour" and _distance(answer.path[-2], maze.goal) == 1:
            return _with(maze, maze.goal, replace(maze.at(maze.goal), colour=Colour.YELLOW))
        colour = dice.choose((Colour.RED, Colour.YELLOW))
        coloured = _with(maze, maze.start, replace(maze.at(maze.start), colour=colour))
        other = solve(coloured, StartColour.APPLIED).steps
        if shape == "start-colour" and other != answer.steps:
            return coloured
    return maze


def _distance(one: Place, other: Place) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def _large(dice: Dice, form: Form, side: int = _LARGE) -> Maze:
    """Throw arrows until a search must take up more than a thousand states, but not many more, to find the goal."""
    size = (side, side)
    best, nearest = None, 0
    for _ in range(_TRIES * 4):
        grid = {place: Square(colour=dice.choose(COLOURS), arrows=_arrows(dice, (1, 2))) for place in _places(size)}
        start = (dice.between(10, side - 1), dice.between(10, side - 1))
        grid[start] = Square(colour=Colour.BLACK, arrows=_arrows(dice, (1, 4)))
        maze = _built(form, size, grid, start, (0, 0))
        reached = states(maze)
        if best is None or abs(reached - _WANTED_STATES) < abs(nearest - _WANTED_STATES):
            best, nearest = _built(form, size, grid, start, _farthest(maze)), reached
        if _LEAST_STATES <= nearest <= _MOST_STATES:
            break
    assert best is not None
    return best


def _farthest(maze: Maze) -> Place:
    """Give the square, beyond row and column 9 if there is one, that a search comes to last."""
    order = [place for place in dict.fromkeys(place for place, _ in _reached(maze, 1)) if place != maze.start]
    far = [place for place in order if min(place) >= 10]
    return (far or order or [(0, 0)])[-1]
