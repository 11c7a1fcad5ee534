"""Ladders as they go over the wire."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from projections.ladders.documents import LadderRow, RatedGame
from projections.ladders.ratings import Rating
from service.api.paging import LogPosition
from service.api.people import Person, person
from service.live import shapes

Number = Annotated[float, Meta(description="Rounded to six places.")]
Weight = Annotated[
    float,
    Meta(
        description="What the game weighs in the rating, 0 to 1: little against somebody of whom little is known, "
        "and against somebody whom one meets again and again."
    ),
]
Weights = Annotated[float, Meta(description="What all the rated games weigh together: at most as many as they are.")]
Rules = Annotated[str, Meta(description="The named, versioned rules, with the package's version in the name.")]


class RatingShown(Struct, frozen=True):
    """Skill and its uncertainty; `ordinal` is mu less three sigma, rounded to two places: what orders people."""

    mu: Number
    sigma: Number
    ordinal: float


class LadderEntry(Struct, frozen=True, kw_only=True):
    """A player on a ladder; `rank` None while provisional, or after a time without a rated game."""

    rank: int | None
    player: Person
    game_type: str
    rating: RatingShown
    games: int
    weight: Weights
    provisional: bool
    active: bool
    last_game_at: datetime


class Ladder(Struct, frozen=True, kw_only=True):
    """A page of a ladder, best first; equal rows share the rank."""

    game_type: str
    rules: Rules
    listed: int
    rows: tuple[LadderEntry, ...]
    next: str | None
    log_position: LogPosition


class PlayerLadders(Struct, frozen=True):
    """One player's ratings, by game type."""

    player: UUID
    rules: Rules
    rows: tuple[LadderEntry, ...]
    log_position: LogPosition


class RatedGameShown(Struct, frozen=True, kw_only=True):
    """A rated game, and what it made of the rating, by its weight."""

    game: UUID
    number: int
    weight: Weight
    at: datetime
    place: int
    opponents: tuple[Person, ...]
    before: RatingShown
    after: RatingShown


class RatedGames(Struct, frozen=True):
    """The games behind a rating, newest first: why the player stands there."""

    rules: Rules
    games: tuple[RatedGameShown, ...]
    next: str | None
    log_position: LogPosition


def _rating(rating: Rating) -> RatingShown:
    return RatingShown(rating.mu / 10**6, rating.sigma / 10**6, rating.ordinal / 100)


def entry(row: LadderRow, rank: int | None, names: Mapping[UUID, str]) -> LadderEntry:
    """A row with its player's name."""
    return LadderEntry(
        rank=rank, player=person(row.player, names), game_type=row.game_type, rating=_rating(row.rating),
        games=row.games, weight=row.weight / 10**6,
        provisional=row.provisional, active=row.active, last_game_at=shapes.moment(row.last_at),
    )  # fmt: skip


def game(one: RatedGame, player: UUID, names: Mapping[UUID, str]) -> RatedGameShown:
    """A rated game as it was for this player."""
    seat = one.players.index(player)
    made = one.ratings[seat]
    return RatedGameShown(
        game=one.game, number=made.number, weight=made.weight / 10**6, at=shapes.moment(one.at),
        place=one.places[seat] + 1, before=_rating(made.before), after=_rating(made.after),
        opponents=tuple(person(other, names) for other in one.players if other != player),
    )  # fmt: skip
