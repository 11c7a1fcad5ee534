"""What a viewer of Pyramid may see: 28 places and the piles, the deal without the stock, and the material."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.board import GAP, Boards, frame_board
from domain.board import Place as Spot
from domain.games.pyramid.events import Dealt, Event
from domain.games.pyramid.rules import initial, legal_commands, pyramid_removals, result, score
from domain.games.pyramid.state import (
    COVERING,
    DISCARD,
    IN_PYRAMID,
    PARTNERS,
    PLACES,
    ROW_AND_CARD,
    ROWS,
    STOCK,
    THIRTEEN,
    Facts,
    Options,
    Place,
    State,
    available,
    is_dealt,
    is_won,
)
from domain.kit.boards import fan, pile
from domain.kit.cards import hide_all_but
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import KINGS, STEP, solo_view
from domain.kit.talon import WASTE, recycles_left
from domain.view import ALL_SEEING, Card, View, Viewer, Zone


class PyramidPlace(Struct, frozen=True):
    """A place in the pyramid."""

    id: Annotated[Place, Meta(description="The id of its zone.")]
    row: Annotated[int, Meta(description="Its row, the top is 0.")]
    card: Annotated[int, Meta(description="Its place in the row, from the left, the first is 0.")]
    covered_by: Annotated[tuple[Place, ...], Meta(description="The places whose cards lie on it.")]


class Material(Struct, frozen=True, tag="pyramid/material"):
    """The 28 places of the pyramid, the piles, and what the cards count."""

    places: Places
    pyramid: Annotated[tuple[PyramidPlace, ...], Meta(description="The pyramid from the top, row by row.")]
    total: Annotated[
        int, Meta(description="Cards that are removed together count so much; a card that does goes alone.")
    ]
    cards: Cards


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING the stock face up as well."""
    facts = Facts(state.options.draw, state.recycles + 1, recycles_left(state), score(state))
    return solo_view(result(state) is not None, stuck(state), _zones(state, viewer == ALL_SEEING), facts)


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with the pyramid only; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return replace(event, cards=hide_all_but(event.cards, range(IN_PYRAMID)))


def stuck(state: State) -> bool:
    """Whether nothing is legal, or nothing but drawing and removals that free no card of the pyramid. Our ruling.

    The player can tell which cards the stock holds from those in view; their order does not matter. With `waste_pairs`
    and when drawing three it is told only where nothing is legal.
    """
    if not is_dealt(state) or is_won(state):
        return False
    if not legal_commands(state, 0):
        return True
    if state.options.waste_pairs or state.options.draw > 1 or pyramid_removals(state):
        return False
    return not _hope(state)


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The pyramid, every card of it face up, and below it stock, waste and discard."""
    waste = Zone(WASTE, "Waste", "pile", STEP, STEP * ROWS, cards=state.waste)
    discard = Zone(DISCARD, "Discard", "pile", STEP * (ROWS - 1), STEP * ROWS, cards=state.discard)
    return (*(_place(state, place) for place in range(IN_PYRAMID)), _stock(state, open_cards), waste, discard)


def _place(state: State, place: int) -> Zone:
    (row, card), lying = ROW_AND_CARD[place], state.pyramid[place]
    x = STEP * (card + (ROWS - 1 - row) / 2)
    cards = (lying,) if lying else ()
    return Zone(PLACES[place], f"Row {row + 1}, card {card + 1}", "pyramid", x, STEP * row, cards=cards)


def boards(options: Options, seats: int) -> Boards:
    """Each row lies on the one above it; stock, waste and discards in the corners beside the top, or below."""
    step = 1 + GAP
    right, low = 6 * step, 0.62 * (ROWS - 1) + 1.14
    return Boards(
        frame_board([
            pile(STOCK, 0, 0), fan(WASTE, step, 0, options.draw, 0.22), pile(DISCARD, right + 0.9, 0),
            *_pyramid(0.42, 0.45),
        ]),
        frame_board([
            *_pyramid(0.62), pile(STOCK, 0, low), fan(WASTE, step, low, options.draw), pile(DISCARD, right, low),
        ]),
    )  # fmt: skip


def _pyramid(down: float, left: float = 0) -> list[Spot]:
    """The places so far down from row to row; empty ones are not drawn."""
    return [
        Spot(PLACES[place], left + (1 + GAP) * (card + (ROWS - 1 - row) / 2), down * row, label=False, outline=False)
        for place, (row, card) in enumerate(ROW_AND_CARD)
    ]


def _stock(state: State, open_cards: bool) -> Zone:
    up = len(state.stock) if open_cards else int(state.stock_up and bool(state.stock))
    down = len(state.stock) - up
    return Zone(STOCK, "Stock", "pile", 0, STEP * ROWS, face_down=down, cards=state.stock[down:])


def _hope(state: State) -> bool:
    """Whether a card that can still come up pairs with the pyramid, or, where all must go, can go at all."""
    cards = _within_reach(state)
    tops = [state.pyramid[place] for place in available(state.pyramid)]
    if any(not PARTNERS[top].isdisjoint(cards) for top in tops):
        return True
    return state.options.clear_all and (_pair_among(state, cards) or not KINGS.isdisjoint(cards))


def _within_reach(state: State) -> set[Card]:
    """The cards of stock and waste that can still come to the top, as long as the pyramid stays as it is."""
    cards = {*state.stock, *state.waste}
    if recycles_left(state) != 0 or _pair_among(state, cards):
        return cards
    return {*state.stock, *_upper_waste(state.waste)}


def _pair_among(state: State, cards: set[Card]) -> bool:
    """Whether stock and waste might give a pair with each other, which takes a stock whose top can be played."""
    return state.options.stock_top and bool(state.stock) and any(not PARTNERS[card].isdisjoint(cards) for card in cards)


def _upper_waste(waste: tuple[Card, ...]) -> set[Card]:
    """The top of the waste, and what lies under it as far as only kings lie above."""
    depth = 1
    while depth < len(waste) and waste[-depth] in KINGS:
        depth += 1
    return set(waste[-depth:])


def _place_as_data(place: int) -> PyramidPlace:
    return PyramidPlace(PLACES[place], *ROW_AND_CARD[place], tuple(PLACES[cover] for cover in COVERING[place]))


MATERIAL = Material(
    places=card_places(look(initial(Options(), 1), None)),
    pyramid=tuple(_place_as_data(place) for place in range(len(PLACES))),
    total=THIRTEEN,
    cards=pack_cards(),
)
