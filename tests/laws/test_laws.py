"""The laws, written once and run over every game type found."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given

from . import folding, material, refusals, reprs, tables, undoing, wire
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
    """A game that every law looks at: the plans are drawn alike for each of them, so they share what is played."""
    return walk(FOUND[key], plan)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("key", KEYS)
def test_every_game_type_keeps_the_law(key: str, law: str) -> None:
    @LAW
    @given(plans(FOUND[key]))
    def kept(plan: Plan) -> None:
        with registered(FOUND[key]):
            LAWS[law](FOUND[key], played(key, plan))

    kept()
