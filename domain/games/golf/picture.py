"""What a viewer may see: the table as zones, and the deal without the stock."""

from msgspec.structs import replace

from domain.games.golf.deal import FACE_UP_IN_DEAL
from domain.games.golf.events import Dealt, Event
from domain.games.golf.moves import result, score, stuck
from domain.games.golf.state import DISCARD, STOCK, Facts, State
from domain.kit.patience import STEP, column_zone
from domain.view import ALL_SEEING, FACE_DOWN, View, Viewer, Zone


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING the stock face up as well."""
    over = result(state) is not None
    return View(
        phase="finished" if over else "playing",
        to_act=() if over else (0,),
        stuck=stuck(state),
        zones=_zones(state, open_cards=viewer == ALL_SEEING),
        facts=Facts(score(state)),
    )


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock and discard pile above, the columns below."""
    discard = Zone(DISCARD, "Discard", "pile", STEP, 0, cards=state.discard)
    columns = (column_zone(place, column) for place, column in enumerate(state.columns))
    return (_stock(state, open_cards), discard, *columns)


def _stock(state: State, open_cards: bool) -> Zone:
    if open_cards:
        return Zone(STOCK, "Stock", "pile", 0, 0, cards=state.stock)
    return Zone(STOCK, "Stock", "pile", 0, 0, face_down=len(state.stock))


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal without the stock; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    shown = (card if place in FACE_UP_IN_DEAL else FACE_DOWN for place, card in enumerate(event.cards))
    return replace(event, cards=tuple(shown))
