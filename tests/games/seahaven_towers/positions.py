"""Seahaven Towers positions drawn as text.

One line per pile, cards bottom to top: `0 9S 5H` (a column), `towers 5H - 9C -`, and `home 3S 5H` for the top cards of
the foundations. Cards that are not drawn are not there.
"""

from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Move, Options, Standard, State
from tests.games.rules import HOMES, Rules, heights, mover, piles

RULES = Rules(SEAHAVEN_TOWERS)
after, events, legal, rule_against = RULES.after, RULES.events, RULES.legal, RULES.rule_against
sentences, stuck = RULES.sentences, RULES.stuck
move = mover(Move, HOMES | {"a": "tower_0", "b": "tower_1", "c": "tower_2", "d": "tower_3"})
PLAIN = Options()


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    drawn = piles(text)
    towers = [None if card == "-" else card for card in drawn.get("towers", ())]
    columns = tuple(tuple(drawn.get(str(place), ())) for place in range(10))
    return State(options, columns, (*towers, *[None] * (4 - len(towers))), heights(drawn.get("home", ())))


def dealt(seed: int, options: Options = PLAIN) -> State:
    """The position after the deal of this seed."""
    return RULES.deal(options, seed=seed.to_bytes(32, "big"))


def standard(*moves: str) -> list[Standard]:
    return [Standard(move) for move in moves]
