"""The keys that commands work with: folders of sealing and of signing keys, public keys of a file or a service."""

from contextlib import suppress
from pathlib import Path

import httpx

from service.cli.ending import Refusal
from service.cluster.roster import held_keys
from service.event_store.codec import Codec, standard_codec
from service.event_store.connections import open_connection
from service.event_store.imported import Vouch
from service.event_store.unsealing import missing_keys
from service.keys.key_files import KeysUnusable
from service.keys.sealing import Seals
from service.keys.signing import JwkSet, KnownKeys, NoKeySet, Ring, public_set, read_key_set, signing_keys, trusted_keys
from service.settings import Settings


def codec(settings: Settings) -> Codec:
    """A codec that opens records sealed under the folder's keys; raises Refusal if the folder is unusable."""
    try:
        return standard_codec().sealing(Seals(settings.sealing_folder).read())
    except KeysUnusable as error:
        raise Refusal(str(error)) from error


def require_keys_of_others(settings: Settings, conninfo: str) -> None:
    """Raises Refusal if a key that another living process has is missing here: this process could own unreadable games.

    A key that no process has is lost, and does not prevent serving the rest. Raises StoreUnavailable.
    """
    seals = codec(settings).seals
    with open_connection(conninfo, "sealing") as connection:
        lacking = held_keys(connection).intersection(missing_keys(connection, seals))
    if lacking:
        raise Refusal(
            f"The sealing key {', '.join(sorted(key.hex() for key in lacking))} is not in {settings.sealing_folder}, "
            "and other processes have it: copy its file here, or name their folder in KIBITZ_SEALING_KEYS."
        )


def load_key_set(source: str) -> JwkSet:
    """The set in this file, or at this address: a service's own, or its `/v1/keys`; raises Refusal."""
    try:
        return read_key_set(_text(source))
    except (NoKeySet, OSError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise Refusal(f"No keys could be had from {source}: {error}") from error


def _text(source: str) -> bytes:
    if not source.startswith(("http://", "https://")):
        return Path(source).read_bytes()
    url = httpx.URL(source)
    answer = httpx.get(url.copy_with(path="/v1/keys") if url.path == "/" else url, timeout=30, follow_redirects=True)
    return answer.raise_for_status().content


def own_key_set(settings: Settings) -> JwkSet | None:
    """The public keys of the folder of signing keys; None if there is no folder or it cannot be read."""
    with suppress(KeysUnusable):
        folder = settings.keys_folder.expanduser()
        return public_set(signing_keys(folder)) if folder.exists() else None
    return None


def own_ring(settings: Settings) -> Ring | None:
    """The folder of signing keys, open; None if there is none or it has no private key that can be read."""
    with suppress(KeysUnusable):
        if (found := own_key_set(settings)) is not None and found.keys:
            ring = Ring(settings.keys_folder)
            ring.open()
            return ring
    return None


def vouch(settings: Settings) -> Vouch:
    """A function that names who vouches for a record, by the service's own and its trusted keys; raises Refusal."""
    try:
        known, trusted = own_key_set(settings) or JwkSet(()), trusted_keys(settings.trusted_keys)
    except KeysUnusable as error:
        raise Refusal(str(error)) from error
    return KnownKeys(known, trusted).voucher
