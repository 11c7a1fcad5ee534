"""The deals of rated games under way in which every card lies open: what somebody may type in to ask about them.

A game with hidden cards is not compared: a refusal would tell whoever types in a guess that it is right.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from itertools import compress, groupby
from uuid import UUID

from cachetools import LRUCache

from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.record import Withheld
from domain.view import ALL_SEEING
from projections.games.game_lists import GAMES, public_lists
from service.analysis.likeness import OpenCards, find_alike, open_cards
from service.event_store.codec import PLACE, Codec, Recorded
from service.event_store.errors import UnknownTopic, UnreadableRecord
from service.event_store.reading import MultiQuery, decode_log_rows
from service.event_store.store import EventStore
from service.keys.sealing import BrokenSeal
from service.live.replay import Replay
from service.live.room import Room
from service.live.seats import OVER
from service.problems import Refused
from service.workers.reads import Reads

_STARTED = "SELECT DISTINCT stream FROM events WHERE position > %s AND topic = ANY(%s)"
_STARTING = ["game/opened", "game/joined", "game/seeded"]
_FIRST = f"""
SELECT position, state, {PLACE} AS place FROM events WHERE stream = ANY(%s) AND version <= %s ORDER BY stream, version
"""
_RECORDS = 6
"""So many of a game are read: a patience is dealt by the fourth. Of a game dealt later all are read."""
_FURTHEST = 50_000
"""Positions that the lists of games may be behind the log: what they lack is read there."""
_AT_ONCE = 50
"""Games whose records are read and folded together."""
_COMPARED = 1_000
"""Deals that are compared together, in some 10 MB."""
_UNREADABLE = (UnknownTopic, UnreadableRecord, BrokenSeal)
"""What reading a damaged game raises."""
_cards: LRUCache[UUID, bytes] = LRUCache(10_000)
"""Of games that are dealt; a deal does not change."""
_turn = asyncio.Lock()


def dealt_cards(replay: Replay) -> OpenCards | None:
    """The cards that lay open at the deal; None before it."""
    game = replay.after(replay.dealt)
    return None if game.state is None else open_cards(game.type.look(game.state, None))


def hides_none(replay: Replay) -> bool:
    """Whether at the deal every card lay open."""
    game = replay.after(replay.dealt)
    return bool(game.type.look(game.state, None) == game.type.look(game.state, ALL_SEEING))


async def are_being_played(game_type: str, cards: OpenCards, store: EventStore, reads: Reads, room: Room) -> bool:
    """Whether a rated game of this type that is under way was dealt these open cards, or such as are like them.

    One question after the other; raises Refused while the lists of games are made anew.
    """
    async with _turn:
        dealt = await _read_deals(game_type, store, reads)
        for game in await asyncio.to_thread(_alike, game_type, cards, dealt):
            try:
                over = (await room.game(game)).status in OVER
            except _UNREADABLE:
                over = False  # for all we know
            if not over:
                return True
    return False


def _alike(game_type: str, cards: OpenCards, dealt: dict[UUID, bytes]) -> list[UUID]:
    """Which of these games were dealt such cards: where no card is hidden, they lie in the same places."""
    same, found = [game for game, others in dealt.items() if len(others) == len(cards.cards)], list[UUID]()
    for start in range(0, len(same), _COMPARED):
        games = same[start : start + _COMPARED]
        found += compress(games, find_alike(game_type, cards, [dealt[game] for game in games], cards.places))
    return found


async def _read_deals(game_type: str, store: EventStore, reads: Reads) -> dict[UUID, bytes]:
    """The games of this type that are under way, and their cards: none of one that does not count."""
    games = await _games_under_way(game_type, store, reads)
    dealt = {game: cards for game in games if (cards := _cards.get(game)) is not None}
    unread = [game for game in games if game not in dealt]
    for start in range(0, len(unread), _AT_ONCE):
        found = await _read_first(unread[start : start + _AT_ONCE], store)
        for game, records in groupby((one.record for one in found), key=lambda record: record.stream):
            if (cards := await _cards_of(store, game, game_type, [*records])) is not None:
                dealt[game] = _cards[game] = cards
            await asyncio.sleep(0)
    return dealt


async def _games_under_way(game_type: str, store: EventStore, reads: Reads) -> set[UUID]:
    """Those that stand in the list, which has all that count, and those that have started since it was written."""
    async with reads.of(GAMES) as found:
        (listed,) = public_lists(None, game_type, "playing")
        games, position = {UUID(key) for key, _ in await found.documents(listed)}, found.position
    if await store.head() - position > _FURTHEST:
        raise Refused("busy", "The lists of games are being made anew; ask again later.")
    return games | {UUID(str(game)) for (game,) in await store.query(_STARTED, (position, _STARTING))}


async def _read_first(games: Sequence[UUID], store: EventStore) -> list[Recorded]:
    """The first records of these games, one after the other; none of a damaged one."""
    try:
        return await store.run_queries(_first_records(games, store.codec))
    except _UNREADABLE:
        alone = [await _read_first([game], store) for game in games] if len(games) > 1 else []
        return [one for records in alone for one in records]


def _first_records(games: Sequence[UUID], codec: Codec) -> MultiQuery[list[Recorded]]:
    rows = yield _FIRST, (list(games), _RECORDS)
    return (yield from decode_log_rows(rows, codec))


async def _cards_of(store: EventStore, game: UUID, game_type: str, first: list[AnyRecord]) -> bytes | None:
    """The cards of this game, of which these are the first records: none of one that does not count.

    None: it is of another type, not dealt yet, or cannot be read.
    """
    opened = first[0].event
    if not isinstance(opened, ev.Opened) or opened.game_type != game_type:
        return None
    if not opened.rated or opened.origin != "shuffled":
        return b""
    if (replay := _replay_of(first)) is None:
        return None
    cards = dealt_cards(replay)
    if len(first) == _RECORDS and (cards is None or replay.dealt == len(replay.steps) - 1):
        with suppress(*_UNREADABLE):
            if (whole := _replay_of(await store.records(game))) is None:
                return None
            replay, cards = whole, dealt_cards(whole)
    return None if cards is None else cards.cards if hides_none(replay) else b""


def _replay_of(records: list[AnyRecord]) -> Replay | None:
    """None where a key is missing: nobody can go on with it."""
    if any(type(record.event) is Withheld for record in records):
        return None
    replay = Replay()
    replay.extend(records)
    return replay
