"""Who listens: open inboxes, told of the committed steps of their players' games, and feeds, of games that end."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from domain.game.aggregate import Game
from service.inbox import shared


class Listener:
    """One player's open inbox: hears in which of the player's games something happened."""

    def __init__(self) -> None:
        self._games: set[UUID] = set()
        self._news = asyncio.Event()

    def tell(self, game: UUID | None) -> None:
        """A step of this game was committed; None only wakes."""
        self._games.update(() if game is None else (game,))
        self._news.set()

    async def heard(self, seconds: float) -> frozenset[UUID]:
        """The games heard of, as soon as there is one; none when only time has passed."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return frozenset()
        games = frozenset(self._games)
        self._games.clear()
        self._news.clear()
        return games


class Listeners:
    """The open inboxes of this process, by player, and what waits for the next game to end."""

    def __init__(self) -> None:
        self._open: dict[UUID, set[Listener]] = {}
        self._ended = asyncio.Event()

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    @contextmanager
    def listen(self, player: UUID) -> Iterator[Listener]:
        """What hears of every step committed from now on in the player's games."""
        listener = Listener()
        self._open.setdefault(player, set()).add(listener)
        try:
            yield listener
        finally:
            self._open[player].discard(listener)
            if not self._open[player]:
                del self._open[player]

    def next_end(self) -> asyncio.Event:
        """Set when the next game is over and revealed, or the process ends."""
        return self._ended

    def _end(self) -> None:
        self._ended.set()
        self._ended = asyncio.Event()

    def tell(self, game: Game) -> None:
        """A step of this game was committed."""
        if game.revealed:
            self._end()
        if self._open and shared(game):
            for player in set(game.players):
                for listener in self._open.get(player, ()) if player is not None else ():
                    listener.tell(game.id)

    def wake(self) -> None:
        """The process ends: whoever listens is woken, to break off."""
        self._end()
        for listeners in self._open.values():
            for listener in listeners:
                listener.tell(None)
