"""Deals and what is told of them; every won line is played through the rules."""

import subprocess
import sys

import pytest

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.games.klondike import Draw
from domain.kit.cards import PACK
from service.solving import SOLVERS, dealt, state_after, verdict

from .deals import deal, ending

WON = [
    ("black_hole", 7, {}), ("freecell", 0, {}), ("freecell", 4, {}), ("seahaven_towers", 1, {}),
    ("seahaven_towers", 4, {}), ("klondike", 2, {}), ("klondike", 4, {}), ("klondike", 2, {"draw": 3}),
    ("klondike", 2, {"whole_run_only": True, "foundation_return": False}), ("canfield", 3, {}),
    ("canfield", 3, {"draw": 3}), ("pyramid", 0, {}), ("pyramid", 3, {}), ("pyramid", 0, {"draw": 3}),
    ("pyramid", 0, {"waste_pairs": True, "clear_all": True}),
    ("pyramid", 0, {"draw_only_when_stuck": True, "tuts_tomb_pairing": True}), ("the_clock", 3, {"watch": True}),
]  # fmt: skip
IMPOSSIBLE = [
    ("black_hole", 3, {}), ("black_hole", 9, {}), ("klondike", 25, {"draw": 3}), ("canfield", 8, {"draw": 3}),
    ("canfield", 10, {"draw": 3}), ("the_clock", 0, {}), ("the_clock", 0, {"watch": True}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "seed", "options"), WON)
def test_the_won_line_of_a_deal_wins_it(key, seed, options):
    start = deal(key, seed, **options)
    finding = verdict(key, start.options, start, 300_000)
    assert finding.verdict == "won"
    assert ending(key, start, finding.commands) == "won"


@pytest.mark.parametrize(("key", "seed", "options"), IMPOSSIBLE)
def test_a_deal_that_cannot_be_won_is_told_without_a_line(key, seed, options):
    start = deal(key, seed, **options)
    finding = verdict(key, start.options, start, 300_000)
    assert finding.verdict == "impossible"
    assert finding.commands == ()


@pytest.mark.parametrize("key", sorted(SOLVERS))
def test_what_the_bound_does_not_suffice_for_is_open_and_the_bound_is_kept(key):
    start = deal(key, 0)
    finding = verdict(key, start.options, start, 1)
    assert (finding.verdict, finding.commands) == ("open", ())
    assert finding.positions == 1


@pytest.mark.parametrize("key", ["klondike", "black_hole", "pyramid"])
def test_the_same_question_has_the_same_answer(key):
    start = deal(key, 3)
    assert verdict(key, start.options, start, 2_000) == verdict(key, start.options, start, 2_000)


@pytest.mark.parametrize(("key", "seed", "options"), [WON[0], WON[1], WON[7], WON[10], WON[14]])
def test_every_position_of_a_won_line_is_won_too(key, seed, options):
    state = deal(key, seed, **options)
    line = verdict(key, state.options, state, 300_000).commands
    for command in line[: len(line) // 2]:
        state = state_after(GAME_TYPES[key], state, command)
    finding = verdict(key, state.options, state, 300_000)
    assert finding.verdict == "won"
    assert ending(key, state, finding.commands) == "won"


def test_the_memory_ends_a_search_as_the_bound_does():
    start = deal("klondike", 0)
    finding = verdict("klondike", start.options, start, memory=20_000)
    assert finding.verdict == "open"
    assert finding.positions < 20_000 // 64


def test_asking_nothing_loads_no_compiler():
    code = "import sys, service.solving; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_deal_may_be_given_as_cards():
    klondike = GAME_TYPES["klondike"]
    cards = PACK[::-1]
    state = dealt(klondike, klondike.options(), cards)
    by_cards = verdict("klondike", klondike.options(), cards, 3_000)
    assert by_cards == verdict("klondike", klondike.options(), state, 3_000)
    assert Draw() in klondike.legal_commands(state, 0)


def test_cards_that_are_no_pack_are_refused():
    with pytest.raises(Illegal) as refusal:
        verdict("klondike", GAME_TYPES["klondike"].options(), PACK[:51])
    assert refusal.value.rule == "given_deal"


def test_a_game_type_without_a_solver_is_named():
    with pytest.raises(KeyError, match="bridge_solitaire"):
        verdict("bridge_solitaire", GAME_TYPES["bridge_solitaire"].options(), PACK)


def test_spider_does_not_say_impossible_while_rows_are_to_come():
    start = deal("spider", 0)
    assert verdict("spider", start.options, start, 300).verdict == "open"
