"""What happens to an account: one row for each event and player, written in the transaction of the step."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from msgspec import Meta, Struct

from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.record import Micros, uuid8
from service.event_store.writing.rows import Companion
from service.outbox.owned_events import CHANNEL, POSITION, POSITION_TEXT, OwnedEvents

EventType = Literal[
    "invitation", "turn", "finished", "voided", "table_changed", "attempt_revealed", "webhook_disabled"
]  # fmt: skip
KEPT_DAYS = 30
"""Days that events are kept."""

_COLUMNS = "id, player, type, at, league, game, contest, summary"
# The deliveries go with the events: a webhook is told of whatever is committed, and of nothing else.
_INSERT = f"""
WITH made AS (
    INSERT INTO account_events ({_COLUMNS}, log_position) {{rows}} FROM {{source}}log
    ON CONFLICT (id) DO NOTHING RETURNING number, player, type, at
), sent AS (
    INSERT INTO webhook_deliveries (webhook, event, due, begun_at)
    SELECT webhooks.id, made.number, made.at, made.at FROM made JOIN webhooks USING (player)
    WHERE webhooks.disabled IS NULL AND made.type = ANY(webhooks.types)
)
SELECT pg_notify('{CHANNEL}', player::text) FROM made
"""
_ONE = _INSERT.format(
    rows="SELECT %s::uuid, %s::uuid, %s::text, %s::bigint, %s::uuid, %s::uuid, %s::uuid, %s::text, head", source=""
)
_MANY = _INSERT.format(
    rows="SELECT event.*, head",
    source="unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[]) "
    "AS event, ",
)
EVENT = f"id, type, at, league, game, contest, summary, {POSITION}"
"""The columns of an event as it is read."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Happening(NamedTuple):
    """An event of one player. Its sentence names nobody and no card, so that it may be kept and sent anywhere."""

    id: UUID
    player: UUID
    type: EventType
    at: Micros
    league: UUID | None
    game: UUID | None
    contest: UUID | None
    summary: str


class Turns(NamedTuple):
    """A game after a step, and who began to be awaited with it."""

    game: Game
    players: tuple[UUID, ...]


class AccountEvent(Struct, frozen=True):
    """Something that happened to you: of what type, when, in which league, game or contest, and in one sentence.

    The same event has the same id in the list, in the stream and at a webhook. It shows no card and names nobody.
    """

    id: UUID
    type: EventType
    time: Annotated[datetime, Meta(tz=True)]
    league_id: UUID | None
    game_id: UUID | None
    contest_id: UUID | None
    summary: Annotated[str, Meta(description="One sentence for a person.")]
    log_position: Annotated[int, Meta(description=POSITION_TEXT)]


def happening(
    player: UUID, kind: EventType, at: Micros, summary: str, *, of: UUID, version: int,
    league: UUID | None = None, game: UUID | None = None, contest: UUID | None = None,
) -> Happening:  # fmt: skip
    """An event of this player, caused by this version of the stream `of`: its id follows from these alone."""
    source = of.bytes + version.to_bytes(4, "big") + player.bytes + kind.encode()
    return Happening(uuid8(sha256(source).digest()), player, kind, at, league, game, contest, summary)


def statement(found: Happening) -> Companion:
    """The statement that stores an event, with its deliveries, and wakes who waits for it."""
    return Companion(_ONE, found, _MANY)


def companions(records: Sequence[AnyRecord], game: Game, turns: Iterable[Turns]) -> list[Companion]:
    """The statements to run with these records of a game."""
    return [statement(found) for found in (*_happenings(records, game), *_turns(turns))]


def _turns(turns: Iterable[Turns]) -> Iterator[Happening]:
    for game, players in turns:
        for player in players:
            sentence = f"It is your turn in a game of {game.type.name}."
            yield _of_game(game, player, "turn", game.updated_at, game.version, sentence)


def _happenings(records: Sequence[AnyRecord], game: Game) -> Iterator[Happening]:
    name, players = game.type.name, dict.fromkeys(player for player in game.players if player is not None)
    for record in records:
        match record.event:
            case ev.Invited(player=guest):
                sentence = f"You are invited to a game of {name}."
                yield _of_game(game, guest, "invitation", record.time, record.version, sentence)
            case ev.Finished() as end:
                for player in players:
                    won = any(seat in end.winners for seat in game.seats_of(player))
                    sentence = f"You won a game of {name}." if won else f"A game of {name} that you played is over."
                    yield _of_game(game, player, "finished", record.time, record.version, sentence)
            case ev.Voided():
                for player in players:
                    sentence = f"A game of {name} that you sat at was declared void."
                    yield _of_game(game, player, "voided", record.time, record.version, sentence)
            case ev.Revealed() if game.opening.contest is not None:
                for player in players:
                    sentence = f"The contest is closed and your attempt at {name} is revealed."
                    yield _of_game(game, player, "attempt_revealed", record.time, record.version, sentence)


def _of_game(game: Game, player: UUID, kind: EventType, at: Micros, version: int, sentence: str) -> Happening:
    return happening(
        player, kind, at, sentence, of=game.id, version=version, game=game.id, contest=game.opening.contest
    )


def forget_statements(player: UUID) -> list[Companion]:
    """The statements that delete an erased player's events and webhooks."""
    return [Companion(f"DELETE FROM {table} WHERE player = %s", (player,)) for table in ("webhooks", "account_events")]


def event_of(row: Sequence[Any]) -> AccountEvent:
    """The event of a row of EVENT."""
    return AccountEvent(row[0], row[1], _EPOCH + timedelta(microseconds=row[2]), *row[3:])


EVENTS = OwnedEvents("account_events", "player", EVENT, event_of)
