"""The end of a hand, of a rubber, of a game given up."""

from domain.games.bridge_solitaire import duplicate, premiums, scoring
from domain.games.bridge_solitaire.contract import TRICKS
from domain.games.bridge_solitaire.entries import Entry
from domain.games.bridge_solitaire.events import Event, Finish, HandScored, RubberClosed, RubberScored
from domain.games.bridge_solitaire.evolve import fold
from domain.games.bridge_solitaire.sheet import after
from domain.games.bridge_solitaire.state import State
from domain.view import Seat


def hand_end(state: State, finish: Finish) -> tuple[Event, ...]:
    """The hand's score, and the rubber premium if it brought a side its second game."""
    scored = hand_scored(state, finish)
    sheet = after(state.sheet, scored)
    if sheet.complete:
        return (scored, RubberScored(premiums.rubber(sheet)))
    return (scored,)


def hand_scored(state: State, finish: Finish) -> HandScored:
    """The hand as the sheet needs it; every trick that the player has not won is the house's."""
    contract, vulnerable = state.contract, state.vulnerable
    if contract is None:
        raise ValueError("a score without a contract")
    taken = scoring.declarers_tricks(contract, state.tricks_me)
    old, lost = state.options.old_undertricks, TRICKS - state.tricks_me
    if state.board:
        entries = duplicate.entries(state.hand_number, contract, taken, vulnerable, old)
    else:
        entries = scoring.entries(state.hand_number, contract, taken, state.held, vulnerable, old)
    return HandScored(state.hand_number, state.held, contract, state.tricks_me, lost, vulnerable, finish, entries)


def close(state: State) -> tuple[Event, ...]:
    """The rubber is left unfinished between two hands."""
    return (RubberClosed("closed", _at_end(state)),)


def resign(state: State, seat: Seat) -> tuple[Event, ...]:
    """The game is given up: a hand in play is scored with the rest lost, one without a contract is not (ours)."""
    conceded: tuple[Event, ...] = (hand_scored(state, "conceded"),) if state.phase == "play" else ()
    return (*conceded, RubberClosed("resigned", _at_end(fold(state, conceded))))


def score(state: State) -> int:
    """ME less IT, as it would stand were the game given up now: the tricks not yet played are the house's (ours)."""
    return state.sheet.margin if state.closed else fold(state, resign(state, 0)).sheet.margin


def _at_end(state: State) -> tuple[Entry, ...]:
    return premiums.at_end(state.sheet) if state.options.length == "rubber" else ()
