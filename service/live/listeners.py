"""Listeners: open inboxes, which hear of steps in their players' games, and feeds, which hear of ended games."""

import asyncio
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from uuid import UUID

from domain.play.aggregate import Game
from service.live.inbox import has_several_players


class Listener:
    """One player's open inbox: collects the player's games in which a step was committed."""

    def __init__(self) -> None:
        self._games: set[UUID] = set()
        self._news = asyncio.Event()
        self.known: Collection[UUID] | None = None
        """The games that this stream has listed as waiting; None before its snapshot."""

    def tell(self, game: UUID | None) -> None:
        """A step of this game was committed; None only wakes."""
        self._games.update(() if game is None else (game,))
        self._news.set()

    async def next_games(self, seconds: float) -> frozenset[UUID]:
        """The games with news, as soon as there is one; none after `seconds` without any."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return frozenset()
        games = frozenset(self._games)
        self._games.clear()
        self._news.clear()
        return games


class Listeners:
    """The open inboxes of this process, by player, and the feeds that wait for the next game to end."""

    def __init__(self) -> None:
        self._open: dict[UUID, set[Listener]] = {}
        self._ended = asyncio.Event()
        self.feeds = 0
        """How many feeds are open and may wait for a game to end."""

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    @contextmanager
    def listen(self, player: UUID) -> Iterator[Listener]:
        """A listener for every step committed from now on in the player's games."""
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
        """The players with open inboxes."""
        return list(self._open)

    def hear(self, games: Collection[UUID], waiting: Collection[tuple[UUID, UUID]]) -> None:
        """Tell listeners of steps that other processes recorded; `waiting`: pairs of game and waiting player."""
        for player, listeners in self._open.items():
            for listener in listeners:
                for game in games:
                    if listener.known is None or game in listener.known or (game, player) in waiting:
                        listener.tell(game)

    @contextmanager
    def open_feed(self) -> Iterator[None]:
        """Count an open feed."""
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
        if self._open and has_several_players(game):
            for player in set(game.players):
                for listener in self._open.get(player, ()) if player is not None else ():
                    listener.tell(game.id)

    def wake_player(self, player: UUID) -> None:
        """Wake this player's inboxes to check their tokens, which may have been revoked."""
        for listener in self._open.get(player, ()):
            listener.tell(None)

    def wake(self) -> None:
        """The process ends: wake all listeners, so that they stop."""
        self.end()
        for listeners in self._open.values():
            for listener in listeners:
                listener.tell(None)
