"""The season on a rule set's page, worked out by hand: a walkover, a void game, a withdrawal, byes."""

from fractions import Fraction

import pytest

from domain.league.rules import BOX, BOX_1, BOX_2, BOX_TWO, BOX_TWO_1, BOX_TWO_2, BoxRules
from service.web.rule_sets import PLAYERS, work_out_season

# player, place, points, games, wins, ties, losses, among equals, Sonneborn-Berger, difference
COUNTED = [
    ("B", 1, 48, 3, 2, 0, 1, 4, 96, 5),
    ("A", 2, 48, 3, 2, 0, 1, 2, 72, 2),
    ("C", 3, 48, 4, 2, 0, 2, 2, 72, 0),
    ("D", 4, 48, 4, 2, 0, 2, 2, 72, -6),
    ("E", 5, 24, 4, 1, 0, 3, 0, 48, -1),
]
POINTS_ALONE = [
    ("B", 1, 48, 3, 2, 0, 1, 4, 48, 5),
    ("D", 2, 48, 3, 1, 0, 1, 2, 24, -6),
    ("C", 3, 48, 4, 1, 0, 2, 2, 24, 0),
    ("A", 4, 48, 3, 1, 0, 1, 0, 24, 2),
    ("E", 5, 24, 2, 1, 0, 1, 0, 48, -1),
]


@pytest.mark.parametrize("rules", [BOX, BOX_TWO, BOX_2, BOX_TWO_2, BOX_1, BOX_TWO_1], ids=lambda rules: rules.id)
def test_the_season_on_the_page_is_as_worked_out_by_hand(rules: BoxRules) -> None:
    unit = 12 if rules.points == "two_one_zero" else 1
    worked = [
        (
            PLAYERS[row.player.int], row.place, row.points * unit, row.games, row.wins, row.ties, row.losses,
            row.head_to_head, Fraction(row.sonneborn_berger, 2) * unit, row.score_difference,
        )
        for row in work_out_season(rules)
    ]  # fmt: skip
    assert worked == (COUNTED if rules.forfeits_count else POINTS_ALONE)
