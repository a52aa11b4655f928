"""Takes a program's fingerprint: hashes of its levelled code, with their places.

copydetect does the levelling (names, texts and comments don't count) and the hashing. We keep every hash and choose
none by winnowing: Python seeds its hashes anew in each process, so that the choice would differ from run to run.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from grader.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from grader.model.similarity import SourceLine

LENGTH = 25
"""Levelled characters that must be equal in a row to be called alike: about two statements."""
Fingerprint = Any


def copydetect() -> Any:
    """Import the library; UsageError says how to get it."""
    try:
        import copydetect  # noqa: PLC0415 -- an extra: it brings numpy and matplotlib
    except ImportError as problem:
        raise UsageError(
            f"comparing submissions needs copydetect ({problem})", hint="pip install 'maze-grader[similar]'"
        ) from problem
    return copydetect


def fingerprint(lines: Iterable[SourceLine], known: frozenset[int] = frozenset()) -> Fingerprint:
    """Return the fingerprint of a program without what is known of everybody."""
    print_ = fingerprint_of("\n".join(line.text for line in lines))
    return _without(print_, known) if known else print_


def fingerprint_of(text: str) -> Fingerprint:
    return copydetect().CodeFingerprint("program.py", LENGTH, 1, language="python", fp=io.StringIO(text))


def levelled(print_: Fingerprint) -> str:
    """Return the code as it is compared: names, texts and comments don't count."""
    return str(print_.filtered_code)


def hashes(texts: Iterable[str]) -> frozenset[int]:
    """Return the hashes of known code."""
    return frozenset(found for text in texts for found in fingerprint_of(text).hashes)


def _without(print_: Fingerprint, known: frozenset[int]) -> Fingerprint:
    """Take known hashes away; the library's own way keeps some when a program repeats itself."""
    from copydetect.utils import get_token_coverage  # noqa: PLC0415 -- as above

    print_.hashes -= known
    print_.hash_idx = {found: places for found, places in print_.hash_idx.items() if found in print_.hashes}
    print_.token_coverage = get_token_coverage(print_.hash_idx, LENGTH, len(print_.filtered_code))
    return print_
