"""The events of accounts and leagues: one row for each, written in the transaction of its cause.

They are kept by owner, an account or a league, in the order of their commits, and read as pages, after one of them, and
by open streams that wait for the next, woken by the database's notification.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar
from uuid import UUID

from msgspec import Meta, Struct

from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game
from domain.record import Micros, uuid8
from service.event_store.listener import Listener
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion

E = TypeVar("E")
EventType = Literal[
    "invitation", "turn", "finished", "voided", "table_changed", "attempt_revealed", "webhook_disabled"
]  # fmt: skip
LeagueEventType = Literal[
    "renamed", "member_invited", "invitation_withdrawn", "member_joined", "member_left", "organiser_named",
    "organiser_dismissed", "season_opened", "contest_added", "contest_closed", "player_replaced", "walkover_given",
    "not_played", "fixture_reopened", "game_opened", "game_finished", "game_voided", "game_restored",
    "result_corrected", "correction_withdrawn", "season_closed", "promotions_decided", "dissolved",
]  # fmt: skip
KEPT_DAYS = 30
"""Days that events of accounts are kept."""
CHANNEL = "kibitz_account"
"""The channel with the owner of each event."""
BEGINNING = UUID(int=0)
"""Stands for the place before the first event."""
POSITION = "coalesce(log_position, (SELECT head FROM log))"
"""Reads the log position at which an event's cause stands; of an old event a later one."""
POSITION_TEXT = "Name it in `Min-Log-Position` to read what came of it."

_ACCOUNT_COLUMNS = "id, player, type, at, league, game, contest, summary"
# The deliveries are stored with the events: a webhook gets exactly the committed events.
_INSERT_ACCOUNT = f"""
WITH made AS (
    INSERT INTO account_events ({_ACCOUNT_COLUMNS}, log_position) {{rows}} FROM {{source}}log
    ON CONFLICT (id) DO NOTHING RETURNING number, player, type, at
), sent AS (
    INSERT INTO webhook_deliveries (webhook, event, due, begun_at)
    SELECT webhooks.id, made.number, made.at, made.at FROM made JOIN webhooks USING (player)
    WHERE webhooks.disabled IS NULL AND made.type = ANY(webhooks.types)
)
SELECT pg_notify('{CHANNEL}', player::text) FROM made
"""
_INSERT_ONE = _INSERT_ACCOUNT.format(
    rows="SELECT %s::uuid, %s::uuid, %s::text, %s::bigint, %s::uuid, %s::uuid, %s::uuid, %s::text, head", source=""
)
_INSERT_MANY = _INSERT_ACCOUNT.format(
    rows="SELECT event.*, head",
    source="unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[]) "
    "AS event, ",
)
ACCOUNT_EVENT = f"id, type, at, league, game, contest, summary, {POSITION}"
"""The columns of an account event as it is read."""
_LEAGUE_COLUMNS = "id, type, at, season, fixture, game, contest, players, summary"
_INSERT_LEAGUE = f"""
WITH made AS (
    INSERT INTO league_events (league, {_LEAGUE_COLUMNS}, log_position)
    SELECT %s, %s, %s::text, %s::bigint, %s::int, %s::uuid, %s::uuid, %s::uuid, %s::uuid[], %s::text, head FROM log
    ON CONFLICT (id) DO NOTHING RETURNING league
)
SELECT pg_notify('{CHANNEL}', league::text) FROM made
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class OwnedEvents(Generic[E]):
    """The events of one table; `read` makes an event of a row of `columns`."""

    def __init__(self, table: str, owner: str, columns: str, read: Callable[[Sequence[Any]], E]) -> None:
        self._read = read
        self._select = f"SELECT number, {columns} FROM {table} WHERE {owner} = %s"
        self._number = f"SELECT number FROM {table} WHERE {owner} = %s AND id = %s"
        self._newest = f"SELECT id FROM {table} WHERE {owner} = %s ORDER BY number DESC LIMIT 1"

    async def number_of(self, store: EventStore, owner: UUID, event: UUID) -> int | None:
        """The number of this event of the owner; None where the owner has none of this id."""
        if event == BEGINNING:
            return 0
        rows = await store.query(self._number, (owner, event))
        return int(rows[0][0]) if rows else None

    async def newest(self, store: EventStore, owner: UUID) -> UUID:
        """The owner's newest event, or BEGINNING."""
        rows = await store.query(self._newest, (owner,))
        return rows[0][0] if rows else BEGINNING

    async def page(self, store: EventStore, owner: UUID, most: int, before: int | None) -> list[E]:
        """At most `most` events of the owner, newest first, before this number."""
        more, values = ("", ()) if before is None else (" AND number < %s", (before,))
        rows = await store.query(f"{self._select}{more} ORDER BY number DESC LIMIT %s", (owner, *values, most))
        return [self._read(row[1:]) for row in rows]

    async def after(self, store: EventStore, owner: UUID, number: int, most: int) -> list[tuple[int, E]]:
        """At most `most` events of the owner after this number, oldest first, with their numbers."""
        rows = await store.query(f"{self._select} AND number > %s ORDER BY number LIMIT %s", (owner, number, most))
        return [(row[0], self._read(row[1:])) for row in rows]


