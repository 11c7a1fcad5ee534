"""Cards as SVG symbols of 100 x 140, drawn once into a page and used by every card on it.

The art is our own, so that reading a card needs no font: ranks, suits and the places of pips; courts, drawn as half a
figure that is turned for the other half; jokers; backs; and light bulbs and what stands over other marks.
"""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Literal

from domain.board import Point
from domain.capabilities import Face
from domain.kit.cards import JOKERS, PACK, is_joker, is_red
from domain.view import FACE_DOWN, Card

RANK_PATHS = {
    "A": "M1.5 24.4L9 1.6L16.5 24.4M4.4 16.6H13.6",
    "2": "M2.4 7.6C2.4 3.8 5.4 1.7 9 1.7C12.8 1.7 15.6 4 15.6 7.5C15.6 13 5.4 16 2.4 24.3H16.4",
    "3": "M2.8 5.4C4 3 6.3 1.7 9 1.7C12.5 1.7 15.1 4 15.1 7.1C15.1 10.4 12.4 12.4 8 12.4C13 12.4 15.9 14.8 15.9 18.2"
    "C15.9 22 12.9 24.3 9 24.3C5.7 24.3 3 22.7 2 19.9",
    "4": "M12.6 24.6V1.8L1.6 17.6H17",
    "5": "M15 1.8H4.4L3.4 12C5 10.5 6.9 9.7 9 9.7C13.1 9.7 15.9 12.7 15.9 17C15.9 21.4 12.9 24.3 8.8 24.3"
    "C5.7 24.3 3.2 22.8 2 20.2",
    "6": "M14.2 4.6C13 2.7 11.3 1.7 9.4 1.7C4.8 1.7 2.1 7 2.1 14.6C2.1 21 5 24.3 9 24.3C13 24.3 15.9 21.4 15.9 17.4"
    "C15.9 13.4 13 10.7 9.2 10.7C5.7 10.7 2.9 13 2.2 16.3",
    "7": "M1.8 1.8H16.2C11.6 8.4 8.3 15.4 7.2 24.6",
    "8": "M9 1.7A5.2 5.2 0 1 1 8.99 1.7ZM9 12.1A6.1 6.1 0 1 1 8.99 12.1Z",
    "9": "M3.8 21.4C5 23.3 6.7 24.3 8.6 24.3C13.2 24.3 15.9 19 15.9 11.4C15.9 5 13 1.7 9 1.7C5 1.7 2.1 4.6 2.1 8.6"
    "C2.1 12.6 5 15.3 8.8 15.3C12.3 15.3 15.1 13 15.8 9.7",
    "T": "M.4 5.6L4 2V24.6M12.9 1.7C15.6 1.7 17.4 6.2 17.4 13C17.4 19.8 15.6 24.3 12.9 24.3C10.2 24.3 8.4 19.8 8.4 13"
    "C8.4 6.2 10.2 1.7 12.9 1.7Z",
    "J": "M7.4 1.8H13.4V17.4C13.4 21.9 11.2 24.3 7.8 24.3C4.6 24.3 2.5 22.2 2.2 18.8",
    "Q": "M9 1.7C13.2 1.7 16 6.2 16 13C16 19.8 13.2 24.3 9 24.3C4.8 24.3 2 19.8 2 13C2 6.2 4.8 1.7 9 1.7Z"
    "M10.4 18.2L16.6 25.4",
    "K": "M2.8 1.4V24.6M15.8 1.4L3 15.6M7 11.4L16.4 24.6",
}
"""Lines of a box 18 wide and 26 high."""

SUIT_PATHS = {
    "S": "M0-10C2-6 9.2-2 9.2 3.4C9.2 6.8 6.9 8.6 4.5 8.6C2.9 8.6 1.6 7.7.9 6.2C1 8 1.8 9.4 3.2 10H-3.2"
    "C-1.8 9.4-1 8-.9 6.2C-1.6 7.7-2.9 8.6-4.5 8.6C-6.9 8.6-9.2 6.8-9.2 3.4C-9.2-2-2-6 0-10Z",
    "H": "M0 9.6C-2 6-9.6 1.6-9.6-4C-9.6-7.2-7.4-9.2-4.8-9.2C-2.6-9.2-.8-7.9 0-5.6C.8-7.9 2.6-9.2 4.8-9.2"
    "C7.4-9.2 9.6-7.2 9.6-4C9.6 1.6 2 6 0 9.6Z",
    "D": "M0-10C1.8-6.4 4.8-2.6 8 0C4.8 2.6 1.8 6.4 0 10C-1.8 6.4-4.8 2.6-8 0C-4.8-2.6-1.8-6.4 0-10Z",
    "C": "M-2.5-1.9A4.5 4.5 0 1 1 2.5-1.9A4.5 4.5 0 1 1 1.2 5C1.3 7.4 2 9.2 3.4 10H-3.4C-2 9.2-1.3 7.4-1.2 5"
    "A4.5 4.5 0 1 1-2.5-1.9Z",
    "*": "M0-10L2.6-3.4L9.6-3L4.2 1.4L6 8.2L0 4.5L-6 8.2L-4.2 1.4L-9.6-3L-2.6-3.4Z",
}
"""Filled shapes 20 x 20 round their middle; `*` is the jokers' star."""

