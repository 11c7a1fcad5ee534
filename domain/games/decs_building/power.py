"""Decs Building: what is powered. Nothing is ever erased, so that what is powered stays so."""

from collections.abc import Sequence

from domain.games.decs_building.board import KINDS
from domain.games.decs_building.grid import SOURCES, UNDRAWN, around, bits_of
from domain.games.decs_building.state import Feature, State

HAND = 3
"""The hand size without a Santa."""


def conductors(features: Sequence[Feature]) -> int:
    """Power sources, cables and powered banners, as bits: what a cable may touch and what gives power.

    House rule, ours: a banner that touches a powered banner is powered too.
    """
    live = bits_of(cell for one in features if KINDS[one.feature].conducts == "always" for cell in one.cells) | SOURCES
    banners = [bits_of(one.cells) for one in features if KINDS[one.feature].conducts == "if_powered"]
    for _ in banners:
        live |= sum(banner for banner in banners if not banner & live and around(banner) & live)
    return live


def powered(features: Sequence[Feature]) -> list[bool]:
    """For each feature whether it works: it touches a conductor, or needs no power."""
    live = around(conductors(features))
    return [not KINDS[one.feature].needs_power or bool(bits_of(one.cells) & live) for one in features]


def working(features: Sequence[Feature]) -> list[Feature]:
    """The features that work."""
    return [one for one, works in zip(features, powered(features), strict=True) if works]


def hand_size(features: Sequence[Feature]) -> int:
    """Three, and one for each powered Santa."""
    if not any(KINDS[one.feature].hand for one in features):
        return HAND
    return HAND + sum(KINDS[one.feature].hand for one in working(features))


def occupied(state: State, seat: int) -> int:
    """The cells of a seat's grid in which nothing can be drawn any more, as bits."""
    drawn = bits_of(cell for one in state.players[seat].features for cell in one.cells)
    return drawn | SOURCES | UNDRAWN[state.options.short]
