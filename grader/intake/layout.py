"""Tells what of a submission can be laid out in the sandbox, beside every case's input.

This is the one place that decides it. Whatever passes here can be written below an empty folder; what can't is the
submission's problem, told before anything runs.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from grader.intake.entries import key
from grader.intake.offered import BLOCK, MOST_BYTES, MOST_FILE_BYTES, MOST_FILES, MOST_FOLDERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from grader.model.assignment import Assignment, Case

_OWN_BLOCKS = 4
"""The sandbox's own folders, and one for the input's folder."""


class Room:
    """What is left for a submission's files: their number, their folders, their bytes."""

    def __init__(self, assignment: Assignment) -> None:
        disks = (
            (case.limits.disk_mib << 20) - sum(map(_cost, _sizes(case))) - _OWN_BLOCKS * BLOCK
            for case in assignment.cases
        )
        self._bytes = min([MOST_BYTES, *disks])
        self._files = MOST_FILES
        self._folders: set[str] = set()

    def is_enough(self, sizes: dict[str, int]) -> bool:
        """Tell whether all of these fit, by the sizes that they claim."""
        folders = {folder for path in sizes for folder in _folders(path)}
        cost = sum(map(_cost, sizes.values())) + BLOCK * len(folders)
        return len(sizes) <= MOST_FILES and len(folders) <= MOST_FOLDERS and cost <= self._bytes

    def bytes_for(self, path: str) -> int:
        """Return how long a file at this path may be; negative when it can't be there at all."""
        new = len(_folders(path) - self._folders)
        if not self._files or len(self._folders) + new > MOST_FOLDERS:
            return -1
        return min(MOST_FILE_BYTES, self._bytes - BLOCK * (new + 1) - BLOCK + 1)

    def take(self, path: str, size: int) -> None:
        new = _folders(path) - self._folders
        self._folders |= new
        self._files -= 1
        self._bytes -= _cost(size) + BLOCK * len(new)


def inputs_of(assignment: Assignment) -> tuple[str, ...]:
    """Return the names under which programs find their inputs."""
    kinds = [*assignment.kinds.values(), *(case.kind for case in assignment.cases)]
    named = [kind.run.file for kind in kinds if kind.run.file]
    return tuple(dict.fromkeys([*named, *(file.path for case in assignment.cases for file in case.beside)]))


def clash(paths: Iterable[str], inputs: Iterable[str]) -> str:
    """Say which path stands in an input's way: a folder of its name, or a file where its folder is needed."""
    for path in paths:
        for place in inputs:
            if key(path).startswith(key(place) + "/"):
                folder = "/".join(path.split("/")[: place.count("/") + 1])
                return f"the folder {folder} stands where the input {place} is put; give it another name"
            if key(place).startswith(key(path) + "/"):
                return f"the file {path} stands where the input {place} needs a folder; give it another name"
    return ""


def doubled(paths: Collection[str], handed_in: Collection[str]) -> dict[str, str]:
    """Return the paths that can't be there with the others, and why: a file that is a folder, too.

    A handed-in file wins; otherwise the folder does, since some programs pack a folder as an empty file.
    """
    folders = {folder for path in paths for folder in _folders(path)}
    both = folders & set(paths)
    out = {path: "a folder has the same name" for path in both if path not in handed_in}
    kept = both - set(out)
    for path in paths:
        above = next((folder for folder in sorted(_folders(path)) if folder in kept), "")
        if above:
            out[path] = f"{above} is a file"
    return out


def _sizes(case: Case) -> list[int]:
    return [len(case.raw), *(len(file.content) for file in case.beside)]


def _folders(path: str) -> set[str]:
    return {str(folder) for folder in PurePosixPath(path).parents} - {"."}


def _cost(size: int) -> int:
    """Return what a file takes of the disk: its blocks, and one for its name."""
    return BLOCK + -(-size // BLOCK) * BLOCK
