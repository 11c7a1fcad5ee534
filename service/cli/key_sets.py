"""Public keys as the command line takes them: a saved set, a service's, or those of the folder of signing keys."""

from contextlib import suppress
from pathlib import Path

import httpx

from domain.play.open_record import OpenRecord
from service.cli.errors import Refusal
from service.event_store.reading.imported import Vouch
from service.keys.signing import JwkSet, KeysUnusable, KnownKeys, NoKeySet, key_set, trusted_keys
from service.keys.signing.folder import keys
from service.keys.signing.jwk import public_set
from service.settings import Settings


def load_key_set(source: str) -> JwkSet:
    """The set in this file, or at this address: a service's own, or its `/v1/keys`; raises Refusal."""
    try:
        return key_set(_text(source))
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
        return public_set(keys(folder)) if folder.exists() else None
    return None


def vouch(settings: Settings) -> Vouch:
    """A function that names who vouches for a record, by the service's own and its trusted keys; raises Refusal."""
    try:
        known, trusted = own_key_set(settings) or JwkSet(()), trusted_keys(settings.trusted_keys)
    except KeysUnusable as error:
        raise Refusal(str(error)) from error

    def of(record: OpenRecord) -> str | None:
        return KnownKeys(known, trusted).voucher(record)

    return of
