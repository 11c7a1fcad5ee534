"""Black Hole positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 9H 4C 5D`, `foundation 8S`. Cards that are not drawn lie at the bottom of the
foundation, so that the pack is whole.
"""

from domain.game_type import Illegal
from domain.games.black_hole import BLACK_HOLE, TABLEAU, Event, Move, Options, State
from domain.kit.cards import PACK

PLAIN = Options()


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    piles = {name: tuple(cards) for name, *cards in lines}
    rest = tuple(card for card in PACK if not any(card in pile for pile in piles.values()))
    return State(options, tuple(piles.get(str(place), ()) for place in range(17)), rest + piles["foundation"])


def from_pile(place: int) -> Move:
    return Move(TABLEAU[place], "foundation")


def after(state: State, *commands: Move) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in BLACK_HOLE.decide(state, 0, command):
            state = BLACK_HOLE.evolve(state, event)
    return state


def events(state: State, command: Move) -> tuple[Event, ...]:
    return tuple(BLACK_HOLE.decide(state, 0, command))


def legal(state: State, command: Move) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in BLACK_HOLE.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Move) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        BLACK_HOLE.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = BLACK_HOLE.look(state, 0).stuck
    assert told == BLACK_HOLE.look(state, None).stuck
    return told
