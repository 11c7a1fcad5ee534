"""What a viewer may see: the table as zones, and events without the cards that nobody has seen."""

from msgspec.structs import replace

from domain.games.spider.deal import FACE_UP_IN_DEAL
from domain.games.spider.ending import result, stuck
from domain.games.spider.events import Dealt, Event
from domain.games.spider.state import COLUMNS, FOUNDATIONS, RUN, Facts, State
from domain.kit.patience import STEP, column_zone
from domain.view import ALL_SEEING, FACE_DOWN, Card, View, Viewer, Zone


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state, open_cards=viewer == ALL_SEEING),
        facts=Facts(state.options.suits, len(state.stock) // COLUMNS, len(state.finished)),
    )


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """The stock and the removed runs in a row above the ten columns."""
    down, cards = _hidden(state.stock, len(state.stock), open_cards)
    stock = Zone("stock", "Stock", "pile", 0, 0, face_down=down, cards=cards)
    homes = tuple(_foundation(state, number) for number in range(len(FOUNDATIONS)))
    return (stock, *homes, *(_column(state, place, open_cards) for place in range(COLUMNS)))


def _foundation(state: State, number: int) -> Zone:
    """The removed runs lie in the order of their going, king at the bottom."""
    cards = RUN[state.finished[number]] if number < len(state.finished) else ()
    return Zone(FOUNDATIONS[number], f"Run {number}", "pile", STEP * (2 + number), 0, cards=cards)


def _column(state: State, place: int, open_cards: bool) -> Zone:
    down, cards = _hidden(state.columns[place], state.face_down[place], open_cards)
    return column_zone(place, cards, down)


def _hidden(cards: tuple[Card, ...], down: int, open_cards: bool) -> tuple[int, tuple[Card, ...]]:
    """How many cards are shown as backs, and the faces above them."""
    return (0, cards) if open_cards else (down, cards[down:])


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with only the ten face-up cards; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    shown = (card if place in FACE_UP_IN_DEAL else FACE_DOWN for place, card in enumerate(event.cards))
    return replace(event, cards=tuple(shown))
