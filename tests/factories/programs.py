"""The known programs of the bundled assignments, right and wrong, written out once for a test process."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from grader.catalogue.load import load_assignment
from grader.prove.programs import write_programs

CASES = Path(__file__).parents[2] / "cases"


@cache
def _scratch() -> Path:
    folder = tempfile.mkdtemp(prefix="grader-test-programs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


@cache
def programs(assignment: str) -> Path:
    """Return the folder of an assignment's programs: `AC/<name>`, `WA/<name>` and so on."""
    folder = _scratch() / assignment
    write_programs(load_assignment(CASES, assignment, check_inputs=False), folder)
    return folder


def program(name: str) -> Path:
    """Return one program by `<assignment>/<verdict>/<name>`."""
    assignment, _, label = name.partition("/")
    return programs(assignment) / label
