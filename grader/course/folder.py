"""The course folder: what may be written in course.yaml, how it is found, and what it says to every command."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from grader.catalogue.load import assignment_names, find_catalogue, load_assignment
from grader.catalogue.placed_yaml.decode import read_document
from grader.catalogue.placed_yaml.messages import did_you_mean
from grader.catalogue.placed_yaml.nodes import find, keys
from grader.catalogue.placed_yaml.source import Faults
from grader.errors import CatalogueError, Fault, UsageError
from grader.model.regulations import Regulations

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from grader.catalogue.placed_yaml.decode import Document
    from grader.model.assignment import Assignment

NAME = "course.yaml"
VARIABLE = "GRADER_COURSE"


class HostKind(StrEnum):
    NONE = "none"
    GITLAB = "gitlab"
    GITHUB = "github"


if TYPE_CHECKING:
    Override = msgspec.Struct
else:
    Override = msgspec.defstruct(  # the regulations again, so that which keys are written can be told
        "Override",
        [(field.name, field.type | UnsetType, UNSET) for field in msgspec.structs.fields(Regulations)],
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    Override.__doc__ = "What the course rules otherwise than the assignment itself; `null` takes a limit away."


class CourseAssignment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One homework of the course, by its name in the catalogue."""

    catalogue: str = ""
    """The folder of assignments that it is in, when it isn't the course's."""
    regulations: Override = Override()
    """What the course rules otherwise than the assignment itself: due date, attempts, lateness …"""
    tags: str = ""
    """Which tags are its attempts, such as `hw1/*`, where one repository serves several assignments."""
    canvas_id: str = ""
    """Canvas's number of the assignment, as its gradebook shows it in the column's name."""


class CourseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that is said once for a course; paths are relative to its folder."""

    format: Literal[1]
    """The version of this file's format."""
    title: Annotated[str, Meta(min_length=1)]
    """The course's name, as people know it."""
    roster: str = ""
    """The class list: who shares a quota, and names on the platforms."""
    book: str = "gradebook.sqlite"
    """The gradebook: a SQLite file, or postgresql+psycopg://…"""
    reports: str = "reports"
    """Where the reports of attempts go."""
    catalogue: str = ""
    """The folder of assignments; else ./cases beside this file, or the bundled ones."""
    zone: str = ""
    """The time zone in which a platform's lists are written, such as `Asia/Taipei`."""
    host: HostKind = HostKind.NONE
    """Where issues are posted by `grader submit`."""
    assignments: Annotated[dict[str, CourseAssignment], Meta(min_length=1)]
    """The homework, by its name in the catalogue."""


class CourseFolder:
    """A course's file and the folder that it speaks of."""

    def __init__(self, path: Path, document: Document[CourseFile]) -> None:
        assert document.value is not None
        self.path = path
        self.folder = path.parent
        self.file = document.value
        self._document = document

    @property
    def roster(self) -> Path | None:
        return self.folder / self.file.roster if self.file.roster else None

    @property
    def book(self) -> str:
        return self.file.book if "://" in self.file.book else str(self.folder / self.file.book)

    @property
    def reports(self) -> Path:
        return self.folder / self.file.reports

    @property
    def zone(self) -> ZoneInfo | None:
        from zoneinfo import ZoneInfo  # noqa: PLC0415 - a check needs none

        return ZoneInfo(self.file.zone) if self.file.zone else None

    def only_name(self) -> str:
        """Return the course's one assignment; UsageError when it has several."""
        first, *more = self.file.assignments
        if more:
            raise UsageError(
                f"{self.path} has several assignments.", hint=f"Say which: -a {' or -a '.join((first, *more))}"
            )
        return first

    def canvas_id(self, name: str) -> str:
        return self.file.assignments.get(name, CourseAssignment()).canvas_id

    def tags(self, name: str) -> str:
        return self.file.assignments.get(name, CourseAssignment()).tags

    def catalogue(self, name: str | None) -> Path | None:
        """Return where an assignment is; None when the course doesn't say."""
        entry = self.file.assignments.get(name or "", CourseAssignment())
        said = entry.catalogue or self.file.catalogue
        beside = self.folder / "cases"
        return self.folder / said if said else beside if assignment_names(beside) else None

    def load(self, name: str, *, cases: Path | None = None, check_inputs: bool = True) -> Assignment:
        """Load an assignment under the course's own regulations; one of another catalogue or name as it is."""
        assignment = load_assignment(find_catalogue(cases or self.catalogue(name)), name, check_inputs=check_inputs)
        entry = self.file.assignments.get(name)
        if entry is None:
            return assignment
        base = assignment.regulations
        given = {key: value for key, value in msgspec.structs.asdict(entry.regulations).items() if value is not UNSET}
        if any(f"{{{key}" not in base.text for key in given):  # the assignment's own words may say otherwise
            given = {"text": "", **given}
        try:
            regulations = Regulations(**{**msgspec.structs.asdict(base), **given})
        except ValueError as error:
            node = find(self._document.root, "assignments", name, "regulations", str(error).split(" ", 1)[0])
            shown = self._document.source.shown
            place = Fault(message=f"regulations: {error}", path=shown, line=node.start.line, column=node.start.column)
            raise CatalogueError([place]) from error
        return msgspec.structs.replace(assignment, regulations=regulations)


def find_course() -> CourseFolder | None:
    """Find and read the course: that of $GRADER_COURSE, or the nearest one upwards from here; None without any."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return read_course(Path(named)) if named else None
    try:
        here = Path.cwd()
    except FileNotFoundError:
        return None
    found = next((folder / NAME for folder in (here, *here.parents) if (folder / NAME).is_file()), None)
    return read_course(found) if found else None


def read_course(path: Path) -> CourseFolder:
    """Read a course's file, or that in a folder; CatalogueError carries every fault with its place."""
    path = (path / NAME if path.is_dir() else path).absolute()
    faults = Faults()
    document = read_document(path, CourseFile, faults)
    if document is not None and document.value is not None:
        _check(document, path)
    faults.raise_any()
    assert document is not None
    return CourseFolder(path, document)


def _check(document: Document[CourseFile], path: Path) -> None:
    """Note what is well written and can't be: a zone, a roster, an assignment that isn't there."""
    file, root = document.value, document.root
    assert file is not None
    if file.zone and not _is_zone(file.zone):
        document.complaints.at(
            find(root, "zone"), f"there is no time zone {file.zone!r}", hint="such as Europe/Berlin"
        )
    if file.roster and not (path.parent / file.roster).is_file():
        document.complaints.at(find(root, "roster"), f"there is no class list {file.roster}")
    course = CourseFolder(path, document)
    for name in keys(root.get("assignments")):
        place = find(root, "assignments", name)
        said = course.catalogue(name)
        if said is not None and not said.is_dir():
            document.complaints.at(place, f"there is no catalogue {said}")
            continue
        known = assignment_names(find_catalogue(said))
        if name not in known:
            document.complaints.at(place, f"the catalogue has no assignment {name}", hint=did_you_mean(name, known))


def _is_zone(name: str) -> bool:
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - as above

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
