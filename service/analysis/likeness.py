"""Whether two deals are so alike that a verdict on one tells of the other, and whether such a deal is being played.

Their open cards are compared, as the game's own view shows them, up to what its rules cannot tell apart: the order of
the columns, a pyramid and its mirror image, names of ranks and of suits. Where many cards lie open suits are forgotten.

A deal that is typed in is compared with those of rated games under way in which every card lies open. A game with
hidden cards is not compared: a refusal would confirm a guess that is typed in.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations, compress, groupby, permutations
from math import isqrt
from typing import Any, NamedTuple
from uuid import UUID

import numpy
from cachetools import LRUCache

from domain.capabilities import RankNames
from domain.games import GAME_TYPES
from domain.kit.cards import PACK, RANKS, SUITS
from domain.play import events as ev
from domain.play.aggregate import AnyRecord
from domain.record import Withheld
from domain.view import ALL_SEEING, View
from projections.games.game_lists import GAMES, public_lists
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

_FEWEST = 5
"""So many cards must agree at least: of deals that show fewer many agree by chance."""
_MANY = 20
"""The ranks of so many cards tell one deal from another."""
_NUMBER = {card: number for number, card in enumerate(PACK)}
_Numbers = numpy.ndarray[Any, numpy.dtype[Any]]
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


class Place(NamedTuple):
    """Where a card lies: in which pile of a family, over how many face-down cards, under how many that are face up."""

    family: str
    pile: int
    face_down: int
    covered: int


class OpenCards(NamedTuple):
    """The playing cards of a deal that everybody sees, as numbers in the pack, and the place of each."""

    cards: bytes
    places: tuple[Place, ...]


def open_cards(view: View[Any]) -> OpenCards:
    """What this view shows; the piles of a family (columns, foundations) are counted where they show a card."""
    numbers, places, piles = list[int](), list[Place](), Counter[str]()
    for zone in view.zones:
        family = zone.id.split("_")[0]
        seen = [(covered, card) for covered, card in enumerate(reversed(zone.cards)) if card in _NUMBER]
        numbers += [_NUMBER[card] for _, card in seen]
        places += [Place(family, piles[family], zone.face_down, covered) for covered, _ in seen]
        piles[family] += bool(seen)
    return OpenCards(bytes(numbers), tuple(places))


def find_alike(game_type: str, first: OpenCards, others: Sequence[bytes], places: tuple[Place, ...]) -> list[bool]:
    """For each of these others of its game type, whose cards lie in these places, whether it is like the first.

    More than half of the cards agree in their places; or wherever the columns stand some two thirds, by the pairs of
    cards in one column, where they make four in nine; where few cards lie open, all but one.
    """
    open_in_both = min(len(first.places), len(places))
    if open_in_both < _FEWEST or not others:
        return [False] * len(others)
    many = open_in_both >= _MANY
    names = names_of_ranks(game_type) if many else _names_of_cards(game_type)
    ours = names[:, numpy.frombuffer(first.cards, numpy.uint8) % names.shape[1]]
    theirs = numpy.frombuffer(b"".join(others), numpy.uint8).reshape(-1, len(places)) % names.shape[1]
    alike = numpy.zeros(len(others), bool)
    for lying in {first.places, _in_mirror(first.places)}:
        at = {place: card for card, place in enumerate(lying)}
        shared = [(at[place], card) for card, place in enumerate(places) if place in at]
        in_first, in_other = numpy.array(shared, int).reshape(-1, 2).T
        agreeing = [(ours[:, in_first] == cards).sum(axis=1).max() for cards in theirs[:, in_other]]
        alike |= numpy.array(agreeing) >= max(open_in_both // 2 + 1, _FEWEST)
    bonds, bound = (list(_bonds(lying, many)) for lying in (first.places, places))
    enough = min(len(bonds), len(bound)) * 4 // 9 + 1 if many else max(open_in_both - 1, _FEWEST)
    if bonds and bound:
        kinds = {kind: number for number, kind in enumerate({kind for kind, *_ in (*bonds, *bound)})}
        counted = _count(theirs, bound, kinds, names.shape[1])
        for cards in _count(ours, bonds, kinds, names.shape[1]):
            alike |= numpy.minimum(cards, counted).sum(axis=1) >= enough
    return [bool(is_alike) for is_alike in alike]


def _in_mirror(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The other side of a pyramid, whose row k has k + 1 piles; elsewhere the same places."""
    rows = [(isqrt(8 * at.pile + 1) - 1) // 2 for at in places]
    return tuple(
        at._replace(pile=row * (row + 2) - at.pile) if at.family == "pyramid" else at
        for at, row in zip(places, rows, strict=True)
    )


def _bonds(places: Sequence[Place], many: bool) -> Iterator[tuple[Any, int, int]]:
    """Each two cards of one column, by how many lie on each; of few each card, by the kind of its column."""
    if not many:
        yield from (((at.family, at.face_down), card, card) for card, at in enumerate(places))
    for (first, upper), (second, lower) in combinations(enumerate(places), 2):
        if many and upper[:2] == lower[:2]:
            yield (upper.covered, lower.covered), first, second


def _count(deals: _Numbers, bonds: Sequence[tuple[Any, int, int]], kinds: dict[Any, int], names: int) -> _Numbers:
    """For each deal how often each card with each rank is in each kind of bond."""
    kind, first, second = numpy.array([(kinds[kind], first, second) for kind, first, second in bonds]).T
    most, codes = len(kinds) * names * len(RANKS), (kind * names + deals[:, first]) * len(RANKS)
    codes += deals[:, second] % len(RANKS) + most * numpy.arange(len(deals))[:, None]
    return numpy.bincount(codes.ravel(), minlength=most * len(deals)).astype(numpy.uint8).reshape(-1, most)


@cache
def names_of_ranks(game_type: str) -> _Numbers:
    """In each row other names for the ranks with which the game is the same."""
    return numpy.array(GAME_TYPES[game_type].get(RankNames).rows(), numpy.uint8)


@cache
def _names_of_cards(game_type: str) -> _Numbers:
    """The same with other names for the suits: for each card of the pack, as its number there."""
    suits = numpy.array([*permutations(range(len(SUITS)))], numpy.uint8)[:, None, :, None]
    return (suits * len(RANKS) + names_of_ranks(game_type)[:, None]).reshape(-1, len(PACK))


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
                if (await room.game(game)).status not in OVER:
                    return True
            except _UNREADABLE:
                return True  # it may not be over
    return False


def _alike(game_type: str, cards: OpenCards, dealt: dict[UUID, bytes]) -> list[UUID]:
    """Which of these games were dealt such cards: where no card is hidden, they lie in the same places."""
    same, alike = [game for game, others in dealt.items() if len(others) == len(cards.cards)], list[UUID]()
    for start in range(0, len(same), _COMPARED):
        games = same[start : start + _COMPARED]
        alike += compress(games, find_alike(game_type, cards, [dealt[game] for game in games], cards.places))
    return alike


async def _read_deals(game_type: str, store: EventStore, reads: Reads) -> dict[UUID, bytes]:
    """The games of this type that are under way, and their cards: none of one that does not count."""
    games = await _games_under_way(game_type, store, reads)
    dealt = {game: cards for game in games if (cards := _cards.get(game)) is not None}
    unread = [game for game in games if game not in dealt]
    for start in range(0, len(unread), _AT_ONCE):
        rows = await _read_first(unread[start : start + _AT_ONCE], store)
        for game, records in groupby((row.record for row in rows), key=lambda record: record.stream):
            if (cards := await _cards_of(store, game, game_type, [*records])) is not None:
                dealt[game] = _cards[game] = cards
            await asyncio.sleep(0)
    return dealt


async def _games_under_way(game_type: str, store: EventStore, reads: Reads) -> set[UUID]:
    """The games in the list, which has all that count, and those that have started since it was written."""
    async with reads.of(GAMES) as lists:
        (playing,) = public_lists(None, game_type, "playing")
        games, position = {UUID(key) for key, _ in await lists.documents(playing)}, lists.position
    if await store.head() - position > _FURTHEST:
        raise Refused("busy", "The lists of games are being made anew; ask again later.")
    return games | {UUID(str(game)) for (game,) in await store.query(_STARTED, (position, _STARTING))}


async def _read_first(games: Sequence[UUID], store: EventStore) -> list[Recorded]:
    """The first records of these games, one after the other; none of a damaged one."""
    try:
        return await store.run_queries(_first_records(games, store.codec))
    except _UNREADABLE:
        alone = [await _read_first([game], store) for game in games] if len(games) > 1 else []
        return [row for rows in alone for row in rows]


def _first_records(games: Sequence[UUID], codec: Codec) -> MultiQuery[list[Recorded]]:
    rows = yield _FIRST, (list(games), _RECORDS)
    return (yield from decode_log_rows(rows, codec))


async def _cards_of(store: EventStore, game: UUID, game_type: str, first: list[AnyRecord]) -> bytes | None:
    """The cards of this game, whose first records these are: none of one that does not count.

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
            if (complete := _replay_of(await store.records(game))) is None:
                return None
            replay, cards = complete, dealt_cards(complete)
    return None if cards is None else cards.cards if hides_none(replay) else b""


def _replay_of(records: list[AnyRecord]) -> Replay | None:
    """None where a key is missing: the game cannot go on."""
    if any(type(record.event) is Withheld for record in records):
        return None
    replay = Replay()
    replay.extend(records)
    return replay
