"""The shuffles of a deal, told so that nobody need know the game to make them again."""

from typing import Any

import msgspec
import pytest

from domain.chance import deal_seed, shuffle
from domain.games import GAME_TYPES
from domain.play.aggregate import fold
from domain.play.verify import deal_shuffles

from .played import duel, opened
from .whole_records import records

HELD = {"decs_building", "megiddo", "screaming_yoda", "spite_and_malice"}
"""Game types whose deal hands the cards out instead of holding them in one row."""


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_every_shuffle_of_a_deal_is_made_again_by_the_seeds_alone(key: str) -> None:
    game = fold(records(key))
    assert game.sealed is not None
    seed, made = deal_seed(game.sealed.seed, game.seeds), deal_shuffles(game)
    assert [one.number for one in made] == list(range(len(made)))
    for one in made:
        assert shuffle(one.before, seed, one.number) == one.after


@pytest.mark.parametrize("key", sorted(set(GAME_TYPES) - HELD))
def test_an_event_of_the_deal_holds_every_shuffle_in_its_order(key: str) -> None:
    dealt = msgspec.json.decode(msgspec.json.encode(records(key)[2].event))
    for made in deal_shuffles(fold(records(key))):
        assert _holds(dealt, list(made.after))


def _holds(value: Any, cards: list[str]) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value == cards or any(_holds(part, cards) for part in inside)


def test_a_client_seed_is_mixed_in() -> None:
    game = fold(duel())
    assert game.sealed is not None
    (made,) = deal_shuffles(game)
    assert shuffle(made.before, deal_seed(game.sealed.seed, (None, "mine")), 0) == made.after


def test_a_deal_made_again_is_the_same_as_the_first_time() -> None:
    game = opened("klondike").game
    assert deal_shuffles(game) == deal_shuffles(game)
