"""The documents of ladders: rows, the games behind them with what each made of its players' ratings, whose they are."""

from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from domain.record import Micros
from projections.engine.contract import Collection, Family, rank_key
from projections.games.counted_games import Play
from projections.ladders.ratings import START, Rating


class Rated(Struct, frozen=True, array_like=True):
    """What one game made of a player's rating; the `number`-th rated game of theirs.

    `weight` of this game, and `total` of all of them, in millionths.
    """

    number: int
    before: Rating
    after: Rating
    weight: int
    total: int


class RatedGame(Struct, frozen=True):
    """A game of the ladder, by position, and by player what it made of the rating. Places count from 0.

    `met`: how often each pair of its players (`ratings.pairs`) had met before.
    """

    game: UUID
    position: int
    at: Micros
    players: tuple[UUID, ...]
    places: tuple[int, ...]
    ratings: tuple[Rated, ...] = ()
    met: tuple[int, ...] = ()

    def last(self, player: UUID) -> "Last":
        """Where the player stands after this game."""
        made = self.ratings[self.players.index(player)]
        return Last(made.number, made.after, self.at, self.position, made.total)


class Last(NamedTuple):
    """Where a player stands after the last of so many rated games: what the next one goes on from."""

    number: int
    after: Rating
    at: Micros
    position: int
    total: int


UNRATED = Last(0, START, 0, 0, 0)


class Mark(Struct, frozen=True):
    """A game at this position is one of a player's."""

    position: int


class Met(Struct, frozen=True):
    """How often two players have met in rated games."""

    games: int


class LadderRow(Struct, frozen=True):
    """A player's place on a ladder; listed when neither provisional nor inactive. `ordinal` is in hundredths.

    `weight`: what all the games weigh together, in millionths.
    """

    player: UUID
    game_type: str
    rules: str
    rating: Rating
    ordinal: int
    games: int
    weight: int
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
HISTORY: Family[Mark] = Family("ladder_history", Mark)
ROWS: Family[LadderRow] = Family("ladder", LadderRow)
MET: Family[Met] = Family("ladder_met", Met)
SEEN: Family[Seen] = Family("ladder_seen", Seen)
DUE: Family[Due] = Family("ladder_due", Due)
FAMILIES = (PLAYS, GAMES, HISTORY, ROWS, MET, SEEN, DUE)


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


def games(game_type: str, rule_set: str | None = None) -> Collection[RatedGame]:
    """The ladder's games in the order of positions, each with what it made of its players' ratings."""
    return GAMES(*Board(game_type, rule_set).parts)


def history(player: UUID, game_type: str, rule_set: str | None = None) -> Collection[Mark]:
    """Which of the ladder's games are the player's: by the same keys, the newest first."""
    return HISTORY(player, *Board(game_type, rule_set).parts)


def met(game_type: str, rule_set: str | None = None) -> Collection[Met]:
    """How often any two have met, by both their ids, the lower one first."""
    return MET(*Board(game_type, rule_set).parts)


def key_of(position: int) -> str:
    """The key of a game, in the order of positions."""
    return f"{position:020}"


def sort_of(row: LadderRow) -> bytes | None:
    """By ordinal, then by games; equal rows share the rank."""
    return rank_key(row.ordinal, row.games) if row.active and not row.provisional else None
