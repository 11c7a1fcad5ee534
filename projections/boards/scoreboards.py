"""Life-time boards: per game type and rule set a standing for every player, from rated games only.

The unit of counting is the game. A game counts once it is finished and, in a contest, revealed; a void takes it out
again, in either order of the two.

People are ordered by the Wilson lower bound of their win rate, exact in whole billionths. E. B. Wilson, Probable
Inference, the Law of Succession, and Statistical Inference, JASA 22 (1927):
(p + z²/2n - z √(p(1-p)/n + z²/4n²)) / (1 + z²/n), here with z = a/b and all of it brought over one denominator.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import LowestScore, PureLuck
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.record import Micros, Record
from domain.view import Seat
from projections.engine.contract import Collection, Documents, Family, Projection, Recorded, Wanted, rank_key
from projections.games.counted_games import TOPICS, Play, changed_plays, games_of, places

Outcome = Literal["won", "lost", "drawn", "not_completed"]


class BoardRules(Struct, frozen=True):
    """What a board goes by; a change is a value with a new id and a new version of the projection.

    `least_games` to be listed; `z` of the Wilson bound as a fraction.
    """

    id: str
    least_games: int
    z: tuple[int, int]


LIFE_TIME = BoardRules(
    id="life-time-3",
    least_games=20,
    z=(49, 25),  # 1.96: the two-sided 95 %
)


class PlayedGame(Struct, frozen=True, array_like=True):
    """One counted game of one player: its contribution to the standing.

    `position` is its finish in the log, `took` the microseconds from opening to finish.
    """

    game: UUID
    position: int
    finished_at: Micros
    outcome: Outcome
    reason: str
    seat: Seat
    moves: int
    undos: int
    took: Micros
    score: int | None = None


class Best(Struct, frozen=True):
    """A best value and the game it was reached in; the first to reach it keeps it."""

    value: int
    game: UUID


class Standing(Struct, frozen=True):
    """A row of a board. Rates and bounds (Wilson, 95 %) are in units of 1e-9; `shortest` is in microseconds.

    Clean games are those in which nothing was taken back: they alone rank.
    """

    player: UUID
    game_type: str
    rule_set: str | None
    rules: str
    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    not_completed: int = 0
    win_rate: int = 0
    bound: int = 0
    clean_games: int = 0
    clean_wins: int = 0
    clean_win_rate: int = 0
    clean_bound: int = 0
    listed: bool = False
    streak: int = 0
    best_streak: int = 0
    fewest_moves: Best | None = None
    shortest: Best | None = None
    best_score: Best | None = None
    last_position: int = 0


def standing(start: Standing, games: Iterable[PlayedGame]) -> Standing:
    """The standing after these further games, in the order of their finish.

    Listed are neither games of pure luck nor those of several, where the choice of opponents makes the rate.
    """
    further = sorted(games, key=lambda game: game.position)
    kind, z, streak, best_streak = GAME_TYPES[start.game_type], Fraction(*LIFE_TIME.z), start.streak, start.best_streak
    for game in further:
        streak = streak + 1 if game.outcome == "won" else 0
        best_streak = max(best_streak, streak)
    outcomes, won = Counter([game.outcome for game in further]), [game for game in further if game.outcome == "won"]
    scored = [(game.score, game) for game in further if game.score is not None and game.outcome != "not_completed"]
    total, wins = start.games + len(further), start.wins + len(won)
    clean_games = start.clean_games + sum(not game.undos for game in further)
    clean_wins = start.clean_wins + sum(not game.undos for game in won)
    return replace(
        start, games=total, wins=wins, losses=start.losses + outcomes["lost"], draws=start.draws + outcomes["drawn"],
        not_completed=start.not_completed + outcomes["not_completed"], win_rate=share(wins, total),
        bound=lower_bound(wins, total, z), clean_games=clean_games, clean_wins=clean_wins,
        clean_win_rate=share(clean_wins, clean_games), clean_bound=lower_bound(clean_wins, clean_games, z),
        listed=kind.seats[0] == 1 and not kind.has(PureLuck) and clean_games >= LIFE_TIME.least_games,
        streak=streak, best_streak=best_streak,
        fewest_moves=_better_of(start.fewest_moves, [(game.moves, game) for game in won]),
        shortest=_better_of(start.shortest, [(game.took, game) for game in won]),
        best_score=_better_of(start.best_score, scored, 1 if kind.has(LowestScore) else -1),
        last_position=further[-1].position if further else start.last_position,
    )  # fmt: skip


def sort_of(row: Standing) -> bytes | None:
    """Listed rows by the bound of their clean games, then by how many these are; equal ones share the rank."""
    return rank_key(row.clean_bound, row.clean_games) if row.listed else None


def _better_of(best: Best | None, values: Sequence[tuple[int, PlayedGame]], sign: int = 1) -> Best | None:
    """The lowest value times `sign`; of equal ones the first."""
    if not values:
        return best
    value, game = min(values, key=lambda valued: sign * valued[0])
    if best is not None and sign * best.value <= sign * value:
        return best
    return Best(value, game.game)


UNIT = 10**9


def lower_bound(wins: int, games: int, z: Fraction) -> int:
    """The bound for 0 <= wins <= games in units of 1e-9, rounded down; 0 without games."""
    if games == 0:
        return 0
    a, bb = z.numerator, z.denominator**2
    under_root = 4 * bb * wins * (games - wins) * games + (a * games) ** 2
    top = UNIT * games * (2 * bb * wins + a * a) - _root_up(under_root * (UNIT * a) ** 2)
    return top // (2 * games * (bb * games + a * a))


def _root_up(square: int) -> int:
    """The smallest integer whose square is at least this one."""
    root = isqrt(square)
    return root + (root * root < square)


def share(part: int, whole: int) -> int:
    """A share in units of 1e-9, rounded down; 0 of nothing."""
    return part * UNIT // whole if whole else 0


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
    version=5,
    topics=TOPICS - {"game/joined", "game/left"},
    families=(GAMES, BOARD, PLAYED),
    fold=fold,
    wants=wants,
)
