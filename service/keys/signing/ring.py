"""The keys of a running service: the newest signs; a new key is noticed at the next signature."""

from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.play.open_record import OpenRecord, Signature, sealed_record
from domain.play.verify import digest_faults
from service.keys.key_files import KeysUnusable
from service.keys.signing import folder
from service.keys.signing.checking import KnownKeys, check_signature, trusted_keys
from service.keys.signing.jwk import JwkSet, KeptKey, name_of, private_key, public_set


class Ring:
    """The keys of one folder, reread when a file is added or removed, and the `trusted` keys, read once."""

    def __init__(self, path: Path, trusted: Path | None = None) -> None:
        self.path = path.expanduser()
        self._trusted_folder = trusted
        self._trusted: Mapping[str, JwkSet] = {}
        self._names: frozenset[str] = frozenset()
        self._keys: tuple[KeptKey, ...] = ()
        self._signer: Ed25519PrivateKey | None = None

    def open(self) -> None:
        """Read the keys, and make the first one where there is none; raises KeysUnusable."""
        if not self.path.exists() or not folder.keys(self.path):
            folder.make(self.path)
        self._read()
        self._trusted = trusted_keys(self._trusted_folder)

    def sign(self, message: bytes) -> Signature:
        """The newest key's signature of this message; raises KeysUnusable before the ring was opened."""
        self._reread_if_changed()
        if self._signer is None:
            raise KeysUnusable("There is no signing key.")
        return Signature(name_of(self._keys[-1].x), self._signer.sign(message))

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
        return name_of(self._keys[-1].x) if self._keys else None

    def vouch(self, record: OpenRecord) -> str | None:
        """Who vouches for a record by a signature; None where nobody does whose keys are known here."""
        return self.known().voucher(record)

    def known(self) -> KnownKeys:
        """Every public key that vouches here."""
        return KnownKeys(self.public(), self._trusted)

    def _reread_if_changed(self) -> None:
        """Read the folder again if its files have changed. If it cannot be read, the keys in memory stay in use."""
        try:
            if folder.names(self.path) != self._names:
                self._read()
        except (OSError, KeysUnusable):
            return

    def _read(self) -> None:
        names, keys = folder.names(self.path), folder.keys(self.path)
        if not keys or keys[-1].d is None:
            raise KeysUnusable(f"The newest key in {self.path} has no private part: `kibitz keys rotate` makes one.")
        self._names, self._keys, self._signer = names, keys, private_key(keys[-1].d)
