"""The values that the little interpreter knows."""

from __future__ import annotations

from typing import NamedTuple

HOLE = "\uf8ff"
"""Stands in a text for the part that can't be known; a private character that no program writes."""


class Known(NamedTuple):
    """A plain constant: text (perhaps with holes), bytes, number, or a tuple of such."""

    value: object


class Thing(NamedTuple):
    """Something of the library by its canonical dotted path; `()` marks what a call gave back."""

    path: str


class Space(NamedTuple):
    """The namespace of a library module, as a dictionary."""

    path: str


class Own(NamedTuple):
    """A module of the submission, by the path of its file."""

    path: str


class Defined(NamedTuple):
    """A function or class that the submission itself defines; `key` finds it in the trace."""

    key: int


class Group(NamedTuple):
    """A container whose members are known in order; keys stand apart for a dictionary."""

    members: tuple[Values, ...]
    keys: tuple[object, ...] = ()


class Bound(NamedTuple):
    """A callable with its first arguments in place: `functools.partial`, a method of a constant."""

    function: Value
    arguments: tuple[Values, ...]
    method: str = ""


class Pool(NamedTuple):
    """Everything that lives in the interpreter: all classes, all objects."""

    way: str


Value = Known | Thing | Space | Own | Defined | Group | Bound | Pool
Values = tuple[Value, ...]
"""What an expression may be; empty when nothing is known."""
