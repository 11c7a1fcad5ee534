"""Signing: the service says by Ed25519 that a finished game is the one it recorded.

Keys are kept and published as JSON Web Keys (RFC 7517), for Ed25519 as RFC 8037 has them, each in a file of one folder.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.play.open_record import SEAL_TAG, OpenRecord, Signature, last_message, sealed_record, signer_of
from domain.play.verify import digest_faults
from service.keys.key_files import KeysUnusable, file_names, read_keys, unusability, write_key

_SUFFIX, _TRUSTED = ".jwk", ".json"
Time = Annotated[datetime, Meta(tz=True)]
Part = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$", description="32 bytes in base64url without padding.")]


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


class StoredKey(Struct, frozen=True, kw_only=True, rename={"from_": "from"}, omit_defaults=True):
    """One key as its file holds it: `d` is the private part, which a key that was replaced no longer has."""

    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: Part
    from_: Time
    d: Part | None = None

    def __repr__(self) -> str:
        return f"<StoredKey {key_name(self.x)}>"


class JwkSet(Struct, frozen=True):
    """A JWK set (RFC 7517, 5), the oldest key first. It is whole: it has no pages."""

    keys: tuple[PublicKey, ...]


class NoKeySet(Exception):
    """A text or file that is no set of public keys."""


def read_key_set(text: bytes) -> JwkSet:
    """A published set of keys; raises NoKeySet, also for a `kid` that does not match its key."""
    try:
        keys = msgspec.json.decode(text, type=JwkSet)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NoKeySet(f"No JWK set of Ed25519 keys: {error}.") from error
    for key in keys.keys:
        if key.kid != key_name(key.x):
            raise NoKeySet(f"The key named {key.kid} is another one: its own name is {key_name(key.x)}.")
    return keys


def public_set(keys: Sequence[StoredKey]) -> JwkSet:
    """The public parts of these keys, each with `until` set to the next key's start."""
    ends = [*(key.from_ for key in keys[1:]), None]
    return JwkSet(
        tuple(
            PublicKey(kid=key_name(key.x), x=key.x, from_=key.from_, until=end)
            for key, end in zip(keys, ends, strict=True)
        )
    )


def stored_key(private: Ed25519PrivateKey, begins: datetime) -> StoredKey:
    """A private key as its file holds it."""
    public = private.public_key().public_bytes_raw()
    return StoredKey(kty="OKP", crv="Ed25519", x=_text(public), d=_text(private.private_bytes_raw()), from_=begins)


def key_name(x: str) -> str:
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


def signing_key_files(folder: Path) -> frozenset[str]:
    """The names of the key files; a file's public part never changes. Raises OSError."""
    return file_names(folder, _SUFFIX)


def signing_keys(folder: Path) -> tuple[StoredKey, ...]:
    """The keys, the oldest first; raises KeysUnusable."""
    keys = read_keys(folder, _SUFFIX, StoredKey, lambda key: key_name(key.x), "signing")
    return tuple(sorted(keys, key=lambda key: (key.from_, key.x)))


def make_signing_key(folder: Path) -> StoredKey:
    """Make a new key, which signs from now on, and the folder if missing; raises KeysUnusable."""
    key = stored_key(Ed25519PrivateKey.generate(), datetime.now(UTC))
    with unusability(f"No signing key can be made in {folder}"):
        write_key(_path(folder, key), key)
    return key


def rotate_signing_keys(folder: Path) -> StoredKey:
    """Make a new key, and delete the private parts of the older keys; raises KeysUnusable."""
    older = signing_keys(folder) if folder.exists() else ()
    key = make_signing_key(folder)
    with unusability(f"A replaced key could not be rewritten in {folder}"):
        for old in older:
            write_key(_path(folder, old), replace(old, d=None))
    return key


def _path(folder: Path, key: StoredKey) -> Path:
    return folder / f"{key_name(key.x)}{_SUFFIX}"


Signed = Literal["yes", "no", "missing", "unknown_key", "wrong"]
"""`yes`: by a key of the set; `unknown_key`: by another key; `wrong`: it does not fit; `missing`: there is none,
although the opening names a key that signs; `no`: there is none."""

OURS = "this service"
"""The voucher's name if a key of the service itself has signed."""


