"""Rulings on single games, as the log has them: which game became void, or counts again, at which position."""

import asyncio
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

from domain.rulings import STREAM_TYPE as SITE
from domain.rulings import GamesVoided, VoidsWithdrawn
from service.event_store.codec import standard_codec
from service.event_store.store import EventStore
from service.live import shapes

_PAGE = 500
_SELECT = """
SELECT position, state FROM events WHERE topic IN ('ruling/games_voided', 'ruling/voids_withdrawn')
AND position > %s AND position <= %s ORDER BY position LIMIT %s
"""


class Place(NamedTuple):
    """A place in the feed: behind everything at this position, or behind so many `lines` of the ruling there."""

    position: int
    lines: int = 0

    def text(self) -> str:
        """The cursor."""
        return f"{self.position}.{self.lines}" if self.lines else str(self.position)


def read_place(text: str) -> Place:
    """The place that this cursor stands for."""
    position, _, lines = text.partition(".")
    return Place(int(position), int(lines or 0))


class GameRuling(NamedTuple):
    """What a ruling says of one game: the `number`-th of the `of` games that it names; `told` is its wire shape."""

    position: int
    number: int
    of: int
    game: UUID
    voids: bool
    told: shapes.GameRuling

    @property
    def place(self) -> Place:
        """The place in the feed behind this."""
        return Place(self.position) if self.number == self.of else Place(self.position, self.number)


_order = attrgetter("position", "number")


class GameRulings:
    """Those rulings of one log, read once and kept: they are few."""

    def __init__(self) -> None:
        self._read_upto = 0
        self._all: list[GameRuling] = []
        self._of_games: defaultdict[UUID, list[GameRuling]] = defaultdict(list)
        self._lock = asyncio.Lock()

    async def read(self, store: EventStore, until: int) -> None:
        """Read on up to this position; raises StoreUnavailable."""
        async with self._lock:
            while self._read_upto < until:
                rows = await store.query(_SELECT, (self._read_upto, until, _PAGE))
                for position, state in rows:
                    for ruling in _rulings(position, state):
                        self._all.append(ruling)
                        self._of_games[ruling.game].append(ruling)
                self._read_upto = rows[-1][0] if len(rows) == _PAGE else until

    def between(self, after: Place, until: int) -> Sequence[GameRuling]:
        """The rulings behind this place, up to this position, in order."""
        first = bisect_left(self._all, (after.position + (not after.lines), after.lines + 1), key=_order)
        return self._all[first : bisect_left(self._all, (until + 1, 0), key=_order)]

    def newest(self, game: UUID) -> GameRuling | None:
        """The newest ruling on the game."""
        return self._of_games[game][-1] if game in self._of_games else None

    def void(self, game: UUID, position: int, number: int = 0) -> GameRuling | None:
        """The ruling by which the game is void at this place, a moderator's before a league's; None: it is not void."""
        standing: dict[UUID | None, GameRuling] = {}
        for ruling in self._of_games.get(game, ()):
            if _order(ruling) > (position, number):
                break
            standing.pop(ruling.told.league_id, None)
            if ruling.voids:
                standing[ruling.told.league_id] = ruling
        return standing.get(None) or next(iter(standing.values()), None)


def _rulings(position: int, state: bytes) -> Iterator[GameRuling]:
    record = standard_codec().decode(state)
    event: GamesVoided | VoidsWithdrawn = record.event
    league, voids = None if record.type == SITE else record.stream, isinstance(event, GamesVoided)
    told = shapes.GameRuling(league, record.version, shapes.moment(record.time), event.reason)
    for number, game in enumerate(event.games, 1):
        yield GameRuling(position, number, len(event.games), game, voids, told)
