"""Where cards lie: boards of patiences, and the places and the pack of a game type's material."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import GAP, ROW_GAP, Board, Boards, Place, frame_board
from domain.kit.cards import PACK, RANK, name
from domain.kit.patience import FOUNDATIONS
from domain.view import Card, Seat, View

_APART = 0.3
"""Between the columns and what stands beside them, in card widths."""
_CLOSE = 0.04
"""Between columns on a phone where there are ten of them."""
_PHONE_TALL = 0.8
"""From card to card in ten columns on a phone, whose cards are small, until they fill the height."""
PHONE_ROOM, PHONE_STEP = 5.5, 0.36
"""Of a column on a phone, where there is more room below than beside it, in card heights."""
FAN = 0.3
"""From card to card of a waste that shows several cards, in card widths."""


def in_row(zones: Iterable[str], first: Place, gap: float = GAP) -> list[Place]:
    """Places like the first, side by side."""
    return [replace(first, zone=zone, x=first.x + at * (first.scale + gap)) for at, zone in enumerate(zones)]


def in_column(zones: Iterable[str], first: Place, gap: float = ROW_GAP) -> list[Place]:
    """Places like the first, one below the other."""
    return [replace(first, zone=zone, y=first.y + at * (first.scale + gap)) for at, zone in enumerate(zones)]


def pile(zone: str, x: float, y: float) -> Place:
    return Place(zone, x, y, label=False)


def fan(zone: str, x: float, y: float, shown: int, step: float = FAN) -> Place:
    """A pile that shows so many cards."""
    return Place(zone, x, y, "right", 1 + step * (shown - 1), step, shown, label=False)


def columns(count: int, x: float, y: float, room: float, gap: float = GAP, step: float | None = None) -> list[Place]:
    """The columns of a patience."""
    return in_row((f"tableau_{place}" for place in range(count)), Place("", x, y, "down", room, step, label=False), gap)


def homes(places: Iterable[Place]) -> list[Place]:
    """Foundations, each marked with the suit that it is named after (`foundation_spades_1`)."""
    return [replace(place, mark=place.zone.split("_")[1][0].upper()) for place in places]


def talon_boards(count: int, draw: int) -> Boards:
    """Stock and waste on the left, foundations on the right of so many columns; on a phone all of them above."""
    first = 1 + FAN * (draw - 1) + _APART
    right = first + count * (1 + GAP) - GAP + _APART
    top, step = count - len(FOUNDATIONS), 1 + GAP
    return Boards(
        frame_board([
            pile("stock", 0, 0), fan("waste", 0, 1 + 2 * ROW_GAP, draw), *columns(count, first, 0, 4.2),
            *homes(in_column(FOUNDATIONS, pile("", right, 0))),
        ]),
        frame_board([
            pile("stock", 0, 0), fan("waste", step, 0, draw), *homes(in_row(FOUNDATIONS, pile("", top * step, 0))),
            *columns(count, 0, 1.12, PHONE_ROOM, step=PHONE_STEP),
        ]),
    )  # fmt: skip


def cell_boards(cells: Sequence[str], count: int) -> Boards:
    """Cells on the left and foundations on the right of so many columns; on a phone both of them above."""
    right = 1 + 2 * _APART + count * (1 + GAP) - GAP
    return Boards(
        frame_board([
            *in_column(cells, pile("", 0, 0)), *columns(count, 1 + _APART, 0, 4.18),
            *homes(in_column(FOUNDATIONS, pile("", right, 0))),
        ]),
        frame_board([
            *in_row(cells, pile("", 0, 0), 0.06), *homes(in_row(FOUNDATIONS, pile("", len(cells) * 1.06, 0), 0.06)),
            *columns(count, 0, 1.12, PHONE_ROOM, 0.06, PHONE_STEP),
        ]),
    )  # fmt: skip


def topped_boards(count: int, above: Callable[[float], Iterable[Place]]) -> Boards:
    """So many columns with a row above them: `above` is given the distance from column to column."""

    def board(gap: float, room: float, step: float | None = None) -> Board:
        return frame_board([*above(1 + gap), *columns(count, 0, 1.12, room, gap, step)])

    return Boards(board(GAP, 3.3), board(_CLOSE, PHONE_ROOM + 1.7, _PHONE_TALL))


class CardPlace(Struct, frozen=True, omit_defaults=True):
    """A place for cards on the table: a zone of the views, which commands and events name by the same id."""

    id: Annotated[str, Meta(description="The id of the zone.")]
    name: Annotated[str, Meta(description="What people call it.")]
    seat: Annotated[Seat | None, Meta(description="The seat whose place it is; left out where it is nobody's.")] = None


Places = Annotated[tuple[CardPlace, ...], Meta(description="Every zone that a view can have, whatever the options.")]


def card_places(*views: View[Any]) -> tuple[CardPlace, ...]:
    """The places of these views, each once: what one table has and another has not is listed as well."""
    zones = {zone.id: zone for view in views for zone in view.zones}
    return tuple(CardPlace(zone.id, zone.label, zone.owner) for zone in zones.values())


class PackCard(Struct, frozen=True, omit_defaults=True):
    """A card of the pack."""

    id: Annotated[Card, Meta(description="The card as zones, commands and events write it.")]
    name: Annotated[str, Meta(description="What people call it.")]
    value: Annotated[int, Meta(description="What it counts where cards are compared.")]
    count: Annotated[int, Meta(description="How many there are of it.")] = 1


Cards = Annotated[tuple[PackCard, ...], Meta(description="The cards that are played with.")]


def pack_cards(cards: Iterable[Card] = PACK, values: Mapping[Card, int] = RANK) -> tuple[PackCard, ...]:
    """These cards, each kind once, with what they count: ace 1 to king 13 unless said otherwise."""
    return tuple(PackCard(card, name(card), values[card], count) for card, count in Counter(cards).items())
