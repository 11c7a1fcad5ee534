"""Decs Building: a grid drawn in letters, and what is told of each seat beside its cards."""

from msgspec import Struct

from domain.games.decs_building.board import COLUMNS, KINDS, PRINTED_SOURCES, ROWS, SHORT_FIRST_ROW, FeatureId, SpaceId
from domain.games.decs_building.grid import Cell, Cells
from domain.games.decs_building.power import hand_size, powered
from domain.games.decs_building.scoring import empty_spaces, score
from domain.games.decs_building.state import Player, State, spare_pawns
from domain.view import Card, Seat


class DrawnFeature(Struct, frozen=True):
    """A feature of a grid: its cells as row and column from 1, and whether it works (is powered, or need not be)."""

    feature: FeatureId
    cells: Cells
    works: bool


class SeatFacts(Struct, frozen=True, omit_defaults=True):
    """What is told of a seat beside the zones: public but for `deck`, its cards with the next one first, which are told
    to its owner alone.

    `grid` is drawn in rows from the top (in the short game rows 3 to 8): `.` empty, `o` a power source, else the
    letter of the feature. `score` is the score if the game ended now.
    """

    grid: tuple[str, ...]
    features: tuple[DrawnFeature, ...]
    score: int
    empty_spaces: int
    hand_size: int
    pawns: tuple[SpaceId, ...]
    spare_pawns: int
    passed: bool
    out: bool
    deck: tuple[Card, ...] = ()


def seat_facts(state: State, seat: Seat, seen: bool) -> SeatFacts:
    """All that is public of the seat, and its deck if that is seen."""
    player = state.players[seat]
    return SeatFacts(
        grid=grid(player, state.options.short),
        features=_drawn(player),
        score=score(state, seat),
        empty_spaces=empty_spaces(state, seat),
        hand_size=hand_size(player.features),
        pawns=player.pawns,
        spare_pawns=spare_pawns(state, seat),
        passed=player.passed,
        out=player.out,
        deck=player.deck if seen else (),
    )


def grid(player: Player, short: bool) -> tuple[str, ...]:
    """The player's grid in letters."""
    letters: dict[Cell, str] = dict.fromkeys(PRINTED_SOURCES, KINDS["power_source"].letter)
    for one in player.features:
        letters |= dict.fromkeys(one.cells, KINDS[one.feature].letter)
    rows = range(SHORT_FIRST_ROW if short else 1, ROWS + 1)
    return tuple("".join(letters.get((row, column), ".") for column in range(1, COLUMNS + 1)) for row in rows)


def _drawn(player: Player) -> tuple[DrawnFeature, ...]:
    works = powered(player.features)
    return tuple(DrawnFeature(one.feature, one.cells, work) for one, work in zip(player.features, works, strict=True))
