"""No seat learns what it may not know, through any channel; and the law itself sees every planted leak."""

from functools import cache
from typing import get_args

import pytest
from hypothesis import given

from domain.capabilities import OptionRules, Resample
from domain.games import AnyGameType

from .broken import LawBroken
from .knobs import LAW
from .leaks import LEAKS, SEATED_LEAKS
from .registry import FOUND, KEYS
from .secrecy import Tally, check, resampled
from .walks import Plan, Style, plans, walk

STYLES = get_args(Style)


@pytest.mark.parametrize("key", KEYS)
def test_what_a_viewer_is_sent_does_not_change_when_unseen_cards_change_places(key: str) -> None:
    tally = Tally()

    @LAW
    @given(plans(FOUND[key]))
    def law(plan: Plan) -> None:
        check(FOUND[key], plan, tally)

    law()
    assert tally.moved * 2 >= tally.hidden, tally
    assert tally.impossible * 2 <= tally.samples, tally


@pytest.mark.parametrize("key", [key for key in KEYS if FOUND[key].has(Resample)])
def test_what_a_viewer_is_sent_does_not_change_when_the_game_type_resamples(key: str) -> None:
    tally = Tally()

    @LAW
    @given(plans(FOUND[key]))
    def law(plan: Plan) -> None:
        resampled(FOUND[key], walk(FOUND[key], plan), tally)

    law()
    assert tally.moved > 0, tally


def caught(game_type: AnyGameType, seats: int) -> bool:
    """Whether the law notices within a few plain games; two of a type that hides nothing, whose leaks tell nothing."""
    options = game_type.get(OptionRules).settle(game_type.options(), seats)
    for number in range(12 if hides_something(game_type.key) else 2):
        try:
            check(game_type, Plan(options, seats, number, number, 30, STYLES[number % 3], False), Tally())
        except LawBroken as broken:
            return broken.law == "secrecy"
    return False


@cache
def hides_something(key: str) -> bool:
    tally, seats = Tally(), max(FOUND[key].seats)
    options = FOUND[key].get(OptionRules).settle(FOUND[key].options(), seats)
    check(FOUND[key], Plan(options, seats, 0, 0, 5, "any", False), tally)
    return tally.hidden > 0


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("key", KEYS)
def test_a_planted_leak_is_caught(key: str, leak: str) -> None:
    game_type = FOUND[key]
    leaks = any(caught(LEAKS[leak](game_type), seats) for seats in {min(game_type.seats), max(game_type.seats)})
    assert leaks == hides_something(key)


@pytest.mark.parametrize("leak", SEATED_LEAKS)
@pytest.mark.parametrize("key", [key for key in KEYS if max(FOUND[key].seats) > 1])
def test_a_leak_to_an_opponent_is_caught(key: str, leak: str) -> None:
    game_type = FOUND[key]
    assert caught(SEATED_LEAKS[leak](game_type), max(2, min(game_type.seats))) == hides_something(key)
