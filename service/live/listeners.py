"""Who listens: open inboxes, told of the committed steps of their players' games, and feeds, of games that end."""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

from domain.play.aggregate import Game
from service.live.inbox import shared


class Listener:
    """One player's open inbox: hears in which of the player's games something happened."""

    def __init__(self) -> None:
        self._games: set[UUID] = set()
        self._news = asyncio.Event()
        self.known: Collection[UUID] | None = None
        """The games that this player knows to wait; None before the snapshot."""

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
        self.feeds = 0
        """How many feeds wait, or are about to, for a game to end anywhere."""

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

    @property
    def players(self) -> list[UUID]:
        """Whose inboxes are open."""
        return list(self._open)

    def hear(self, games: Collection[UUID], waiting: Collection[tuple[UUID, UUID]]) -> None:
        """Another process has recorded steps of these games; which of them wait for which players now."""
        for player, listeners in self._open.items():
            for listener in listeners:
                for game in games:
                    if listener.known is None or game in listener.known or (game, player) in waiting:
                        listener.tell(game)

    @contextmanager
    def feeding(self) -> Iterator[None]:
        """While a feed may wait."""
        self.feeds += 1
        try:
            yield
        finally:
            self.feeds -= 1

    def next_end(self) -> asyncio.Event:
        """Set when the next game is over and revealed, or the process ends."""
        return self._ended

    def end(self) -> None:
        """A game is over and revealed."""
        self._ended.set()
        self._ended = asyncio.Event()

    def tell(self, game: Game) -> None:
        """A step of this game was committed."""
        if game.revealed:
            self.end()
        if self._open and shared(game):
            for player in set(game.players):
                for listener in self._open.get(player, ()) if player is not None else ():
                    listener.tell(game.id)

    def wake_player(self, player: UUID) -> None:
        """This player's inboxes are looked at again: a token may be good no longer."""
        for listener in self._open.get(player, ()):
            listener.tell(None)

    def wake(self) -> None:
        """The process ends: whoever listens is woken, to break off."""
        self.end()
        for listeners in self._open.values():
            for listener in listeners:
                listener.tell(None)
