"""`course.yaml` as it is written: every key, its type, its meaning."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from grader.model.regulations import Regulations

NAME = "course.yaml"


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
