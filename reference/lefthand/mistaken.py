"""The walks of wrong rules that students follow, one for each name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from reference.lefthand.maze import BLANK, LEFT_BEHIND, Facing, Maze, Pose
from reference.lefthand.told_walk import told_walk
from reference.lefthand.walk import first_pose

Start = Callable[[Maze], Pose | None]
Move = Callable[[Maze, Pose], Pose | None]
_WAYS = {"l": "left", "s": "straight", "r": "right", "b": "back"}
_CLOCKWISE = (Facing.N, Facing.E, Facing.S, Facing.W)


@lru_cache(maxsize=1024)
def walk_text(maze: Maze, name: str) -> str:
    """Write the walk of a wrong rule, or of the right one without a name, as far as it is compared."""
    kind, _, how = name.partition(" ")
    poses = _KINDS[kind](maze, how) if kind else _walked(maze, first_pose, _ordered("lsrb"))
    return told_walk(poses)


def _walked(maze: Maze, start: Start, make: Move) -> Iterator[Pose]:
    """Walk by another rule; whoever calls stops, for it may go in circles."""
    pose = start(maze)
    while pose is not None:
        yield pose
        pose = None if pose.ahead == maze.end else make(maze, pose)


def _order(maze: Maze, how: str) -> Iterator[Pose]:
    return _walked(maze, first_pose, _ordered(how))


def _mirrored(maze: Maze, how: str) -> Iterator[Pose]:
    del how
    return _walked(maze, _facing(_CLOCKWISE), _ordered("rslb"))


def _turned_late(maze: Maze, how: str) -> Iterator[Pose]:
    """Turn, then step: frames come before the turn that belongs to them."""
    del how

    def make(maze: Maze, pose: Pose) -> Pose | None:
        turned = _first_open(maze, (pose.x, pose.y), [_turn(pose.facing, way) for way in "lsrb"])
        return turned and Pose(*turned.ahead, turned.facing)

    return _walked(maze, first_pose, make)


def _first(maze: Maze, how: str) -> Iterator[Pose]:
    return _walked(maze, _facing([Facing(letter) for letter in how]), _ordered("lsrb"))


def _misread(maze: Maze, how: str) -> Iterator[Pose]:
    """Walk by the rule in the map as it looks when its file is read badly."""
    width = len(maze.rows[0])
    rows = {
        "line-end": [f"{row}#" for row in maze.rows],
        "carriage-return": [f"{row}#" for row in maze.rows] if maze.newline == "\r\n" else maze.rows,
        "row-0": [row[:width] for row in maze.rows],
        "last-row": [*maze.rows[:-1], ""],
        "last-column": [row[: maze.width - 1] for row in maze.rows],
    }[how]
    misread = replace(maze, rows=tuple(rows))
    return _walked(misread, _facing(tuple(Facing)), _ordered("lsrb"))


class _Wrapping(Maze, frozen=True, kw_only=True):
    """A map that is read as Python reads lists: -1 is the last row or column."""

    axes: str

    def at(self, x: int, y: int) -> str:
        if y < 0 and "y" in self.axes:
            y += len(self.rows)
        if x < 0 <= y < len(self.rows) and "x" in self.axes:
            x += len(self.rows[y])
        return super().at(x, y)


def _wraps(maze: Maze, how: str) -> Iterator[Pose]:
    axes, _, shape = how.partition(" ")
    rows = tuple(maze.padded()) if shape else maze.rows
    wrapping = _Wrapping(rows=rows, start=maze.start, end=maze.end, axes=axes)
    return _walked(wrapping, _facing(tuple(Facing)), _ordered("lsrb"))


def _closed(maze: Maze, how: str) -> Iterator[Pose]:
    """Walk as if the squares of these letters couldn't be walked; '.' are those that were left."""
    squares = [list(row) for row in maze.rows]
    closed = {maze.start: "S" in how, maze.end: "E" in how}
    for (x, y), is_closed in closed.items():
        squares[y][x] = BLANK if is_closed else "#"
    seen = replace(maze, rows=tuple(map("".join, squares)))
    pose = _facing(tuple(Facing))(seen)
    while pose is not None:
        yield pose
        if LEFT_BEHIND in how:
            squares[pose.y][pose.x] = BLANK
            seen = replace(seen, rows=tuple(map("".join, squares)))
        x, y = pose.ahead
        landed = None if (x, y) == maze.end else _ordered("lsrb")(seen, pose)
        pose = landed or (Pose(x, y, pose.facing.back) if LEFT_BEHIND in how and (x, y) != maze.end else None)


def _exchanged(maze: Maze, how: str) -> Iterator[Pose]:
    """Walk with two directions that lead the other way: the walk in the mirrored map, told with its own names."""
    is_flat = how == "WE"
    last_x, last_y = maze.width - 1, len(maze.rows) - 1

    def place(x: int, y: int) -> tuple[int, int]:
        return (last_x - x, y) if is_flat else (x, last_y - y)

    rows = maze.padded()
    turned = tuple(row[::-1] for row in rows) if is_flat else tuple(rows[::-1])
    mirrored = replace(maze, rows=turned, start=place(*maze.start), end=place(*maze.end))
    for pose in _walked(mirrored, first_pose, _ordered("lsrb")):
        yield Pose(*place(pose.x, pose.y), pose.facing)


def _facing(order: Sequence[Facing]) -> Start:
    return lambda maze: _first_open(maze, maze.start, order)


@lru_cache
def _ordered(order: str) -> Move:
    def step(maze: Maze, pose: Pose) -> Pose | None:
        return _first_open(maze, pose.ahead, [_turn(pose.facing, way) for way in order])

    return step


def _first_open(maze: Maze, place: tuple[int, int], facings: Sequence[Facing]) -> Pose | None:
    landed = (Pose(*place, facing) for facing in facings)
    return next((pose for pose in landed if maze.is_walkable(*pose.ahead)), None)


def _turn(heading: Facing, way: str) -> Facing:
    return heading if way == "s" else getattr(heading, _WAYS[way])


_KINDS: dict[str, Callable[[Maze, str], Iterator[Pose]]] = {
    "order": _order,
    "mirrored": _mirrored,
    "turned-late": _turned_late,
    "first": _first,
    "misread": _misread,
    "wraps": _wraps,
    "closed": _closed,
    "exchanged": _exchanged,
}