_L, _C, _R = 27.0, 50.0, 73.0
_UPPER: dict[int, list[Point]] = {
    2: [(_C, 45)],
    3: [(_C, 45)],
    4: [(_L, 46), (_R, 46)],
    5: [(_L, 46), (_R, 46)],
    6: [(_L, 44), (_R, 44)],
    7: [(_L, 44), (_R, 44)],
    8: [(_L, 44), (_R, 44), (_C, 57)],
    9: [(_L, 41.5), (_R, 41.5), (_L, 60.5), (_R, 60.5)],
    10: [(_L, 41.5), (_R, 41.5), (_L, 60.5), (_R, 60.5), (_C, 51)],
}
_ALONE: dict[int, list[Point]] = {
    3: [(_C, 70)],
    5: [(_C, 70)],
    6: [(_L, 70), (_R, 70)],
    7: [(_L, 70), (_R, 70), (_C, 57)],
    8: [(_L, 70), (_R, 70)],
    9: [(_C, 70)],
}


def pips(number: int) -> tuple[list[Point], list[Point]]:
    """The pips of a two to a ten on a card of 100 x 140, as they stand on printed packs.

    First those of the upper half, which stand turned in the lower half too; then those without such a twin.
    """
    return _UPPER[number], _ALONE.get(number, [])


_GOLD, _SKIN = 'class="card-gold" fill="#d8a63c"', 'class="card-skin" fill="#f1d3b3"'
_LINE = 'class="card-line" fill="none" stroke="#3b2f24"'
_ROBE = (
    '<path d="M9.6 70V64C20 58.5 33 55.4 41 54L50 66L59 54C67 55.4 80 58.5 90.4 64V70Z"/>'
    f'<path {_GOLD} d="M41 54L50 66L59 54L62.5 55.2L50 70L37.5 55.2Z"/>'
)
_FACE = (
    f'<path {_SKIN} d="M42.6 38.5H57.4V46C57.4 51.5 53.6 55.6 50 55.6C46.4 55.6 42.6 51.5 42.6 46Z"/>'
    f'<path {_LINE} stroke-width="1.1" stroke-linecap="round"'
    ' d="M45.3 44.2H47.6M52.4 44.2H54.7M50 44.4V48M48 51.2H52"/>'
)

