"""Spider positions drawn as text, and what the tests say about them.

One line per pile, cards bottom to top: `0 # # KH..2H` (a column), `stock 2S 3S` (3S is next), `finished S H` (suits of
the removed runs). `KH..2H` is a run in suit; `#` lies face down and is any card; `(9C)` lies face down.
"""

from msgspec import Struct

from domain.game_type import Illegal
from domain.games.spider import COLUMNS, RUN, SPIDER, Command, Move, Options, RemoveSuit, State

PLAIN = Options()
MANUAL = Options(manual_removal=True)
FACE_DOWN = "5C"
"""What a `#` stands for: with two packs and drawn pieces of a table, any card will do."""


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    piles = {name: cards.split() for name, _, cards in (line.strip().partition(" ") for line in text.splitlines())}
    columns = [piles.get(str(place), []) for place in range(COLUMNS)]
    return State(
        options,
        tuple(cards(column) for column in columns),
        tuple(sum(word[0] in "#(" for word in column) for column in columns),
        cards(piles.get("stock", [])),
        tuple(piles.get("finished", [])),
    )


def cards(words):
    """The cards that these words draw."""
    return tuple(card for word in words for card in _drawn(word))


def _drawn(word):
    if ".." in word:
        first, last = word.split("..")
        run = RUN[first[1]]
        return run[run.index(first) : run.index(last) + 1]
    return [FACE_DOWN if word == "#" else word.strip("()")]


def after(state: State, *commands: Command) -> State:
    """The state after these commands, every one of them legal."""
    for command in commands:
        for event in SPIDER.decide(state, 0, command):
            state = SPIDER.evolve(state, event)
    return state


def events(state: State, command: Command) -> tuple[Struct, ...]:
    return tuple(SPIDER.decide(state, 0, command))


def legal(state: State, command: Command) -> bool:
    """Whether the command is listed; deciding must say the same."""
    listed = command in SPIDER.legal_commands(state, 0)
    assert listed == (rule_against(state, command) is None)
    return listed


def rule_against(state: State, command: Command) -> str | None:
    """The rule that the command breaks, None if it is legal."""
    try:
        SPIDER.decide(state, 0, command)
    except Illegal as refusal:
        return refusal.rule
    return None


def move(text: str) -> Move:
    """`0 3` or `0 3 x2`: from and to column, how many cards."""
    source, target, *count = text.split()
    return Move(f"tableau_{source}", f"tableau_{target}", int(count[0][1:]) if count else 1)


def remove(column: int, foundation: int = 0) -> RemoveSuit:
    return RemoveSuit(f"tableau_{column}", f"foundation_{foundation}")


def stuck(state: State) -> bool:
    """As the player and a spectator are told, which is the same."""
    told = SPIDER.look(state, 0).stuck
    assert told == SPIDER.look(state, None).stuck
    return told
