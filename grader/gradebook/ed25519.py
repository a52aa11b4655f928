"""Ed25519 by the library `cryptography`, which the extra `sign` brings: keys and signatures as text and bytes."""

from __future__ import annotations

from base64 import b64decode, b64encode

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_KIND = "ed25519:"


def new_key() -> bytes:
    """Make a private key, as PEM."""
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def public_key(private: bytes) -> str:
    """Return the public key of a private one, as a line of text; raise ValueError when it is none."""
    return _KIND + b64encode(_loaded(private).public_key().public_bytes_raw()).decode()


def sign(private: bytes, content: bytes) -> str:
    return b64encode(_loaded(private).sign(content)).decode()


def is_signed(public: str, signature: str, content: bytes) -> bool:
    """Tell whether the signature is the key's; raise ValueError for what is no key or no signature."""
    if not public.startswith(_KIND):
        raise ValueError(f"a public key begins with {_KIND}")
    key = Ed25519PublicKey.from_public_bytes(b64decode(public.removeprefix(_KIND), validate=True))
    try:
        key.verify(b64decode(signature, validate=True), content)
    except InvalidSignature:
        return False
    return True


def _loaded(private: bytes) -> Ed25519PrivateKey:
    key = serialization.load_pem_private_key(private, password=None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError("no Ed25519 key")  # noqa: TRY004 - of a file's content, not of a program's type
    return key
