"""The games in memory: those that were played or looked at lately, each at the newest version known."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from uuid import UUID

from domain.play.aggregate import Game


class Remembered:
    """So many games, counting a long one with undo for several; the one left alone longest is forgotten first.

    `forgotten` counts the times that what was known was taken for old: what was being read then is not kept either.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._games: OrderedDict[UUID, Game] = OrderedDict()
        self._weight = 0
        self.forgotten = 0

    def __len__(self) -> int:
        return len(self._games)

    def get(self, game_id: UUID) -> Game | None:
        """The game, if it is in memory."""
        return self._games.get(game_id)

    def used(self, game_id: UUID) -> None:
        """The game, which is in memory, is not the next to be forgotten."""
        self._games.move_to_end(game_id)

    def keep(self, game: Game) -> Game:
        """The newest version known stays: one that was fetched meanwhile may be older."""
        known = self._games.get(game.id)
        if known is not None and known.version > game.version:
            game = known
        self.drop(game.id)
        self._games[game.id] = game
        self._weight += _weight(game)
        while self._weight > self._capacity and len(self._games) > 1:
            self.drop(next(iter(self._games)))
        return game

    def drop(self, game_id: UUID) -> None:
        """Without this game; what is being read of it is kept all the same."""
        if (game := self._games.pop(game_id, None)) is not None:
            self._weight -= _weight(game)

    def forget(self, games: Iterable[UUID]) -> None:
        """What is known of these may be old."""
        self.forgotten += 1
        for game_id in games:
            self.drop(game_id)

    def which(self, wanted: Callable[[Game], bool]) -> list[UUID]:
        """The games in memory of which this is true."""
        return [game.id for game in self._games.values() if wanted(game)]


def _weight(game: Game) -> int:
    """What a game takes up: undo keeps a state for every step, some fifteen kilobytes for fifty of them."""
    return 1 + (game.moves // 50 if game.past is not None else 0)
