"""The chain of hashes: each event is bound to its own words, and to every event before it.

    digest = H(salt, columns)               what one event says
    chain  = H(chain before, number, digest)

The chain runs over digests alone, so an event can be rewritten without a name and the chain still holds. The salt
goes then, so that nobody can try names against the first digest, and a later event of the chain keeps the digest of
what is said since (`redacted`).
"""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Row

FIRST = ""
"""What stands before the first event."""


def new_salt() -> str:
    return secrets.token_hex(16)


def event_digest(salt: str, *columns: object) -> str:
    """Return the digest of one event's columns: at_us, assignment, party, student, attempt, fact."""
    return _hash(repr((salt, *columns)).encode("utf-8", "surrogatepass"))


def row_digest(row: Row[Any]) -> str:
    """Return what the digest of a row of the ledger must be."""
    return event_digest(row.salt, row.at_us, row.assignment, row.party, row.student, row.attempt, row.fact)


def link(before: str, number: int, digest: str) -> str:
    """Return the chain's value after an event."""
    return _hash(f"{before} {number} {digest}".encode())


def content_digest(content: bytes) -> str:
    """Return the digest of what lies packed beside the events."""
    return _hash(content)


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()
