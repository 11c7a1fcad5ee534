"""Klondike positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 # # 5H` (a column), `stock 2S 3S` (3S is next), `waste QD`, and `home 3S 5H`
for the top cards of the foundations. `#` lies face down and is any card that is not drawn; `(9C)` lies face down.
"""

import pytest
from msgspec import Struct

from domain.capabilities import OptionRules
from domain.game_type import Illegal
from domain.games.klondike import KLONDIKE, Command, Move
from domain.games.klondike import Options2 as Options
from domain.games.klondike import State2 as State
from domain.kit.cards import PACK, RANK, SUITS

PLAIN = Options()


def position(text: str, options: Options = PLAIN, recycles: int = 0) -> State:
    """The position that the text draws; piles without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    home = tuple(max((RANK[card] for card in piles.get("home", ()) if card[1] == suit), default=0) for suit in SUITS)
    spare = iter([card for card in PACK if card not in text and RANK[card] > home[SUITS.index(card[1])]])
    faces = {name: tuple(_face(card, spare) for card in cards) for name, cards in piles.items() if name != "home"}
    columns = tuple(faces.get(str(place), ()) for place in range(7))
    down = tuple(sum(card[0] in "#(" for card in piles.get(str(place), ())) for place in range(7))
    return State(options, columns, down, home, faces.get("stock", ()), faces.get("waste", ()), recycles)


def _face(card, spare):
    return next(spare) if card == "#" else card.strip("()")


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in KLONDIKE.decide(state, 0, command):
            state = KLONDIKE.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Struct, ...]:
    return tuple(KLONDIKE.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in KLONDIKE.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        KLONDIKE.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def move(text: str) -> Move:
    """`waste 3`, `0 3` or `0 3 x2`: from, to (columns by number, suits by letter), how many cards."""
    source, target, *count = text.split()
    return Move(_zone(source), _zone(target), int(count[0][1:]) if count else 1)


def _zone(short: str) -> str:
    homes = {"S": "foundation_spades", "H": "foundation_hearts", "D": "foundation_diamonds", "C": "foundation_clubs"}
    return homes.get(short) or (f"tableau_{short}" if short.isdigit() else short)


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = KLONDIKE.look(state, 0).stuck
    assert told == KLONDIKE.look(state, None).stuck
    return told


def refuses_options(options: Options) -> str:
    with pytest.raises(Illegal) as refusal:
        KLONDIKE.get(OptionRules).settle(options, 1)
    return refusal.value.rule
