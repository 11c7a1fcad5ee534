"""The listed commands against every command that can be said, along games, and how many positions there are."""

from itertools import product
from random import Random

import msgspec
import pytest

from domain.chance import Chance
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, TABLEAU, TOWERS, Move, Options, Standard, State
from domain.kit.cards import PACK
from domain.kit.patience import FOUNDATIONS
from tests.laws.goldens import found, read

from .positions import after, begun, dealt, rule_against

SOURCES, TARGETS = (*TOWERS, *TABLEAU), (*TOWERS, *FOUNDATIONS, *TABLEAU)
EVERYTHING = [Move(*said) for said in product(SOURCES, TARGETS, range(1, 9))]
VARIANTS = [Options(), Options(strict_single=True, undo=False), Options(any_card=True)]


def walk(options, seed):
    """The positions of a random game that mostly keeps the towers free."""
    choose, state = Random(seed), dealt(seed, options)
    for _ in range(150):
        yield state
        listed = SEAHAVEN_TOWERS.legal_commands(state, 0)
        if not listed:
            return
        better = [command for command in listed if not command.target.startswith("tower")]
        state = after(state, choose.choice(better or listed))


def won(options):
    """The positions of the golden game that is won with these options."""
    lines = [read(path) for path in found("seahaven_towers")]
    game = next(lines for lines in lines if lines[0]["options"] == msgspec.to_builtins(options))
    state = begun(Chance(bytes.fromhex(game[0]["seed"])), options)
    for line in game[2:]:
        yield state
        state = after(state, msgspec.convert(line["command"], Move | Standard))


PLAYED = [*won(Options()), *won(Options(strict_single=True)), *won(Options(any_card=True))]


def test_exactly_the_listed_commands_are_legal():
    for state in PLAYED[::4]:
        listed = SEAHAVEN_TOWERS.legal_commands(state, 0)
        assert len(set(listed)) == len(listed)
        assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


def test_long_runs_empty_columns_and_full_towers_are_met_on_the_way():
    assert max(command.count for state in PLAYED[::4] for command in SEAHAVEN_TOWERS.legal_commands(state, 0)) >= 3
    assert {() in state.columns for state in PLAYED[::4]} == {False, True}
    assert {None in state.towers for state in PLAYED[::4]} == {False, True}


@pytest.mark.parametrize("options", VARIANTS)
def test_no_card_is_lost_or_doubled(options):
    for state in (*PLAYED, *(state for seed in range(8) for state in walk(options, seed))):
        home = [PACK[13 * suit + rank] for suit, count in enumerate(state.foundations) for rank in range(count)]
        towers = [card for card in state.towers if card is not None]
        assert sorted([*towers, *home, *(card for column in state.columns for card in column)]) == sorted(PACK)


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in PLAYED[::4]:
        assert code.decode(code.encode(state), type=State) == state
        for command in SEAHAVEN_TOWERS.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Move | Standard) == command


SEAHAVEN_1977 = """
    QH TS 6D TH 2C  JD 7H 8D 5H 2S  AD 6C 3H 4D AC  TC QC 5D QD 3S  5C AH 8S 9S 8C
    JS QS 9C 2H 6S  3D 7D 3C TD AS  KC KS KD 7S KH  JC 9D 4C 4H 2D  JH 4S 7C 9H 8H
"""
"""The columns of deal 1977 in the sample solutions of Games::Solitaire::Verify; its towers hold 5S and 6H."""


def deal_1977():
    cards = SEAHAVEN_1977.split()
    pack = (*(cards[5 * column + row] for row in range(5) for column in range(10)), "5S", "6H")
    return begun(Chance(b"", given=pack))


def paths(state, depth):
    """How many sequences of so many moves there are."""
    if depth == 0:
        return 1
    return sum(paths(after(state, command), depth - 1) for command in SEAHAVEN_TOWERS.legal_commands(state, 0))


def reached(state, depth):
    """The positions reached by exactly so many moves, apart from which tower and which column is which."""
    positions = {key(state): state}
    for _ in range(depth):
        steps = [after(old, said) for old in positions.values() for said in SEAHAVEN_TOWERS.legal_commands(old, 0)]
        positions = {key(new): new for new in steps}
    return len(positions)


def key(state):
    towers = tuple(sorted(card for card in state.towers if card is not None))
    return tuple(sorted(state.columns)), towers, state.foundations


@pytest.mark.parametrize(
    ("state", "counts"), [(deal_1977(), (26, 478, 6298)), (begun(Chance(b"", given=PACK)), (29, 618, 9780))]
)
def test_the_number_of_move_sequences_from_a_published_deal_and_from_the_unshuffled_pack(state, counts):
    assert tuple(paths(state, depth) for depth in (1, 2, 3)) == counts


@pytest.mark.parametrize(
    ("state", "counts"), [(deal_1977(), (16, 137, 592, 1826)), (begun(Chance(b"", given=PACK)), (19, 192, 1039, 3703))]
)
def test_the_number_of_positions_reached_from_those_deals(state, counts):
    assert tuple(reached(state, depth) for depth in (1, 2, 3, 4)) == counts


@pytest.mark.parametrize(
    "said",
    [
        {"type": "seahaven_towers/move", "source": "stock", "target": "tableau_0"},
        {"type": "seahaven_towers/move", "source": "foundation_spades", "target": "tableau_0"},
        {"type": "seahaven_towers/move", "source": "tableau_10", "target": "tableau_0"},
        {"type": "seahaven_towers/move", "source": "tower_0", "target": "tableau_0", "count": 0},
        {"type": "seahaven_towers/move", "source": "tower_0", "target": "tableau_0", "card": "QH"},
    ],
)
def test_what_is_no_command_cannot_be_read(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(said, Move | Standard)
