"""Premiums at the end of a rubber, finished or not, and what a sheet still says: points to game, back score."""

from collections.abc import Callable

from domain.games.bridge_solitaire.contract import Side, other
from domain.games.bridge_solitaire.entries import Entry, Kind
from domain.games.bridge_solitaire.sheet import GAME, GAMES, SIDES, Column, Sheet, column

RUBBER = (700, 500)
"""Law 74: the rubber premium by the games of the other side."""

UNFINISHED_GAME, UNFINISHED_PART_SCORE = 300, 100
"""Law 80: to the only side with a game, and to the only side with a part score in the open game."""


def at_end(sheet: Sheet) -> tuple[Entry, ...]:
    """What a rubber earns that ends now: the rubber premium, or those of an unfinished one."""
    return rubber(sheet) if sheet.complete else unfinished(sheet)


def rubber(sheet: Sheet) -> tuple[Entry, ...]:
    """Law 74: two games earn 700 against none and 500 against one."""
    winner: Side = "me" if sheet.me.games == GAMES else "it"
    points = RUBBER[column(sheet, other(winner)).games]
    return (Entry(sheet.hands, winner, "above", "rubber_premium", points),)


def unfinished(sheet: Sheet) -> tuple[Entry, ...]:
    """Law 80: 300 to the only side with a game, and 100 to the only side with a part score in the open game."""
    return (
        *_to_the_only(sheet, lambda side: side.games, "unfinished_game", UNFINISHED_GAME),
        *_to_the_only(sheet, lambda side: side.part_score, "unfinished_part_score", UNFINISHED_PART_SCORE),
    )


def _to_the_only(sheet: Sheet, has: Callable[[Column], int], kind: Kind, points: int) -> tuple[Entry, ...]:
    holders = [side for side in SIDES if has(column(sheet, side))]
    return tuple(Entry(sheet.hands, side, "above", kind, points) for side in holders if len(holders) == 1)


def to_game(sheet: Sheet, side: Side) -> int:
    """The points below the line that this side still needs for the open game."""
    return GAME - column(sheet, side).part_score


def back_score(margin: int) -> int:
    """A rubber's margin in whole hundreds; an odd fifty counts as a further hundred (a custom of rubber bridge)."""
    return (abs(margin) + 50) // 100 * (1 if margin >= 0 else -1)
