"""What a command brings about, what may be said, and when it is over."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from domain.chance import Chance
from domain.game_type import Illegal, Result
from domain.games.bridge_solitaire import auction, hand_end, selection, tricks
from domain.games.bridge_solitaire.commands import Bid, CloseRubber, Command, NextHand, Pass, Play, Select
from domain.games.bridge_solitaire.duplicate import outcome
from domain.games.bridge_solitaire.events import Dealt, Event
from domain.games.bridge_solitaire.options import Options
from domain.games.bridge_solitaire.play import play
from domain.games.bridge_solitaire.state import CARDS, Phase, State, lying
from domain.view import Seat


def deal(options: Options, chance: Chance, seats: int) -> tuple[Event, ...]:
    """The first hand; raises Illegal for a given deal that is not these 54 cards."""
    return (Dealt(1, *chance.shuffled(CARDS)),)


def decide(state: State, seat: Seat, command: Command) -> Sequence[Event]:
    """What follows from the command, or Illegal."""
    phase, handler = _COMMANDS[type(command)]
    if seat != 0:
        raise Illegal("no_such_seat", "Bridge Solitaire has one seat.")
    if state.closed:
        raise Illegal("game_over", "The game is over.")
    if state.phase != phase:
        raise Illegal(*_WRONG_PHASE[phase])
    return handler(state, command)


def _next_hand(state: State, command: NextHand) -> tuple[Event, ...]:
    if state.chance is None:
        raise ValueError("a second hand before the first")
    return (Dealt(state.hand_number + 1, *state.chance.shuffled(lying(state))),)


_COMMANDS: dict[type, tuple[Phase, Callable[[State, Any], Sequence[Event]]]] = {
    Select: ("select", selection.select),
    Bid: ("auction", auction.bid),
    Pass: ("auction", lambda state, command: auction.pass_call(state)),
    Play: ("play", lambda state, command: play(state, command.card)),
    NextHand: ("hand_scored", _next_hand),
    CloseRubber: ("hand_scored", lambda state, command: hand_end.close(state)),
}

_WRONG_PHASE: dict[Phase, tuple[str, str]] = {
    "select": ("not_selecting", "The hand has been chosen."),
    "auction": ("not_bidding", "It is not the time to call."),
    "play": ("not_playing", "It is not the time to play a card."),
    "hand_scored": ("hand_unfinished", "The hand is not finished."),
}


def legal_commands(state: State, seat: Seat) -> Sequence[Command]:
    """All that may be said; selections are complete up to the choice of the discard left in sight."""
    if seat != 0 or state.closed:
        return ()
    return _LISTINGS[state.phase](state)


_LISTINGS: dict[Phase, Callable[[State], tuple[Command, ...]]] = {
    "select": lambda state: tuple(selection.selections(state)),
    "auction": lambda state: tuple(auction.calls(state)),
    "play": lambda state: tuple([Play(card) for card in tricks.playable(state.hand, state.trick)]),
    "hand_scored": lambda state: (NextHand(), CloseRubber()),
}


def canonical(state: State, seat: Seat, command: Command) -> Command:
    """The command as it is listed: a selection in listing order, standing for any discard on top."""
    return selection.listed(state, command) if isinstance(command, Select) else command


def result(state: State) -> Result | None:
    """By points, whoever took the games; a single hand likewise (house rule, ours). The score is ME less IT."""
    margin = state.sheet.margin
    if not state.closed:
        return None
    if state.closed == "closed":
        return Result("abandoned", "closed", (), (margin,))
    if state.closed == "resigned":
        return Result("lost", "resigned", (), (margin,), _outcome(state))
    return replace(_by_points(state.closed, margin), outcome=_outcome(state))


def _outcome(state: State) -> str:
    """What came of a board, in words."""
    if not state.board or state.contract is None:
        return ""
    return outcome(state.contract, state.tricks_me, state.vulnerable, state.sheet.margin)


def _by_points(reason: str, margin: int) -> Result:
    if margin > 0:
        return Result("won", reason, (0,), (margin,))
    return Result("lost" if margin else "drawn", reason, (), (margin,))