_HEADS = {
    "K": '<path d="M40.6 38V47C39.6 52 42.8 58.4 50 62.6C57.2 58.4 60.4 52 59.4 47V38Z" opacity=".82"/>'
    + _FACE
    + f'<path {_GOLD} d="M40 39L37.6 27.4L44 32L50 24.4L56 32L62.4 27.4L60 39Z"/>'
    f'<path d="M40 39H60V36.2H40Z"/><circle {_GOLD} cx="50" cy="23.6" r="1.9"/>'
    f'<path {_GOLD} d="M69.2 29H71.6V53.5H69.2ZM65.4 50.5H75.4V53H65.4ZM69.2 56.4V53H71.6V60H69.2Z"/>',
    "Q": '<path d="M40 35C36.8 42 37.4 52 39.6 58L44.4 55.4V38ZM60 35C63.2 42 62.6 52 60.4 58L55.6 55.4V38Z"'
    ' opacity=".82"/>'
    + _FACE
    + '<path d="M40.4 38.6C42.6 34.4 57.4 34.4 59.6 38.6L57.6 41.2C54.6 38.4 45.4 38.4 42.4 41.2Z" opacity=".82"/>'
    f'<path {_GOLD} d="M40.4 36.4C40.6 31.4 42 29.6 42 29.6L45.4 31.8L50 26.6L54.6 31.8L58 29.6C58 29.6 59.4'
    f" 31.4 59.6 36.4"
    'C55 33.8 45 33.8 40.4 36.4Z"/>'
    '<circle cx="50" cy="25.6" r="1.8"/><circle cx="42" cy="28.6" r="1.4"/><circle cx="58" cy="28.6" r="1.4"/>'
    f'<path {_LINE} stroke-width="1.3" d="M70 58C71.6 52 70.4 46 70 42.6"/>'
    f'<g {_GOLD}><circle cx="70" cy="36.6" r="2.6"/><circle cx="66.6" cy="39.4" r="2.6"/><circle cx="73.4"'
    f' cy="39.4" r="2.6"/>'
    '<circle cx="68" cy="43" r="2.6"/><circle cx="72" cy="43" r="2.6"/></g><circle cx="70" cy="40" r="1.9"/>',
    "J": '<path d="M41.2 38C39.8 44 40.2 49.6 41.6 53H44.4V38ZM58.8 38C60.2 44 59.8 49.6 58.4 53H55.6V38Z"'
    ' opacity=".82"/>'
    + _FACE
    + '<path d="M38.4 36.6C38.4 30 44 27.4 50 27.4C57 27.4 60.4 30.6 61.6 36.6C61.6 38.6 59.6 39.4 57.4 38.8'
    'C52.6 37.6 47.4 37.6 42.6 38.8C40.4 39.4 38.4 38.6 38.4 36.6Z"/>'
    f'<path {_GOLD} d="M39 35.8C45 33.4 55 33.4 61 35.8L61.6 38C55 35.6 45 35.6 38.4 38Z"/>'
    f'<path {_GOLD} d="M57 30C60 24.6 65.6 24 68 26.4C65.4 27.4 62 29.6 59.6 32.4Z"/>'
    f'<path {_LINE} stroke-width="1.6" d="M70.4 33V60"/><path {_GOLD} d="M70.4 27L73.2 33.6L70.4 37L67.6 33.6Z"/>',
}


PANEL = '<rect class="card-panel" x="18" y="32.5" width="64" height="75" rx="4" fill="#f6edd8"/>'
FRAME = (
    '<rect class="card-line" x="18" y="32.5" width="64" height="75" rx="4" fill="none" stroke="currentColor"'
    ' stroke-width="1.2"/>'
)


JESTER = (
    '<path fill="currentColor" d="M29 86C27 66 20 60 15.6 58.4C27 50.4 38 56 42 66C43 54 45.6 46 50 41'
    'C54.4 46 57 54 58 66C62 56 73 50.4 84.4 58.4C80 60 73 66 71 86Z"/>'
    f'<path {_GOLD} d="M42 66C43 54 45.6 46 50 41C54.4 46 57 54 58 66L56 86H44Z"/>'
    f'<g {_GOLD}><circle cx="15.6" cy="60" r="4"/><circle cx="50" cy="39" r="4"/><circle cx="84.4" cy="60" r="4"/>'
    '<path d="M27 86H73V92H27Z"/></g>'
)
"""A jester's cap; how many bells hang under it says which joker it is."""


def _lattice() -> str:
    """Lines of a lattice of diamonds, at 45 degrees through the panel from 10 to 90 and 10 to 130."""
    lines = []
    for start in range(-110, 80, 10):
        for falling in (False, True):
            ends = [(x, x - start) for x in (max(10, 10 + start), min(90, 130 + start))]
            lines.append("M" + "L".join(f"{x} {140 - y if falling else y}" for x, y in ends))
    return "".join(lines)


BACK = (
    '<rect class="card-back" x="5" y="5" width="90" height="130" rx="6" fill="#274b73"/>'
    f'<path class="card-back-lines" fill="none" stroke="#7fa3c7" stroke-width="1.3" d="{_lattice()}"/>'
    '<rect class="card-back-lines" x="10" y="10" width="80" height="120" rx="3" fill="none" stroke="#7fa3c7"'
    ' stroke-width="2"/>'
    '<circle class="card-back" cx="50" cy="70" r="19" fill="#274b73"/>'
    '<g class="card-back-lines" fill="none" stroke="#7fa3c7" stroke-width="2"><circle cx="50" cy="70" r="19"/>'
    '<path d="M50 55L59 70L50 85L41 70ZM35 70L50 61L65 70L50 79Z"/></g>'
)