class EventWaiters:
    """The open streams of accounts and leagues in this process. An event of any process wakes those of its owner."""

    def __init__(self, conninfo: str) -> None:
        self._waiting: dict[UUID, set[asyncio.Event]] = {}
        self._streams = 0
        self._listener = Listener(conninfo, lambda backend, owner: self.wake_owner(UUID(owner)), CHANNEL)

    def __len__(self) -> int:
        return self._streams

    def open(self) -> None:
        """Start to listen, in a task of the running loop."""
        self._listener.open()

    async def close(self) -> None:
        """Stop listening."""
        await self._listener.close()

    @contextmanager
    def wait(self, *owners: UUID) -> Iterator[asyncio.Event]:
        """An event that is set when something happens to one of them; clear it before reading."""
        news = asyncio.Event()
        self._streams += 1
        for owner in owners:
            self._waiting.setdefault(owner, set()).add(news)
        try:
            yield news
        finally:
            self._streams -= 1
            for owner in owners:
                self._waiting[owner].discard(news)
                if not self._waiting[owner]:
                    del self._waiting[owner]

    def wake_owner(self, owner: UUID) -> None:
        """Wake the streams of this account or league."""
        for news in self._waiting.get(owner, ()):
            news.set()

    def wake(self) -> None:
        """Wake all streams."""
        for owner in self._waiting:
            self.wake_owner(owner)


class Turns(NamedTuple):
    """A game after a step, and the players whose turn began with it."""

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


class WebhookVerification(Struct, frozen=True):
    """A challenge for a new receiver: answered by 200 to 299 and JSON with the same `challenge`, it gets events."""

    id: UUID
    type: Literal["webhook.verification"]
    time: Annotated[datetime, Meta(tz=True)]
    challenge: Annotated[str, Meta(description='The answer is `{"challenge": ...}`, this very string in it.')]


def account_statement(
    player: UUID, kind: EventType, at: Micros, summary: str, *, of: UUID, version: int,
    league: UUID | None = None, game: UUID | None = None, contest: UUID | None = None,
) -> Companion:  # fmt: skip
    """The statement that stores an event of this player with its deliveries, and wakes the player's streams.

    It was caused by this version of the stream `of`: its id follows from these, the player and the kind alone.
    The summary shows no name and no card, so that it may be kept and sent anywhere.
    """
    source = of.bytes + version.to_bytes(4, "big") + player.bytes + kind.encode()
    event = uuid8(sha256(source).digest())
    return Companion(_INSERT_ONE, (event, player, kind, at, league, game, contest, summary), _INSERT_MANY)


def game_statements(records: Sequence[AnyRecord], game: Game, turns: Iterable[Turns]) -> list[Companion]:
    """The statements to run with these records of a game."""
    statements = list(_record_statements(records, game))
    for turn, players in turns:
        sentence = f"It is your turn in a game of {turn.type.name}."
        statements += [_of_game(turn, player, "turn", turn.updated_at, turn.version, sentence) for player in players]
    return statements


def _record_statements(records: Sequence[AnyRecord], game: Game) -> Iterator[Companion]:
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


def _of_game(game: Game, player: UUID, kind: EventType, at: Micros, version: int, sentence: str) -> Companion:
    return account_statement(
        player, kind, at, sentence, of=game.id, version=version, game=game.id, contest=game.opening.contest
    )


def erasure_statements(player: UUID) -> list[Companion]:
    """The statements that delete an erased player's events and webhooks."""
    return [Companion(f"DELETE FROM {table} WHERE player = %s", (player,)) for table in ("webhooks", "account_events")]


def read_account_event(row: Sequence[Any]) -> AccountEvent:
    """The event of a row of ACCOUNT_EVENT."""
    return AccountEvent(row[0], row[1], _EPOCH + timedelta(microseconds=row[2]), *row[3:])


ACCOUNT_EVENTS = OwnedEvents("account_events", "player", ACCOUNT_EVENT, read_account_event)


class LeagueEventRow(NamedTuple):
    """An event of a league. Its sentence has each player's `tag` in place of a name."""

    id: UUID
    type: LeagueEventType
    at: Micros
    season: int | None
    fixture: UUID | None
    game: UUID | None
    contest: UUID | None
    players: tuple[UUID, ...]
    summary: str
    log_position: int


def league_statement(
    league: UUID, kind: LeagueEventType, at: Micros, summary: str, *, of: UUID, version: int,
    season: int | None = None, fixture: UUID | None = None, game: UUID | None = None, contest: UUID | None = None,
    players: Iterable[UUID] = (),
) -> Companion:  # fmt: skip
    """The statement that stores an event of this league, and wakes the league's streams.

    It was caused by this version of the stream `of`: its id follows from these, its kind and its game alone.
    """
    source = of.bytes + version.to_bytes(4, "big") + league.bytes + kind.encode() + (game.bytes if game else b"")
    event = uuid8(sha256(source).digest())
    return Companion(_INSERT_LEAGUE, (league, event, kind, at, season, fixture, game, contest, list(players), summary))


def tag(player: UUID) -> str:
    """The placeholder of a player's name in a stored sentence."""
    return f"<{player}>"


LEAGUE_EVENTS = OwnedEvents(
    "league_events",
    "league",
    f"{_LEAGUE_COLUMNS}, {POSITION}",
    lambda row: LeagueEventRow._make([*row[:7], tuple(row[7]), *row[8:]]),
)
