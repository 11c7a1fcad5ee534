"""The codec as commands use it: with the keys of the folder, where there are any; and the keys that a process needs."""

from service.cli.errors import Refusal
from service.cluster.keyholders import held
from service.event_store.codec import Codec, standard_codec
from service.event_store.connections import connected
from service.event_store.reading.unsealing import missing
from service.keys.sealing import KeysUnusable, Seals
from service.settings import Settings


def codec(settings: Settings) -> Codec:
    """Reads what the keys of the folder have sealed, and what is revealed; raises Refusal for a spoilt folder."""
    try:
        return standard_codec().sealing(Seals(settings.sealing_folder).read())
    except KeysUnusable as error:
        raise Refusal(str(error)) from error


def require_keys_of_others(settings: Settings, conninfo: str) -> None:
    """That no key is missing here which another living process has: this one would own games that it cannot read.

    A key that nobody has any more is lost, and keeps nobody from serving all else. Raises Refusal, StoreUnavailable.
    """
    seals = codec(settings).seals
    with connected(conninfo, "sealing") as connection:
        lacking = held(connection).intersection(missing(connection, seals))
    if lacking:
        raise Refusal(
            f"The sealing key {', '.join(sorted(key.hex() for key in lacking))} is not in {settings.sealing_folder}, "
            "and other processes have it: copy its file here, or name their folder in KIBITZ_SEALING_KEYS."
        )
