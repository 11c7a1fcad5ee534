"""Card faces as SVG symbols of 100 x 140: drawn once into a page, used by every card on it."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from domain.capabilities import Face
from domain.kit.cards import JOKERS, PACK, is_joker, is_red
from domain.view import FACE_DOWN, Card
from service.pictures.svg.art import BACK, FRAME, JESTER, PANEL, RANK_PATHS, SUIT_PATHS, bell, court, pips

EVERY_CARD: tuple[Card, ...] = (*PACK, *JOKERS, FACE_DOWN)
_NUMBERS = {rank: number for number, rank in enumerate("23456789T", 2)}
_PAPER = (
    '<rect class="card-paper" x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#fffdf7" stroke="#8d8779"'
    ' stroke-width="1.5"/>'
)
_TURNED = "rotate(180 50 70)"


def symbol_id(card: Card) -> str:
    """`card-QH`, `card-joker-1`, `card-back`."""
    return "card-back" if card == FACE_DOWN else "card-" + card.replace("*", "joker-")


def symbols(cards: Iterable[Card], faces: Mapping[Card, Face] | None = None, small: bool = False) -> str:
    """The symbols of these cards (each once, in order) with the parts they share, for the inside of an `<svg>`.

    `faces` says what stands for a card that is no playing card. `small`: as cards are told apart on a small picture, by
    one large rank and suit, which costs a page with many pictures a fifth of the drawing.
    """
    draw = _small_card if small else _card
    wanted, faces = list(dict.fromkeys(cards)), faces or {}
    playing = [card for card in wanted if card not in faces]
    drawn = [_symbol(card, _face(faces[card]) if card in faces else draw(card)) for card in wanted]
    return f"<defs>{''.join(_parts(playing, small))}</defs>{''.join(drawn)}"


def _symbol(card: Card, content: str) -> str:
    return f'<symbol id="{symbol_id(card)}" viewBox="0 0 100 140">{content}</symbol>'


def _parts(cards: list[Card], small: bool) -> Iterator[str]:
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
        if rank in "JQK" and not small:
            yield f'<g id="card-court-{rank}">{court(rank)}</g>'


def _card(card: Card) -> str:
    if card == FACE_DOWN:
        return _PAPER + BACK
    if is_joker(card):
        return _colour_group(int(card[1]) % 2 == 1, _joker(int(card[1])))
    return _colour_group(is_red(card), _mirror_half(card, _index(card) + _upper(card)) + _middle(card))


def _small_card(card: Card) -> str:
    if card == FACE_DOWN or is_joker(card):
        return _card(card)
    rank = f'<use href="#card-rank-{card[0]}" transform="translate(9 7) scale(1.35)"/>'
    return _colour_group(is_red(card), f"{rank}{_suit(card, 70, 24, 1.5)}{_suit(card, 50, 92, 3)}")


def _colour_group(red: bool, content: str) -> str:
    colour = 'class="card-red" color="#c4122f"' if red else 'class="card-black" color="#1d2733"'
    return f"{_PAPER}<g {colour}>{content}</g>"


def _mirror_half(card: Card, half: str) -> str:
    """A half and the same turned about the middle of the card."""
    name = f"half-{symbol_id(card)}"
    behind, before = (PANEL, FRAME) if card[0] in "JQK" else ("", "")
    return f'{behind}<g id="{name}">{half}</g><use href="#{name}" transform="{_TURNED}"/>{before}'


def _index(card: Card) -> str:
    return f'<use href="#card-rank-{card[0]}" transform="translate(7 6.5) scale(.92)"/>{_suit(card, 36.5, 18.8, 1.05)}'


def _suit(card: Card, x: float, y: float, scale: float) -> str:
    return f'<use href="#card-suit-{card[1]}" transform="translate({x:g} {y:g}) scale({scale:g})"/>'


def _upper(card: Card) -> str:
    """What stands in the upper half and, turned, in the lower one."""
    if card[0] in "JQK":
        return f'<g class="card-figure"><use href="#card-court-{card[0]}"/>{_suit(card, 26.5, 42.5, 0.62)}</g>'
    return "".join(_suit(card, x, y, _size(card)) for x, y in _of_number(card, 0))


def _middle(card: Card) -> str:
    if card[0] == "A":
        return _suit(card, 50, 70, 3.2)
    return "".join(_suit(card, x, y, _size(card)) for x, y in _of_number(card, 1))


def _size(card: Card) -> float:
    """Of a pip: smaller where there are more."""
    return 0.86 if card[0] in "9T" else 0.92 if card[0] in "78" else 1.08


def _of_number(card: Card, half: int) -> list[tuple[float, float]]:
    """The pips that have a turned twin (0), or those that stand alone (1)."""
    return pips(_NUMBERS[card[0]])[half] if card[0] in _NUMBERS else []


def _joker(number: int) -> str:
    star = '<use href="#card-suit-star" transform="translate(18 19) scale(1.25)"/>'
    bells = "".join(bell(50 + 14 * (place - (number - 1) / 2)) for place in range(number))
    name = f"half-{symbol_id(f'*{number}')}"
    return f'<g id="{name}">{star}</g><use href="#{name}" transform="{_TURNED}"/>{JESTER}{bells}'


def _face(face: Face) -> str:
    """A disc, a tile or a card in its colour with its mark and its strand."""
    return f"<g>{_BODIES[face.shape].format(colour=face.colour)}{_mark(face)}{_strand(face)}</g>"


def _strand(face: Face) -> str:
    """Bulbs on a slack wire under the mark."""
    if not face.strand:
        return ""
    step = 84 / len(face.strand)
    places = [
        (8 + step * (at + 0.5), 104 + 10 * (1 - abs(2 * (at + 0.5) / len(face.strand) - 1)))
        for at in range(len(face.strand))
    ]
    bulbs = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{min(step / 2.2, 9):g}" fill="{colour}" stroke="#4d5b66"/>'
        for (x, y), colour in zip(places, face.strand, strict=True)
    )
    return f'<path d="M4 100Q50 122 96 100" fill="none" stroke="#4d5b66" stroke-width="2"/>{bulbs}'


_BODIES = {
    "disc": '<circle class="card-face" cx="50" cy="70" r="45" fill="{colour}" stroke="#8c8c8c" stroke-width="2"/>',
    "tile": '<rect class="card-face" x="5" y="25" width="90" height="90" rx="12" fill="{colour}" stroke="#8c8c8c"'
    ' stroke-width="2"/>',
    "card": '<rect class="card-face" x="1" y="1" width="98" height="138" rx="8" fill="{colour}" stroke="#8c8c8c"'
    ' stroke-width="2"/>',
}


def _mark(face: Face) -> str:
    if not face.mark:
        return ""
    ink = "#ffffff" if _is_dark(face.colour) else "#1d2733"
    return (
        f'<text x="50" y="70" fill="{ink}" font-family="system-ui, sans-serif" font-weight="700" text-anchor="middle"'
        f' font-size="{_SIZES[len(face.mark)]}" dominant-baseline="central">{escape(face.mark)}</text>'
    )


_SIZES = {1: 56, 2: 44, 3: 32}


def _is_dark(colour: str) -> bool:
    """By the brightness an eye sees (ITU-R BT.601)."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140