_DARK = "#3b4a52"
_BULB = (
    '<rect x="38" y="10" width="24" height="24" rx="4" fill="#3b4a52"/>'
    '<path d="M38 18H62M38 26H62" stroke="#7d8d95" stroke-width="2.5"/>'
    '<path d="M40 34C26 42 22 58 28 74C33 88 43 97 50 104C57 97 67 88 72 74C78 58 74 42 60 34Z" fill="{}"'
    ' stroke="#3b4a52" stroke-width="2"/>'
    '<path d="M37 46C31 54 31 64 35 74" fill="none" stroke="#ffffff" stroke-opacity=".75" stroke-width="5"'
    ' stroke-linecap="round"/>'
)
_CHEEKS = '<circle cx="50" cy="62" r="24" fill="#f1d3b3"/>'
_EYES = '<circle cx="42" cy="60" r="3" fill="#2c2420"/><circle cx="58" cy="60" r="3" fill="#2c2420"/>'


def _hat(colour: str, tip: str) -> str:
    """A pointed hat with a brim and a bobble."""
    return (
        f'<path d="M25 46Q34 12 66 14Q62 26 75 46Z" fill="{colour}"/><circle cx="68" cy="15" r="7" fill="{tip}"/>'
        f'<rect x="21" y="42" width="58" height="11" rx="5.5" fill="{tip}"/>'
    )


def _elf(colour: str) -> str:
    ears = '<path d="M28 58L14 50L27 70ZM72 58L86 50L73 70Z" fill="#f1d3b3"/>'
    smile = '<path d="M42 72Q50 79 58 72" fill="none" stroke="#2c2420" stroke-width="2.5"/>'
    return f"{ears}{_CHEEKS}{_EYES}{smile}{_hat(colour, '#f2c53d')}"


_MARKED = {
    "Bubble": '<g fill="none" stroke="#2c7486" stroke-width="2.5"><circle cx="50" cy="84" r="6"/>'
    '<circle cx="58" cy="66" r="4.5"/><circle cx="46" cy="56" r="3.5"/><circle cx="56" cy="46" r="2.5"/></g>',
    "Broken": '<path d="M27 62L42 70L47 58L58 72L64 60L75 66" fill="none" stroke="#ffffff" stroke-width="7"/>'
    '<path d="M27 62L42 70L47 58L58 72L64 60L75 66" fill="none" stroke="#c4122f" stroke-width="2.5"/>',
    "Plug": f'<path d="M38 14V36M62 14V36" stroke="#8a949a" stroke-width="8" stroke-linecap="round"/>'
    f'<path d="M26 36H74V54C74 69 64 76 50 76C36 76 26 69 26 54Z" fill="{_DARK}"/>'
    f'<path d="M50 76V86C50 98 66 102 82 96" fill="none" stroke="{_DARK}" stroke-width="7" stroke-linecap="round"/>',
    "Event": '<path d="M58 10L24 60H46L38 102L78 46H54Z" fill="#f2c53d" stroke="#7a5a00" stroke-width="2.5"'
    ' stroke-linejoin="round"/>',
    "Santa": f"{_CHEEKS}{_EYES}"
    '<path d="M26 66C24 92 40 102 50 102C60 102 76 92 74 66C66 74 58 70 50 73C42 70 34 74 26 66Z" fill="#ffffff"'
    f' stroke="#c9ccd0"/>{_hat("#c62f2d", "#ffffff")}',
    "Mrs Claus": '<path d="M50 24C24 24 20 54 26 76H74C80 54 76 24 50 24Z" fill="#e3e6ea"/>'
    f"{_CHEEKS}{_EYES}"
    '<g fill="none" stroke="#2c2420" stroke-width="2"><circle cx="42" cy="60" r="8"/><circle cx="58" cy="60" r="8"/>'
    '<path d="M43 76Q50 81 57 76"/></g><path d="M26 88Q50 78 74 88L80 102H20Z" fill="#c62f2d"/>',
    "Frosty": '<g fill="#ffffff" stroke="#8fa3b0" stroke-width="2"><circle cx="50" cy="80" r="23"/>'
    '<circle cx="50" cy="46" r="17"/></g><path d="M34 30H66M40 30V10H60V30Z" fill="#2c3138" stroke="#2c3138"'
    ' stroke-width="4"/><circle cx="44" cy="43" r="2.5"/><circle cx="56" cy="43" r="2.5"/>'
    '<path d="M50 47L66 51L50 53Z" fill="#e07b22"/><circle cx="50" cy="72" r="2.5"/><circle cx="50" cy="84" r="2.5"/>',
    "Rudolph": '<path d="M38 42V14M38 28L24 18M62 42V14M62 28L76 18" stroke="#6b4a2c" stroke-width="6" fill="none"'
    ' stroke-linecap="round"/><path d="M28 46Q50 28 72 46L66 86Q50 106 34 86Z" fill="#a9753f"/>'
    f'{_EYES}<circle cx="50" cy="84" r="11" fill="#d8202f"/>',
    "Elf 1": _elf("#2f8f4e"),
    "Elf 2": _elf("#2f6fb5"),
}
"""What a mark of a card that is no playing card stands for, 100 x 105 at its foot; over a bulb where it shows one."""

