"""What has a place on the table, how often the stock may be gone through, and when nothing more may be done."""

from domain.games.klondike.state import ACCEPTS, State, State2
from domain.kit.cards import PACK
from domain.kit.patience import all_home, top_of
from domain.view import Card


def recycles_left(state: State) -> int | None:
    """How often the waste may still be turned over; None: any number of times."""
    passes = state.options.passes
    return None if passes is None else passes - 1 - state.recycles


def wanted(state: State) -> set[Card]:
    """The cards that would have a place if they lay on top of the waste now."""
    cards = {PACK[13 * suit + home] for suit, home in enumerate(state.foundations) if home < 13}
    return cards.union(*(ACCEPTS[top_of(column)] for column in state.columns))


def last_pass_over(state: State) -> bool:
    """Whether `end_on_last_pass` ends the game here.

    The source ends the game after the last run through the stock. Our ruling: the run is over when the stock is empty
    and the top of the waste has no place; with the waste empty what can still be played is played. Revision 1 ended a
    game with the waste.
    """
    if not on_last_pass(state) or state.stock:
        return False
    return state.waste[-1] not in wanted(state) if state.waste else not isinstance(state, State2)


def on_last_pass(state: State) -> bool:
    """Whether `end_on_last_pass` holds for the pass that goes on, or for none that is to come."""
    return state.options.end_on_last_pass and recycles_left(state) == 0


def closed(state: State) -> bool:
    """Whether nothing may be moved or drawn any more, whatever lies on the table."""
    return all_home(state.foundations) or last_pass_over(state)
