"""Keyed digests of answers: a student can confirm an answer at home, and read none.

Only where the answer space is large: a transcript, a long sequence of moves, a large value. A step count could be
guessed from its digest in a second, so such a case is honestly not checkable.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from grader.judge.lines import lines_of, lines_of_file
from grader.judge.tolerance import Tolerance, unglue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grader.model.assignment import Case
    from grader.model.run import RunRecord

_MOVES_AT_LEAST = 24
"""Four directions each: 2^48 sequences, each try as slow as scrypt makes it."""
_VALUE_AT_LEAST = 120
"""Letters of the value as JSON."""


def digest_of(answer: bytes, key: str) -> str:
    """Digest an answer slowly, under the case's own key."""
    folded = hashlib.sha256(answer).digest()
    return hashlib.scrypt(folded, salt=key.encode(), n=1 << 14, r=8, p=1, dklen=32).hex()


def expected_answer(case: Case) -> bytes | None:
    """Give the expected answer in its comparable form; None when its space is too small to be digested."""
    expect = case.expect
    if case.kind.judge == "transcript" and expect.transcript is not None:
        return _text(Tolerance.of(case.options).apply(lines_of_file(expect.transcript)))
    if case.kind.judge == "moves" and expect.moves is not None and len(expect.moves) >= _MOVES_AT_LEAST:
        return _json(list(expect.moves))
    if case.kind.judge == "value" and len(_json(expect.value)) >= _VALUE_AT_LEAST:
        return _json(expect.value)
    return None


def found_answers(case: Case, record: RunRecord) -> Iterator[bytes]:
    """Give the student's answer in each form that counts as the same."""
    if case.kind.judge == "transcript":
        tolerance = Tolerance.of(case.options)
        for first in ("", None):  # a blank behind a glued prompt may be the prompt's or the map's
            lines = list(lines_of(record.stdout.chunks()))
            row = lines[0].removeprefix(tolerance.prompt) if lines and first is None else ""
            yield _text(tolerance.apply(unglue(lines, tolerance.prompt, row)))
    elif case.kind.judge == "moves":
        yield _json([reply.value for reply in record.replies])
    elif record.replies:
        yield _json(record.replies[0].value)


def _text(lines: Iterable[str]) -> bytes:
    return "\n".join(lines).encode()


def _json(value: Any) -> bytes:
    """Write plain data so that numbers and numeric text, lists and tuples come out alike."""
    return json.dumps(_alike(value), sort_keys=True, separators=(",", ":")).encode()


def _alike(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_alike(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _alike(item) for key, item in value.items()}
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
