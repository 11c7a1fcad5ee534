"""Results of same-deal contests made by lot: exact whatever is voided."""

from random import Random

import pytest
from projection_logs import folded, placed
from seasons import contest, contest_id, game_id, member

from domain import rulings
from projections.contests.days import DAYS_PROJECTION, SCORES, public_season

SEEDS = pytest.mark.parametrize("seed", range(8))


@SEEDS
def test_matchpoints_of_a_deal_come_to_n_times_n_minus_one_whatever_is_voided(seed: int) -> None:
    records = contest(1, 9, Random(seed))
    for gone in range(-1, 9):
        voids = [rulings.ruling_record(gone + 2, rulings.GamesVoided((game_id(5100 + gone),), "x"), member(0), 1)]
        documents = folded(DAYS_PROJECTION, placed([*records, *(voids if gone >= 0 else [])]))
        scores = [score for _, score in documents.scan(SCORES(contest_id(1)))]
        field = [score for score in scores if score.kind == "ranked"]
        assert sum(score.points for score in field) == len(field) * (len(field) - 1)
        assert all(score.clean for score in field)
        assert all(score.of == len(field) for score in field)


def test_a_void_gives_everybody_else_back_what_the_game_took_from_them() -> None:
    records = contest(1, 6, Random(3))
    void = rulings.ruling_record(1, rulings.GamesVoided((game_id(5102),), "abuse"), member(0), 1)
    voided_ = folded(DAYS_PROJECTION, placed([*records, void]))
    never = folded(DAYS_PROJECTION, placed([one for one in records if one.stream != game_id(5102)]))
    for collection in (SCORES(contest_id(1)), public_season("klondike", "2023-11").rows):
        kept = {key: row for key, row in voided_.scan(collection) if key != str(member(2))}
        assert kept == {key: row for key, row in never.scan(collection) if key != str(member(2))}


def test_results_are_there_only_once_the_contest_is_closed() -> None:
    records = contest(1, 4, Random(1))
    closing = next(n for n, record in enumerate(records) if type(record.event).__name__ == "Closed")
    before = folded(DAYS_PROJECTION, placed(records[:closing]))
    assert not list(before.scan(SCORES(contest_id(1))))
    assert len(list(folded(DAYS_PROJECTION, placed(records)).scan(SCORES(contest_id(1))))) == 4
