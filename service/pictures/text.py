"""One frame as plain text, for a terminal and for `Accept: text/plain`.

The table has every zone as lines by its layout, at its place, nothing over anything else; cards are two characters
each, suits as letters or as symbols, red ones coloured if wished.
"""

import re
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from textwrap import wrap

from msgspec import Struct

from domain.play.frames import Frame
from domain.view import FACE_DOWN, Card, Layout, Zone
from service.pictures.words import CARD, NO_FACES, Faces, FactLine, fact_lines, heading

WIDTH = 100
"""Characters that a line should not pass."""
_PLACES: tuple[Layout, ...] = ("grid", "ring", "pyramid", "clock")
"""Each zone is one place of the figure, and a pile."""
_MANY = 9
"""From so many cards face down on, a row or a column shows only their number."""
_UNIT = 8
"""Characters of one card width, where there is room."""
_NARROW = ("pile", "column")
Marking = Callable[[Card], str]
_BACK, _EMPTY = "##", "--"
_SYMBOLS = str.maketrans("SHDC", "♠♥♦♣")
_RED_CARD = re.compile(r"(?<![A-Za-z0-9*])[A2-9TJQK][HD♥♦](?![A-Za-z0-9])")
_RED, _PLAIN = "\x1b[31m", "\x1b[39m"


def marking(faces: Faces, *, suit_symbols: bool) -> Marking:
    """How cards are written: by their faces if the game has some, else `QH` or `Q♥`, `*1`, `##` face down."""

    def mark(card: Card) -> str:
        if (face := faces.get(card)) is not None:
            return face.mark or face.name
        if card == FACE_DOWN:
            return _BACK
        return card[0] + card[1:].translate(_SYMBOLS) if suit_symbols else card

    return mark


def colour_text(text: str) -> str:
    """The text with its red cards in red, for a terminal that understands ANSI colours."""
    return _RED_CARD.sub(lambda card: f"{_RED}{card[0]}{_PLAIN}", text)


def picture(frame: Frame, faces: Faces = NO_FACES, *, suit_symbols: bool = False) -> str:
    """The heading, the table, what happened in the step, and the facts; no colours, ends with a line feed.

    Cards are `QH` (with `suit_symbols` `Q♥`), `*1` a joker, `##` face down, `--` an empty place; `QH x12` is a pile
    of twelve with the queen of hearts on top. Cards of a game with `faces` of its own are written by their marks.
    """
    mark = marking(faces, suit_symbols=suit_symbols)
    parts = [[heading(frame)], [] if frame.view is None else _table(frame.view.zones, mark)]
    parts += [[line for sentence in frame.sentences for line in wrap(sentence, WIDTH, subsequent_indent="  ")]]
    parts += [[] if frame.view is None else list(map(str, marked_facts(frame.view.facts, faces)))]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def marked_facts(facts: object, faces: Faces = NO_FACES) -> list[FactLine]:
    """The facts line by line; of a game with faces of its own, cards by their marks."""
    mark = marking(faces, suit_symbols=False)
    lines = list(fact_lines(facts))
    return [line._replace(text=CARD.sub(lambda card: mark(card[0]), line.text)) for line in lines] if faces else lines


class _Block(Struct, frozen=True):
    """Lines of text at a row and a column of characters."""

    row: int
    column: int
    lines: tuple[str, ...]

    @property
    def end(self) -> int:
        """The first column to its right."""
        return self.column + max(map(len, self.lines), default=0)

    @property
    def bottom(self) -> int:
        """The first row under it."""
        return self.row + len(self.lines)


def _table(zones: Sequence[Zone], mark: Marking) -> list[str]:
    rightmost = max((zone.x for zone in zones), default=0.0)  # it has room for a pile
    unit = _UNIT if rightmost * _UNIT <= WIDTH - _UNIT else (WIDTH - _UNIT) / rightmost
    placed: list[_Block] = []
    top = 0
    for _, band in groupby(sorted(zones, key=lambda zone: (zone.y, zone.x)), key=lambda zone: zone.y):
        blocks = _band(list(band), mark, unit)
        for above in placed:
            if any(above.column < block.end + 1 and block.column < above.end + 1 for block in blocks):
                top = max(top, above.bottom + 1)
        placed += [_Block(top, block.column, block.lines) for block in blocks]
        top += min(len(block.lines) for block in blocks) + 1
    width, height = max((block.end for block in placed), default=0), max((block.bottom for block in placed), default=0)
    canvas = [[" "] * width for _ in range(height)]
    for block in placed:
        for row, line in enumerate(block.lines, block.row):
            canvas[row][block.column : block.column + len(line)] = line
    return ["".join(line).rstrip() for line in canvas]


def _band(zones: list[Zone], mark: Marking, unit: float) -> list[_Block]:
    """Zones of one height, left to right, their cards in one line; a zone that needs more room pushes the next."""
    slots = [*((right.x - left.x) * unit for left, right in pairwise(zones)), float(WIDTH)]
    narrow = min((slot for zone, slot in zip(zones, slots, strict=True) if zone.layout in _NARROW), default=0.0)
    rooms = [narrow if zone.layout in _NARROW else slot for zone, slot in zip(zones, slots, strict=True)]
    labels = [_label(zone, int(room) - 1) for zone, room in zip(zones, rooms, strict=True)]
    height, end, blocks = max(map(len, labels)), 0, []
    for zone, slot, label in zip(zones, slots, labels, strict=True):
        column = max(round(zone.x * unit), end)
        cards = _draw_zone(zone, mark, max(min(int(slot) - 2, WIDTH - column), _UNIT))
        blocks.append(_Block(0, column, (*[""] * (height - len(label)), *label, *cards)))
        end = blocks[-1].end + 1
    return blocks


def _label(zone: Zone, width: int) -> list[str]:
    """The label, wrapped to the slot's width; for a place in a grid, ring, pyramid or clock its numbers alone."""
    numbers = "".join(sign if sign.isdigit() else " " for sign in zone.label).split()
    if zone.layout in _PLACES and numbers:
        return [".".join(numbers)]
    return wrap(zone.label, max(width, 5), break_long_words=False, break_on_hyphens=False)


def _draw_zone(zone: Zone, mark: Marking, width: int) -> list[str]:
    """The zone's cards: a column or a row has them all, other layouts are piles; an empty score is nothing."""
    count = len(zone.cards) + zone.face_down
    if not count:
        return [] if zone.layout == "score" else [_EMPTY]
    if zone.layout not in ("column", "row", "fan", "score"):
        top = mark(zone.cards[-1] if zone.cards else FACE_DOWN)
        return [top if count == 1 else f"{top} x{count}"]
    backs = [mark(FACE_DOWN)] * zone.face_down
    if zone.face_down >= _MANY:
        backs = [f"{mark(FACE_DOWN)} x{zone.face_down}"]
    cards = backs + [mark(card) for card in zone.cards]
    if zone.layout == "column":
        return cards
    lines = [""]
    for card in cards:
        if lines[-1] and len(lines[-1]) + 1 + len(card) > width:
            lines.append("")
        lines[-1] += f" {card}" if lines[-1] else card
    return lines
