"""Sign a folder of report files, and check a signature without the book.

signature.json beside the files holds a statement, as the very text that was signed: whose attempt it is, and the
SHA-256 of every file. The private key lies beside the book or where $GRADER_KEY says; no report ever holds it.
"""

from __future__ import annotations

import hashlib
import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.atomic_write import replacing
from grader.errors import GraderError, UsageError

if TYPE_CHECKING:
    from types import ModuleType

    from grader.gradebook.ledger import Ledger

SIGNATURE = "signature.json"
_MOST_BYTES = 1 << 20


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What the course says of a folder of report files."""

    format: int = 1
    assignment: str
    student: str
    tag: str
    received: datetime
    signed: datetime
    files: dict[str, str]
    """Name → SHA-256."""


class _Signed(msgspec.Struct, frozen=True, kw_only=True):
    statement: str
    key: str
    signature: str


def key_place(ledger: Ledger) -> Path | None:
    """Return where the private key of a book lies, if it may have one."""
    said = os.environ.get("GRADER_KEY")
    if said:
        return Path(said)
    return Path(f"{ledger.name}.key") if ledger.engine.dialect.name == "sqlite" else None


def make_key(place: Path) -> str:
    """Make a private key that only its owner reads; return the public one."""
    private: bytes = _ed25519().new_key()
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        hint = "What it signed could not be checked with another one."
        raise UsageError(f"{place} is there already.", hint=hint) from None
    with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
        file.write(private)
    return public_key(place)


def public_key(place: Path) -> str:
    """Return the public key that belongs to the private one."""
    try:
        return str(_ed25519().public_key(place.read_bytes()))
    except (OSError, ValueError) as error:
        raise GraderError(f"The key {place} can't be used: {error}.", hint="grader book key makes one.") from error


def sign(folder: Path, statement: Statement, place: Path) -> None:
    """Sign the files that lie in the folder."""
    public = public_key(place)
    paths = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SIGNATURE)
    files = {path.name: _digest(path) for path in paths if not path.name.startswith(".")}
    text = msgspec.json.encode(msgspec.structs.replace(statement, files=files)).decode()
    signed = _Signed(statement=text, key=public, signature=_ed25519().sign(place.read_bytes(), text.encode()))
    with replacing(folder / SIGNATURE, private=True) as file:
        file.write(msgspec.json.format(msgspec.json.encode(signed), indent=1) + b"\n")


def verify(path: Path, key: str) -> tuple[Statement, tuple[str, ...]]:
    """Return what the course says of a file, or of a folder of them, and which files were looked at.

    Raise GraderError when the signature isn't the key's, or a file isn't the one that was signed.
    """
    folder = path if path.is_dir() else path.parent
    statement = _read(folder / SIGNATURE, key)
    names = [path.name]
    if path == folder:
        names = sorted(each.name for each in folder.iterdir() if each.name != SIGNATURE)
    for name in names:
        if name not in statement.files:
            raise GraderError(f"{name} is not among the files that were signed.", hint=", ".join(statement.files))
        if _digest(folder / name) != statement.files[name]:
            raise GraderError(f"{folder / name} was changed: it is not the file that was signed.")
    return statement, tuple(names)


def _read(path: Path, key: str) -> Statement:
    library = _ed25519()
    try:
        with path.open("rb") as file:
            signed = msgspec.json.decode(file.read(_MOST_BYTES), type=_Signed)
        is_right = library.is_signed(key, signed.signature, signed.statement.encode())
        statement = msgspec.json.decode(signed.statement, type=Statement)
    except FileNotFoundError:
        raise UsageError(f"There is no {path}.", hint="Keep it beside the report files.") from None
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise GraderError(f"{path} or the key can't be read: {error}.") from error
    if not is_right:
        raise GraderError(f"{path} was not signed with this key.", hint="Is it the key that the course names?")
    return statement


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _ed25519() -> ModuleType:
    try:
        from grader.gradebook import ed25519  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise GraderError("Signatures need a library.", hint="pip install 'maze-grader[sign]'") from error
    return ed25519
