"""What the supervisor tells the other side: types only, so that nothing is loaded there for them."""

from __future__ import annotations

from typing import TypedDict


class Ids(TypedDict):
    """The user that a case becomes where we are root."""

    id: int
    keep_reading: bool
    """Others may not read the interpreter, so the case keeps the right to read, and only that."""


class Place(TypedDict):
    """A folder to read, but for some of its folders."""

    path: str
    hidden: list[str]


class Enclosure(TypedDict):
    """The wall that a zygote builds around itself, and what lies within."""

    level: str
    box: str
    """The folder that holds the two below and is emptied after each case."""
    home: str
    """The working directory."""
    temporary: str
    ids: Ids | None
    many_ids: bool
    """A container's users can be mapped to a range of their own."""
    places: list[Place]
    readable: list[str]
    """The same, as paths for Landlock; a container has no need of them."""
    packages: list[str]
    package_folders: list[str]


class Plan(TypedDict):
    """What a zygote is told once."""

    enclosure: Enclosure
    warm: tuple[str, ...]
    watch: tuple[str, ...]
    watcher_source: str
    """The text of the watcher; empty where nothing is watched."""
    disk_mib: int


class How(TypedDict):
    """Run a file as `python3 main argv…`; or, without one, import a module and call its function."""

    main: str
    argv: tuple[str, ...]
    module: str
    function: str


class Case(TypedDict):
    """What a child is told of its case."""

    how: How
    files: list[tuple[str, bytes]]
    own: int
    """So many of the files, the first, are the submission's; the others are its input."""
    limits: dict[str, tuple[int, int]]
    """Name of a resource → soft and hard limit."""
    processes: int
