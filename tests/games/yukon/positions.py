"""Yukon positions drawn as text, and what the tests say about them.

One line per column, cards bottom to top: `0 (9C) 5H`, where `(9C)` lies face down; `home 3S 5H` for the top cards of
the foundations.
"""

from typing import Any

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.yukon import YUKON, Event, Move, Options, State
from domain.kit.cards import RANK, SUITS

PLAIN = Options()
RETURN = Options(foundation_return=True)
_HOMES = {"S": "foundation_spades", "H": "foundation_hearts", "D": "foundation_diamonds", "C": "foundation_clubs"}


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; columns without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    home = tuple(max((RANK[card] for card in piles.get("home", ()) if card[1] == suit), default=0) for suit in SUITS)
    drawn = [piles.get(str(place), []) for place in range(7)]
    columns = tuple(tuple(card.strip("()") for card in column) for column in drawn)
    return State(options, columns, tuple(sum(card[0] == "(" for card in column) for column in drawn), home)


def dealt(seed: int, options: Options = PLAIN) -> State:
    """The deal of this seed."""
    state = YUKON.initial(options, 1)
    for event in YUKON.deal(options, Chance(seed.to_bytes(32, "big")), 1):
        state = YUKON.evolve(state, event)
    return state


def move(text: str) -> Move:
    """`0 3`, `0 H` or `0 3 x2`: from, to (columns by number, suits by letter), how many cards."""
    source, target, *count = text.split()
    return Move(_zone(source), _zone(target), int(count[0][1:]) if count else 1)


def _zone(short: str) -> Any:
    return _HOMES.get(short) or f"tableau_{short}"


def after(state: State, *said: str | Move) -> State:
    """The state after these commands, every one of them legal."""
    for command in said:
        for event in YUKON.decide(state, 0, move(command) if isinstance(command, str) else command):
            state = YUKON.evolve(state, event)
    return state


def events(state: State, said: str) -> tuple[Event, ...]:
    return tuple(YUKON.decide(state, 0, move(said)))


def legal(state: State, said: str) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = move(said) in YUKON.legal_commands(state, 0)
    assert listed == (rule_against(state, move(said)) is None)
    return listed


def rule_against(state: State, command: Move) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        YUKON.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = YUKON.look(state, 0).stuck
    assert told == YUKON.look(state, None).stuck
    return told