Prints = Literal["pips", "large", "both"]
EVERY_CARD: tuple[Card, ...] = (*PACK, *JOKERS, FACE_DOWN)
_NUMBERS = {rank: number for number, rank in enumerate("23456789T", 2)}
_BODIES = {
    "disc": '<circle class="card-face" cx="50" cy="70" r="45" fill="{colour}" stroke="#8c8c8c" stroke-width="2"/>',
    "tile": '<rect class="card-face" x="5" y="25" width="90" height="90" rx="12" fill="{colour}" stroke="#8c8c8c"'
    ' stroke-width="2"/>',
    "card": '<rect class="card-face" x="1" y="1" width="98" height="138" rx="8" fill="{colour}" stroke="#8c8c8c"'
    ' stroke-width="2"/>',
}
_MARK_SIZES = {1: 56, 2: 44, 3: 32}
_PAPER = (
    '<rect class="card-paper" x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#fffdf7" stroke="#8d8779"'
    ' stroke-width="1.5"/>'
)


def symbol_id(card: Card) -> str:
    """`card-QH`, `card-joker-1`, `card-back`."""
    return "card-back" if card == FACE_DOWN else "card-" + card.replace("*", "joker-")


def symbols(cards: Iterable[Card], faces: Mapping[Card, Face] | None = None, prints: Prints = "pips") -> str:
    """The symbols of these cards (each once, in order) with the parts they share, for the inside of an `<svg>`.

    `faces` says what stands for a card that is no playing card. `prints`: `large`, one large rank and suit for a small
    picture, costs a page with many pictures a fifth of the drawing; `both`: a page shows the large one while it has the
    class `large-print`.
    """
    once, faces = list(dict.fromkeys(cards)), faces or {}
    names = {face.strand[0]: face.mark for face in faces.values() if len(face.strand) == 1}
    drawn = [
        f'<symbol id="{symbol_id(card)}" viewBox="0 0 100 140">'
        f"{_face(faces[card], names) if card in faces else _card(card, prints)}</symbol>"
        for card in once
    ]
    return f"<defs>{''.join(_parts([card for card in once if card not in faces], prints))}</defs>{''.join(drawn)}"


def _parts(cards: list[Card], prints: Prints) -> Iterator[str]:
    """The glyphs and figures that these cards use."""
    ranks = dict.fromkeys(card[0] for card in cards if card != FACE_DOWN and not is_joker(card))
    suits = dict.fromkeys("*" if is_joker(card) else card[1] for card in cards if card != FACE_DOWN)
    for rank in ranks:
        yield (
            f'<path id="card-rank-{rank}" d="{RANK_PATHS[rank]}" fill="none" stroke="currentColor" stroke-width="3.7"'
            ' stroke-linecap="round" stroke-linejoin="round"/>'
        )
    for suit in suits:
        name = "star" if suit == "*" else suit
        yield f'<path id="card-suit-{name}" d="{SUIT_PATHS[suit]}" fill="currentColor"/>'
    for rank in ranks:
        if rank in "JQK" and prints != "large":
            figure = f'<g fill="currentColor" transform="translate(10.5 14.7) scale(.79)">{_ROBE}{_HEADS[rank]}</g>'
            yield f'<g id="card-court-{rank}">{figure}</g>'


