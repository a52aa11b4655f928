"""What is known of a search, right or mistaken, after it has ended."""

from __future__ import annotations

import msgspec

from reference.runner.board import Place


class Overwriting(msgspec.Struct, frozen=True, kw_only=True):
    """A point in OPEN that a later neighbour took over."""

    first: Place
    last: Place


class Search(msgspec.Struct, frozen=True, kw_only=True):
    """One search: the move, and how the pseudocode came to it."""

    move: int
    head: Place | None = None
    path: tuple[Place, ...] = ()
    """From the head to the recorded food; empty when none was found."""
    taken: tuple[Place, ...] = ()
    """Points in the order in which they were taken from OPEN."""
    overwritten: dict[Place, Overwriting] = {}
    """Points whose parent changed while they waited unvisited, though the cost didn't fall."""


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """One mistaken search, described for the student."""

    words: str
    renews: str = "waiting"
    """Which points are overwritten: `waiting`, `cheaper`, `equal` (visited, too), `never`, `stale` (in a heap)."""
    tie: str = "row"
    """`row`, `column`, `last`, `near`, `oldest`, `newest`, or `seen` (oldest, however often it was overwritten)."""
    distance: str = "nearest"
    """`nearest`, `first`, `last`, `farthest`, `straight`, `king`, `squared` or `none`."""
    is_greedy: bool = False
    """Leaves the cost out of the sum."""
    passes: str = ""
    """What else counts as passable: `bodies`, `others` (bodies), `heads`, `own`, `strange`, `all`; `free`: only 0."""
    head: int = 2
    """The head's number is the id times this, less `head_less`."""
    head_less: int = 0
    takes_last: bool = False
    """The last such number is the head, not the first."""
    shape: str = ""
    """`sizes` exchanged, rows and columns `turned`, or rows that `run on` at their ends."""
    fallback: str = "first"
    """Without food in reach the `first`, `last` or `none` of the ways; others in suspects.py."""
    step: str = "first"
    """Which step of the path is given: `first`, `last` or `back`."""
    stops_early: str = ""
    """Ends when food is seen beside a point, not when it is taken: with the `first` one there, or the `last`."""
    goes_on: bool = False
    """Searches on after the first food, and takes the last one."""
    beeline: str = ""
    """No search: the first of these moves that leads towards the nearest food."""
    steps: str = "0123"
    """The number that is returned for each move towards food."""
    table: str = "0123"
    """The moves in the order in which the program numbers and tries them."""
