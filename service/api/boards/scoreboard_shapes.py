"""Scoreboards as they go over the wire."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from domain.record import Micros
from projections.boards.standings import Best, PlayedGame, Standing
from service.api.paging import LogPosition

Rate = Annotated[float, Meta(description="0 to 1, rounded to nine places.")]
Rules = Annotated[str, Meta(description="The named, versioned rules of this board.")]


class BestShown(Struct, frozen=True):
    """A best value and the game it was reached in."""

    value: float
    game: UUID


class Row(Struct, frozen=True, kw_only=True):
    """A player's row. `bound` is the Wilson 95 % lower bound of the win rate; `rank` None: not listed yet.

    All games and the clean ones (nothing taken back) stand apart; the clean ones rank.
    """

    rank: int | None
    player: UUID
    name: str | None
    game_type: str
    games: int
    wins: int
    losses: int
    draws: int
    not_completed: int
    win_rate: Rate
    bound: Rate
    clean_games: int
    clean_wins: int
    clean_win_rate: Rate
    clean_bound: Rate
    streak: int
    best_streak: int
    fewest_moves: BestShown | None
    shortest_seconds: BestShown | None
    best_score: BestShown | None


class Board(Struct, frozen=True, kw_only=True):
    """A page of a board, best first; ties share the rank. `next` is the cursor of the next page."""

    game_type: str
    rules: Rules
    least_games: Annotated[int, Meta(description="Clean games that a player needs to be listed.")]
    listed: int
    rows: tuple[Row, ...]
    next: str | None
    log_position: LogPosition


class PlayerBoards(Struct, frozen=True):
    """One player's rows, by game type."""

    player: UUID
    rules: Rules
    rows: tuple[Row, ...]
    log_position: LogPosition


class CountedGame(Struct, frozen=True, kw_only=True):
    """A game that counts, and what it contributes."""

    game: UUID
    outcome: str
    reason: str
    moves: int
    undos: int
    seconds: float
    score: int | None


class CountedGames(Struct, frozen=True):
    """The games behind a row, newest first: why the player stands there."""

    rules: Rules
    games: tuple[CountedGame, ...]
    next: str | None
    log_position: LogPosition


def board_row(row: Standing, rank: int | None, names: Mapping[UUID, str]) -> Row:
    """A row with its player's name."""
    return Row(
        rank=rank,
        player=row.player,
        name=names.get(row.player),
        game_type=row.game_type,
        games=row.games,
        wins=row.wins,
        losses=row.losses,
        draws=row.draws,
        not_completed=row.not_completed,
        win_rate=row.win_rate / 10**9,
        bound=row.bound / 10**9,
        clean_games=row.clean_games,
        clean_wins=row.clean_wins,
        clean_win_rate=row.clean_win_rate / 10**9,
        clean_bound=row.clean_bound / 10**9,
        streak=row.streak,
        best_streak=row.best_streak,
        fewest_moves=_best(row.fewest_moves),
        shortest_seconds=_best(row.shortest, 10**6),
        best_score=_best(row.best_score),
    )


def _best(best: Best | None, unit: int = 1) -> BestShown | None:
    return None if best is None else BestShown(best.value / unit, best.game)


def counted_game(game: PlayedGame) -> CountedGame:
    """A counted game."""
    return CountedGame(
        game=game.game,
        outcome=game.outcome,
        reason=game.reason,
        moves=game.moves,
        undos=game.undos,
        seconds=_seconds(game.took),
        score=game.score,
    )


def _seconds(micros: Micros) -> float:
    return timedelta(microseconds=micros).total_seconds()
