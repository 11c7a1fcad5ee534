"""What a viewer may see: the table as zones, and events without the cards that nobody has seen."""

from msgspec.structs import replace

from domain.games.klondike.deal import FACE_UP_IN_DEAL
from domain.games.klondike.ending import result
from domain.games.klondike.events import Dealt, Event
from domain.games.klondike.passes import recycles_left
from domain.games.klondike.state import TABLEAU, WASTE, Facts, State
from domain.games.klondike.stuck import stuck
from domain.kit.patience import STEP, column_zone, foundation_zones
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone

_FOUNDATIONS_ABOVE = (3, 4, 5, 6)
"""The columns above which the foundations stand."""


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state, open_cards=viewer == ALL_SEEING),
        facts=Facts(state.options.draw, state.recycles + 1, recycles_left(state)),
    )


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock, waste, foundations and columns, as the source lays them out."""
    waste = Zone(WASTE, "Waste", "pile", STEP, 0, cards=state.waste)
    homes = foundation_zones(state.foundations, _FOUNDATIONS_ABOVE)
    columns = tuple(_column(state, place, open_cards) for place in range(len(TABLEAU)))
    return (_stock(state, open_cards), waste, *homes, *columns)


def _stock(state: State, open_cards: bool) -> Zone:
    down, cards = _hidden(state.stock, len(state.stock), open_cards)
    return Zone("stock", "Stock", "pile", 0, 0, face_down=down, cards=cards)


def _column(state: State, place: int, open_cards: bool) -> Zone:
    down, cards = _hidden(state.columns[place], state.face_down[place], open_cards)
    return column_zone(place, cards, down)


def _hidden(cards: tuple[Card, ...], down: int, open_cards: bool) -> tuple[int, tuple[Card, ...]]:
    """How many cards are shown as backs, and the faces above them."""
    return (0, cards) if open_cards else (down, cards[down:])


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with only the seven face-up cards; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    shown = (card if place in FACE_UP_IN_DEAL else FACE_DOWN for place, card in enumerate(event.cards))
    return replace(event, cards=tuple(shown))
