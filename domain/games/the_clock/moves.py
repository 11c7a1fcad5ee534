"""Judging a command, and every command that would be accepted."""

from collections.abc import Callable
from typing import Any

from domain.game_type import Illegal
from domain.games.the_clock.events import Command, Event, Exchange, Exchanged, Placed, RunToEnd, Step, Turned
from domain.games.the_clock.evolve import evolve
from domain.games.the_clock.state import BELONGS, CENTRE, PILES, PLACE, State, face_down, four_kings
from domain.view import Card, Seat


def legal_commands(state: State, seat: Seat) -> tuple[Command, ...]:
    """A card or all of them, or the piles on which the king may be laid; nothing once the game is over."""
    if seat != 0 or _closed(state):
        return ()
    if state.active is None:
        return (Step(), RunToEnd())
    return tuple(Exchange(pile) for pile in PILES if state.piles[PLACE[pile]])


def decide(state: State, seat: Seat, command: Command) -> tuple[Event, ...]:
    """What happens, in order; raises Illegal."""
    if seat != 0:
        raise Illegal("one_player", "The Clock is played by the one player at seat 0.")
    if _closed(state):
        raise Illegal("game_over", "There is nothing to be turned up.")
    return _DECIDERS[type(command)](state, command)


def _closed(state: State) -> bool:
    """Whether no card can be turned up: before the deal, and once the four kings lie face up."""
    return four_kings(state) or not any(state.piles)


def _step(state: State, command: Step) -> tuple[Event, ...]:
    _check_no_exchange(state)
    return _shown(state)


def _run_to_end(state: State, command: RunToEnd) -> tuple[Event, ...]:
    _check_no_exchange(state)
    run: list[Event] = []
    while state.active is None and not four_kings(state):
        events = _shown(state)
        for event in events:
            state = evolve(state, event)
        run += events
    return tuple(run)


def _check_no_exchange(state: State) -> None:
    if state.active is not None:
        raise Illegal("exchange_first", "First the king is to be exchanged for a card that lies face down.")


def _shown(state: State) -> tuple[Event, ...]:
    """The next card, and where it goes. The pile cannot be empty: its k-th card comes when 5 - k lie face down."""
    pile = state.piles[state.following]
    card = pile[-1] if state.options.take_from == "top" else pile[0]
    turned = Turned(PILES[state.following], card)
    return (turned,) if _to_exchange(state, card) else (turned, _placed(card))


def _placed(card: Card) -> Placed:
    return Placed(card, PILES[BELONGS[card]])


def _to_exchange(state: State, card: Card) -> bool:
    """Whether this is the fourth king, shown too early, and may be exchanged (the Watch variant of gamerules.com).

    Our rulings: the exchange is not optional, there is one in a game, and the king's next showing decides.
    """
    if not state.options.watch or state.king_at is not None:
        return False
    return BELONGS[card] == CENTRE and len(state.shown[CENTRE]) == 3 and face_down(state) > 1


def _exchange(state: State, command: Exchange) -> tuple[Event, ...]:
    """Our ruling: it is the top card of the pile that is taken, whichever card of a pile is turned up otherwise."""
    if state.active is None:
        raise Illegal("no_king_to_exchange", "There is no fourth king to be exchanged.")
    pile = state.piles[PLACE[command.target]]
    if not pile:
        raise Illegal("pile_face_up", "No card of that pile lies face down any more.")
    return Exchanged(state.active, command.target, pile[-1]), _placed(pile[-1])


_DECIDERS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {
    Step: _step,
    RunToEnd: _run_to_end,
    Exchange: _exchange,
}
