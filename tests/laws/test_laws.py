"""The laws, written once and run over every game type found.

The games are drawn and played once for all laws; where one breaks its law, Hypothesis looks for the shortest that does.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import pytest
from hypothesis import given

from . import folding, material, refusals, reprs, tables, undoing, wire
from .broken import LawBroken
from .knobs import LAW
from .registry import FOUND, KEYS, registered
from .walks import Plan, Walk, plans, walk

Check = Callable[[Any, Walk], None]

LAWS: dict[str, Check] = {
    "folding": folding.check,
    "twice_the_same": folding.twice_the_same,
    "wire": wire.check,
    "refusals": refusals.check,
    "finished": refusals.over,
    "cards": tables.cards,
    "tables": tables.tables,
    "material": material.check,
    "reprs": reprs.check,
    "undo": undoing.check,
}


@lru_cache(maxsize=40)
def played(key: str, plan: Plan) -> Walk:
    """A game that every law looks at."""
    return walk(FOUND[key], plan)


@cache
def drawn(key: str) -> list[Plan]:
    """The plans of the games that every law looks at."""
    drawn_plans = list[Plan]()

    @LAW
    @given(plans(FOUND[key]))
    def draw(plan: Plan) -> None:
        drawn_plans.append(plan)

    draw()
    return drawn_plans


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("key", KEYS)
def test_every_game_type_keeps_the_law(key: str, law: str) -> None:
    def check(plan: Plan) -> None:
        with registered(FOUND[key]):
            LAWS[law](FOUND[key], played(key, plan))

    try:
        for plan in drawn(key):
            check(plan)
    except LawBroken:
        LAW(given(plans(FOUND[key]))(check))()
        raise
