"""Deals of Yukon, won through the game's own commands; small positions agree with a search that leaves nothing out."""

from random import Random

import pytest

from domain.games.yukon import YUKON, Options, State
from domain.kit.cards import PACK, RANK
from service.solving import SOLVERS, verdict
from tests.games.rules import Rules

PLAIN, RETURN = Options(), Options(foundation_return=True)
RULES = Rules(YUKON)


def dealt(seed: int, options: Options) -> State:
    state: State = RULES.deal(options, seed=seed.to_bytes(32, "big"))
    return state


def solved(state, bound=200_000):
    return verdict("yukon", state.options, state, bound)


@pytest.mark.parametrize(("seed", "options"), [(0, PLAIN), (5, PLAIN), (0, RETURN)])
def test_a_deal_that_can_be_won_is_won(seed, options):
    assert "yukon" in SOLVERS
    start = dealt(seed, options)
    assert YUKON.result(RULES.after(start, *solved(start).commands)).ending == "won"


def test_a_search_keeps_its_bound():
    finding = solved(dealt(0, PLAIN), bound=1)
    assert (finding.verdict, finding.commands, finding.positions) == ("open", (), 1)


def small(lots: Random, sizes: tuple[int, ...], base: int, options: Options) -> State:
    """The cards above this rank in columns of these sizes, some of them face down."""
    cards = [card for card in PACK if RANK[card] > base]
    lots.shuffle(cards)
    columns = tuple(tuple(cards.pop() for _ in range(size)) for size in sizes)
    assert not cards
    return State(options, columns, tuple(lots.randrange(max(size, 1)) for size in sizes), (base,) * 4)


def winnable(state: State) -> bool:
    """Whether a won position can be reached, by every legal command, columns in any order."""
    waiting, seen = [state], set()
    while waiting:
        state = waiting.pop()
        if YUKON.result(state) is not None and YUKON.result(state).ending == "won":
            return True
        for command in reversed(YUKON.legal_commands(state, 0)):
            reached = RULES.after(state, command)
            place = frozenset(zip(reached.columns, reached.face_down, strict=True)), reached.foundations
            if place not in seen:
                seen.add(place)
                waiting.append(reached)
    return False


@pytest.mark.parametrize(("sizes", "base", "options"), [
    ((8, 8, 0, 0, 0, 0, 0), 9, PLAIN), ((5, 5, 5, 5, 0, 0, 0), 8, PLAIN), ((3, 3, 3, 3, 3, 3, 2), 8, PLAIN),
    ((6, 6, 0, 0, 0, 0, 0), 10, RETURN),
])  # fmt: skip
def test_an_exhausted_search_left_nothing_out(sizes, base, options):
    for seed in range(25):
        state = small(Random(seed), sizes, base, options)
        assert solved(state).verdict == ("won" if winnable(state) else "impossible"), seed


def test_a_card_stays_in_the_columns_while_another_may_still_come_onto_it_with_cards_on_that():
    """Lost where cards go home as soon as the lower ones of the other colour are next to go, as in FreeCell."""
    state = small(Random(456), (4, 4, 4, 3, 3, 3, 3), 7, PLAIN)
    assert solved(state).verdict == "won"
