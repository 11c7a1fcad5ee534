"""The simulation says of the measured machines what was measured, and of queues what arithmetic says."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

_SOURCE = Path(__file__).parents[2] / "deploy" / "simulate.py"


def simulate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("simulate", _SOURCE)
    made = sys.modules["simulate"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.mark.parametrize("point", simulate().MEASURED, ids=lambda point: point.name)
def test_it_comes_near_what_was_measured(point) -> None:
    simulated = point.run(1.5)
    assert simulated.rate == pytest.approx(point.rate, rel=0.15)
    assert simulated.p50 == pytest.approx(point.p50, rel=0.25)


def test_a_row_that_is_held_for_a_long_way_bounds_the_rate_by_its_largest_batch() -> None:
    made = simulate()
    far = made.Site(processes=4, cores=4, database_cores=4, trip=100_000)
    assert made.Simulation(far).run_rate(6000, 2.0).rate == pytest.approx(made.MOST / 0.1, rel=0.1)


def test_who_asked_in_a_gap_is_answered_after_it() -> None:
    made = simulate()
    simulated = made.Simulation(made.Site(database_cores=2)).run_rate(500, 1.0, (1.0, 3.0))
    assert 500 < simulated.rate < 2000
    assert simulated.drained < 5.0
