"""The mistakes that are known by name, and the words for what some of them have in common."""

from __future__ import annotations

from itertools import chain, combinations, permutations

from grader.model.result import Accusation
from reference.alice.puzzle import Arrow

_MOST_TOLD = 3
"""More mistakes that explain the same answers explain nothing."""
MISTAKES = {
    "RedIgnored": "doesn't add 1 to d on red squares",
    "YellowIgnored": "doesn't take 1 from d on yellow squares",
    "YellowAdds": "adds 1 to d on yellow squares, too",
    "ColoursExchanged": "takes 1 from d on red squares and adds 1 on yellow ones",
    "ColoursIgnored": "never changes d: each of its moves goes 1 square",
    "LateColour": "counts the colour of the square that it leaves, not of the one that it lands on",
    "RedDoubles": "doubles d on red squares; red adds 1",
    "RedSetsTwo": "sets d to 2 on red squares; red adds 1",
    "YellowHalves": "halves d on yellow squares; yellow takes 1",
    "YellowSetsOne": "sets d to 1 on yellow squares; yellow takes 1",
    "BlackResets": "sets d back to 1 on black squares; black leaves d as it is",
    "StartCounts": "counts the colour of the start, which doesn't count here",
    "RedStartCounts": "counts the colour of the start if it is red; it doesn't count here",
    "YellowStartCounts": "counts the colour of the start if it is yellow; it doesn't count here",
    "StartIgnored": "doesn't count the colour of the start, which counts here",
    "GoalColour": "counts the colour of the goal; on the goal the walk is over, whatever d is",
    "OneSquare": "goes 1 square in every move, whatever d is",
    "DiagonalsSplit": "takes a diagonal arrow for the two straight ones beside it",
    "NoDiagonals": "doesn't follow diagonal arrows",
    "FirstArrow": "looks at the first arrow of a square only",
    "LastArrow": "looks at the last arrow of a square only",
    "FirstMove": "takes only the first possible move from a square",
    "BreaksAtEdge": "gives up the other arrows of a square when one of them leads out of the grid",
    "SquaresOnce": "never comes back to a square with another d: remember pairs of square and d, not squares",
    "StartOnce": "never comes back to the start",
    "BlanksBlock": "doesn't jump over blank squares; only landing on one is forbidden",
    "SquareGrid": "takes the smaller one of width and height for both",
    "WidthTwice": "takes the width for the height",
    "HeightTwice": "takes the height for the width",
    "AtLeastOne": "never lets d fall below 1; with d = 0 there is no further move",
    "Backwards": "goes on with d = 0, and backwards with a d below 0; with d = 0 there is no further move",
    "GoalPassed": "stops when it passes over the goal; only landing on it counts",
    "GridCaps": "never lets d grow beyond the longest jump in the grid",
    "ThreeAtMost": "never lets d grow beyond 3",
    "NeverAboveThree": "doesn't go on with a d above 3",
    "StopsAtEdge": "stops at the edge of the grid when a jump leads out of it",
    "Wraps": "comes in at the other side when a jump leaves the grid",
    "NegativeWraps": "takes a negative row or column, which Python's lists count from the other side",
    "RowsRunOn": "goes on in the next row when a jump leaves the grid at the side",
    "UpToD": "makes moves that are shorter than d; a move goes exactly d squares",
    "RowsByD": "uses d for rows only, and goes 1 column",
    "ColumnsByD": "uses d for columns only, and goes 1 row",
    "NeverThere": "says in every maze that there is no solution",
    "Exchanged": "takes the start for the goal, and the goal for the start",
    "ColumnsFirst": "exchanges row and column of the start and the goal when it reads them",
    "ReadByColumns": "exchanges the rows and columns of the squares when it reads them",
}
_MIRRORED = (
    "left and right",
    "up and down",
    "rows and columns",
    "left and right of diagonals",
    "up and down of diagonals",
)
_TURNED = {"1": "an eighth clockwise", "-1": "an eighth anticlockwise", "2": "a quarter clockwise"}
_TURNED |= {"-2": "a quarter anticlockwise", "4": "half round"}
_WAYS = tuple(Arrow)
ARROW_NAMES = (
    *(f"turned: {eighths}" for eighths in _TURNED),
    *(f"mirrored: {how}" for how in _MIRRORED),
    *(f"exchanged: {one} {other}" for one, other in combinations(_WAYS, 2)),
    *(f"wrong: {one} {other}" for one, other in permutations(_WAYS, 2)),
    *(f"wrong: {one} nowhere" for one in _WAYS),
)
"""Mistakes in the table of the arrows."""
_NEVER = (
    "You say of every maze that there is no solution: print what you have read of the file, then each square that "
    "you reach."
)
_DEEP = "searches depth first (goes on from the newest square, not from the oldest), which finds longer paths"


def accuse(names: tuple[str, ...]) -> Accusation | None:
    """Say what these mistakes have in common, if they are few, about one or two arrows, or silent everywhere."""
    told = {_words(name): None for name in names}
    if len(told) <= _MOST_TOLD:
        return Accusation(words=f"All your answers fit a program that {', or one that '.join(told)}.")
    if "NeverThere" in names:
        return Accusation(words=_NEVER)
    tables = [_wrong_arrows(name) for name in names]
    for ways in chain(combinations(_WAYS, 1), combinations(_WAYS, 2)):
        if all(not table.isdisjoint(ways) for table in tables):
            arrows = " or ".join(map(_way, ways))
            return Accusation(words=f"All your answers fit a program whose arrow {arrows} leads a wrong way.")
    return None


def _wrong_arrows(name: str) -> set[str]:
    """Return the arrows that a mistake sends a wrong way, where they are one or two."""
    kind, how = parted(name)
    return {"wrong": {*how.split()[:1]}, "exchanged": {*how.split()}}.get(kind, set())


def _words(name: str) -> str:
    if name in MISTAKES:
        return MISTAKES[name]
    kind, how = parted(name)
    if kind == "turned":
        return f"turns every arrow {_TURNED[how]}; look at the table of your directions"
    if kind == "mirrored":
        return f"exchanges {how.replace(' of diagonals', '')} in its {'diagonal ' * ('diag' in how)}arrows"
    if kind not in {"exchanged", "wrong"}:
        return _DEEP
    one, other = how.split()
    if kind == "exchanged":
        return f"exchanges the arrows {_way(one)} and {_way(other)}"
    return f"takes the arrow {_way(one)} for {'none' if other == 'nowhere' else _way(other)}"


def parted(name: str) -> tuple[str, str]:
    kind, _, how = name.partition(": ")
    return kind, how


def _way(arrow: str) -> str:
    rows, columns = Arrow(arrow).offset
    words = [{-1: "up", 1: "down"}.get(rows, ""), {-1: "left", 1: "right"}.get(columns, "")]
    return f"{arrow} ({' and '.join(filter(None, words))})"
