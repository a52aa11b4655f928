"""Run requests as the pipeline makes them of the measured course."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.commands import STDIN
from grader.model.run import File, Program, RunRequest
from grader.model.verdict import Ending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.course import Course
    from grader.model.seams import Engine

Key = tuple[int, int]


def request(course: Course, number: int, *, case: int = 0, watch: tuple[str, ...] = ()) -> RunRequest:
    return RunRequest(
        how=Program(main="maze_solver.py", stdin=STDIN),
        files=(File(path="maze_solver.py", content=course.submissions[number].read_bytes()),),
        inputs=(File(path="maze.txt", content=course.mazes[case].encode()),),
        watch=watch,
    )


def requests(course: Course) -> Iterator[tuple[Key, RunRequest]]:
    for case in range(len(course.mazes)):
        for number in range(len(course.submissions)):
            yield (number, case), request(course, number, case=case)


def run_all(engine: Engine, asked: Sequence[tuple[Key, RunRequest]]) -> None:
    endings = [record.ending for _, record in engine.map(asked)]
    assert endings == [Ending.EXITED] * len(asked), set(endings)
