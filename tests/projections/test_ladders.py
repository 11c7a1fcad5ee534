"""Ladders: exact under voids and corrections; who is listed, why somebody stands there, and what a game weighs."""

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace
from openskill.models import PlackettLuce
from projection_logs import START, AnyRecord, event_record, folded, life, placed, present
from projection_logs import game_id as made_id
from seasons import DAY, ended, game_id, member

from domain import rulings
from domain.league.rules import LADDER
from domain.play import events as ev
from projections.ladders.ladder_projection import GAMES, LADDERS, LadderRow, history, ladder
from projections.ladders.ratings import FULL, Rating, Weight, rate_players, weights
from projections.ladders.ratings import START as UNRATED

KIND = "spite_and_malice"


def games(many: int, *players: UUID, first: int = 1, start: int = START, **more: object) -> list[AnyRecord]:
    """So many games between these players, a second apart; the first player wins them all."""
    made = []
    for number in range(first, first + many):
        lived = life(number, ended(players, [0], **more), kind=KIND)
        made += [replace(record, time=start + number * 1_000_000) for record in lived]
    return made


def circle(people: int, times: int = 1) -> list[AnyRecord]:
    """Everybody meets everybody else so many times; the one who comes first in the circle wins."""
    pairs = list(combinations(map(member, range(people)), 2)) * times
    Random(3).shuffle(pairs)
    return [record for number, pair in enumerate(pairs, 1) for record in games(1, *pair, first=number)]


def row(records: list[AnyRecord], player: UUID) -> LadderRow | None:
    return folded(LADDERS, placed(records)).get(ladder(KIND), str(player))


def listed(records: list[AnyRecord]) -> list[str]:
    return [key for key, _ in folded(LADDERS, placed(records)).listed(ladder(KIND))]


def void(*numbers: int) -> AnyRecord:
    """What a moderator says of games that `life` has made."""
    voided = rulings.GamesVoided(tuple(map(made_id, numbers)), "abuse")
    return rulings.ruling_record(1, voided, member(0), START + DAY)


def test_who_has_fewer_than_ten_rated_games_or_a_sigma_above_seven_is_provisional() -> None:
    nine, many = circle(10), circle(11, 2)
    assert listed(nine) == []
    assert len(listed(many)) == 11
    assert listed(many)[0] == str(member(0))
    assert [entry.provisional for entry in (row(nine, member(0)), row(many, member(0))) if entry] == [True, False]
    five = [member(number) for number in range(5)]
    unsure = present(row(games(10, *five), member(4)))
    assert unsure.provisional == (unsure.rating.sigma > LADDER.sigma)


def test_who_has_not_played_for_thirty_days_is_not_listed_until_the_next_game_and_keeps_the_rating() -> None:
    early = circle(11, 2)
    stays, goes = _later(early, 30), _later(early, 31)
    assert len(listed(stays)) == 11
    assert listed(goes) == listed(_later(early, 2000)) == []
    before, away = row(early, member(0)), row(goes, member(0))
    assert before is not None
    assert away == replace(before, active=False)
    back = goes + games(1, member(0), member(1), first=900, start=START + 31 * DAY)
    assert len(listed(back)) == 2


@pytest.mark.parametrize(("days", "many"), [(30, 11), (31, 0)])
def test_a_void_long_after_judges_by_the_day_that_the_log_has_come_to(days: int, many: int) -> None:
    records = _later(circle(11, 2) + games(1, member(0), member(1), first=111), days)
    assert len(listed([*records, replace(void(111), time=records[-1].time)])) == many


