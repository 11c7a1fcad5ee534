"""What a viewer may see: the pyramid as 28 places, the piles, and the deal without the stock."""

from msgspec.structs import replace

from domain.games.pyramid.deal import IN_PYRAMID
from domain.games.pyramid.ending import result, stuck
from domain.games.pyramid.events import Dealt, Event
from domain.games.pyramid.passes import recycles_left, score
from domain.games.pyramid.state import DISCARD, PLACES, ROW_AND_CARD, ROWS, STOCK, WASTE, Facts, State
from domain.kit.patience import STEP
from domain.view import ALL_SEEING, FACE_DOWN, View, Viewer, Zone


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING the stock face up as well."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state, open_cards=viewer == ALL_SEEING),
        facts=Facts(state.options.draw, state.recycles + 1, recycles_left(state), score(state)),
    )


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The pyramid, every card of it face up, and below it stock, waste and discard."""
    waste = Zone(WASTE, "Waste", "pile", STEP, STEP * ROWS, cards=state.waste)
    discard = Zone(DISCARD, "Discard", "pile", STEP * (ROWS - 1), STEP * ROWS, cards=state.discard)
    return (*(_place(state, place) for place in range(IN_PYRAMID)), _stock(state, open_cards), waste, discard)


def _place(state: State, place: int) -> Zone:
    (row, card), lying = ROW_AND_CARD[place], state.pyramid[place]
    x = STEP * (card + (ROWS - 1 - row) / 2)
    cards = (lying,) if lying else ()
    return Zone(PLACES[place], f"Row {row}, card {card}", "pyramid", x, STEP * row, cards=cards)


def _stock(state: State, open_cards: bool) -> Zone:
    up = len(state.stock) if open_cards else int(state.stock_up and bool(state.stock))
    down = len(state.stock) - up
    return Zone(STOCK, "Stock", "pile", 0, STEP * ROWS, face_down=down, cards=state.stock[down:])


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with the pyramid only; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    hidden = (FACE_DOWN,) * (len(event.cards) - IN_PYRAMID)
    return replace(event, cards=event.cards[:IN_PYRAMID] + hidden)
