"""Canfield positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `base 3` (the rank that begins a foundation; an ace without that line),
`home 5H` for the top cards of the foundations, `reserve # (9C) 5H` (only 5H is seen), `0 9H 8S` (a column),
`stock 2S 3S` (3S is next), `waste QD`. `#` is any card that is not drawn; `(9C)` cannot be seen.
"""

from msgspec import Struct

from domain.game_type import Illegal
from domain.games.canfield import CANFIELD, COLUMNS, Command, Move
from domain.games.canfield import Options2 as Options
from domain.games.canfield import State2 as State
from domain.kit.cards import PACK, RANKS, SUITS
from domain.kit.patience import count_needed

PLAIN = Options()


def position(text: str, options: Options = PLAIN, recycles: int = 0) -> State:
    """The position that the text draws; piles without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    base = RANKS.index(piles.get("base", ["A"])[0]) + 1
    home = {card[1]: count_needed(card, base) + 1 for card in piles.get("home", [])}
    homes = tuple(home.get(suit, 0) for suit in SUITS)
    spare = iter(
        [card for card in PACK if card not in text and count_needed(card, base) >= homes[SUITS.index(card[1])]]
    )
    faces = {
        name: tuple(_face(card, spare) for card in cards)
        for name, cards in piles.items()
        if name not in ("home", "base")
    }
    return State(
        options,
        tuple(faces.get(str(place), ()) for place in range(COLUMNS)),
        homes,
        base,
        faces.get("reserve", ()),
        sum(card[0] in "#(" for card in piles.get("reserve", ())),
        faces.get("stock", ()),
        faces.get("waste", ()),
        recycles,
    )


def _face(card, spare):
    return next(spare) if card == "#" else card.strip("()")


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in CANFIELD.decide(state, 0, command):
            state = CANFIELD.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Struct, ...]:
    return tuple(CANFIELD.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in CANFIELD.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        CANFIELD.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def move(text: str) -> Move:
    """`waste 3`, `reserve H` or `0 3 x2`: from, to (columns by number, suits by letter), how many cards."""
    source, target, *count = text.split()
    return Move(_zone(source), _zone(target), int(count[0][1:]) if count else 1)


def _zone(short: str) -> str:
    homes = {"S": "foundation_spades", "H": "foundation_hearts", "D": "foundation_diamonds", "C": "foundation_clubs"}
    return homes.get(short) or (f"tableau_{short}" if short.isdigit() else short)


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = CANFIELD.look(state, 0).stuck
    assert told == CANFIELD.look(state, None).stuck
    return told
