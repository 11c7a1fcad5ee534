"""FreeCell positions drawn as text.

One line per pile, cards bottom to top: `0 9S 5H` (a column), `cells 5H - 9C -`, and `home 3S 5H` for the top cards of
the foundations. Cards that are not drawn are not there.
"""

from domain.capabilities import NumberedDeals
from domain.games.freecell import FREECELL, Move, Options, Standard, State
from tests.games.rules import HOMES, Rules, heights, mover, piles

RULES = Rules(FREECELL)
after, events, legal, rule_against = RULES.after, RULES.events, RULES.legal, RULES.rule_against
sentences, stuck = RULES.sentences, RULES.stuck
move = mover(Move, HOMES | {"a": "cell_0", "b": "cell_1", "c": "cell_2", "d": "cell_3"})
PLAIN = Options()


def position(text: str, options: Options = PLAIN) -> State:
    """The position that the text draws; piles without a line are empty."""
    drawn = piles(text)
    cells = [None if card == "-" else card for card in drawn.get("cells", ())]
    columns = tuple(tuple(drawn.get(str(place), ())) for place in range(8))
    return State(options, columns, (*cells, *[None] * (4 - len(cells))), heights(drawn.get("home", ())))


def dealt(number: int, options: Options = PLAIN) -> State:
    """The position after Microsoft's deal of this number."""
    return RULES.deal(options, FREECELL.get(NumberedDeals).cards(number, options))


def standard(*moves: str) -> list[Standard]:
    return [Standard(move) for move in moves]
