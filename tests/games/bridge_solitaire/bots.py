"""A player who needs no thought: random cards, cautious calls."""

from random import Random

from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire.events import Command, NextHand
from domain.games.bridge_solitaire.state import State


def choose(state: State, lots: Random) -> Command:
    """One of the first two calls, the next hand, or anything listed."""
    listed = GAME.legal_commands(state, 0)
    if state.phase == "auction":
        return lots.choice(listed[:2])
    return NextHand() if state.phase == "hand_scored" else lots.choice(listed)


def steps(state: State, lots: Random, limit: int = 10_000):
    """Command by command: the state before, the command and its events, until the game is over."""
    for _ in range(limit):
        if GAME.result(state) is not None:
            return
        command = choose(state, lots)
        events = GAME.decide(state, 0, command)
        yield state, command, events
        for event in events:
            state = GAME.evolve(state, event)


def finished(state: State, lots: Random) -> tuple[State, list]:
    """The game played to its end, and all events on the way."""
    said = list(steps(state, lots))
    events = [event for _, _, some in said for event in some]
    for event in events:
        state = GAME.evolve(state, event)
    return state, events
