"""Golf positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 9H 4C`, `discard 8S`, `stock 2S 3S` (3S is next). Cards that are not drawn
lie at the bottom of the discard pile, so that the pack is whole.
"""

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.golf import GOLF, TABLEAU, Command, Event, Move, Options, State
from domain.kit.cards import PACK

PLAIN = Options()

PUBLISHED = """
    QD QC KC 3C 4C 2C KD  5C 4D JD JS 6H QS 6D  2D 9C TD JC 8C 6C 8S  4S 5D QH 7S 9D KS 7C  6S 4H AC 8H AH 9S TC
    2S
    3S TS 9H 2H 3H AD 7H 3D 5H 8D KH 7D AS 5S TH JH
"""
"""Deal 2 of PySolFC, from the test data of Shlomi Fish's black-hole-solitaire: five rows, first discard, stock."""

SOLUTION = "4D110D44D334D2D4DDD0DD56325DD5661235D530D601D216D02"
"""Printed beside it: columns by number, D draws."""


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    piles = {name: tuple(cards) for name, *cards in lines}
    rest = tuple(card for card in PACK if not any(card in pile for pile in piles.values()))
    columns = tuple(piles.get(str(place), ()) for place in range(7))
    return State(GOLF.get(OptionRules).settle(options, 1), columns, piles.get("stock", ()), rest + piles["discard"])


def dealt(cards: str = PUBLISHED, options: Options = PLAIN) -> State:
    """The position after these cards are dealt."""
    return _folded(options, Chance(bytes(32), given=tuple(cards.split())))


def random_deal(number: int) -> State:
    """The deal of this seed."""
    return _folded(PLAIN, Chance(number.to_bytes(32, "big")))


def _folded(options: Options, chance: Chance) -> State:
    settled = GOLF.get(OptionRules).settle(options, 1)
    state = GOLF.initial(settled, 1)
    for event in GOLF.deal(settled, chance, 1):
        state = GOLF.evolve(state, event)
    return state


def play(column: int) -> Move:
    return Move(TABLEAU[column], "discard")


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in GOLF.decide(state, 0, command):
            state = GOLF.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Event, ...]:
    return tuple(GOLF.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in GOLF.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        GOLF.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = GOLF.look(state, 0).stuck
    assert told == GOLF.look(state, None).stuck
    return told
