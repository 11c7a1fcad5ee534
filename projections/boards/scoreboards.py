"""Life-time boards: per game type and rule set a standing for every player, from rated games only.

The unit of counting is the game. A game counts once it is finished and, in a contest, revealed; a void takes it out
again, in either order of the two.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from domain.play import events as ev
from domain.record import Record
from domain.view import Seat
from projections.boards.standings import LIFE_TIME, Outcome, PlayedGame, Standing, sort_of, standing
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import TOPICS, Play, changed_plays, games_of, places

GAMES: Family[Play] = Family("games", Play)
BOARD: Family[Standing] = Family("board", Standing)
PLAYED: Family[PlayedGame] = Family("played", PlayedGame)


def board(game_type: str, rule_set: str | None = None) -> Collection[Standing]:
    """The standings of one game type and rule set, by player; the listed ones in order."""
    return BOARD(game_type, *_rule_set_part(rule_set))


def played_games(player: UUID, game_type: str, rule_set: str | None = None) -> Collection[PlayedGame]:
    """The counted games behind a player's standing, by game, newest first."""
    return PLAYED(player, game_type, *_rule_set_part(rule_set))


def _rule_set_part(rule_set: str | None) -> tuple[str, ...]:
    return () if rule_set is None else (rule_set,)


def fold(documents: Documents, recorded: Recorded) -> None:
    """One event of a game's life, or a ruling that holds everywhere."""
    for before, after in changed_plays(documents, GAMES(), recorded):
        documents.put(GAMES(), str(after.game), after)
        if (after.counts, after.result) != (before.counts, before.result):
            old, new = (dict(results(play)) if play.counts else {} for play in (before, after))
            for player in {**old, **new}:
                _recount_player(documents, player, after, new.get(player))


def _recount_player(documents: Documents, player: UUID, play: Play, result: PlayedGame | None) -> None:
    """The player's games, and their row again: one game added, or over all games if this one does not come last."""
    games, rows = played_games(player, play.game_type, play.rule_set), board(play.game_type, play.rule_set)
    if result is None:
        documents.delete(games, str(play.game))
    else:
        documents.put(games, str(play.game), result, rank_key(result.position))
    fresh = Standing(player, play.game_type, play.rule_set, LIFE_TIME.id)
    row = documents.get(rows, str(player)) or fresh
    if result is not None and result.position > row.last_position:
        row = standing(row, [result])
    else:
        row = standing(fresh, (line for _, line in documents.scan(games)))
    if row.games:
        documents.put(rows, str(player), row, sort_of(row))
    else:
        documents.delete(rows, str(player))


def results(play: Play) -> Iterator[tuple[UUID, PlayedGame]]:
    """By player the result of a finished game; nothing if not contested (see `is_contested`) or not counted."""
    finish = play.result
    if finish is None or not is_contested(finish) or not play.begun:
        return
    if len(finish.players) > 1 and places(play) is None:
        return
    for seat, player in enumerate(finish.players):
        if player is not None:
            yield player, PlayedGame(
                game=play.game, position=play.position, finished_at=play.finished_at, outcome=_outcome(finish, seat),
                reason=finish.reason, seat=seat, moves=finish.moves, undos=finish.undos,
                took=play.finished_at - finish.opened_at,
                score=finish.scores[seat] if seat < len(finish.scores) else None,
            )  # fmt: skip


def is_contested(finish: ev.Finished) -> bool:
    """No player sits twice and, with several seats, at least two players met: no win against oneself."""
    present = [player for player in finish.players if player is not None]
    return len(set(present)) == len(present) >= min(2, len(finish.players))


def _outcome(finish: ev.Finished, seat: Seat) -> Outcome:
    """A winning seat wins; a winner need not be named where one sits alone, nor the sharers of a draw.

    A table that all agreed to close is a draw, as in leagues.
    """
    alone, named = len(finish.players) == 1, seat in finish.winners
    if alone and finish.ending == "abandoned":
        return "not_completed"
    if finish.ending in ("drawn", "abandoned"):
        return "drawn" if named or not finish.winners else "lost"
    return "won" if finish.ending == "won" and (named or (alone and not finish.winners)) else "lost"


def wants(record: Record[Any, Any]) -> Wanted:
    """The games and, when one finishes, its players' rows."""
    yield from ((GAMES(), str(game)) for game in games_of(record.event, record.stream))
    if isinstance(record.event, ev.Finished):
        rows = board(record.type, record.event.rule_set)
        yield from ((rows, str(player)) for player in record.event.players if player is not None)


SCOREBOARDS = Projection(
    name="scoreboards",
    version=4,
    topics=TOPICS - {"game/joined", "game/left"},
    families=(GAMES, BOARD, PLAYED),
    fold=fold,
    wants=wants,
)
