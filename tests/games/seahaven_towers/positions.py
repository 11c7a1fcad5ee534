"""Seahaven Towers positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 9S 5H` (a column), `towers 5H - 9C -`, and `home 3S 5H` for the top cards of
the foundations. Cards that are not drawn are not there.
"""

from msgspec import Struct

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Command, Move, Options, Standard, State
from domain.kit.cards import RANK, SUITS

PLAIN = Options()


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    home = tuple(max((RANK[card] for card in piles.get("home", ()) if card[1] == suit), default=0) for suit in SUITS)
    towers = [None if card == "-" else card for card in piles.get("towers", ())]
    columns = tuple(tuple(piles.get(str(place), ())) for place in range(10))
    return State(options, columns, (*towers, *[None] * (4 - len(towers))), home)


def dealt(seed: int, options: Options = PLAIN) -> State:
    """The position after the deal of this seed."""
    return begun(Chance(seed.to_bytes(32, "big")), options)


def begun(chance: Chance, options: Options = PLAIN) -> State:
    """The position after the deal of this chance."""
    state = SEAHAVEN_TOWERS.initial(options, 1)
    for event in SEAHAVEN_TOWERS.deal(options, chance, 1):
        state = SEAHAVEN_TOWERS.evolve(state, event)
    return state


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in events(state, command):
            state = SEAHAVEN_TOWERS.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Struct, ...]:
    return tuple(SEAHAVEN_TOWERS.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in SEAHAVEN_TOWERS.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        SEAHAVEN_TOWERS.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def move(text: str) -> Move:
    """`0 3`, `a 3`, `0 b`, `0 H` or `0 3 x2`: from, to (columns by number, towers a to d, suits), how many cards."""
    source, target, *count = text.split()
    return Move(_zone(source), _zone(target), int(count[0][1:]) if count else 1)


def standard(*moves: str) -> list[Standard]:
    return [Standard(move) for move in moves]


def _zone(short: str) -> str:
    homes = {"S": "foundation_spades", "H": "foundation_hearts", "D": "foundation_diamonds", "C": "foundation_clubs"}
    towers = {"a": "tower_0", "b": "tower_1", "c": "tower_2", "d": "tower_3"}
    return homes.get(short) or towers.get(short) or f"tableau_{short}"


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = SEAHAVEN_TOWERS.look(state, 0).stuck
    assert told == SEAHAVEN_TOWERS.look(state, None).stuck
    return told
