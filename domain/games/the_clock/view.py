"""What a viewer of The Clock may see: the clock as zones, events without unseen cards, and the material."""

from collections.abc import Iterator
from math import cos, pi, radians, sin
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import HEIGHT, WIDTH, Board, Boards, Place, frame_board
from domain.games.the_clock.events import Dealt, Event
from domain.games.the_clock.rules import initial, result
from domain.games.the_clock.state import ACTIVE, BELONGS, CENTRE, PILES, SHOWN, Facts, Options, Pile, State
from domain.kit.boards import pile
from domain.kit.cards import hide_all_but
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.view import ALL_SEEING, Card, Layout, View, Viewer, Zone

_ROW, _BESIDE, _RADIUS = 1.25, 1.25, 4.0
"""Card heights from row to row, card widths from a pile to its face-up cards and to the piles at 3 and 9 o'clock."""
_MIDDLE = _RADIUS + _BESIDE


class Hour(Struct, frozen=True):
    """A pile of the clock."""

    id: Annotated[Pile, Meta(description="The id of the zone of its face-down cards.")]
    hour: Annotated[int | None, Meta(description="1 to 12 o'clock; null: the middle.")]
    shown: Annotated[str, Meta(description="The id of the zone of the face-up cards that lie under it.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The cards that belong there.")]


class Material(Struct, frozen=True, tag="the_clock/material"):
    """The thirteen piles with the cards that belong to them."""

    places: Places
    hours: Annotated[tuple[Hour, ...], Meta(description="The piles, from 1 o'clock on, the middle last.")]
    cards: Cards


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The clock: a spectator sees what the player sees; ALL_SEEING every card face up."""
    over = result(state) is not None
    return View(
        phase="finished" if over else _phase(state),
        to_act=() if over or not any(state.piles) else (0,),
        stuck=False,
        zones=(*_piles(state, viewer == ALL_SEEING), *_face_up(state), _active(state)),
        facts=_facts(state),
    )


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with no card at all; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return replace(event, cards=hide_all_but(event.cards, ()))


def _phase(state: State) -> str:
    if state.active is not None:
        return "exchange"
    return "turn" if any(state.piles) else "deal"


def _facts(state: State) -> Facts:
    revealed = sum(map(len, state.shown)) + (state.active is not None)
    kings = len(state.shown[CENTRE])
    following = None if state.active is not None or kings == 4 else PILES[state.following]
    king_at = None if state.king_at is None else PILES[state.king_at]
    return Facts(revealed, kings + (state.active is not None), following, king_at)


def _piles(state: State, open_cards: bool) -> Iterator[Zone]:
    """Places of a clock; where their cards are known, piles, for a clock of several cards would be another picture."""
    for place, cards in enumerate(state.piles):
        down, faces = (0, cards) if open_cards else (len(cards), ())
        layout: Layout = "pile" if faces else "clock"
        yield Zone(PILES[place], _label(place), layout, *_position(place), face_down=down, cards=faces)


def _face_up(state: State) -> Iterator[Zone]:
    """The face-up cards of a pile are drawn out from under it, away from the middle of the clock."""
    for place, cards in enumerate(state.shown):
        x, y = _position(place)
        side = -_BESIDE if x < _MIDDLE else _BESIDE
        yield Zone(SHOWN[place], f"Shown, {_label(place)}", "pile", x + side, y, cards=cards)


def _active(state: State) -> Zone:
    return Zone(ACTIVE, "In hand", "pile", 0, 0, cards=() if state.active is None else (state.active,))


def _label(place: int) -> str:
    return "Middle" if place == CENTRE else f"{place + 1} o'clock"


def _position(place: int) -> tuple[float, float]:
    """Seven rows from 12 to 6 o'clock, their width that of a circle; the thirteenth pile in the middle."""
    if place == CENTRE:
        return _MIDDLE, 3 * _ROW
    hour = (place + 1) % 12
    return round(_MIDDLE + _RADIUS * sin(pi * hour / 6), 2), _ROW * min(hour, 12 - hour)


def boards(options: Options, seats: int) -> Boards:
    """A clock face: every pile points to the middle, with its face-up cards drawn out from under it."""
    return Boards(_clock(-5, -2.6), _clock(-3.8, -3.6))


def _clock(x: float, y: float) -> Board:
    """`x`, `y`: where the card in hand lies, from the middle of the clock."""
    hours = range(len(PILES) - 1)
    shown = [replace(_place_on_dial(SHOWN[place], place, 3.3), outline=False) for place in hours]
    piles = [_place_on_dial(PILES[place], place, 2.75) for place in hours]
    middle = [pile(PILES[CENTRE], -1.04, -0.5), pile(SHOWN[CENTRE], 0.04, -0.5)]
    return frame_board([*shown, *piles, *middle, Place(ACTIVE, x, y)])


def _place_on_dial(zone: str, place: int, radius: float) -> Place:
    """So many card widths from the middle of the clock, the upper edge outwards."""
    turn = 30.0 * (place + 1)
    x, y = radius * sin(radians(turn)), -radius * cos(radians(turn)) * WIDTH / HEIGHT
    return Place(zone, x - 0.5, y - 0.5, turn=turn, label=False)


def _hour(place: int) -> Hour:
    cards = tuple(card for card, pile in BELONGS.items() if pile == place)
    return Hour(PILES[place], None if place == CENTRE else place + 1, SHOWN[place], cards)


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    hours=tuple(_hour(place) for place in range(len(PILES))),
    cards=pack_cards(),
)
