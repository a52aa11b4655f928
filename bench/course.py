"""Makes the course that is measured: one assignment, many cases, a class of any size.

<folder>/cases/lefthand/assignment.yaml, cases.yaml, expected/*.out
         class/s0000/maze_solver.py …
         cache/                          XDG_CACHE_HOME of the grader: what it knows from run to run
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import yaml

from reference.lefthand.kit import kit

if TYPE_CHECKING:
    from collections.abc import Iterator

SOLUTION = Path(__file__).parent / "solution.py"
_SIDE = 9


class Course(msgspec.Struct, frozen=True, kw_only=True):
    folder: Path
    mazes: tuple[str, ...]
    submissions: tuple[Path, ...]

    @property
    def cases(self) -> Path:
        return self.folder / "cases"

    def expected(self, number: int) -> Path:
        return self.cases / "lefthand" / "expected" / f"maze-{number:02}.out"

    def maze(self, number: int) -> Path:
        return self.cases / "lefthand" / "mazes" / f"maze-{number:02}.txt"


def make(folder: Path, *, submissions: int, cases: int) -> Course:
    course = Course(
        folder=folder,
        mazes=tuple(_mazes(cases)),
        submissions=tuple(folder / "class" / f"s{number:04}" / "maze_solver.py" for number in range(submissions)),
    )
    _write_catalogue(course)
    for number, path in enumerate(course.submissions):
        path.parent.mkdir(parents=True)
        path.write_text(f"# handed in by s{number:04}\n{SOLUTION.read_text()}")
    return course


def _write_catalogue(course: Course) -> None:
    folder = course.cases / "lefthand"
    for name in ("mazes", "expected"):
        (folder / name).mkdir(parents=True)
    (folder / "assignment.yaml").write_text(yaml.safe_dump(_ASSIGNMENT, sort_keys=False))
    for number, maze in enumerate(course.mazes):
        course.maze(number).write_text(maze)
        lines = kit().transcript(kit().parse(maze))
        course.expected(number).write_text("\n".join((*lines, "")))
    listed = [
        {
            "id": f"maze-{number:02}",
            "title": f"Maze {number}",
            "input_file": f"mazes/maze-{number:02}.txt",
            "expect": {"transcript": f"expected/maze-{number:02}.out"},
        }
        for number in range(len(course.mazes))
    ]
    (folder / "cases.yaml").write_text(yaml.safe_dump({"format": 1, "cases": listed}, sort_keys=False))


def _mazes(count: int) -> Iterator[str]:
    """Give mazes as trees of walkways: every other square of a grid, joined without a cycle."""
    dice = random.Random(26)
    for _ in range(count):
        squares = {(0, 0)}
        nodes = [(0, 0)]
        while len(nodes) < _SIDE * _SIDE // 4:
            row, column = dice.choice(nodes)
            down, right = dice.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            node = (row + 2 * down, column + 2 * right)
            if node not in squares and 0 <= node[0] < _SIDE and 0 <= node[1] < _SIDE:
                squares |= {node, (row + down, column + right)}
                nodes.append(node)
        yield _drawn(squares, goal=nodes[-1])


def _drawn(squares: set[tuple[int, int]], goal: tuple[int, int]) -> str:
    special = {(0, 0): "S", goal: "E"}
    rows = (
        "".join(special.get((row, column), "#" if (row, column) in squares else " ") for column in range(_SIDE))
        for row in range(_SIDE)
    )
    return "".join(f"{row}\n" for row in rows)


_ASSIGNMENT = {
    "format": 1,
    "title": "The left-hand rule, measured",
    "files": [{"name": "maze_solver.py"}],
    "kinds": {
        "walk": {
            "run": {"as": "program", "module": "maze_solver.py", "stdin": "{file}\n", "file": "maze.txt"},
            "kit": "reference.lefthand",
            "judge": "transcript",
            "options": {"frame_end": "Current Direction:", "prompt": "Please give the maze file:"},
        }
    },
    "policy": {"ban": ["itertools", "copy"], "run_time": True},
    "limits": {"cpu_s": 5, "wall_s": 15, "memory_mib": 256},
}
