"""Promises of the byte-for-byte comparison."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.judge.lines import is_verbatim
from grader.model.run import Stream

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

_contents = st.binary(max_size=20) | st.integers(0, 90_000).map(lambda size: b"#.^ \n" * (size // 5))


@settings(deadline=None)
@given(expected=_contents, found=_contents)
def test_only_equal_bytes_are_verbatim(
    tmp_path_factory: pytest.TempPathFactory, expected: bytes, found: bytes
) -> None:
    """Nothing but the very bytes is let through, stored plainly or gzipped."""
    folder = tmp_path_factory.mktemp("verbatim")
    for name, stored in (("a.out", expected), ("a.out.gz", gzip.compress(expected))):
        (folder / name).write_bytes(stored)
        assert is_verbatim(str(folder / name), Stream.of(found)) == (expected == found)
        assert is_verbatim(str(folder / name), Stream.of(expected))


def test_one_changed_byte_is_seen(tmp_path: Path) -> None:
    """A long transcript that differs in its last letter isn't verbatim."""
    content = b"Current Direction: W\n" * 20_000
    (tmp_path / "a.out").write_bytes(content)
    assert not is_verbatim(str(tmp_path / "a.out"), Stream.of(content[:-2] + b"E\n"))