def _card(card: Card, prints: Prints) -> str:
    if card == FACE_DOWN:
        return _PAPER + BACK
    if is_joker(card):
        number = int(card[1])
        star = '<use href="#card-suit-star" transform="translate(18 19) scale(1.25)"/>'
        places = [50 + 14 * (place - (number - 1) / 2) for place in range(number)]
        bells = "".join(f'<circle {_GOLD} cx="{x:g}" cy="102" r="4.6"/>' for x in places)
        return _coloured(number % 2 == 1, f"{_mirrored(card, star)}{JESTER}{bells}")
    large = (
        f'<use href="#card-rank-{card[0]}" transform="translate(6 7) scale(1.3)"/>'
        f"{_suit(card, 46, 23.5, 1.35)}{_suit(card, 50, 92, 3)}"
    )
    if prints == "both":
        large = f'<g class="card-fine">{_pips_of(card)}</g><g class="card-large" display="none">{large}</g>'
    return _coloured(is_red(card), _pips_of(card) if prints == "pips" else large)


def _pips_of(card: Card) -> str:
    rank, count = card[0], _NUMBERS.get(card[0])
    index = f'<use href="#card-rank-{rank}" transform="translate(7 6.5) scale(.92)"/>{_suit(card, 36.5, 18.8, 1.05)}'
    if rank in "JQK":
        figure = f'<g class="card-figure"><use href="#card-court-{rank}"/>{_suit(card, 26.5, 42.5, 0.62)}</g>'
        return PANEL + _mirrored(card, index + figure) + FRAME
    if count is None:
        return _mirrored(card, index) + _suit(card, 50, 70, 3.2)
    size = 0.86 if count > 8 else 0.92 if count > 6 else 1.08
    upper, alone = ("".join(_suit(card, x, y, size) for x, y in points) for points in pips(count))
    return _mirrored(card, index + upper) + alone


def _coloured(red: bool, content: str) -> str:
    colour = 'class="card-red" color="#c4122f"' if red else 'class="card-black" color="#1d2733"'
    return f"{_PAPER}<g {colour}>{content}</g>"


def _mirrored(card: Card, half: str) -> str:
    """A half and the same turned about the middle of the card."""
    name = f"half-{symbol_id(card)}"
    return f'<g id="{name}">{half}</g><use href="#{name}" transform="rotate(180 50 70)"/>'


def _suit(card: Card, x: float, y: float, scale: float) -> str:
    return f'<use href="#card-suit-{card[1]}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def _face(face: Face, names: Mapping[str, str]) -> str:
    """A disc, a tile or a card in its colour, with its mark, a longer one under a picture; a strand of several bulbs.

    `names`: what bulbs are called by their colours.
    """
    body = _BODIES[face.shape].format(colour=face.colour)
    if len(face.strand) > 1:
        return f"<g>{body}{_strand(face.mark, [(colour, names.get(colour, '')) for colour in face.strand])}</g>"
    picture = "".join(map(_BULB.format, face.strand)) + _MARKED.get(face.mark, "")
    if picture or len(face.mark) > max(_MARK_SIZES):
        caption = _type(face.mark, 50, 27, min(24, 94 / (0.68 * len(face.mark))), ' text-anchor="middle"')
        return f'<g>{body}{caption}<g transform="translate(0 31)">{picture}</g></g>'
    if not face.mark:
        return f"<g>{body}</g>"
    red, green, blue = (int(face.colour[place : place + 2], 16) for place in (1, 3, 5))
    dark = 0.299 * red + 0.587 * green + 0.114 * blue < 140  # the brightness an eye sees (ITU-R BT.601)
    return (
        f'<g>{body}<text x="50" y="70" fill="{"#ffffff" if dark else "#1d2733"}" font-family="system-ui, sans-serif"'
        f' font-weight="700" text-anchor="middle" font-size="{_MARK_SIZES[len(face.mark)]}"'
        f' dominant-baseline="central">{escape(face.mark)}</text></g>'
    )


def _strand(title: str, bulbs: list[tuple[str, str]]) -> str:
    """Bulbs one below the other on a wire, the first on top, each with its name; the title in the corner."""
    step = 112 / len(bulbs)
    drawn = f'<path d="M14 4Q22 70 14 136" fill="none" stroke="{_DARK}" stroke-width="2"/>'
    for at, (colour, name) in enumerate(bulbs):
        y, size = 22 + step * at, step / 116
        drawn += f'<g transform="translate({16 - 50 * size:g} {y:g}) scale({size:g})">{_BULB.format(colour)}</g>'
        drawn += _type(name, 31, y + step * 0.66, 17)
    return drawn + _type(title, 94, 17, 13, ' text-anchor="end"')


def _type(text: str, x: float, y: float, size: float, more: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" fill="#1d2733" font-family="system-ui, sans-serif" font-weight="700"'
        f' font-size="{size:.3g}"{more}>{escape(text)}</text>'
    )
