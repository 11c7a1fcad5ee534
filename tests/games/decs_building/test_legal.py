"""What is listed: all that would be accepted, one spelling each, and no more than can be read."""

from collections.abc import Iterator
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from domain.capabilities import Spelling
from domain.game_type import Illegal
from domain.games.decs_building import DECS_BUILDING as GAME
from domain.games.decs_building.events import Command, DeclineExtra, Discard, Pass, Place, TakeAction
from domain.games.decs_building.state import KINDS, SPACES, Alternative, Options, StackId, State

from .positions import IDS, place, position, say, take

STOP = "stop_messing_around"
HANDS = ["4S 5C 6H 7D", "JS QH KD *1", "AS 4S 4C JC", "4D 5D AH JD", "KC QS 4S 5C", "4S 4S 6H 6H"]
ALTERNATIVES: tuple[Alternative | None, ...] = (None, "jack", "queen")
SOURCES: tuple[StackId | None, ...] = (None, "stack_spades", "stack_clubs", "stack_jacks")


def accepted(state: State, command: Command) -> bool:
    try:
        GAME.decide(state, 0, command)
    except Illegal:
        return False
    return True


def spellings(state: State) -> Iterator[TakeAction]:
    """Every way to name up to three hand cards for every space, with every choice."""
    hand = state.players[0].hand
    payments = {cards for size in (1, 2, 3) for cards in permutations(hand, size)}
    for space in SPACES:
        for payment in sorted(payments):
            for alternative in ALTERNATIVES:
                yield from (TakeAction(space, payment, alternative, source) for source in SOURCES)


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("extra", [False, True])
def test_an_action_is_accepted_if_and_only_if_its_spelling_is_listed(hand: str, extra: bool) -> None:
    drawing = f"""
        hand_0: {hand}
        pawns_0: comet santa reindeer gain_wild
        pawns_1: candle
        stack_kings:
        stack_clubs:
    """
    state = position(drawing, extra=extra)
    listed = set(GAME.legal_commands(state, 0))
    for command in spellings(state):
        spelling = GAME.get(Spelling).canonical(state, 0, command)
        assert isinstance(spelling, TakeAction)
        assert accepted(state, command) == (replace(spelling, order=None) in listed), command


def test_every_payment_is_listed_once_whatever_its_order() -> None:
    listed = GAME.legal_commands(position("hand_0: 6S 4S 5S"), 0)
    payments = [command.payment for command in listed if isinstance(command, TakeAction) and command.space != STOP]
    assert all(payment == tuple(sorted(payment)) for payment in payments)
    assert take("snowflake", "4S 5S 6S") in listed
    assert len([command for command in listed if getattr(command, "space", "") == "snowflake"]) == 1


def test_both_orders_are_listed_where_the_second_card_leaves_the_game() -> None:
    state = position("hand_0: 4S 5S 5S")
    listed = [command for command in GAME.legal_commands(state, 0) if getattr(command, "space", "") == STOP]
    assert sorted(command.payment for command in listed if isinstance(command, TakeAction)) == [
        ("4S", "5S"), ("5S", "4S"), ("5S", "5S"),
    ]  # fmt: skip
    named = take(STOP, "4S 5S", order=("5S", "4S"))
    assert GAME.get(Spelling).canonical(state, 0, named) == take(STOP, "5S 4S")
    assert say(state, named).state.removed == ("4S",)


def test_another_order_is_spelled_beside_the_sorted_payment_and_means_the_same() -> None:
    state = position("hand_0: 6S 4S 5S\nhand_1: 3C")
    named = take("snowflake", "6S 4S 5S", cells=((1, 2),))
    spelled = take("snowflake", "4S 5S 6S", cells=((1, 2),), order=("6S", "4S", "5S"))
    assert GAME.get(Spelling).canonical(state, 0, named) == spelled
    assert say(state, named) == say(state, spelled)


def test_a_discard_is_listed_by_its_first_card_and_takes_any_more_in_any_order() -> None:
    state = position("hand_0: 4S 6S 5H 5H\nhand_1: 3C", seats=4)
    endings = [command for command in GAME.legal_commands(state, 0) if not isinstance(command, TakeAction)]
    assert endings == [Discard("4S"), Discard("5H"), Discard("6S"), Pass()]
    for size in (1, 2, 3):
        for rest in permutations(("6S", "5H", "5H"), size):
            assert say(state, Discard("4S", rest)).state.players[0].played == ("4S", *rest)


def test_an_extra_action_is_taken_or_declined() -> None:
    listed = GAME.legal_commands(position("hand_0: 4S 6S", extra=True), 0)
    assert listed[-1] == DeclineExtra()
    assert all(isinstance(command, TakeAction) for command in listed[:-1])


SHAPES = ["candy_cane", "comet", "reindeer", "large_angel", "power_cable", "santa"]


@pytest.mark.parametrize("feature", SHAPES)
@pytest.mark.parametrize("short", [False, True])
def test_the_places_listed_are_all_the_legal_ones(feature: str, short: bool) -> None:
    grid = "grid_0: small_star 4,1; power_cable 8,3; candle 8,1"
    state = position(grid, options=Options(short=short), placing=IDS[feature])
    listed = set(GAME.legal_commands(state, 0))
    tried = set(_everywhere(feature))
    assert listed == {command for command in tried if accepted(state, command)}
    assert 0 < len(listed) < len(tried)


def _everywhere(feature: str) -> Iterator[Place]:
    """The shape, turned and mirrored, from every corner that keeps it within eight rows and columns."""
    shape = KINDS[IDS[feature]].shape.split("/")
    for drawn in _all_ways(shape):
        for top in range(1, 10 - len(drawn)):
            for left in range(1, 10 - len(drawn[0])):
                yield Place(tuple(
                    (top + row, left + at) for row, line in enumerate(drawn) for at, mark in enumerate(line)
                    if mark == "X"
                ))  # fmt: skip


def _all_ways(shape: list[str]) -> Iterator[list[str]]:
    for _ in range(4):
        shape = ["".join(line) for line in zip(*shape[::-1], strict=True)]
        yield shape
        yield [line[::-1] for line in shape]


def test_the_cells_of_a_place_are_named_in_any_order() -> None:
    state = position("hand_1: 3C", placing="candy_cane")
    named = place("candy_cane", "1,1")
    for cells in permutations(named.cells):
        assert GAME.get(Spelling).canonical(state, 0, Place(cells)) == named
        assert say(state, Place(cells)) == say(state, named)


def test_a_cell_named_twice_is_not_the_shape() -> None:
    state = position("", placing="candy_cane")
    for pair in combinations(place("candy_cane", "1,1").cells, 2):
        assert not accepted(state, Place((*pair, *pair)))


def test_a_large_hand_lists_hundreds_and_not_hundreds_of_thousands() -> None:
    state = position("hand_0: 2S 3S 4S 5S 2H 3H 4H 5H 2D 3D 4D 5D 2C 3C 4C JS JH QS KD *1")
    listed = GAME.legal_commands(state, 0)
    assert len(listed) < 6000
    assert len(set(listed)) == len(listed)
