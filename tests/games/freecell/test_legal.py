"""The listed commands against every command that can be said, along random games, and how many positions there are."""

from itertools import product
from random import Random

import msgspec
import pytest

from domain.games.freecell import CELLS, FREECELL, TABLEAU, Move, Options, Standard, State
from domain.kit.cards import PACK
from domain.kit.patience import FOUNDATIONS

from .positions import after, dealt, rule_against

ZONES = (*CELLS, *FOUNDATIONS, *TABLEAU)
EVERYTHING = [Move(*said) for said in product(ZONES, ZONES, range(1, 9))]
VARIANTS = [Options(), Options(strict_single=True, undo=False), Options(foundation_return=True)]


def walk(options, number, steps):
    """The positions of a random game from a numbered deal that mostly keeps the cells free."""
    choose, state = Random(number), dealt(number, options)
    for _ in range(steps):
        yield state
        listed = FREECELL.legal_commands(state, 0)
        if not listed:
            return
        better = [command for command in listed if not command.target.startswith("cell")]
        state = after(state, choose.choice(better or listed))


@pytest.mark.parametrize("options", VARIANTS)
def test_exactly_the_listed_commands_are_legal(options):
    for number in (1, 2, 3):
        for state in list(walk(options, number, 90))[::6]:
            listed = FREECELL.legal_commands(state, 0)
            assert len(set(listed)) == len(listed)
            assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


def test_long_runs_and_empty_columns_are_met_on_the_way():
    met = [command for state in walk(Options(), 3, 90) for command in FREECELL.legal_commands(state, 0)]
    assert max(command.count for command in met) >= 3
    assert any(() in state.columns for number in range(1, 20) for state in walk(Options(), number, 90))


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled(options):
    for number in range(1, 9):
        for state in walk(options, number, 150):
            home = [PACK[13 * suit + rank] for suit, count in enumerate(state.foundations) for rank in range(count)]
            cells = [card for card in state.cells if card is not None]
            assert sorted([*cells, *home, *(card for column in state.columns for card in column)]) == sorted(PACK)


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in walk(VARIANTS[2], 5, 80):
        assert code.decode(code.encode(state), type=State) == state
        for command in FREECELL.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Move | Standard) == command


def reached(state, depth):
    """The positions reached by exactly so many moves, apart from which cell and which column is which."""
    positions = {key(state): state}
    for _ in range(depth):
        steps = [after(old, command) for old in positions.values() for command in FREECELL.legal_commands(old, 0)]
        positions = {key(new): new for new in steps}
    return len(positions)


def key(state):
    cells = tuple(sorted(card for card in state.cells if card is not None))
    return tuple(sorted(state.columns)), cells, state.foundations


def paths(state, depth):
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    return sum(paths(after(state, command), depth - 1) for command in FREECELL.legal_commands(state, 0))


@pytest.mark.parametrize(
    ("number", "counts"), [(1, (32, 792, 14004)), (617, (35, 966, 19964)), (11982, (35, 966, 19974))]
)
def test_the_number_of_move_sequences_from_microsofts_deals(number, counts):
    assert tuple(paths(dealt(number), depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize(
    ("number", "counts"), [(1, (8, 42, 190, 761)), (617, (11, 67, 306, 1156)), (11982, (11, 69, 314, 1164))]
)
def test_the_number_of_positions_reached_from_microsofts_deals(number, counts):
    assert tuple(reached(dealt(number), depth) for depth in (1, 2, 3, 4)) == counts


@pytest.mark.parametrize(
    "said",
    [
        {"type": "freecell/move", "source": "stock", "target": "tableau_0"},
        {"type": "freecell/move", "source": "tableau_8", "target": "tableau_0"},
        {"type": "freecell/move", "source": "cell_0", "target": "tableau_0", "count": 0},
        {"type": "freecell/move", "source": "cell_0", "target": "tableau_0", "card": "QH"},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Move | Standard)
