"""The codec of commands, with the sealing keys of the folder if any; and a check for missing keys."""

from service.cli.errors import Refusal
from service.cluster.keyholders import held_keys
from service.event_store.codec import Codec, standard_codec
from service.event_store.connections import open_connection
from service.event_store.reading.unsealing import missing_keys
from service.keys.sealing import KeysUnusable, Seals
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
