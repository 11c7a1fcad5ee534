"""An hour of cheating accounts among honest players: what the ladder shows of it."""

import pytest

from projections.ladders.ladder_projection import ladder

from .people import KIND, Person
from .schemes import SCHEMES
from .tables import listed, patience, shown


@pytest.mark.parametrize("name", ["privatecard", "publiccard", "resigning", "servants", "runsaway"])
def test_accounts_of_ones_own_that_lose_bring_nobody_onto_the_ladder(name: str) -> None:
    people, documents = shown(SCHEMES[name], name)
    assert Person(name).id not in listed(documents)
    assert {one.id for one in people} <= set(listed(documents)), "whoever plays honestly is listed"


def test_games_that_were_hidden_or_given_up_at_once_are_in_no_history() -> None:
    for name in ("privatecard", "publiccard"):
        _, documents = shown(SCHEMES[name], name)
        assert documents.get(ladder(KIND), str(Person(name).id)) is None


def test_new_accounts_that_lose_lift_nobody_above_those_who_play_better() -> None:
    """Sixty of them and thirty honest games at the skill of the middle: the place is one of the middle."""
    people, documents = shown(SCHEMES["mixed"], "mixed")
    order = listed(documents)
    better = {one.id for one in people[: len(people) // 8]}
    assert better.isdisjoint(order[order.index(Person("mixed").id) :])


@pytest.mark.parametrize("name", ["ringof4", "ringof6"])
def test_a_small_ring_that_loses_to_its_master_does_not_make_him_the_first(name: str) -> None:
    people, documents = shown(SCHEMES[name], name)
    assert listed(documents)[0] in {one.id for one in people}


def test_who_never_finishes_a_game_of_patience_that_goes_badly_gains_nothing() -> None:
    found = patience()
    assert len({row.clean_bound for row in found.values()}) == 1
    assert {row.games for row in found.values()} == {60}


def test_the_honest_stand_in_the_order_of_their_skill_but_for_luck() -> None:
    people, documents = shown(SCHEMES["resigning"], "resigning")
    order = listed(documents)
    best, worst = ([order.index(one.id) for one in some] for some in (people[:10], people[-10:]))
    assert max(best) < min(worst)
