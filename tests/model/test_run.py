"""Promises of the run values."""

from __future__ import annotations

import msgspec
import pytest

from grader.model.run import File, Program, RunRecord, RunRequest, Stream
from grader.model.verdict import Ending


@pytest.mark.parametrize("size", [0, 1, 4096, 4097, 3_000_000])
def test_a_stream_gives_back_what_it_was_made_of(size: int) -> None:
    """Compression is invisible to readers."""
    content = (b"#.^ \n" * (size // 5 + 1))[:size]
    stream = Stream.of(content)
    assert stream.content() == content
    assert stream.head(10) == content[:10]
    assert max(len(piece) for piece in stream.chunks()) <= 1 << 16 or not stream.packed


def test_requests_and_records_survive_msgpack() -> None:
    """Any worker on any machine can be given a request and send back its record."""
    request = RunRequest(how=Program(main="a.py", stdin=b"\xff"), files=(File(path="a.py", content=b"1"),))
    record = RunRecord(ending=Ending.EXITED, exit_status=0, stdout=Stream.of(b"x" * 9000))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(request), type=RunRequest) == request
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(record), type=RunRecord) == record
