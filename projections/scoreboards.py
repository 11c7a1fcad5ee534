"""Life-time boards: per game type and rule set a standing for every player, from rated games only.

The unit of counting is the game. A game counts once it is finished and, in a contest, revealed; a void takes it out
again, in whatever order the two come.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.game import events as ev
from domain.game_type import Seat
from domain.record import Micros, Record
from projections.projection import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.standings import LIFE_TIME, Outcome, PlayedGame, Standing, sort_of, standing


class BoardGame(Struct, frozen=True, omit_defaults=True):
    """What the boards know of one game; `position` and `finished_at` are those of its first finish."""

    game_type: str
    rated: bool = True
    public: bool = False
    revealed: bool = False
    voided: bool = False
    finish: ev.Finished | None = None
    position: int = 0
    finished_at: Micros = 0

    @property
    def counts(self) -> bool:
        """Whether it is part of the standings; a contest's game only when all may know of it."""
        if self.finish is None or self.voided or not self.rated:
            return False
        return self.revealed or self.finish.contest is None


GAMES: Family[BoardGame] = Family("games", BoardGame)
BOARD: Family[Standing] = Family("board", Standing)
PLAYED: Family[PlayedGame] = Family("played", PlayedGame)


def board(game_type: str, rule_set: str | None = None) -> Collection[Standing]:
    """The standings of one game type and rule set, by player; the listed ones in order."""
    return BOARD(game_type, *_named(rule_set))


def played(player: UUID, game_type: str, rule_set: str | None = None) -> Collection[PlayedGame]:
    """The counted games behind a player's standing, by game, newest first."""
    return PLAYED(player, game_type, *_named(rule_set))


def _named(rule_set: str | None) -> tuple[str, ...]:
    return () if rule_set is None else (rule_set,)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game's life."""
    record = recorded.record
    before = documents.get(GAMES(), str(record.stream)) or BoardGame(record.type)
    after = _known(before, recorded)
    if after != before:
        documents.put(GAMES(), str(record.stream), after)
    if after.counts != before.counts:
        _recount(documents, record.stream, after)


def _known(game: BoardGame, recorded: Recorded) -> BoardGame:
    event, record = recorded.record.event, recorded.record
    if isinstance(event, ev.Opened):
        return replace(game, rated=event.rated, public=event.visibility == "public")
    if isinstance(event, ev.Voided):
        return replace(game, voided=True)
    if isinstance(event, ev.Revealed):
        return replace(game, revealed=True)
    if isinstance(event, ev.Finished) and game.finish is None:
        return replace(game, rated=event.rated, finish=event, position=recorded.position, finished_at=record.time)
    return game


def _recount(documents: Documents, game_id: UUID, game: BoardGame) -> None:
    if game.finish is None:
        return
    for player, result in results(game_id, game):
        games = played(player, game.game_type, game.finish.rule_set)
        if game.counts:
            documents.put(games, str(game_id), result, rank_key(result.position))
        else:
            documents.delete(games, str(game_id))
        _stand(documents, player, game, result)


def _stand(documents: Documents, player: UUID, game: BoardGame, result: PlayedGame) -> None:
    """The player's row anew: one game further, or over all games if this one does not come last."""
    rule_set = game.finish.rule_set if game.finish else None
    rows, fresh = board(game.game_type, rule_set), Standing(player, game.game_type, rule_set, LIFE_TIME.id)
    row = documents.get(rows, str(player)) or fresh
    if game.counts and result.position > row.last_position:
        row = standing(row, [result])
    else:
        row = standing(fresh, (one for _, one in documents.scan(played(player, game.game_type, rule_set))))
    _put(documents, rows, row)


def _put(documents: Documents, rows: Collection[Standing], row: Standing) -> None:
    if row.games:
        documents.put(rows, str(row.player), row, sort_of(row))
    else:
        documents.delete(rows, str(row.player))


def results(game_id: UUID, game: BoardGame) -> Iterator[tuple[UUID, PlayedGame]]:
    """What a finished game is worth to each player; to nobody where it was no contest (see `contested`)."""
    finish = game.finish
    if finish is None or not contested(finish) or not attempted(finish):
        return
    for seat, player in enumerate(finish.players):
        if player is not None:
            yield player, _result(game_id, game, finish, seat)


def contested(finish: ev.Finished) -> bool:
    """Nobody sits twice and, where there are several seats, two players have met: no one beats himself on a board."""
    present = [player for player in finish.players if player is not None]
    return len(set(present)) == len(present) >= min(2, len(finish.players))


def attempted(finish: ev.Finished) -> bool:
    """An attempt begins at the first move: a game given up before it is none."""
    return finish.moves > 0 or not (finish.ending == "abandoned" or finish.reason in ("resigned", "timed_out"))


def _result(game_id: UUID, game: BoardGame, finish: ev.Finished, seat: Seat) -> PlayedGame:
    return PlayedGame(
        game=game_id,
        position=game.position,
        finished_at=game.finished_at,
        outcome=_outcome(finish, seat),
        reason=finish.reason,
        seat=seat,
        moves=finish.moves,
        undos=finish.undos,
        took=game.finished_at - finish.opened_at,
        score=finish.scores[seat] if seat < len(finish.scores) else None,
        public=game.public,
    )


def _outcome(finish: ev.Finished, seat: Seat) -> Outcome:
    """A winning seat wins; a winner need not be named where one sits alone, nor the sharers of a draw."""
    if finish.ending == "abandoned":
        return "not_completed"
    alone, named = len(finish.players) == 1, seat in finish.winners
    if finish.ending == "drawn":
        return "drawn" if named or not finish.winners else "lost"
    return "won" if finish.ending == "won" and (named or (alone and not finish.winners)) else "lost"


def wants(record: Record[Any, Any]) -> Wanted:
    """The game itself and, when it finishes, its players' rows."""
    yield GAMES(), str(record.stream)
    if isinstance(record.event, ev.Finished):
        rows = board(record.type, record.event.rule_set)
        yield from ((rows, str(player)) for player in record.event.players if player is not None)


SCOREBOARDS = Projection(
    name="scoreboards",
    version=1,
    topics=frozenset({"game/opened", "game/finished", "game/revealed", "game/voided"}),
    families=(GAMES, BOARD, PLAYED),
    fold=fold,
    wants=wants,
)
