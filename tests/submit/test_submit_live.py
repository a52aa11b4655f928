"""What a pusher sees while cases are judged tells nothing of hidden ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import course
import pytest

if TYPE_CHECKING:
    from pathlib import Path

_HIDDEN = (
    "for _ in range(2): pass\nimport sys, time\nif len(open('maze.txt').read()) < 5:\n    print('ok')\nelse:\n    "
)
ENCODED = [
    "print('CANARX')",
    "print('CANARX\\n' * 500)",
    "time.sleep(0.5)",
    "time.sleep(60)",
    "sys.exit(3)",
    "raise ValueError('S##E')",
    "exec(compile('\\n' * 77 + '1 / 0', __file__, 'exec'))",
    "bytearray(1 << 40)",
]
"""What a hidden input makes a program do: each fails its case, and could tell something of it by how."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a course whose hidden case comes between two visible ones."""
    folder = course.make(tmp_path)
    cases = folder / "cases" / "hello" / "cases.yaml"
    last = (
        '  - {id: third, title: Says it at last, input: "S#E\\n", expect: {stdout: "ok\\n"}, visibility: visible}\n'
    )
    cases.write_text(cases.read_text() + last)
    return folder


def live(folder: Path, number: int, program: str) -> list[str]:
    """Submit a program, and return what was told before its report."""
    name = f"s{number}"
    course.student(folder, name, (_HIDDEN + program + "\n").encode())
    done = course.grader(folder, "submit", "--tag", "v1", "--repo", name, *course.entering(folder))
    lines = done.stdout.splitlines()
    return lines[: next(place for place, line in enumerate(lines) if line.startswith("Submission "))]


def test_live_steps_are_the_same_whatever_hidden_cases_do(folder: Path) -> None:
    """Programs that fail the hidden case in ways of their own: the same lines, none of them about that case."""
    told = [live(folder, number, program) for number, program in enumerate(ENCODED)]
    assert [each for each in told if each != told[0]] == []
    steps = [line for line in told[0] if "judged" in line]
    assert steps == [
        "passed: Says ok (1 of 2 visible cases judged)",
        "passed: Says it at last (2 of 2 visible cases judged)",
    ]
    assert "again" not in "".join(told[0])
