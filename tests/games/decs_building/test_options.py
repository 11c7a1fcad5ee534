"""Every option, and the cards of each table."""

from collections import Counter

import pytest

from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building import events as ev
from domain.games.decs_building.grid import empty_spaces, score, winners
from domain.games.decs_building.state import Options, pack

from .positions import all_pass, everything, held, opened, place, position, refused, say, start, take


@pytest.mark.parametrize(("seats", "cards"), [(2, 54), (3, 66), (4, 84)])
def test_the_packs_have_the_printed_cards(seats: int, cards: int) -> None:
    ranks = Counter(card[0] for card in pack(Options(), seats))
    copies = {2: 4, 3: 6, 4: 8}[seats]
    assert ranks.total() == cards
    assert [ranks[rank] for rank in "AJQK"] == [copies] * 4
    assert ranks["*"] == (4 if seats == 4 else 2)
    assert ranks["T"] == (4 if seats == 2 else 0)
    assert held(opened(seats).state) == everything(opened(seats).state)


def test_two_players_may_do_without_tens() -> None:
    ranks = Counter(card[0] for card in pack(Options(two_player_tens=False), 2))
    assert ranks["T"] == 0
    assert [len(stack) for stack in opened(two_player_tens=False).state.stacks[:4]] == [6] * 4


def test_the_tens_of_two_are_no_matter_to_three_and_four() -> None:
    for seats in (3, 4):
        assert pack(Options(two_player_tens=False), seats) == pack(Options(), seats)


def test_the_short_game_leaves_out_eights_nines_and_the_top_two_rows() -> None:
    state = opened(short=True).state
    assert {"8", "9"}.isdisjoint(card[0] for card in pack(Options(short=True), 2))
    assert empty_spaces(state, 0) == 45
    assert [len(facts.grid) for facts in GAME.look(state, None).facts.seats] == [6, 6]
    drawn = position("hand_0: 4D 5D 6D", options=Options(short=True))
    assert refused(drawn, take("big_star", "4D 5D 6D", cells=place("big_star", "2,1").cells)) == "exact_shape"
    assert say(drawn, take("big_star", "4D 5D 6D", cells=place("big_star", "3,1").cells)).events
    assert refused(position("hand_0: 4D 5D", options=Options(short=True)), take("small_star", "4D 5D", cells=((1, 1),)))


TIED = """
    hand_0: 2S
    hand_1: 3S
    grid_0: large_angel 1,1
    grid_1: snowflake 1,1; snowflake 1,2; snowflake 1,3; snowflake 1,4
"""
"""Seat 0: six spaces filled and no points; seat 1: four spaces filled and four points."""


@pytest.mark.parametrize(("tie_break", "first"), [("shared", (0, 1)), ("fewest_empty_spaces", (0,))])
def test_equal_points_are_shared_or_go_to_whoever_left_fewer_spaces_empty(
    tie_break: str, first: tuple[int, ...]
) -> None:
    state = position(TIED, options=Options(tie_break=tie_break), final=True)  # type: ignore[arg-type]
    assert [score(state, seat) for seat in (0, 1)] == [-110, -110]
    ended = all_pass(state)
    assert ended.events[-1] == ev.Scored((-110, -110), first)
    assert winners(ended.state, (-110, -110)) == first


def test_a_tie_in_spaces_too_is_shared() -> None:
    state = position("hand_0: 2S\nhand_1: 3S", options=Options(tie_break="fewest_empty_spaces"), final=True)
    assert all_pass(state).events[-1] == ev.Scored((-122, -122), (0, 1))


def test_equal_stacks_of_a_short_game_end_it_sooner() -> None:
    state = opened(short=True, two_player_tens=False).state
    assert [len(stack) for stack in state.stacks[:4]] == [4] * 4
    assert say(state, start("stack_spades")).state.stacks[0] == ("7S", "6S", "5S")
