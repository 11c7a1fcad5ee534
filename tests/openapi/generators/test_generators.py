"""Clients by stock generators compile strictly, play, replay and stream; those that need Java: `make clients`."""

import pytest

from tests.openapi.generators.makers import MAKERS, Maker
from tests.openapi.generators.table import COLUMNS, cells_of, failures, rows

QUICK = [maker for maker in MAKERS if maker.name in ("openapi_fetch", "hey_api", "openapi_python_client")]


@pytest.mark.parametrize("maker", QUICK, ids=lambda maker: maker.name)
def test_a_stock_generators_client_plays_replays_and_streams(maker: Maker, address: str) -> None:
    assert cells_of(maker, address) == dict.fromkeys(COLUMNS, "yes")


def test_the_table_names_what_went_wrong() -> None:
    found = {"one": dict.fromkeys(COLUMNS, "yes"), "other": dict.fromkeys(COLUMNS, "yes") | {"streams": "cut off"}}
    assert failures(found) == ["other, streams: cut off"]
    assert [row.split()[-1] for row in rows(found)[1:]] == ["yes", "NO"]
