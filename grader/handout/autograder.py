r"""Packs the zip that Gradescope takes as an autograder.

    autograder.zip
    ├── setup.sh               once, when the image is built: a virtual environment with what we depend on
    ├── run_autograder         for every submission
    ├── broken.json            the results of a run that never got to its own
    ├── lib/grader, …          this very grader, the kits and judges of the assignment with all they import
    └── cases/NAME             the assignment

In the container: /autograder/source is this zip, /autograder/submission the student's files,
/autograder/results/results.json what is owed, even after a crash.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import packages_distributions, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from grader.catalogue.kits import kit_path
from grader.errors import UsageError
from grader.handout.modules import Needed, needed, whole_package
from grader.handout.pack import run_alone
from grader.judge.registry import NAMES
from grader.zips import zip_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
# Runs for every submission. The results of a broken run are laid down first, so that there are some whatever happens.
here="$(cd "$(dirname "$0")" && pwd)"
[ -d "$here/lib" ] || here=/autograder/source
results="${{GRADER_AUTOGRADER_ROOT:-/autograder}}/results"
mkdir -p "$results" && cp "$here/broken.json" "$results/results.json"
export PYTHONPATH="$here/lib" GRADER_CASES="$here/cases" HOME="${{HOME:-/tmp}}"
"$here/venv/bin/python" -m grader.handout.gradescope {assignment} || echo "the grader broke down; see above" >&2
exit 0
"""

_BROKEN = {
    "output": "The grader broke down before it had a result. This is not your fault; your instructor has to look.",
    "output_format": "text",
    "stdout_visibility": "hidden",
}
"""There is no score in it: Gradescope then shows the submission as one whose autograder failed, not as a zero."""

_LOAD = """
import sys
sys.path.insert(0, "lib")
from pathlib import Path
from grader.catalogue.load import load_assignment
from grader.pipeline.prepare import prepare
prepare(load_assignment(Path("cases"), sys.argv[1]))
"""


def pack_autograder(assignment: Assignment) -> bytes:
    """Return the zip to upload."""
    if assignment.folder is None:
        raise UsageError(f"{assignment.name} has no folder to pack")
    course = _course(assignment)
    wanted = _requirements((*course.installed, *assignment.packages))
    files = {
        "setup.sh": _SETUP.format(requirements=" ".join(f"'{need}'" for need in wanted)).encode(),
        "run_autograder": _RUN.format(assignment=assignment.name).encode(),
        "broken.json": (json.dumps(_BROKEN, indent=1) + "\n").encode(),
        "assignment.json": json.dumps({"assignment": assignment.name}).encode(),
    }
    files |= {f"lib/{name}": path.read_bytes() for name, path in course.files.items()}
    ours = _folder("grader")
    files |= {f"lib/grader/{name}": content for name, content in _tree(ours)}
    templates = ours.parent / "templates"
    if templates.is_dir():
        files |= {f"lib/grader/bundled/templates/{name}": content for name, content in _tree(templates)}
    files |= {f"cases/{assignment.name}/{name}": content for name, content in _tree(assignment.folder)}
    content = zip_files(files, programs=("setup.sh", "run_autograder"))
    run_alone(content, "-c", _LOAD, assignment.name, what=f"the upload of {assignment.name} doesn't load")
    return content


def _course(assignment: Assignment) -> Needed:
    """Find the kits and judges with all that they import; a package of a kit's own comes whole."""
    kinds = assignment.kinds.values()
    roots = {kit_path(kind.kit).partition(":")[0] for kind in kinds}
    roots |= {kind.judge for kind in kinds if kind.judge not in NAMES}
    packages = {root for root in roots if _is_package(root)}
    packages |= {root.rpartition(".")[0] for root in roots if _is_package(root.rpartition(".")[0])}
    return needed((*sorted(roots), *(name for package in sorted(packages) for name in whole_package(package))))


def _is_package(name: str) -> bool:
    """Tell a package of its own from a folder that several kits may share."""
    spec = find_spec(name) if name else None
    return spec is not None and spec.submodule_search_locations is not None and spec.origin is not None


def _folder(package: str) -> Path:
    spec = find_spec(package)
    return Path(next(iter(spec.submodule_search_locations or ()))) if spec else Path()


def _tree(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Read all files below a folder, but those that only its authors need."""
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_file() and not _LEFT_OUT.intersection(relative.parts):
            yield relative.as_posix(), path.read_bytes()


def _requirements(modules: Iterable[str]) -> list[str]:
    """Name what we depend on, without the extras, and what else the course imports, as it is installed here."""
    ours = [re.sub(r"\s*;.*", "", need) for need in requires("maze-grader") or () if "extra ==" not in need]
    owners = packages_distributions()
    names = {owner for module in modules for owner in owners.get(module.partition(".")[0], (module,))}
    known = {re.match(r"[\w.-]+", need)[0].lower() for need in ours}  # type: ignore[index]  # each has a name
    return [*ours, *(_pinned(name) for name in sorted(names) if name.lower() not in known)]


def _pinned(name: str) -> str:
    try:
        return f"{name}=={version(name)}"
    except ModuleNotFoundError:
        return name