class KeySets(NamedTuple):
    """The service's own public keys, and the keys of trusted services by their names."""

    own: JwkSet
    trusted: Mapping[str, JwkSet] = {}

    def voucher(self, record: OpenRecord) -> str | None:
        """The service that vouches for a record by a signature: this one, a trusted one by its name, or None."""
        if check_signature(record, self.own) == "yes":
            return OURS
        return next((name for name, keys in self.trusted.items() if check_signature(record, keys) == "yes"), None)


def check_signature(record: OpenRecord, keys: JwkSet) -> Signed:
    """Whether the signature of the record's last digest fits these keys, and its seal's, if one of them made it.

    It does not prove its time.
    """
    if record.signature is None:
        return "no" if signer_of(record.records) is None else "missing"
    by_name = {key.kid: key for key in keys.keys}
    if record.signature.key not in by_name:
        return "unknown_key"
    signed = [(record.signature, last_message(record.records))]
    if record.seal is not None and record.seal.seal is not None and record.seal.seal.key in by_name:
        signed.append((record.seal.seal, SEAL_TAG + bytes.fromhex(record.seal.previous)))
    try:
        for signature, message in signed:
            public_key(by_name[signature.key].x).verify(signature.value, message)
    except InvalidSignature:
        return "wrong"
    return "yes"


def trusted_keys(folder: Path | None) -> Mapping[str, JwkSet]:
    """The public keys that the operator trusts: a file for each service, by its name. Raises KeysUnusable."""
    if folder is None:
        return {}
    try:
        keys = {path.stem: read_key_set(path.read_bytes()) for path in sorted(folder.expanduser().glob(f"*{_TRUSTED}"))}
    except (OSError, NoKeySet) as error:
        raise KeysUnusable(f"The trusted keys in {folder} cannot be read: {error}") from error
    if not keys:
        raise KeysUnusable(f"The folder of trusted keys {folder} has no file NAME{_TRUSTED}.")
    if OURS in keys:
        raise KeysUnusable(f"The trusted keys in {folder} name a service {OURS!r}: give the file another name.")
    return keys


class Ring:
    """The keys of one folder, reread when a file is added or removed, and the `trusted` keys, read once."""

    def __init__(self, path: Path, trusted: Path | None = None) -> None:
        self.path = path.expanduser()
        self._trusted_folder = trusted
        self._trusted: Mapping[str, JwkSet] = {}
        self._names: frozenset[str] = frozenset()
        self._keys: tuple[StoredKey, ...] = ()
        self._signer: Ed25519PrivateKey | None = None

    def open(self) -> None:
        """Read the keys, and make the first one where there is none; raises KeysUnusable."""
        if not self.path.exists() or not signing_keys(self.path):
            make_signing_key(self.path)
        self._read()
        self._trusted = trusted_keys(self._trusted_folder)

    def sign(self, message: bytes) -> Signature:
        """The newest key's signature of this message; raises KeysUnusable before the ring was opened."""
        self._reread_if_changed()
        if self._signer is None:
            raise KeysUnusable("There is no signing key.")
        return Signature(key_name(self._keys[-1].x), self._signer.sign(message))

    def seal(self, record: OpenRecord) -> OpenRecord:
        """The record in format 3, its seal signed if a key of this folder has signed its digests, which fit."""
        genuine = check_signature(record, self.public()) == "yes" and not any(digest_faults(record.records))
        return sealed_record(record, self.sign if genuine else None)

    def public(self) -> JwkSet:
        """Every key's public part, the oldest first."""
        self._reread_if_changed()
        return public_set(self._keys)

    @property
    def signer(self) -> str | None:
        """The name of the newest key; None before the ring was opened."""
        self._reread_if_changed()
        return key_name(self._keys[-1].x) if self._keys else None

    def vouch(self, record: OpenRecord) -> str | None:
        """The service that vouches for a record by a signature; None where no key of the sets does."""
        return self.key_sets().voucher(record)

    def key_sets(self) -> KeySets:
        """Every public key that vouches here."""
        return KeySets(self.public(), self._trusted)

    def _reread_if_changed(self) -> None:
        """Read the folder again if its files have changed. If it cannot be read, the keys in memory stay in use."""
        try:
            if signing_key_files(self.path) != self._names:
                self._read()
        except (OSError, KeysUnusable):
            return

    def _read(self) -> None:
        names, keys = signing_key_files(self.path), signing_keys(self.path)
        if not keys or keys[-1].d is None:
            raise KeysUnusable(f"The newest key in {self.path} has no private part: `kibitz keys rotate` makes one.")
        self._names, self._keys, self._signer = names, keys, private_key(keys[-1].d)
