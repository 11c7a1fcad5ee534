"""A rubber's running sheet: a fold over its scored hands, for the game itself and for any reader of its events.

Then the premiums at its end, finished or not, and what a sheet still says: points to game, back score.
"""

from collections.abc import Callable

from msgspec.structs import replace

from domain.games.bridge_solitaire.events import HandScored, HandsVoided, RubberClosed, RubberScored
from domain.games.bridge_solitaire.state import GAME, GAMES, SIDES, Column, Entry, Kind, Sheet, Side, column, other

RUBBER = (700, 500)
"""Law 74: the rubber premium by the games of the other side."""

UNFINISHED_GAME, UNFINISHED_PART_SCORE = 300, 100
"""Law 80: to the only side with a game, and to the only side with a part score in the open game."""

_PREMIUMS: frozenset[Kind] = frozenset({"rubber_premium", "unfinished_game", "unfinished_part_score"})


def after(sheet: Sheet, event: object) -> Sheet:
    """The sheet after one recorded event of the game; events that do not touch it leave it as it is."""
    match event:
        case HandScored():
            return with_hand(sheet, event.hand, event.entries)
        case RubberScored() | RubberClosed():
            return sheet if sheet.closed else replace(_write_entries(sheet, event.entries), closed=True)
        case HandsVoided():
            return _without_hands(sheet, event.from_hand)
        case _:
            return sheet


def with_hand(sheet: Sheet, hand: int, entries: tuple[Entry, ...]) -> Sheet:
    """The sheet with one more hand; a complete or closed sheet stays as it is."""
    if sheet.complete or sheet.closed:
        return sheet
    return _rule_off(replace(_write_entries(sheet, entries), hands=hand), hand)


def at_end(sheet: Sheet) -> tuple[Entry, ...]:
    """What a rubber earns that ends now: the rubber premium, or those of an unfinished one."""
    return rubber(sheet) if sheet.complete else find_unfinished(sheet)


def rubber(sheet: Sheet) -> tuple[Entry, ...]:
    """Law 74: two games earn 700 against none and 500 against one."""
    winner: Side = "me" if sheet.me.games == GAMES else "it"
    points = RUBBER[column(sheet, other(winner)).games]
    return (Entry(sheet.hands, winner, "above", "rubber_premium", points),)


def find_unfinished(sheet: Sheet) -> tuple[Entry, ...]:
    """Law 80: 300 to the only side with a game, and 100 to the only side with a part score in the open game."""
    return (
        *_to_the_only(sheet, lambda side: side.games, "unfinished_game", UNFINISHED_GAME),
        *_to_the_only(sheet, lambda side: side.part_score, "unfinished_part_score", UNFINISHED_PART_SCORE),
    )


def to_game(sheet: Sheet, side: Side) -> int:
    """The points below the line that this side still needs for the open game."""
    return GAME - column(sheet, side).part_score


def back_score(margin: int) -> int:
    """A rubber's margin in whole hundreds; an odd fifty counts as a further hundred (a custom of rubber bridge)."""
    return (abs(margin) + 50) // 100 * (1 if margin >= 0 else -1)


def _write_entries(sheet: Sheet, entries: tuple[Entry, ...]) -> Sheet:
    return replace(
        sheet,
        entries=sheet.entries + entries,
        me=_add_points(sheet.me, [entry for entry in entries if entry.side == "me"]),
        it=_add_points(sheet.it, [entry for entry in entries if entry.side == "it"]),
    )


def _add_points(column: Column, entries: list[Entry]) -> Column:
    if not entries:
        return column
    below = sum(entry.points for entry in entries if entry.place == "below")
    above = sum(entry.points for entry in entries if entry.place == "above")
    return replace(
        column,
        part_score=column.part_score + below,
        above=column.above + above,
        below=column.below + below,
        total=column.total + above + below,
    )


def _without_hands(sheet: Sheet, from_hand: int) -> Sheet:
    """The sheet as it stood before that hand: it, all later hands and any premium of the end are gone."""
    if from_hand > sheet.hands:
        return sheet
    rebuilt, earned = Sheet(), [entry for entry in sheet.entries if entry.kind not in _PREMIUMS]
    for hand in range(1, from_hand):
        rebuilt = with_hand(rebuilt, hand, tuple(entry for entry in earned if entry.hand == hand))
    return rebuilt


def _rule_off(sheet: Sheet, hand: int) -> Sheet:
    """Law 73: at 100 below the line a game is won, a line is drawn and neither part score counts on."""
    if max(sheet.me.part_score, sheet.it.part_score) < GAME:
        return sheet
    return replace(sheet, me=_open_game(sheet.me), it=_open_game(sheet.it), lines=(*sheet.lines, hand))


def _open_game(column: Column) -> Column:
    games = column.games + (column.part_score >= GAME)
    return replace(column, games=games, part_score=0, vulnerable=games > 0)


def _to_the_only(sheet: Sheet, has: Callable[[Column], int], kind: Kind, points: int) -> tuple[Entry, ...]:
    holders = [side for side in SIDES if has(column(sheet, side))]
    return tuple(Entry(sheet.hands, side, "above", kind, points) for side in holders if len(holders) == 1)
