"""What a viewer may see: the table as zones, and events without the cards that nobody has seen."""

from msgspec.structs import replace

from domain.games.canfield.deal import FACE_UP_IN_DEAL
from domain.games.canfield.ending import result
from domain.games.canfield.events import Dealt, Event
from domain.games.canfield.passes import recycles_left
from domain.games.canfield.state import RESERVE, TABLEAU, WASTE, Facts, State, home_cards
from domain.games.canfield.stuck import stuck
from domain.kit.cards import RANKS, SUIT_NAMES
from domain.kit.patience import FOUNDATIONS, STEP
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone

_SUIT_LABELS = tuple(suit.capitalize() for suit in SUIT_NAMES.values())


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state, open_cards=viewer == ALL_SEEING),
        facts=_facts(state),
    )


def _facts(state: State) -> Facts:
    base = RANKS[state.base - 1] if state.base else None
    return Facts(base, state.options.draw, state.recycles + 1, recycles_left(state))


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The reserve with the columns to its right, the foundations above these, stock and waste beside them."""
    stock = _pile("stock", "Stock", 0, state.stock, len(state.stock), open_cards)
    waste = Zone(WASTE, "Waste", "pile", STEP, 0, cards=state.waste)
    homes = tuple(_foundation(state, suit) for suit in range(len(FOUNDATIONS)))
    reserve = _pile(RESERVE, "Reserve", STEP, state.reserve, state.covered, open_cards)
    return (stock, waste, *homes, reserve, *(_column(state, place) for place in range(len(TABLEAU))))


def _pile(zone: str, label: str, y: float, cards: tuple[Card, ...], down: int, open_cards: bool) -> Zone:
    hidden = 0 if open_cards else down
    return Zone(zone, label, "pile", 0, y, face_down=hidden, cards=cards[hidden:])


def _foundation(state: State, suit: int) -> Zone:
    cards = home_cards(state, suit)
    return Zone(FOUNDATIONS[suit], _SUIT_LABELS[suit], "pile", STEP * (2 + suit), 0, cards=cards)


def _column(state: State, place: int) -> Zone:
    return Zone(TABLEAU[place], f"Column {place}", "column", STEP * (2 + place), STEP, cards=state.columns[place])


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with only the top of the reserve, the base card and the columns; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    shown = (card if place in FACE_UP_IN_DEAL else FACE_DOWN for place, card in enumerate(event.cards))
    return replace(event, cards=tuple(shown))
