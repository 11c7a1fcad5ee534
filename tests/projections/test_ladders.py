"""Ladders: exact under voids and corrections; who is listed, and why somebody stands there."""

from fractions import Fraction
from itertools import combinations
from random import Random
from uuid import UUID

import pytest
from msgspec.structs import replace
from openskill.models import PlackettLuce
from projection_logs import START, AnyRecord, event_record, folded, life, placed
from seasons import DAY, ended, game_id, member, season

from domain import rulings
from domain.league.rules import LADDER
from domain.play import events as ev
from projections.ladders.ladder_projection import GAMES, LADDERS, LadderRow, history, ladder
from projections.ladders.ratings import FULL, Rating, Weight, rate_players
from projections.ladders.ratings import START as UNRATED
from tests.memory_documents import MemoryDocuments

SEEDS = pytest.mark.parametrize("seed", range(8))
KIND = "spite_and_malice"


@SEEDS
def test_a_ladder_after_voids_and_corrections_is_the_ladder_of_the_games_that_remain(seed: int) -> None:
    """Folded from the start without the voided games, and with the corrected results in their places."""
    made = season(Random(seed), 8, 3 if seed % 2 else 2)
    site = [_site(record) for record in made.records]
    after = folded(LADDERS, placed(site))
    assert _ladder(after) == _ladder(folded(LADDERS, placed(_as_if_known_before(site))))


def _site(record: AnyRecord) -> AnyRecord:
    """A league's ruling as if a moderator had made it."""
    if isinstance(record.event, rulings.RULINGS):
        return replace(record, type=rulings.STREAM_TYPE, stream=rulings.SITE)
    return record


def _as_if_known_before(records: list[AnyRecord]) -> list[AnyRecord]:
    """All rulings before the games that they are about: nothing then has to be folded again."""
    return sorted(records, key=lambda record: not isinstance(record.event, rulings.RULINGS))


def _ladder(documents: MemoryDocuments) -> list[tuple[object, ...]]:
    kind = "spite_and_malice"
    rows = [*documents.scan(ladder(kind)), *documents.scan(ladder("decs_building"))]
    games = [*documents.scan(GAMES(kind)), *documents.scan(GAMES("decs_building"))]
    return [(row.player, row.rating, row.games, row.provisional) for _, row in rows] + [
        (game.game, game.places) for _, game in games
    ]


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
    return [one for number, pair in enumerate(pairs, 1) for one in games(1, *pair, first=number)]


def row(records: list[AnyRecord], player: UUID) -> LadderRow | None:
    return folded(LADDERS, placed(records)).get(ladder(KIND), str(player))


def listed(records: list[AnyRecord]) -> list[str]:
    return [key for key, _ in folded(LADDERS, placed(records)).listed(ladder(KIND))]


def void(*numbers: int) -> AnyRecord:
    """What a moderator says of games that `life` has made."""
    from projection_logs import game_id as made_id

    return rulings.ruling_record(1, rulings.GamesVoided(tuple(map(made_id, numbers)), "abuse"), member(0), START + DAY)


def test_who_has_fewer_than_ten_rated_games_or_a_sigma_above_seven_is_provisional() -> None:
    nine, many = circle(10), circle(11, 2)
    assert listed(nine) == []
    assert len(listed(many)) == 11
    assert listed(many)[0] == str(member(0))
    assert [one.provisional for one in (row(nine, member(0)), row(many, member(0))) if one] == [True, False]
    five = [member(number) for number in range(5)]
    unsure = row(games(10, *five), member(4))
    assert unsure is not None
    assert unsure.provisional == (unsure.rating.sigma > LADDER.sigma)


def test_who_has_not_played_for_thirty_days_is_not_listed_until_the_next_game_and_keeps_the_rating() -> None:
    early = circle(11, 2)
    stays, goes = _later(early, 30), _later(early, 31)
    assert len(listed(stays)) == 11
    assert listed(goes) == []
    before, away = row(early, member(0)), row(goes, member(0))
    assert before is not None
    assert away == replace(before, active=False)
    back = goes + games(1, member(0), member(1), first=900, start=START + 31 * DAY)
    assert len(listed(back)) == 2


def test_inactivity_is_noticed_however_far_the_log_jumps() -> None:
    assert listed(_later(circle(11, 2), 2000)) == []


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
        for was, whole, partial, share in (
            (before[0].mu, after[0].mu, weighed[0].mu, Fraction(part // 2, FULL)),
            (before[0].sigma, after[0].sigma, weighed[0].sigma, Fraction(part, FULL)),
        ):
            assert abs(was + (whole - was) * share - partial) <= Fraction(1, 2)
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


def test_a_void_withdrawn_leaves_every_document_as_if_there_had_been_none() -> None:
    records = games(6, member(0), member(1)) + games(6, member(1), member(2), first=20)
    back = rulings.ruling_record(2, rulings.VoidsWithdrawn(void(2, 22).event.games, "none"), member(0), START + DAY)
    never = folded(LADDERS, placed([*records, void(999)]))
    withdrawn = folded(LADDERS, placed([*records, void(2, 22), back]))
    assert [one for one in withdrawn.rows() if "999" not in one[1]] == [
        one for one in never.rows() if one[1] != str(void(999).event.games[0])
    ]
