"""Forty Thieves positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 9H 4C`, `waste QD`, `stock 2S 3S` (3S is next); `home 3S 5H 5H` names the top
cards of foundations, the first of a suit for its first foundation. `KH..2H` is a run in suit.
"""

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.forty_thieves import CARDS, COLUMNS, FORTY_THIEVES, Command, Event, Move, Options, State
from domain.kit.cards import PACK, RANK, SUIT_NAMES, SUITS

PLAIN = Options()
WON = "home KS KS KH KH KD KD KC KC"


def position(text: str, options: Options = PLAIN, recycles: int = 0) -> State:
    """The position that the text draws; piles without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    home = tuple(height for suit in SUITS for height in _heights(piles.get("home", []), suit))
    columns = tuple(_drawn(piles.get(str(place), [])) for place in range(COLUMNS))
    return State(options, columns, home, _drawn(piles.get("stock", [])), _drawn(piles.get("waste", [])), recycles)


def _heights(home: list[str], suit: str) -> tuple[int, int]:
    first, second = ([RANK[card] for card in home if card[1] == suit] + [0, 0])[:2]
    return first, second


def _drawn(words: list[str]) -> tuple[str, ...]:
    return tuple(card for word in words for card in _run(word))


def _run(word: str) -> tuple[str, ...]:
    if ".." not in word:
        return (word,)
    first, last = (PACK.index(card) for card in word.split(".."))
    return PACK[last : first + 1][::-1]


def dealt(options: Options = PLAIN, cards: tuple[str, ...] = CARDS) -> State:
    """The position after these cards are dealt."""
    state = FORTY_THIEVES.initial(options, 1)
    for event in FORTY_THIEVES.deal(options, Chance(bytes(32), given=cards), 1):
        state = FORTY_THIEVES.evolve(state, event)
    return state


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in FORTY_THIEVES.decide(state, 0, command):
            state = FORTY_THIEVES.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Event, ...]:
    return tuple(FORTY_THIEVES.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in FORTY_THIEVES.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        FORTY_THIEVES.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def move(text: str) -> Move:
    """`waste 3`, `0 3`, `0 3 x2` or `0 S1`: from, to (columns by number, foundations by suit and number), how many."""
    source, target, *count = text.split()
    return Move(_zone(source), _zone(target), int(count[0][1:]) if count else 1)


def _zone(short: str) -> str:
    if short[0] in SUIT_NAMES:
        return f"foundation_{SUIT_NAMES[short[0]]}_{short[1]}"
    return f"tableau_{short}" if short.isdigit() else short


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = FORTY_THIEVES.look(state, 0).stuck
    assert told == FORTY_THIEVES.look(state, None).stuck
    return told
