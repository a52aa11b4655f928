"""Digests files and folders by their content."""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SIZE = 20
LITTER = frozenset({".git", "__pycache__", "__MACOSX"})
"""Folders into which nobody looks: intake skips them all, Python finds no source there."""
_MOST_ITEMS = 200_000
_MOST_BYTES = 256 << 20
_PIECE = 1 << 20
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC


class OddError(RuntimeError):
    """Something whose content can't be told for sure."""


class Inventory:
    """The digest of some files and folders, and when the newest file in them was changed."""

    def __init__(self, roots: Iterable[str], *, follow: bool, by_content: bool = True) -> None:
        """Look at everything below the roots; with `follow` a link in there counts as what it leads to.

        Without `by_content` the digest tells only whether files came, went or grew; whether any was changed, the time
        of the newest change tells.
        """
        self.changed_ns = 0
        self._follow = follow
        self._by_content = by_content
        self._state = blake2b(digest_size=SIZE)
        self._items = 0
        self._bytes = 0
        try:
            for root in roots:
                self._root(root)
        except OSError as error:
            raise OddError(str(error)) from error
        self.digest = self._state.digest()

    def _root(self, path: str) -> None:
        """Take what the caller named, whatever links lead there; that it is missing is a fact like another."""
        real = os.path.realpath(path)
        self._note("root", real)
        try:
            status = os.stat(real)
        except FileNotFoundError:
            self._note("absent", real)
        else:
            self._item(real, real, status)

    def _folder(self, path: str) -> None:
        with os.scandir(path) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if not stat.S_ISLNK(status.st_mode):
                self._item(entry.path, entry.name, status)
            elif self._follow:
                self._note("link", entry.name)
                self._item(entry.path, entry.name, entry.stat())
            else:
                self._note("link", f"{entry.name} {os.readlink(entry.path)}")

    def _item(self, path: str, name: str, status: os.stat_result) -> None:
        self._items += 1
        if self._items > _MOST_ITEMS:
            raise OddError("more than is worth looking at twice")
        if stat.S_ISREG(status.st_mode):
            self._note("file", f"{status.st_size} {name}")
            self.changed_ns = max(self.changed_ns, status.st_ctime_ns)
            if self._by_content:
                self._content(path, status.st_size)
        elif not stat.S_ISDIR(status.st_mode):
            raise OddError(f"{path} is neither file nor folder")
        elif name in LITTER:
            self._note("litter", name)
        else:
            self._note("folder", name)
            self._folder(path)
            self._note("end", name)

    def _content(self, path: str, size: int) -> None:
        self._bytes += size
        if self._bytes > _MOST_BYTES:
            raise OddError("more than is worth reading twice")
        handle = os.open(path, _FLAGS if self._follow else _FLAGS | os.O_NOFOLLOW)
        try:
            left = size
            while piece := os.read(handle, _PIECE):
                self._state.update(piece)
                left -= len(piece)
        finally:
            os.close(handle)
        if left:
            raise OddError(f"{path} is being written")

    def _note(self, kind: str, text: str) -> None:
        data = os.fsencode(text)
        self._state.update(b"%s %d\0%s\0" % (kind.encode(), len(data), data))
