"""FreeCell positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 9S 5H` (a column), `cells 5H - 9C -`, and `home 3S 5H` for the top cards of
the foundations. Cards that are not drawn are not there.
"""

from msgspec import Struct

from domain.capabilities import NumberedDeals
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.freecell import FREECELL, Command, Move, Options, Standard, State
from domain.kit.cards import RANK, SUITS

PLAIN = Options()
FULL = "\ncells KS KH KD KC"


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    home = tuple(max((RANK[card] for card in piles.get("home", ()) if card[1] == suit), default=0) for suit in SUITS)
    cells = [None if card == "-" else card for card in piles.get("cells", ())]
    columns = tuple(tuple(piles.get(str(place), ())) for place in range(8))
    return State(options, columns, (*cells, *[None] * (4 - len(cells))), home)


def dealt(number: int, options: Options = PLAIN) -> State:
    """The position after Microsoft's deal of this number."""
    return begun(Chance(b"", given=tuple(FREECELL.get(NumberedDeals).cards(number, options))), options)


def begun(chance: Chance, options: Options = PLAIN) -> State:
    """The position after the deal of this chance."""
    state = FREECELL.initial(options, 1)
    for event in FREECELL.deal(options, chance, 1):
        state = FREECELL.evolve(state, event)
    return state


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in events(state, command):
            state = FREECELL.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Struct, ...]:
    return tuple(FREECELL.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in FREECELL.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        FREECELL.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def move(text: str) -> Move:
    """`0 3`, `a 3`, `0 b`, `0 H` or `0 3 x2`: from, to (columns by number, cells a to d, suits), how many cards."""
    source, target, *count = text.split()
    return Move(_zone(source), _zone(target), int(count[0][1:]) if count else 1)


def standard(*moves: str) -> list[Standard]:
    return [Standard(move) for move in moves]


def _zone(short: str) -> str:
    homes = {"S": "foundation_spades", "H": "foundation_hearts", "D": "foundation_diamonds", "C": "foundation_clubs"}
    cells = {"a": "cell_0", "b": "cell_1", "c": "cell_2", "d": "cell_3"}
    return homes.get(short) or cells.get(short) or f"tableau_{short}"


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = FREECELL.look(state, 0).stuck
    assert told == FREECELL.look(state, None).stuck
    return told
