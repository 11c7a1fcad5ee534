"""Who hears of committed steps: streams of games, open inboxes and feeds.

A game's stream has a queue of the steps committed since it began; an inbox hears of its player's games; a feed waits
for the next game to end.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from uuid import UUID

from domain.play.aggregate import AnyRecord, Game
from service.live.inbox import has_several_players

Records = tuple[AnyRecord, ...]
_UNHEARD = 256
"""Most queued steps of a slow watcher; one further behind reads the missed steps."""


class Watchers:
    """The watchers of this process, by game."""

    def __init__(self) -> None:
        self.of_games: dict[UUID, set[asyncio.Queue[Records]]] = {}
        self._of_players: dict[UUID, set[asyncio.Queue[Records]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self.of_games.values()))

    @asynccontextmanager
    async def watch(self, game_id: UUID, player: UUID | None) -> AsyncIterator["asyncio.Queue[Records]"]:
        """A queue of the records of every step committed from now on; empty tuples for other processes' steps."""
        with self.watch_player(player) as queue, _registered_queue(self.of_games, game_id, queue):
            yield queue

    @contextmanager
    def watch_player(self, player: UUID | None) -> Iterator["asyncio.Queue[Records]"]:
        """A queue that hears when this player's tokens may have been revoked; nothing for an anonymous visitor."""
        queue: asyncio.Queue[Records] = asyncio.Queue(_UNHEARD)
        with nullcontext() if player is None else _registered_queue(self._of_players, player, queue):
            yield queue

    def tell(self, game_id: UUID, records: Records) -> None:
        """A step of this game was committed: here, with these records, or by another process, with none."""
        for watcher in self.of_games.get(game_id, ()):
            _put_newest(watcher, records)

    def wake_player(self, player: UUID) -> None:
        """Wake this player's watchers to check their tokens, which may have been revoked."""
        for watcher in self._of_players.get(player, ()):
            _put_newest(watcher, ())

    def wake(self) -> None:
        """Wake all watchers, so that they read for themselves."""
        for watchers in self.of_games.values():
            for watcher in watchers:
                _put_newest(watcher, ())


@contextmanager
def _registered_queue(
    all_of: dict[UUID, set[asyncio.Queue[Records]]], key: UUID, queue: "asyncio.Queue[Records]"
) -> Iterator[None]:
    all_of.setdefault(key, set()).add(queue)
    try:
        yield
    finally:
        all_of[key].discard(queue)
        if not all_of[key]:
            del all_of[key]


def _put_newest(watcher: "asyncio.Queue[Records]", records: Records) -> None:
    while watcher.full():
        watcher.get_nowait()
    watcher.put_nowait(records)


class Listener:
    """One player's open inbox: collects the player's games in which a step was committed."""

    def __init__(self) -> None:
        self._games: set[UUID] = set()
        self._news = asyncio.Event()
        self.listed: Collection[UUID] | None = None
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
        self.of_players: dict[UUID, set[Listener]] = {}
        self._ended = asyncio.Event()
        self.feeds = 0
        """How many feeds are open and may wait for a game to end."""

    def __len__(self) -> int:
        return sum(map(len, self.of_players.values()))

    @contextmanager
    def listen(self, player: UUID) -> Iterator[Listener]:
        """A listener for every step committed from now on in the player's games."""
        listener = Listener()
        self.of_players.setdefault(player, set()).add(listener)
        try:
            yield listener
        finally:
            self.of_players[player].discard(listener)
            if not self.of_players[player]:
                del self.of_players[player]

    @property
    def players(self) -> list[UUID]:
        """The players with open inboxes."""
        return list(self.of_players)

    def hear(self, games: Collection[UUID], waiting: Collection[tuple[UUID, UUID]]) -> None:
        """Tell listeners of steps that other processes recorded; `waiting`: pairs of game and waiting player."""
        for player, listeners in self.of_players.items():
            for listener in listeners:
                for game in games:
                    if listener.listed is None or game in listener.listed or (game, player) in waiting:
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
        if self.of_players and has_several_players(game):
            for player in set(game.players):
                for listener in self.of_players.get(player, ()) if player is not None else ():
                    listener.tell(game.id)

    def wake_player(self, player: UUID) -> None:
        """Wake this player's inboxes to check their tokens, which may have been revoked."""
        for listener in self.of_players.get(player, ()):
            listener.tell(None)

    def wake(self) -> None:
        """The process ends: wake all listeners, so that they stop."""
        self.end()
        for listeners in self.of_players.values():
            for listener in listeners:
                listener.tell(None)
