"""Finds what comes with the grader: inside an installed package, or beside it in the repository."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_KITS = "reference"
"""The package of the kits that come with the grader."""


def bundled(*parts: str) -> Path:
    """Return the path of a bundled file or folder, such as `cases` or `templates/new`."""
    inside = _PACKAGE.joinpath("bundled", *parts)
    return inside if inside.exists() else _PACKAGE.parent.joinpath(*parts)


def beside(catalogue: Path, name: str) -> Path | None:
    """Find a folder of a course: beside its catalogue, else with the kits that come along; none is imported."""
    course = catalogue.resolve().parent
    spec = find_spec(_KITS)
    known = [Path(place) / name for place in (spec.submodule_search_locations or ())] if spec else []
    return next((place for place in (course / name, course / _KITS / name, *known) if place.is_dir()), None)
