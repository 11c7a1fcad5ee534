"""Keys as they are published and kept: JSON Web Keys of RFC 7517 for Ed25519, as RFC 8037 has them."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta, Struct

Time = Annotated[datetime, Meta(tz=True)]
_PART = r"^[A-Za-z0-9_-]{43}$"
Part = Annotated[str, Meta(pattern=_PART, description="32 bytes in base64url without padding.")]


class PublicKey(Struct, frozen=True, kw_only=True, rename={"from_": "from"}):
    """One public key (RFC 8037): `kid` is its name, the first 16 hex digits of SHA-256 of its 32 bytes.

    It has signed from `from` until `until`; the one that signs now has no `until`.
    """

    kty: Literal["OKP"] = "OKP"
    crv: Literal["Ed25519"] = "Ed25519"
    use: Literal["sig"] = "sig"
    alg: Literal["EdDSA"] = "EdDSA"
    kid: str
    x: Part
    from_: Time
    until: Time | None = None


class KeptKey(Struct, frozen=True, kw_only=True, rename={"from_": "from"}, omit_defaults=True):
    """One key as its file holds it: `d` is the private part, which a key that was replaced no longer has."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: Part
    from_: Time
    d: Part | None = None

    def __repr__(self) -> str:
        return f"<KeptKey {name_of(self.x)}>"


class JwkSet(Struct, frozen=True):
    """A JWK set (RFC 7517, 5), the oldest key first. It is whole: it has no pages."""

    keys: tuple[PublicKey, ...]


class NoKeySet(Exception):
    """A text or file that is no set of public keys."""


def key_set(text: bytes) -> JwkSet:
    """A published set of keys; raises NoKeySet, also for a `kid` that does not match its key."""
    try:
        found = msgspec.json.decode(text, type=JwkSet)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoKeySet(f"No JWK set of Ed25519 keys: {error}.") from error
    for key in found.keys:
        if key.kid != name_of(key.x):
            raise NoKeySet(f"The key named {key.kid} is another one: its own name is {name_of(key.x)}.")
    return found


def public_set(keys: Sequence[KeptKey]) -> JwkSet:
    """The public parts of these keys, each with `until` set to the next key's start."""
    ends = [*(key.from_ for key in keys[1:]), None]
    return JwkSet(
        tuple(
            PublicKey(kid=name_of(key.x), x=key.x, from_=key.from_, until=end)
            for key, end in zip(keys, ends, strict=True)
        )
    )


def kept_key(private: Ed25519PrivateKey, begins: datetime) -> KeptKey:
    """A private key as its file holds it."""
    public = private.public_key().public_bytes_raw()
    return KeptKey(kty="OKP", crv="Ed25519", x=_text(public), d=_text(private.private_bytes_raw()), from_=begins)


def name_of(x: str) -> str:
    """The stable name of a public key: the first 16 hex digits of SHA-256 of its 32 bytes."""
    return sha256(_bytes(x)).hexdigest()[:16]


def public_key(x: str) -> Ed25519PublicKey:
    """The public key of this `x`."""
    return Ed25519PublicKey.from_public_bytes(_bytes(x))


def private_key(d: str) -> Ed25519PrivateKey:
    """The private key of this `d`."""
    return Ed25519PrivateKey.from_private_bytes(_bytes(d))


def _text(part: bytes) -> str:
    return urlsafe_b64encode(part).decode().rstrip("=")


def _bytes(part: str) -> bytes:
    return urlsafe_b64decode(part + "=")
