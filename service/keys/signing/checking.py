"""Whether a record is signed, and by a key of this service or of one that its operator trusts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from cryptography.exceptions import InvalidSignature

from domain.play.open_record import SEAL_TAG, OpenRecord
from domain.play.signed import last_message, signer_of
from service.keys.key_files import KeysUnusable
from service.keys.signing.jwk import JwkSet, NoKeySet, key_set, public_key

Signed = Literal["yes", "no", "missing", "unknown_key", "wrong"]
"""`yes`: by a key of the set; `unknown_key`: by one that is not in it; `wrong`: it does not fit; `missing`: not at all,
although the opening names a key that signs; `no`: never."""

OURS = "this service"
"""The voucher's name if a key of the service itself has signed."""
_TRUSTED = ".json"


class KnownKeys(NamedTuple):
    """The service's own public keys, and those of services that it trusts, by their names."""

    own: JwkSet
    trusted: Mapping[str, JwkSet] = {}

    def voucher(self, record: OpenRecord) -> str | None:
        """Who vouches for a record by a signature: this service, one that is trusted, by its name, or nobody."""
        if check_signature(record, self.own) == "yes":
            return OURS
        return next((name for name, keys in self.trusted.items() if check_signature(record, keys) == "yes"), None)


def check_signature(record: OpenRecord, keys: JwkSet) -> Signed:
    """How the signature of the record's last digest fits these keys, and that of its seal, if one of them made it.

    It does not prove when it was made.
    """
    if record.signature is None:
        return "no" if signer_of(record.records) is None else "missing"
    known = {key.kid: key for key in keys.keys}
    if record.signature.key not in known:
        return "unknown_key"
    signed = [(record.signature, last_message(record.records))]
    if record.seal is not None and record.seal.seal is not None and record.seal.seal.key in known:
        signed.append((record.seal.seal, SEAL_TAG + bytes.fromhex(record.seal.previous)))
    try:
        for signature, message in signed:
            public_key(known[signature.key].x).verify(signature.value, message)
    except InvalidSignature:
        return "wrong"
    return "yes"


def trusted_keys(folder: Path | None) -> Mapping[str, JwkSet]:
    """The public keys that the operator trusts: a file for each service, by its name. Raises KeysUnusable."""
    if folder is None:
        return {}
    try:
        found = {path.stem: key_set(path.read_bytes()) for path in sorted(folder.expanduser().glob(f"*{_TRUSTED}"))}
    except (OSError, NoKeySet) as error:
        raise KeysUnusable(f"The trusted keys in {folder} cannot be read: {error}") from error
    if not found:
        raise KeysUnusable(f"The folder of trusted keys {folder} has no file NAME{_TRUSTED}.")
    if OURS in found:
        raise KeysUnusable(f"The trusted keys in {folder} name a service {OURS!r}: give the file another name.")
    return found
