"""Limits of the measures only go down; that they are kept `make measures` says."""

import pytest

from tests.house.measures import MEASURES, Measure


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.count.__name__)
def test_no_limit_is_looser_than_what_was_before(measure: Measure) -> None:
    assert min(measure.goal, measure.before) <= measure.limit
    assert measure.limit <= measure.before
