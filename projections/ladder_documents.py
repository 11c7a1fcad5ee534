"""The documents of ladders: rows, the games behind them, and what each game made of each rating."""

from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.record import Micros
from projections.plays import Play
from projections.projection import Collection, Family, rank_key
from projections.ratings import Rating


class RatedGame(Struct, frozen=True):
    """A game of the ladder, by position."""

    game: UUID
    position: int
    at: Micros
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    public: bool


class Rated(Struct, frozen=True):
    """What one game made of a player's rating; the `number`-th rated game of theirs. `place` counts from 1."""

    game: UUID
    position: int
    at: Micros
    number: int
    place: int
    before: Rating
    after: Rating
    opponents: tuple[UUID, ...]
    public: bool


class Last(NamedTuple):
    """Where a player stands after the last of so many rated games: what the next one goes on from."""

    number: int
    after: Rating
    at: Micros
    position: int


class LadderRow(Struct, frozen=True):
    """A player's place on a ladder; listed when neither provisional nor inactive. `ordinal` is in hundredths."""

    player: UUID
    game_type: str
    rules: str
    rating: Rating
    ordinal: int
    games: int
    provisional: bool
    active: bool
    last_at: Micros
    last_position: int


class Seen(Struct, frozen=True):
    """The newest UTC day that the log has come to, as days since 1970: what inactivity is judged by."""

    day: int


class Due(Struct, frozen=True):
    """A row that is to be looked at on a day: whether its player has been away for too long."""

    board: str
    player: UUID


PLAYS: Family[Play] = Family("ladder_plays", Play)
GAMES: Family[RatedGame] = Family("ladder_games", RatedGame)
HISTORY: Family[Rated] = Family("ladder_history", Rated)
ROWS: Family[LadderRow] = Family("ladder", LadderRow)
SEEN: Family[Seen] = Family("ladder_seen", Seen)
DUE: Family[Due] = Family("ladder_due", Due)


class Board(NamedTuple):
    """One ladder: a game type and a rule set."""

    game_type: str
    rule_set: str | None = None

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.game_type,) if self.rule_set is None else (self.game_type, self.rule_set)


def ladder(game_type: str, rule_set: str | None = None) -> Collection[LadderRow]:
    """The rows by player; the listed ones in order."""
    return ROWS(*Board(game_type, rule_set).parts)


def history(player: UUID, game_type: str, rule_set: str | None = None) -> Collection[Rated]:
    """The player's rated games in order, each with what it made of the rating; the newest first."""
    return HISTORY(player, *Board(game_type, rule_set).parts)


def key_of(position: int) -> str:
    """The key of a game, in the order of positions."""
    return f"{position:020}"


def sort_of(row: LadderRow) -> bytes | None:
    """By ordinal, then by games; equal rows share the rank."""
    return rank_key(row.ordinal, row.games) if row.active and not row.provisional else None
