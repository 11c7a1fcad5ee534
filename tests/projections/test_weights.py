"""What a game weighs in a rating: little where it tells little."""

from typing import Any

import pytest
from projection_logs import folded, placed
from seasons import member
from test_ladders import KIND, circle, games, listed, row

from domain.league.rules import LADDER
from projections.ladders.ladder_projection import LADDERS
from projections.ladders.ladder_projection import games as rated_games
from projections.ladders.ratings import FULL, START, Rating, Weight, weights

KNOWN = Rating(25_000_000, 4_000_000)
WON, TIED = (0, 1), (0, 0)


def told(*of: Rating, numbers: tuple[int, ...] = (20, 20), met: int = 0, places: tuple[int, ...] = WON) -> list[Weight]:
    return weights(of, numbers, [met], places)


def test_those_of_whom_equally_little_is_known_come_to_know_each_other_at_full_weight() -> None:
    assert told(START, START, numbers=(0, 0)) == [(FULL, FULL)] * 2
    assert told(KNOWN, KNOWN) == [(FULL, FULL)] * 2


def test_a_game_against_somebody_unknown_tells_nothing_to_who_is_known() -> None:
    own, others = told(KNOWN, START)
    assert (own.game, others.game) == (0, FULL)
    half_known = Rating(START.mu, (START.sigma + LADDER.sigma) // 2)
    assert abs(told(half_known, START)[0].game - FULL // 2) < 2


def test_new_accounts_however_many_take_nobody_over_the_limit() -> None:
    me = member(0)
    records = [one for number in range(1, 200) for one in games(1, me, member(number), first=number)]
    found = row(records, me)
    assert found is not None
    assert (found.provisional, found.rating.sigma > LADDER.sigma) == (True, True)
    assert found.weight < 10 * FULL
    assert listed(records) == []


def test_who_meets_one_opponent_only_stays_provisional_however_often_they_play() -> None:
    found = row(games(200, member(0), member(1)), member(0))
    assert found is not None
    assert found.provisional


@pytest.mark.parametrize(("numbers", "met", "share"), [
    ((0, 0), 0, 1.0), ((10, 10), 10, (2 / 12) ** 2), ((10, 500), 10, (2 / 12) ** 2), ((98, 98), 10, 0.9**2),
])  # fmt: skip
def test_a_game_against_the_same_opponent_again_tells_less(
    numbers: tuple[int, int], met: int, share: float
) -> None:  # fmt: skip
    for weight in told(KNOWN, KNOWN, numbers=numbers, met=met):
        assert abs(weight.game / FULL - share) < 1e-5


def test_a_win_over_somebody_far_below_tells_nothing_of_skill_and_a_loss_tells_all() -> None:
    far = Rating(KNOWN.mu - LADDER.far, KNOWN.sigma)
    assert told(KNOWN, far) == [(FULL, 0)] * 2
    assert told(far, KNOWN) == [(FULL, FULL)] * 2
    assert told(KNOWN, far, places=TIED) == [(FULL, FULL)] * 2
    assert told(KNOWN, Rating(KNOWN.mu - LADDER.far // 2, KNOWN.sigma))[0].skill == FULL * 3 // 4


def test_where_several_play_the_weight_is_the_mean_over_the_opponents() -> None:
    made = weights([KNOWN, START, KNOWN], [20, 0, 20], [0, 0, 0], [0, 1, 2])
    assert [one.game for one in made] == [FULL // 2, FULL, FULL // 2]


def test_every_game_tells_its_weights_and_how_often_its_players_had_met() -> None:
    more: dict[str, Any] = {"scores": ()}
    documents = folded(LADDERS, placed(games(3, member(0), member(1), **more)))
    found = [game for _, game in documents.scan(rated_games(KIND))]
    assert [game.met for game in found] == [(0,), (1,), (2,)]
    totals = [game.ratings[0].total for game in found]
    assert [game.ratings[0].weight for game in found] == [
        after - before for before, after in zip([0, *totals], totals, strict=False)
    ]


def test_in_a_circle_of_people_everybody_is_listed_after_a_while() -> None:
    assert len(listed(circle(6, 5))) == 6
