"""The services whose signatures the operator trusts: a folder of their public keys, a file for each service."""

from collections.abc import Mapping
from pathlib import Path

from service.keys.signing.checking import OURS
from service.keys.signing.folder import KeysUnusable
from service.keys.signing.jwk import JwkSet, NoKeySet, key_set

_SUFFIX = ".json"


def trusted_keys(folder: Path | None) -> Mapping[str, JwkSet]:
    """The public keys by the name of their service, that of the file; raises KeysUnusable."""
    if folder is None:
        return {}
    try:
        found = {path.stem: key_set(path.read_bytes()) for path in sorted(folder.expanduser().glob(f"*{_SUFFIX}"))}
    except (OSError, NoKeySet) as error:
        raise KeysUnusable(f"The trusted keys in {folder} cannot be read: {error}") from error
    if not found:
        raise KeysUnusable(f"The folder of trusted keys {folder} has no file NAME{_SUFFIX}.")
    if OURS in found:
        raise KeysUnusable(f"The trusted keys in {folder} name a service {OURS!r}: give the file another name.")
    return found
