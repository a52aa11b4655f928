"""Generate Alice mazes with Hypothesis, small ones first, interesting ones often.

Three ways: throw squares on a grid (several shortest paths, shortcuts, odd shapes); plant a walk and give the maze
only the arrows that it needs (squares revisited with another d; with the goal beside the walk, mazes that end outside
the grid, in a circle or at d = 0); or turn and vary a maze on which rare faults are known to show.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from msgspec.structs import replace

from reference.alice.csv import parse
from reference.alice.generate import DEEP, TRICKY, End, PlantedWalk, farthest, put
from reference.alice.puzzle import BLANK, Arrow, Colour, Maze, Place, Square, flip, transpose

if TYPE_CHECKING:
    from reference.alice.puzzle import Form

Draw = st.DrawFn
Size = tuple[int, int]

LANDED = (Colour.BLACK, Colour.RED, Colour.YELLOW)
STEPS = tuple((choice, colour) for choice in range(8) for colour in LANDED)
TURNS = ((), (flip,), (transpose,), (flip, transpose), (transpose, flip), (flip, transpose, flip))
CHANCE = st.randoms(use_true_random=True)
MOST_ROWS = 5
MOST_MOVES = 18
LONG_SIDES = (17, 22)
"""Numbers of two digits, and more states than a recursion may have calls."""
STRIDE = (13, 13)


def _all_with(*numbers: int) -> tuple[Square, ...]:
    """Give every square with so many arrows."""
    return tuple(
        Square(colour=colour, arrows=arrows)
        for number in numbers
        for colour in LANDED
        for arrows in combinations(Arrow, number)
    )


FEW_ARROWS = _all_with(1, 2, 3, 4)
MANY_ARROWS = _all_with(4, 5)
TWO_ARROWS = _all_with(2)
BARE = tuple(Square(colour=colour) for colour in LANDED)


def mazes(form: Form, *, coloured_start: bool = False) -> st.SearchStrategy[Maze]:
    """Give mazes that the format can write; the start is black unless its colour is part of the rules."""
    start = st.sampled_from(LANDED) if coloured_start else st.just(Colour.BLACK)
    few, many = thrown(form, squares(form)), thrown(form, MANY_ARROWS)
    found, lost = planted(form, st.just(End.GOAL)), planted(form, st.sampled_from(End))
    drawn = st.builds(_with_start, st.one_of(few, found, lost, many, varied(form)), start)
    return drawn.map(partial(_coloured_ends, form)) if form.colours_start else drawn


def long_mazes(form: Form) -> st.SearchStrategy[Maze]:
    """Give large mazes: squares thrown, or a walk that lands on red squares until it jumps over ten and more."""
    sizes = st.integers(*LONG_SIDES).map(lambda side: (side, side))
    return st.one_of(thrown(form, TWO_ARROWS, sizes).map(partial(_far, form)), _strided(form))


def _far(form: Form, maze: Maze) -> Maze:
    """Move the goal to where a search comes last."""
    goal = farthest(maze)
    return maze if goal == maze.start else put(maze, form, start=maze.start, goal=goal)


@st.composite
def _strided(draw: Draw, form: Form) -> Maze:
    chance = draw(CHANCE)
    walk = PlantedWalk(STRIDE, (chance.randrange(STRIDE[0]), chance.randrange(STRIDE[1])))
    for _ in range(chance.randint(11, 15)):
        walk.move(chance.randrange(8), Colour.RED if chance.random() < 0.9 else Colour.BLACK)
    return _maze(form, STRIDE, walk.grid(), walk.start, walk.finish(End.GOAL, 0, walk.start))


def _coloured_ends(form: Form, maze: Maze) -> Maze:
    """Make one start in eight red and one goal in eight yellow; the maze decides, as a draw would slow them all."""
    chance = sum(len(square.arrows) for square in maze.squares) % 8
    if chance == 5 and form.has_blanks and maze.start != maze.goal:
        return _changed(maze, maze.goal, replace(maze.at(maze.goal), colour=Colour.YELLOW))
    return _with_start(maze, Colour.RED) if chance == 7 else maze


def _with_start(maze: Maze, colour: Colour) -> Maze:
    if maze.start == maze.goal:
        return maze
    return _changed(maze, maze.start, replace(maze.at(maze.start), colour=colour))


def _changed(maze: Maze, place: Place, square: Square) -> Maze:
    number = place[0] * maze.columns + place[1]
    return replace(maze, squares=(*maze.squares[:number], square, *maze.squares[number + 1 :]))


def sizes(form: Form) -> st.SearchStrategy[Size]:
    side = st.integers(1 if form.start_may_be_goal else 2, MOST_ROWS)
    return side.map(lambda rows: (rows, rows)) if form.square_only else st.tuples(side, side)


def places(size: Size) -> st.SearchStrategy[Place]:
    return st.tuples(st.integers(0, size[0] - 1), st.integers(0, size[1] - 1))


@cache
def squares(form: Form) -> tuple[Square, ...]:
    """Give every square that is thrown; blank ones often."""
    blank = (BLANK,) * 20 if form.has_blanks else ()
    return (*blank, *(BARE if form.has_bare else ()), *FEW_ARROWS)


@st.composite
def thrown(draw: Draw, form: Form, cells: tuple[Square, ...], wanted: st.SearchStrategy[Size] | None = None) -> Maze:
    """Throw squares on a grid; one draw decides all of them, since a hunt draws hundreds of mazes a second."""
    size = draw(sizes(form) if wanted is None else wanted)
    start, goal = draw(places(size)), draw(places(size))
    found = draw(CHANCE).choices(cells, k=size[0] * size[1])
    return _maze(form, size, dict(zip(_everywhere(size), found, strict=True)), start, goal)


@st.composite
def planted(draw: Draw, form: Form, ends: st.SearchStrategy[End]) -> Maze:
    """Plant a walk, let it end somehow, and throw a few squares beside it."""
    size = draw(sizes(form))
    walk = PlantedWalk(size, draw(places(size)))
    moves, end, chance = draw(st.integers(1, MOST_MOVES)), draw(ends), draw(CHANCE)
    for step in chance.choices(STEPS, k=moves):
        walk.move(*step)
    goal = walk.finish(end, chance.randrange(8), chance.choice(_everywhere(size)))
    grid = walk.grid()
    for _ in range(chance.randrange(5)):
        place, square = chance.choice(_everywhere(size)), chance.choice(squares(form))
        planted_there = grid.get(place, BLANK)
        arrows = tuple(dict.fromkeys(planted_there.arrows + square.arrows))
        grid[place] = Square(colour=planted_there.colour or square.colour, arrows=arrows)
    return _maze(form, size, grid, walk.start, goal)


@st.composite
def varied(draw: Draw, form: Form) -> Maze:
    """Turn a maze on which rare faults show, and change a few of its squares."""
    maze = parse(draw(st.sampled_from(TRICKY + DEEP)))
    for turn in draw(st.sampled_from(TURNS)):
        maze = turn(maze)
    chance = draw(CHANCE)
    for _ in range(chance.randrange(3)):
        place, square = chance.choice(_everywhere((maze.rows, maze.columns))), chance.choice(squares(form))
        if place not in {maze.start, maze.goal}:
            maze = _changed(maze, place, square)
    return maze


def _everywhere(size: Size) -> list[Place]:
    return [(row, column) for row in range(size[0]) for column in range(size[1])]


def _maze(form: Form, size: Size, grid: dict[Place, Square], start: Place, goal: Place) -> Maze:
    """Put the squares together so that the format can write them."""
    if start == goal and not form.start_may_be_goal:
        goal = ((start[0] + 1) % size[0], start[1])
    filler = BLANK if form.has_blanks else Square(colour=Colour.BLACK)
    grid = {place: grid.get(place, filler) for place in _everywhere(size)}
    if not form.has_bare:
        grid = {place: replace(square, arrows=square.arrows or (Arrow.NW,)) for place, square in grid.items()}
    grid[goal] = BLANK
    return Maze(rows=size[0], columns=size[1], start=start, goal=goal, squares=tuple(grid.values()))
