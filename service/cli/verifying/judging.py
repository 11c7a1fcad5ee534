"""One stored game, judged: chain of digests, rules, deal, ending and signature."""

from typing import Any, NamedTuple
from uuid import UUID

from psycopg import Connection

from domain.play.open_record import OpenRecord
from service.cli.games import game_records
from service.cli.verdicts import Verdict, fault, verdict_of_record, verdict_of_text
from service.event_store.codec import Codec
from service.event_store.errors import LOG_ERRORS, StoreUnavailable
from service.event_store.reading.imported import read_imported_text
from service.keys.signing import JwkSet
from service.live.signatures import signature_in


class Criteria(NamedTuple):
    """How games are judged: the codec to read with, the public keys that count, and whether to mention signatures."""

    codec: Codec
    keys: JwkSet | None
    told: bool


class Judged(NamedTuple):
    """One game and what is said of it; `steps` is what it took to verify."""

    game: UUID
    verdict: Verdict
    steps: int


def judged(connection: Connection[Any], game: UUID, by: Criteria) -> Judged:
    """What is said of this game; raises StoreUnavailable."""
    try:
        records = game_records(connection, game, by.codec)
    except StoreUnavailable:
        raise
    except LOG_ERRORS as error:
        return Judged(game, fault(str(game), str(error)), 0)
    if not records:
        return Judged(game, fault(str(game), "There is no such game."), 0)
    steps = records[-1].step + 1
    if records[0].event.source is not None and (text := read_imported_text(connection, game)) is not None:
        return Judged(game, verdict_of_text(str(game), text, by.keys), steps)
    record = OpenRecord(tuple(records), signature_in(connection, game))
    return Judged(game, verdict_of_record(str(game), record, by.keys, tell_signature=by.told), steps)
