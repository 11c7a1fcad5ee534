"""Personal fields, sealed under a key per player: destroying the key erases every copy of them.

AES-256-GCM with a random nonce of 12 bytes before the ciphertext; associated data are the field's name and the player.
"""

import secrets
from os import urandom
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NAME, LABEL = b"name", b"label"


def new_key() -> bytes:
    """A key for one player."""
    return secrets.token_bytes(32)


def seal_text(key: bytes, player: UUID, field: bytes, text: str) -> bytes:
    """The sealed text: nonce, then ciphertext."""
    nonce = urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, text.encode(), field + player.bytes)


def read_sealed(key: bytes | None, player: UUID, field: bytes, kept: bytes | None) -> str | None:
    """The text; None if there is none, the key is gone, or the sealed text was changed or moved."""
    if key is None or kept is None:
        return None
    try:
        return AESGCM(key).decrypt(kept[:12], kept[12:], field + player.bytes).decode()
    except (InvalidTag, ValueError):
        return None
