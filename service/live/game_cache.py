"""Recent games in memory: each as it stands, and its replay once somebody has asked for its steps."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from cachetools import LRUCache

from domain.play.aggregate import Game
from service.live.replay import Replay


@dataclass(slots=True)
class _Kept:
    game: Game
    replay: Replay | None = None


class GameCache:
    """Games by id, the least recently read leave first. `capacity`: how many, short ones."""

    def __init__(self, capacity: int) -> None:
        self._kept: LRUCache[int, _Kept] = LRUCache(capacity, _weight)  # by the id's number: its hash is no call
        self.forgotten = 0
        """How often games were forgotten: what was read meanwhile may be outdated, and must not be kept."""

    def __len__(self) -> int:
        return len(self._kept)

    def game(self, game_id: UUID) -> Game | None:
        """The game as it was kept last."""
        kept = self._kept.get(game_id.int)
        return None if kept is None else kept.game

    def keep(self, game: Game) -> Game:
        """Keep this game, unless a newer version is known; the newest version."""
        kept = self._kept.get(game.id.int) or _Kept(game)
        if kept.game.version <= game.version:
            kept.game = game
            self._weigh(kept)
        return kept.game

    def replay(self, game: Game) -> Replay | None:
        """The replay that was kept with this game; another record may have been imported under its id since."""
        kept = self._kept.get(game.id.int)
        replay = None if kept is None else kept.replay
        return None if replay and game.importers is not None and replay.digest != game.digest else replay

    def keep_replay(self, game: Game, replay: Replay) -> None:
        """Keep this replay with its game, if that is kept."""
        if (kept := self._kept.get(game.id.int)) is not None:
            kept.replay = replay
            self._weigh(kept)

    def drop(self, game_id: UUID) -> None:
        """Drop this game and its replay."""
        self._kept.pop(game_id.int, None)

    def forget(self, games: Iterable[UUID]) -> None:
        """Drop these games, and whatever of them is being read now."""
        self.forgotten += 1
        for game_id in games:
            self.drop(game_id)

    def ids(self, choose: Callable[[Game], bool]) -> list[UUID]:
        """The ids of the games that are chosen."""
        return [kept.game.id for kept in self._kept.values() if choose(kept.game)]

    def _weigh(self, kept: _Kept) -> None:
        """What is kept has grown: what alone weighs more than the capacity leaves, a replay first."""
        try:
            self._kept[kept.game.id.int] = kept
        except ValueError:
            kept.replay = None
            self.drop(kept.game.id)
            if _weight(kept) <= self._kept.maxsize:
                self._kept[kept.game.id.int] = kept


def _weight(kept: _Kept) -> int:
    """A weight in memory: fifty states that undo keeps, or twenty steps of a replay, are some fifteen kilobytes."""
    undone = kept.game.moves // 50 if kept.game.past is not None else 0
    return 1 + undone + (1 + len(kept.replay.steps) // 20 if kept.replay is not None else 0)