def _later(records: list[AnyRecord], days: int) -> list[AnyRecord]:
    """The log after somebody else's game so many days later."""
    other = event_record(game_id(1), 1, ev.Revealed(b"", b""), records[-1].time // DAY * DAY + days * DAY, KIND)
    return [*records, other]


@pytest.mark.parametrize(("records", "why"), [
    (games(10, member(0), member(0)), "against oneself"),
    (games(10, member(0)), "alone"),
    (games(10, member(0), member(1), rated=False), "unrated"),
    (games(10, member(0), member(1), ending="abandoned", reason="not_begun"), "not begun"),
])  # fmt: skip
def test_no_rating_comes_of_games_that_are_no_meeting(records: list[AnyRecord], why: str) -> None:
    assert row(records, member(0)) is None, why


@pytest.mark.parametrize("pair", [(member(0), member(1)), (member(1), member(0))])
def test_equal_ratings_share_the_place_whatever_the_ids(pair: tuple[UUID, UUID]) -> None:
    made = [record for number in range(1, 11) for record in life(number, ended(pair, []), kind=KIND)]
    rows = folded(LADDERS, placed(made)).rows()
    sorts = [sort for collection, _, sort, _ in rows if collection == ladder(KIND).name]
    assert (len(sorts), len(set(sorts))) == (2, 1)


def test_ratings_are_rounded_to_six_places_after_every_game_and_ordered_by_hundredths() -> None:
    full, nothing = Weight(FULL, FULL), Weight(0, 0)
    after = rate_players([UNRATED, UNRATED], [0, 1], [full, full])
    assert after == rate_players([UNRATED, UNRATED], [0, 1], [full, full])
    assert rate_players([UNRATED, UNRATED], [0, 1], [nothing, full]) == (UNRATED, after[1])
    assert (UNRATED.mu, UNRATED.sigma) == (25_000_000, 8_333_333)
    won, lost = PlackettLuce().rate([[PlackettLuce().rating()], [PlackettLuce().rating()]])
    rounded = [(round(rating.mu * FULL), round(rating.sigma * FULL)) for (rating,) in (won, lost)]
    assert [(rating.mu, rating.sigma) for rating in after] == rounded
    assert Rating(25_000_000, 8_333_333).ordinal == 0
    assert (Rating(7_005_000, 0).ordinal, Rating(7_004_999, 0).ordinal) == (701, 700)
    assert (Rating(-7_005_000, 0).ordinal, Rating(-7_005_001, 0).ordinal) == (-700, -701)


def test_a_part_of_a_change_is_rounded_to_the_nearest_millionth() -> None:
    before = (Rating(25_000_000, 8_333_333), Rating(27_500_001, 6_100_007))
    full, none = Weight(FULL, FULL), Weight(0, 0)
    after = rate_players(before, (0, 1), (full, full))
    for part in range(1, FULL, 12_347):
        weighed = rate_players(before, (0, 1), (Weight(part, part // 2), none))
        for was, full, partial, share in (
            (before[0].mu, after[0].mu, weighed[0].mu, Fraction(part // 2, FULL)),
            (before[0].sigma, after[0].sigma, weighed[0].sigma, Fraction(part, FULL)),
        ):
            assert abs(was + (full - was) * share - partial) <= Fraction(1, 2)
        assert weighed[1] == before[1]


def test_the_history_says_what_each_game_made_of_the_rating() -> None:
    documents = folded(LADDERS, placed(games(3, member(0), member(1))))
    behind = [documents.get(GAMES(KIND), key) for key, _ in documents.scan(history(member(0), KIND))]
    steps = [game.ratings[game.players.index(member(0))] for game in behind if game is not None]
    standing = documents.get(ladder(KIND), str(member(0)))
    assert [step.number for step in steps] == [1, 2, 3]
    assert [step.before for step in steps] == [UNRATED, steps[0].after, steps[1].after]
    assert standing is not None
    assert standing.rating == steps[-1].after
    assert {game.players for game in behind if game is not None} == {(member(0), member(1))}


KNOWN = Rating(25_000_000, 4_000_000)
WON, TIED = (0, 1), (0, 0)


def weights_of(
    *of: Rating, numbers: tuple[int, ...] = (20, 20), met: int = 0, places: tuple[int, ...] = WON
) -> list[Weight]:
    return weights(of, numbers, [met], places)


def test_a_game_weighs_what_is_known_of_the_opponents_in_the_mean() -> None:
    assert weights_of(UNRATED, UNRATED, numbers=(0, 0)) == [(FULL, FULL)] * 2
    assert weights_of(KNOWN, KNOWN) == [(FULL, FULL)] * 2
    own, others = weights_of(KNOWN, UNRATED)
    assert (own.game, others.game) == (0, FULL)
    half_known = Rating(UNRATED.mu, (UNRATED.sigma + LADDER.sigma) // 2)
    assert abs(weights_of(half_known, UNRATED)[0].game - FULL // 2) < 2
    made = weights([KNOWN, UNRATED, KNOWN], [20, 0, 20], [0, 0, 0], [0, 1, 2])
    assert [weight.game for weight in made] == [FULL // 2, FULL, FULL // 2]


def test_new_accounts_however_many_and_one_opponent_alone_list_nobody() -> None:
    me = member(0)
    records = [record for number in range(1, 200) for record in games(1, me, member(number), first=number)]
    entry = present(row(records, me))
    assert (entry.provisional, entry.rating.sigma > LADDER.sigma) == (True, True)
    assert entry.weight < 10 * FULL
    assert listed(records) == []
    one_opponent_only = present(row(games(200, me, member(1)), me))
    assert one_opponent_only.provisional


@pytest.mark.parametrize(("numbers", "met", "share"), [
    ((0, 0), 0, 1.0), ((10, 10), 10, (2 / 12) ** 2), ((10, 500), 10, (2 / 12) ** 2), ((98, 98), 10, 0.9**2),
])  # fmt: skip
def test_a_game_against_the_same_opponent_again_tells_less(
    numbers: tuple[int, int], met: int, share: float
) -> None:  # fmt: skip
    for weight in weights_of(KNOWN, KNOWN, numbers=numbers, met=met):
        assert abs(weight.game / FULL - share) < 1e-5


def test_a_win_over_somebody_far_below_tells_nothing_of_skill_and_a_loss_tells_all() -> None:
    far = Rating(KNOWN.mu - LADDER.far, KNOWN.sigma)
    assert weights_of(KNOWN, far) == [(FULL, 0)] * 2
    assert weights_of(far, KNOWN) == [(FULL, FULL)] * 2
    assert weights_of(KNOWN, far, places=TIED) == [(FULL, FULL)] * 2
    assert weights_of(KNOWN, Rating(KNOWN.mu - LADDER.far // 2, KNOWN.sigma))[0].skill == FULL * 3 // 4


def test_every_game_tells_its_weights_and_how_often_its_players_had_met() -> None:
    more: dict[str, Any] = {"scores": ()}
    documents = folded(LADDERS, placed(games(3, member(0), member(1), **more)))
    rated = [game for _, game in documents.scan(GAMES(KIND))]
    assert [game.met for game in rated] == [(0,), (1,), (2,)]
    totals = [game.ratings[0].total for game in rated]
    assert [game.ratings[0].weight for game in rated] == [
        after - before for before, after in zip([0, *totals], totals, strict=False)
    ]


def test_in_a_circle_of_people_everybody_is_listed_after_a_while() -> None:
    assert len(listed(circle(6, 5))) == 6
