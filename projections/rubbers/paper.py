"""A rubber's sheet as it is written on paper: two columns, ME and IT, and a thick line across.

Above the line entries are written upwards, the first next to it; below they run downwards, and a thin line right
across is drawn under each game won (rubber bridge custom). When the rubber is over each column is added at the foot.
"""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from domain.games.bridge_solitaire.state import SIDES, Entry, Sheet, Side

_WIDTH = 8
_THICK, _THIN, _FOOT = ("━", "┿"), ("─", "┼"), ("═", "╪")


def paper(sheet: Sheet) -> str:
    """The sheet as text, one line of writing per line; totals only once it is closed."""
    rows = [_row("ME", "IT"), *_above(sheet), _rule(*_THICK), *_below(sheet)]
    if sheet.closed:
        rows += [_rule(*_FOOT), _row(str(sheet.me.total), str(sheet.it.total))]
    return "\n".join(row.rstrip() for row in rows) + "\n"


def _above(sheet: Sheet) -> list[str]:
    written = [entry for entry in sheet.entries if entry.place == "above"]
    return list(_rows(written))[::-1]


def _below(sheet: Sheet) -> Iterator[str]:
    """The games under one another, a line under each that was won; the open one has none yet."""
    for number, game in enumerate(games(sheet)):
        yield from _rows(game)
        if number < len(sheet.lines):
            yield _rule(*_THIN)


def games(sheet: Sheet) -> Iterator[list[Entry]]:
    """The entries below the line, game by game; the last is the open game, possibly without any."""
    written = [entry for entry in sheet.entries if entry.place == "below"]
    starts = (0, *sheet.lines)
    for start, end in zip_longest(starts, sheet.lines):
        yield [entry for entry in written if start < entry.hand and (end is None or entry.hand <= end)]


def _rows(entries: Iterable[Entry]) -> Iterator[str]:
    """Each column by itself without gaps, from the thick line outwards."""
    written = list(entries)
    columns = [_points(written, side) for side in SIDES]
    return (_row(*pair) for pair in zip_longest(*columns, fillvalue=""))


def _points(entries: Iterable[Entry], side: Side) -> list[str]:
    return [str(entry.points) for entry in entries if entry.side == side]


def _row(me: str, it: str) -> str:
    return f"{me:>{_WIDTH - 1}} │{it:>{_WIDTH - 1}}"


def _rule(line: str, crossing: str) -> str:
    return line * _WIDTH + crossing + line * _WIDTH
