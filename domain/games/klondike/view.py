"""What a viewer may see of Klondike: the table as zones, the events, when a game is told as stuck, and the material."""

from msgspec import Struct

from domain.games.klondike.events import Dealt, Event
from domain.games.klondike.rules import find_wanted, initial, last_pass_over, moves_by_source, result
from domain.games.klondike.state import COLUMNS, FACE_UP_IN_DEAL, Facts, Options, State
from domain.kit.cards import hide_all_but
from domain.kit.columns import only_changes_place
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import ALL_HOME, column_zones, foundation_zones, solo_view
from domain.kit.talon import find_awaited, recycles_left, talon_zones
from domain.view import ALL_SEEING, View, Viewer, Zone


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING every card face up."""
    facts = Facts(state.options.draw, state.recycles + 1, recycles_left(state))
    return solo_view(result(state) is not None, stuck(state), _zones(state, viewer == ALL_SEEING), facts)


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock, waste, foundations and columns, as the source lays them out: foundations above the last four columns."""
    down = (0,) * COLUMNS if open_cards else state.face_down
    columns = column_zones(state.columns, down)
    return (*talon_zones(state, open_cards), *foundation_zones(state.foundations, (3, 4, 5, 6)), *columns)


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal with only the seven face-up cards; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return Dealt(hide_all_but(event.cards, FACE_UP_IN_DEAL))


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A king-headed whole column that only changes its place does not count as a move. Cards that have never been shown
    count as any that they could be, so the answer rests on what the player has seen and does not give them away.
    """
    if state.foundations == ALL_HOME:
        return False
    if last_pass_over(state):
        return True
    unseen = (column[:down] for column, down in zip(state.columns, state.face_down, strict=True))
    return find_wanted(state).isdisjoint(find_awaited(state, unseen)) and not _can_move(state)


def _can_move(state: State) -> bool:
    listed = (move for found in moves_by_source(state) for move in found)
    return any(not only_changes_place(state.columns, move.source, move.target, move.count) for move in listed)


class Material(Struct, frozen=True, tag="klondike/material"):
    """The stock, the waste, the foundations and the seven columns, and the pack."""

    places: Places
    cards: Cards


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards())
