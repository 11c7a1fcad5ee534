"""What a viewer of Golf may see: the table as zones, the deal without the stock, and the material."""

from msgspec import Struct
from msgspec.structs import replace

from domain.board import Board, Boards, frame_board
from domain.games.golf.events import Dealt, Event
from domain.games.golf.rules import initial, is_cleared, plays, result, score
from domain.games.golf.state import COLUMNS, DISCARD, FACE_UP_IN_DEAL, STOCK, Facts, Options, State, takers
from domain.kit.boards import columns, fan, pile
from domain.kit.cards import hide_all_but
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import STEP, closed_pile, column_zone, solo_view
from domain.view import ALL_SEEING, View, Viewer, Zone


class Material(Struct, frozen=True, tag="golf/material"):
    """The columns, stock and discard pile, and the pack."""

    places: Places
    cards: Cards


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING the stock face up as well."""
    zones = _zones(state, open_cards=viewer == ALL_SEEING)
    return solo_view(result(state) is not None, stuck(state), zones, Facts(score(state)))


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal without the stock; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return replace(event, cards=hide_all_but(event.cards, FACE_UP_IN_DEAL))


def stuck(state: State) -> bool:
    """Whether no card can be played, and on no card of the stock either. Our ruling.

    Which cards the stock holds the player can tell from those in view, and their order does not matter here.
    """
    if state.resigned or is_cleared(state) or not state.discard or plays(state):
        return False
    tops, takes = {column[-1] for column in state.columns if column}, takers(state.options)
    return all(tops.isdisjoint(takes[card]) for card in state.stock)


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock and discard pile above, the columns below."""
    stock = closed_pile(STOCK, "Stock", 0, 0, state.stock, known=open_cards)
    discard = Zone(DISCARD, "Discard", "pile", STEP, 0, cards=state.discard)
    return (stock, discard, *(column_zone(place, column) for place, column in enumerate(state.columns)))


def boards(options: Options, seats: int) -> Boards:
    """The columns above, stock and discards below, of which the last ones are fanned."""

    def board(room: float, step: float | None = None) -> Board:
        low = room + 0.14
        discard = fan(DISCARD, 1.38, low, 12, 0.46)
        return frame_board([*columns(COLUMNS, 0, 0, room, step=step), pile(STOCK, 0, low), discard])

    return Boards(board(2.15), board(3.4, 0.55))


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
