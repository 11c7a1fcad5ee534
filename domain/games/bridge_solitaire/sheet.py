"""A rubber's running sheet: a fold over its scored hands, for the game itself and for any reader of its events."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.games.bridge_solitaire.contract import Side
from domain.games.bridge_solitaire.entries import Entry, Kind
from domain.games.bridge_solitaire.events import HandScored, HandsVoided, RubberClosed, RubberScored

GAME = 100
"""Points below the line that make a game (Law 73)."""

GAMES = 2
"""Games that make a rubber (Law 74)."""

SIDES: tuple[Side, ...] = ("me", "it")


class Column(Struct, frozen=True):
    """One side's column: games won, points towards the open game, and all points above and below the line."""

    games: int = 0
    part_score: int = 0
    above: int = 0
    below: int = 0
    total: int = 0
    vulnerable: bool = False


class Sheet(Struct, frozen=True):
    """Entries in the order of writing and what they add up to.

    `hands` is the number of scored hands; `lines` are the hands after which a line was drawn under a game;
    a sheet that is `complete` (two games) or `closed` (premiums entered) takes no more hands.
    """

    hands: int = 0
    entries: tuple[Entry, ...] = ()
    me: Column = Column()
    it: Column = Column()
    lines: tuple[int, ...] = ()
    closed: bool = False

    @property
    def complete(self) -> bool:
        """Whether a side has two games (Law 74)."""
        return GAMES in (self.me.games, self.it.games)

    @property
    def margin(self) -> int:
        """The player's points less the house's."""
        return self.me.total - self.it.total

    @property
    def vulnerable(self) -> tuple[Side, ...]:
        """The sides that have a game."""
        return tuple(side for side in SIDES if column(self, side).vulnerable)


def column(sheet: Sheet, side: Side) -> Column:
    return sheet.me if side == "me" else sheet.it


def after(sheet: Sheet, event: Any) -> Sheet:
    """The sheet after one recorded event of the game; events that do not touch it leave it as it is."""
    if isinstance(event, HandScored):
        return with_hand(sheet, event.hand, event.entries)
    if isinstance(event, RubberScored | RubberClosed):
        return with_premiums(sheet, event.entries)
    return without_hands(sheet, event.from_hand) if isinstance(event, HandsVoided) else sheet


def with_hand(sheet: Sheet, hand: int, entries: tuple[Entry, ...]) -> Sheet:
    """The sheet with one more hand; a complete or closed sheet stays as it is."""
    if sheet.complete or sheet.closed:
        return sheet
    written = _written(sheet, entries)
    return _ruled(replace(written, hands=hand), hand)


def with_premiums(sheet: Sheet, entries: tuple[Entry, ...]) -> Sheet:
    """The sheet with the premiums of its end, once."""
    return sheet if sheet.closed else replace(_written(sheet, entries), closed=True)


def without_hands(sheet: Sheet, from_hand: int) -> Sheet:
    """The sheet as it stood before that hand: it, all later hands and any premium of the end are gone."""
    if from_hand > sheet.hands:
        return sheet
    rebuilt = Sheet()
    for hand in range(1, from_hand):
        rebuilt = with_hand(rebuilt, hand, tuple(entry for entry in hand_entries(sheet) if entry.hand == hand))
    return rebuilt


def hand_entries(sheet: Sheet) -> tuple[Entry, ...]:
    """The entries that hands earned, without the premiums of the end."""
    return tuple(entry for entry in sheet.entries if entry.kind not in _PREMIUMS)


_PREMIUMS: frozenset[Kind] = frozenset({"rubber_premium", "unfinished_game", "unfinished_part_score"})


def _written(sheet: Sheet, entries: tuple[Entry, ...]) -> Sheet:
    return replace(
        sheet,
        entries=sheet.entries + entries,
        me=_added(sheet.me, [entry for entry in entries if entry.side == "me"]),
        it=_added(sheet.it, [entry for entry in entries if entry.side == "it"]),
    )


def _added(column: Column, entries: list[Entry]) -> Column:
    below = sum(entry.points for entry in entries if entry.place == "below")
    above = sum(entry.points for entry in entries if entry.place == "above")
    return replace(
        column,
        part_score=column.part_score + below,
        above=column.above + above,
        below=column.below + below,
        total=column.total + above + below,
    )


def _ruled(sheet: Sheet, hand: int) -> Sheet:
    """Law 73: at 100 below the line a game is won, a line is drawn and neither part score counts on."""
    if max(sheet.me.part_score, sheet.it.part_score) < GAME:
        return sheet
    return replace(sheet, me=_new_game(sheet.me), it=_new_game(sheet.it), lines=(*sheet.lines, hand))


def _new_game(column: Column) -> Column:
    games = column.games + (column.part_score >= GAME)
    return replace(column, games=games, part_score=0, vulnerable=games > 0)
