"""Bridge Solitaire's rules: the deal, what a command brings about, what may be said, and when it is over."""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.rules.bidding import (
    calls,
    list_selection,
    make_bid,
    pass_bid,
    select_six,
    selections,
)
from domain.games.bridge_solitaire.rules.play import play_card, playable, score_hand
from domain.games.bridge_solitaire.rules.scoring import outcome
from domain.games.bridge_solitaire.rules.sheet import at_end
from domain.games.bridge_solitaire.rules.table import fold
from domain.games.bridge_solitaire.state import BOARDS, CARDS, BoardOptions, Entry, Options, Phase, State, lying
from domain.view import Seat

_WRONG_PHASE: dict[Phase, tuple[str, str]] = {
    "select": ("not_selecting", "The hand has been chosen."),
    "auction": ("not_bidding", "It is not the time to call."),
    "play": ("not_playing", "It is not the time to play a card."),
    "hand_scored": ("hand_unfinished", "The hand is not finished."),
}


def settle(options: BoardOptions, seats: int) -> BoardOptions:
    """The options, with a single hand where a board is chosen; raises Illegal for `memory`."""
    if options.memory:
        raise Illegal("memory", "Earlier steps of a hand can be looked at again: `memory` is always false.")
    return replace(options, length="hand") if options.board else options


def on_day(options: BoardOptions, day: int) -> BoardOptions:
    """The board of a UTC day, counted from 1970-01-01: the four in turn, the first on that day (our ruling)."""
    return replace(options, length="hand", board=1 + day % len(BOARDS))


def deal(options: Options, chance: Chance, seats: int) -> tuple[ev.Event, ...]:
    """The first hand; raises Illegal for a given deal that is not these 54 cards."""
    return (ev.Dealt(1, *chance.shuffle(CARDS)),)


def decide(state: State, seat: Seat, command: ev.Command) -> Sequence[ev.Event]:
    """What follows from the command, or Illegal."""
    if seat != 0:
        raise Illegal("no_such_seat", "Bridge Solitaire has one seat.")
    if state.closed:
        raise Illegal("game_over", "The game is over.")
    match command:
        case ev.Play():
            _check_phase(state, "play")
            return play_card(state, command.card)
        case ev.Select():
            _check_phase(state, "select")
            return select_six(state, command)
        case ev.Bid():
            _check_phase(state, "auction")
            return make_bid(state, command)
        case ev.Pass():
            _check_phase(state, "auction")
            return pass_bid(state)
        case ev.NextHand():
            _check_phase(state, "hand_scored")
            return _deal_next(state)
        case ev.CloseRubber():
            _check_phase(state, "hand_scored")
            return (ev.RubberClosed("closed", _premiums(state)),)
        case _:
            assert_never(command)


def legal_commands(state: State, seat: Seat) -> Sequence[ev.Command]:
    """All that may be said; selections are complete up to the choice of the discard left in sight."""
    if seat != 0 or state.closed:
        return ()
    match state.phase:
        case "select":
            return selections(state)
        case "auction":
            return calls(state)
        case "play":
            return tuple([ev.Play(card) for card in playable(state.hand, state.trick)])
        case "hand_scored":
            return (ev.NextHand(), ev.CloseRubber())
        case _:
            assert_never(state.phase)


def canonical(state: State, seat: Seat, command: ev.Command) -> ev.Command:
    """The command as it is listed: a selection in listing order, standing for any discard on top."""
    return list_selection(state, command) if isinstance(command, ev.Select) else command


def resign(state: State, seat: Seat) -> tuple[ev.Event, ...]:
    """The game is given up: a hand in play is scored with the rest lost, one without a contract is not (ours)."""
    conceded: tuple[ev.Event, ...] = (score_hand(state, "conceded"),) if state.phase == "play" else ()
    return (*conceded, ev.RubberClosed("resigned", _premiums(fold(state, conceded))))


def score(state: State) -> int:
    """ME less IT, as if the game were given up now: the tricks not yet played are the house's (ours)."""
    return state.sheet.margin if state.closed else fold(state, resign(state, 0)).sheet.margin


def result(state: State) -> Result | None:
    """By points, whoever took the games; a single hand likewise (house rule, ours). The score is ME less IT."""
    margin = state.sheet.margin
    if not state.closed:
        return None
    if state.closed == "closed":
        return Result("abandoned", "closed", (), (margin,))
    told = _board_outcome(state)
    if state.closed == "resigned" or margin < 0:
        return Result("lost", state.closed, (), (margin,), told)
    if margin > 0:
        return Result("won", state.closed, (0,), (margin,), told)
    return Result("drawn", state.closed, (), (margin,), told)


def _check_phase(state: State, phase: Phase) -> None:
    if state.phase != phase:
        raise Illegal(*_WRONG_PHASE[phase])


def _deal_next(state: State) -> tuple[ev.Event, ...]:
    if state.chance is None:
        raise ValueError("a second hand before the first")
    return (ev.Dealt(state.hand_number + 1, *state.chance.shuffle(lying(state))),)


def _premiums(state: State) -> tuple[Entry, ...]:
    """The premiums that the sheet would earn if the rubber ended now; none for a single hand."""
    return at_end(state.sheet) if state.options.length == "rubber" else ()


def _board_outcome(state: State) -> str:
    """What came of a board, in words."""
    if not state.board or state.contract is None:
        return ""
    return outcome(state.contract, state.tricks_me, state.vulnerable, state.sheet.margin)
