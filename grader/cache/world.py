"""Everything but submission and case that a result hangs on: source, Python, machine, inherited limits."""

from __future__ import annotations

import importlib
import os
import resource
import sys
from hashlib import blake2b
from typing import TYPE_CHECKING

from grader import source
from grader.cache import touched
from grader.source import Tree, UnsureError

if TYPE_CHECKING:
    from collections.abc import Iterable

_SLACK_NS = 50_000_000
"""What was changed so shortly before may have been loaded before the change: file systems' clocks are coarse."""


class World:
    """What this process works with: our source, the packages of the kits' modules, and all that these have read.

    Take it when the kits are loaded and before readers are forked: from then on nothing else may be touched.
    UnsureError where it can't be told.
    """

    def __init__(self, modules: Iterable[str]) -> None:
        if not touched.is_watching():
            raise UnsureError("nobody has watched what the kits read")
        names = sorted(set(modules))
        for name in names:
            _load(name)
        self._roots = sorted({root for name in names for root in source.package_of(name)} - {*source.OURS})
        seen = touched.noted()
        if seen.strange:
            raise UnsureError(f"a kit depends on {', '.join(sorted(seen.strange))}")
        read = {*source.loaded_elsewhere(), *seen.files}
        self._read = sorted(path for path in read if not source.is_below(path, self._roots))
        trees = (source.own(), Tree(self._roots), Tree(self._read))
        if max(tree.changed_ns for tree in trees) > source.begun_ns() - _SLACK_NS:
            raise UnsureError("the source has just been changed")
        files = b"".join(tree.digest for tree in trees)
        variables = sorted((name, os.environ.get(name)) for name in seen.variables)
        rest = repr((_machine(), source.installed(), names, self._read, variables))
        touched.settle((*self._roots, *self._read))
        self.digest = blake2b(files + os.fsencode(rest), digest_size=source.SIZE).digest()
        self._status = [tree.status for tree in trees]

    def is_same(self) -> bool:
        """Tell whether every file is still as it was when the process began."""
        try:
            return self._status == [
                Tree(roots, reads=False).status for roots in (source.OURS, self._roots, self._read)
            ]
        except UnsureError:
            return False


def _load(name: str) -> None:
    """Import what will be needed later, too, so that its own imports are seen; it may be an entry point's name."""
    try:
        importlib.import_module(name)
    except Exception as error:  # a kit is other people's code
        raise UnsureError(f"{name}: {error}") from error


def _machine() -> tuple[object, ...]:
    kinds = sorted(name for name in dir(resource) if name.startswith("RLIMIT_"))
    limits = [(name, resource.getrlimit(getattr(resource, name))) for name in kinds]
    words = [
        (name, os.environ.get(name))
        for name in sorted(os.environ)
        if name.startswith(("PYTHON", "LC_", "LANG", "TZ"))
    ]
    return (os.uname(), sys.version, sys.flags, os.geteuid(), os.cpu_count(), limits, words)
