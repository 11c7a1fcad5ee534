"""What a viewer may see of Forty Thieves: the table as zones, the deal without the stock, and the material."""

from msgspec import Struct

from domain.board import Boards
from domain.games.forty_thieves.events import Dealt, Event
from domain.games.forty_thieves.rules import find_wanted, initial, is_dealt, moves_by_source, result
from domain.games.forty_thieves.state import ALL_HOME, CARDS, COLUMNS, FOUNDATIONS, IN_COLUMNS, Facts, Options, State
from domain.kit.boards import beside, homes, pile, topped_boards
from domain.kit.cards import SUIT_NAMES, hide_all_but
from domain.kit.columns import only_changes_place
from domain.kit.material import Cards, Places, card_places, pack_cards
from domain.kit.patience import STEP, column_zone, home_cards, solo_view
from domain.kit.talon import find_awaited, recycles_left, talon_zones
from domain.view import ALL_SEEING, View, Viewer, Zone

_LABELS = tuple(suit.capitalize() for suit in SUIT_NAMES.values())


class Material(Struct, frozen=True, tag="forty_thieves/material"):
    """The stock, the waste, the eight foundations and the ten columns, and the two packs."""

    places: Places
    cards: Cards


def look(state: State, viewer: Viewer) -> View[Facts]:
    """The table: a spectator sees what the player sees; ALL_SEEING the stock face up as well."""
    facts = Facts(state.recycles + 1, recycles_left(state))
    return solo_view(result(state) is not None, stuck(state), _zones(state, viewer == ALL_SEEING), facts)


def redact(state: State, event: Event, viewer: Viewer) -> Event:
    """The deal without the stock; everything else happens face up."""
    if not isinstance(event, Dealt) or viewer == ALL_SEEING:
        return event
    return Dealt(hide_all_but(event.cards, range(IN_COLUMNS)))


def stuck(state: State) -> bool:
    """Whether no move is legal and no card that the stock can still bring has a place. Our ruling.

    A whole column that only changes its place does not count as a move. Which cards the stock holds the player can tell
    from those in view, and their order does not matter here.
    """
    if state.foundations == ALL_HOME or not is_dealt(state):
        return False
    listed = (move for found in moves_by_source(state) for move in found)
    if any(not only_changes_place(state.columns, move.source, move.target, move.count) for move in listed):
        return False
    return find_wanted(state).isdisjoint(find_awaited(state, ()))


def _zones(state: State, open_cards: bool) -> tuple[Zone, ...]:
    """Stock, waste and the foundations, those of a suit side by side, in a row above the ten columns."""
    homes = [_foundation(place, count) for place, count in enumerate(state.foundations)]
    columns = [column_zone(place, column) for place, column in enumerate(state.columns)]
    return (*talon_zones(state, open_cards), *homes, *columns)


def boards(options: Options, seats: int) -> Boards:
    """Stock, waste and foundations, each above a column."""
    return topped_boards(
        COLUMNS,
        lambda step: [
            pile("stock", 0, 0), pile("waste", step, 0), *homes(beside(FOUNDATIONS, pile("", 2 * step, 0), step - 1)),
        ],
    )  # fmt: skip


def _foundation(place: int, count: int) -> Zone:
    suit = place // 2
    return Zone(FOUNDATIONS[place], _LABELS[suit], "pile", STEP * (2 + place), 0, cards=home_cards(suit, count))


MATERIAL = Material(places=card_places(look(initial(Options(), 1), None)), cards=pack_cards(CARDS))
