r"""Packs the zip that Gradescope takes as an autograder.

    autograder.zip
    ├── setup.sh               once, when the image is built: a virtual environment with what we depend on
    ├── run_autograder         for every submission
    ├── lib/grader, reference  this very grader
    └── cases/NAME             the assignment

In the container: /autograder/source is this zip, /autograder/submission the student's files,
/autograder/results/results.json what is owed, even after a crash.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import UsageError
from grader.handout.zips import zip_files

if TYPE_CHECKING:
    from collections.abc import Iterator

    from grader.model.assignment import Assignment

_LEFT_OUT = frozenset({"__pycache__", "solutions", "tests"})

_SETUP = """#!/usr/bin/env bash
# Runs once, when Gradescope builds the image. Needs Python 3.11 or newer: choose the Ubuntu 24.04 base image.
set -euo pipefail
cd "$(dirname "$0")"
[ -x venv/bin/python ] && exit 0
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {{ echo "Python 3.11 or newer is needed"; exit 1; }}
python3 -m venv venv 2>/dev/null || {{ apt-get update -q && apt-get install -y -q python3-venv; }}
python3 -m venv venv
venv/bin/pip install --quiet {requirements}
"""

_RUN = """#!/usr/bin/env bash
# Runs for every submission; results.json is written whatever happens.
here="$(cd "$(dirname "$0")" && pwd)"
[ -d "$here/lib" ] || here=/autograder/source
export PYTHONPATH="$here/lib" GRADER_CASES="$here/cases" HOME="${{HOME:-/tmp}}"
exec "$here/venv/bin/python" -m grader.handout.gradescope {assignment}
"""


def pack_autograder(assignment: Assignment) -> bytes:
    """Give the zip to upload."""
    if assignment.folder is None:
        raise UsageError(f"{assignment.name} has no folder to pack")
    files = {
        "setup.sh": _SETUP.format(requirements=" ".join(f"'{need}'" for need in _requirements())).encode(),
        "run_autograder": _RUN.format(assignment=assignment.name).encode(),
        "assignment.json": json.dumps({"assignment": assignment.name}).encode(),
    }
    for package in ("grader", *sorted({kind.kit.split(".")[0] for kind in assignment.kinds.values()})):
        files |= {f"lib/{package}/{name}": content for name, content in _tree(_folder(package))}
    templates = _folder("grader").parent / "templates"
    if templates.is_dir():
        files |= {f"lib/grader/bundled/templates/{name}": content for name, content in _tree(templates)}
    files |= {f"cases/{assignment.name}/{name}": content for name, content in _tree(assignment.folder)}
    return zip_files(files, programs=("setup.sh", "run_autograder"))


def _folder(package: str) -> Path:
    spec = find_spec(package)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise UsageError(f"the package {package} can't be packed", hint="a kit lies in a package of its own")
    return Path(places[0])


def _tree(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not _LEFT_OUT.intersection(relative.parts):
            yield relative.as_posix(), path.read_bytes()


def _requirements() -> list[str]:
    """Name what we depend on, without the extras."""
    return [re.sub(r"\s*;.*", "", need) for need in requires("maze-grader") or () if "extra ==" not in need]
