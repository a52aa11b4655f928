"""Row 11: a class as classes are: most are wrong, some never end, and everything is written that can be.

Of 40 submissions 16 are right; 22 are wrong, crash or run out of time in ways of their own, one loops, one prints
without end.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.commands import grade_class
from bench.row import Row, plain
from grader.catalogue.load import load_assignment
from grader.prove.programs import known_programs
from grader.report.registry import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
_NAME, _FILE = "alice-grid", "Alice.py"
_PRINTER = "while True:\n    print('step ' * 1000)\n"
_LOOP = "while True:\n    pass\n"


RUNS = 2
"""It takes longer than most rows."""


def measure(*, quick: bool) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        with known_programs(load_assignment(ROOT / "cases", _NAME)) as programs:
            people = _hand_in(programs, folder / "class", right=2 if quick else 16, wrong=3 if quick else 22)
        first = grade_class(folder, _NAME, "--format", ",".join(FORMATS)).wall_s
        same = grade_class(folder, _NAME, "--format", ",".join(FORMATS)).wall_s
    command = f"grader grade class -a {_NAME} --format {','.join(FORMATS)}"
    yield Row(
        number="11a",
        what=f"a realistic class, {len(people)} submissions: seconds for each",
        instead=command,
        score=plain(first / len(people)),
        detail=f"{first:.1f} s in all",
    )
    yield Row(
        number="11b",
        what="the same class again, nothing changed",
        instead="the first time",
        score=plain(same / first),
        detail=f"{same:.2f} s ÷ {first:.1f} s",
    )


def _hand_in(programs: Path, folder: Path, *, right: int, wrong: int) -> list[Path]:
    solved = sorted(programs.glob("AC/*"))
    failed = sorted(path for path in programs.glob("*/*") if path.parent.name != "AC")
    chosen = {f"right{number:02}": solved[number % len(solved)] for number in range(right)}
    chosen |= {f"wrong{number:02}": failed[number * len(failed) // wrong] for number in range(wrong)}
    people = [shutil.copytree(path, folder / name) for name, path in chosen.items()]
    for name, source in (("loops", _LOOP), ("prints", _PRINTER)):
        (folder / name).mkdir()
        (folder / name / _FILE).write_text(source)
        people.append(folder / name)
    return people
