"""Deals that the tests share, by the number of their seed."""

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.games import GAME_TYPES


def deal(key, seed, **options):
    """The position after the deal of this seed, a number."""
    game_type = GAME_TYPES[key]
    settled = game_type.get(OptionRules).settle(game_type.options(**options), 1)
    state = game_type.initial(settled, 1)
    for event in game_type.deal(settled, Chance(seed.to_bytes(32, "big")), 1):
        state = game_type.evolve(state, event)
    return state


def ending(key, state, commands):
    """How the game stands after these commands, each of which must be legal and listed."""
    game_type = GAME_TYPES[key]
    for command in commands:
        assert command in game_type.legal_commands(state, 0)
        for event in game_type.decide(state, 0, command):
            state = game_type.evolve(state, event)
    result = game_type.result(state)
    return result and result.ending
