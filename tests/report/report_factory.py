"""Makes sheets and scenes for the report's tests."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from model_values import make_result, make_sheet

from grader.model.result import CaseResult, Evidence, Finding, GradeSheet, Isolation, Mismatch, Printed, Severity
from grader.model.run import Stream
from grader.model.scene import Frame, Mark, PackedScene, Probe, Scene, Square, Track
from grader.model.submission import Note
from grader.model.verdict import Verdict, Visibility

if TYPE_CHECKING:
    from collections.abc import Iterable

SOURCE = '''"""Walks a maze with the left hand on the wall."""
import sys
from itertools import cycle

FACINGS = cycle("NWSE")  # itertools is banned here


class Solver:
    def __init__(self, rows):
        self.rows = rows

    def walk(self):
        for number in range(1000):
            yield number, "step"


def main():
    name = input("Please give the maze file:")
    print(open(name).read())


main()
'''

MAZE = """####S###########   ####
#  #    #      #####  #
#  ###  #####         #
#    #  #   #         #
#  ###  ### #         #
#           #         #
#         ####   ######
#    E#####
"""

_WAYS = {"N": (-1, 0), "W": (0, -1), "S": (1, 0), "E": (0, 1)}
_TURNS = "NWSE"


def sheet(submission: str = "s1024", *, cases: Iterable[CaseResult] | None = None, **fields: Any) -> GradeSheet:
    kept = tuple(cases) if cases is not None else full_set()
    isolation = Isolation(level="isolated", mechanisms=("user namespace", "seccomp", "cgroup v2"))
    course = {"assignment": "lefthand", "title": "The left-hand rule", "grader": "0.1.0", "isolation": isolation}
    return make_sheet(submission, *kept, **{**course, **fields})


def case(name: str = "spiral", verdict: Verdict = Verdict.AC, **fields: Any) -> CaseResult:
    message = "" if verdict is Verdict.AC else f"It went wrong: {verdict.meaning}."
    usual = {"title": f"The {name.replace('-', ' ')}", "message": message}
    used = {"cpu_s": 0.021, "wall_s": 0.034, "peak_mib": 11.2}
    return make_result(name, verdict, **{**usual, **used, **fields})


def full_set() -> tuple[CaseResult, ...]:
    """Return one case of every verdict, some of them hidden, with every kind of evidence."""
    return (
        case("seed-example"),
        wrong_walk(),
        case("two-rooms"),
        wrong_path(),
        wrong_move(),
        crash(),
        case(
            "long-corridor",
            Verdict.TLE,
            message="It ran for more than 5 s of processor time.",
            cpu_s=5.004,
            wall_s=5.2,
        ),
        case("wide-hall", Verdict.MLE, message="It used more than 256 MiB of memory.", peak_mib=256.0),
        case("chatter", Verdict.OLE, message="It printed more than 16 MiB."),
        case("banned", Verdict.PV, message="itertools is banned in this assignment (maze_solver.py, line 3)."),
        case("hidden-knot", visibility=Visibility.HIDDEN),
        case("hidden-spiral", Verdict.WA, visibility=Visibility.HIDDEN, hint="Turn left first."),
        case("late-comb", Verdict.WA, visibility=Visibility.AFTER_DUE_DATE),
        case("not-run", Verdict.SK, message="Not run: an earlier case ended the program."),
        case("our-fault", Verdict.JE, message="The sandbox broke down."),
    )


def banned_import() -> Finding:
    return Finding(
        rule="banned-import",
        path="maze_solver.py",
        line=3,
        column=1,
        end_column=28,
        message="itertools is imported, and it is banned in this assignment.",
        source="from itertools import cycle",
        why="The walk is the exercise; itertools would do part of it for you.",
        instead="Keep the facing in a variable and turn it by hand.",
    )


def review_note() -> Finding:
    return Finding(
        rule="dynamic-import",
        path="maze_solver.py",
        line=19,
        column=11,
        end_column=15,
        message="open() reads a name that the program computes.",
        severity=Severity.REVIEW,
        source="    print(open(name).read())",
    )


def rich_sheet(submission: str = "s1024") -> GradeSheet:
    return sheet(
        submission,
        findings=(banned_import(), review_note()),
        sources={"maze_solver.py": SOURCE},
        notes=(Note(kind="renamed", message="Maze_Solver.py was taken for maze_solver.py.", path="Maze_Solver.py"),),
    )


def wrong_walk(frames: int = 116) -> CaseResult:
    """Return a left-hand walk that turns the wrong way at frame 17."""
    return case(
        "left-turns",
        Verdict.WA,
        title="Left turns before right ones",
        message="Frame 17 differs: after the step to 3,1 the left can be walked, so the solver must face S.",
        mismatch=Mismatch(
            kind="frame",
            message="",
            where="frame 17",
            expected=_frame_text("v", "S"),
            found=_frame_text(">", "E"),
            step=17,
            printed=_printed(frames),
        ),
        hint="A move is: step forward, then face left if that way can be walked.",
        evidence=Evidence(
            input=MAZE,
            stdout=Stream.of(
                f"Please give the maze file:\n{MAZE}\nCurrent Position:  4,0\n\n{_frame_text('>', 'E')}".encode()
            ),
            scene=PackedScene.of(walk_scene(frames)),
        ),
    )


def _printed(frames: int) -> Printed:
    """Return frames of two lines from frame 10 on; from frame 17 on the second one differs."""
    theirs, ours = ([(2, ((0, f"at {n}"), (1, f"facing {way}"))) for n in range(10, frames)] for way in "SE")
    return Printed(first=10, fork=17, expected=tuple(theirs), found=tuple(ours[7:]))


def _frame_text(arrow: str, facing: str) -> str:
    drawn = MAZE.replace("S", ".").replace("#  #", f"#  {arrow}", 1)
    return f"{drawn}\nCurrent Position:  3,1\nCurrent Direction: {facing}\n"


def walk_scene(frames: int = 116, *, rows: tuple[str, ...] = tuple(MAZE.splitlines()), difference: int = 17) -> Scene:
    walked = tuple(_walk(rows, frames))
    astray = tuple(_walk(rows, frames, wrong_from=difference))
    squares = tuple(
        Square(
            row=row,
            column=column,
            look={"S": "square-blue", "E": "square-green"}.get(letter, "square"),
            text=letter.strip("#"),
        )
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter != " "
    )
    return Scene(
        rows=len(rows),
        columns=max(map(len, rows)),
        squares=squares,
        tracks=(Track(title="By the rule", frames=walked), Track(title="Your program", frames=astray)),
        difference=difference if frames > difference else None,
    )


def _walk(rows: tuple[str, ...], frames: int, wrong_from: int | None = None) -> Iterable[Frame]:
    floor = {(r, c) for r, line in enumerate(rows) for c, letter in enumerate(line) if letter != " "}
    at = next((r, c) for r, line in enumerate(rows) for c, letter in enumerate(line) if letter == "S")
    facing = next(way for way in _TURNS if _ahead(at, way) in floor)
    trail: tuple[Mark, ...] = ()
    for number in range(frames):
        yield Frame(at=at, facing=facing, marks=trail, caption=f"{at[1]},{at[0]} facing {facing}")
        trail = (Mark(*at, "trail"),)
        at = _ahead(at, facing) if _ahead(at, facing) in floor else at
        hand = (3, 0, 1, 2) if wrong_from is not None and number + 1 >= wrong_from else (1, 0, 3, 2)
        ways = [_TURNS[(_TURNS.index(facing) + turn) % 4] for turn in hand]
        facing = next((way for way in ways if _ahead(at, way) in floor), facing)


def _ahead(at: tuple[int, int], way: str) -> tuple[int, int]:
    return at[0] + _WAYS[way][0], at[1] + _WAYS[way][1]


def wrong_path() -> CaseResult:
    """Return an Alice path one move too long."""
    colours = {(0, 1): "red", (1, 2): "yellow", (2, 0): "red"}
    arrows = {(0, 0): ("E", "S"), (0, 1): ("SE", "S", "W"), (1, 2): ("N", "W", "SW"), (2, 0): ("N", "NE", "E")}
    special = {(2, 1): "square-blue", (1, 1): "square-green", (0, 2): "square-void"}
    squares = tuple(
        Square(
            row=row,
            column=column,
            look=special.get((row, column)) or f"square-{colours.get((row, column), '')}".strip("-"),
            text={(2, 1): "S", (1, 1): "G"}.get((row, column), ""),
            corner={"red": "+", "yellow": "\u2212"}.get(colours.get((row, column), ""), ""),
            tone=colours.get((row, column), ""),
            arrows=() if (row, column) in {(1, 1), (0, 2)} else arrows.get((row, column), ("N", "E", "SW")),
        )
        for row in range(4)
        for column in range(4)
    )
    best = (((2, 1), 1), ((2, 0), 2), ((0, 0), 2), ((0, 1), 3), ((1, 1), 3))
    long = (((2, 1), 1), ((2, 0), 2), ((0, 2), 2), ((1, 2), 1), ((1, 3), 1), ((1, 1), 1))
    return case(
        "red-and-yellow",
        Verdict.WA,
        title="Red squares lengthen the step",
        points=0.5,
        message="Your path is legal but takes 5 moves; 4 are enough.",
        mismatch=Mismatch(
            kind="not-shortest",
            message="",
            where="move 2",
            expected="4 moves",
            found="5 moves",
            step=2,
        ),
        evidence=Evidence(
            scene=PackedScene.of(
                Scene(
                    rows=4,
                    columns=4,
                    squares=squares,
                    tracks=tuple(
                        Track(title=title, frames=tuple(Frame(at=at, label=str(step)) for at, step in path))
                        for title, path in (("A shortest path", best), ("Your path", long))
                    ),
                    difference=2,
                    label="d",
                )
            )
        ),
    )


def wrong_move() -> CaseResult:
    """Return a runner that goes right where the pseudocode goes down, with the search behind it."""
    squares = tuple(Square(row=row, column=column) for row in range(5) for column in range(6))
    start = (
        Mark(0, 0, "face-main"),
        Mark(3, 4, "disc-green"),
        *(Mark(2, column, "block-grey") for column in (1, 2)),
        Mark(2, 3, "face-grey"),
    )
    right = (Frame(marks=start, caption="the first board"), *_snake(((0, 0), (1, 0), (2, 0), (3, 0), (3, 1))))
    wrong = (Frame(marks=start, caption="the first board"), *_snake(((0, 0), (0, 1), (0, 2), (0, 3), (1, 3))))
    order = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (1, 2), (3, 1), (3, 2), (3, 3), (3, 4))
    return case(
        "tie-break",
        Verdict.WA,
        title="Ties go by row, then column",
        message="Board 1: move_algo returned 1 (right); the pseudocode gives 2 (down).",
        mismatch=Mismatch(kind="move", message="", where="board 1", expected="2 (down)", found="1 (right)", step=1),
        evidence=Evidence(
            scene=PackedScene.of(
                Scene(
                    rows=5,
                    columns=6,
                    squares=squares,
                    tracks=(Track(title="The pseudocode", frames=right), Track(title="Your moves", frames=wrong)),
                    difference=1,
                    search=tuple(
                        Probe(row, column, f"cost {row + column} + {abs(3 - row) + abs(4 - column)}")
                        for row, column in order
                    ),
                    search_frame=0,
                )
            )
        ),
    )


def _snake(path: tuple[tuple[int, int], ...]) -> Iterable[Frame]:
    for old, new in pairwise(path):
        yield Frame(marks=(Mark(*old, "block-main"), Mark(*new, "face-main")), caption=f"head at {new}")


def crash() -> CaseResult:
    trace = (
        "Traceback (most recent call last):\n"
        '  File "/box/maze_solver.py", line 22, in <module>\n    main()\n'
        '  File "/box/maze_solver.py", line 19, in main\n    print(open(name).read())\n'
        '  File "/usr/lib/python3.11/codecs.py", line 322, in decode\n    (result, consumed) = self._decode(data)\n'
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0\n"
    )
    return case(
        "odd-bytes",
        Verdict.RTE,
        title="A map with odd bytes",
        message="UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0",
        evidence=Evidence(stderr=Stream.of(trace.encode()), traceback=trace, input="\ufffd###"),
    )


_FAULTS = (
    (Verdict.WA, "frame", "frame 17", "Frame 17 differs: the solver must face S."),
    (Verdict.WA, "frame", "frame 3", "Frame 3 differs: the start stays drawn as S."),
    (Verdict.RTE, "", "", "IndexError: string index out of range"),
    (Verdict.TLE, "", "", "It ran for more than 5 s of processor time."),
    (Verdict.WA, "no-answer", "", "Nothing was printed."),
)


def class_of(count: int, *, cases: int = 24, seed: int = 7) -> Iterable[GradeSheet]:
    """Return a class whose members share a handful of faults."""
    chance = random.Random(seed)
    names = [
        f"{word}-{place}" for place, word in enumerate(("spiral", "comb", "knot", "hall", "stairs", "ring") * 10)
    ][:cases]
    for number in range(count):
        skill = chance.betavariate(3, 1.2)
        fault = chance.randrange(len(_FAULTS))
        if number % 97 == 50:
            skipped = tuple(case(name, Verdict.SK, message="Not run.") for name in names)
            yield sheet(
                f"s{1000 + number}",
                cases=skipped,
                problem="maze_solver.py is missing: only readme.txt was handed in.",
            )
            continue
        found = (banned_import(),) if number % 23 == 4 else ()
        yield sheet(
            f"s{1000 + number}",
            cases=tuple(_member(chance, name, skill, fault) for name in names),
            findings=found,
            sources={"maze_solver.py": SOURCE} if found else {},
        )


def _member(chance: random.Random, name: str, skill: float, fault: int) -> CaseResult:
    used: dict[str, Any] = {"cpu_s": chance.uniform(0.01, 0.4), "peak_mib": chance.uniform(9, 40)}
    hidden = Visibility.HIDDEN if name.startswith(("knot", "ring")) else Visibility.VISIBLE
    if chance.random() < skill:
        return case(name, visibility=hidden, **used)
    verdict, kind, where, message = _FAULTS[fault]
    mismatch = Mismatch(kind=kind, message=message, where=where) if kind else None
    return case(name, verdict, visibility=hidden, message=message, mismatch=mismatch, **used)
