"""A client by a stock generator compiles strictly, plays, replays and streams; the four others: `make clients`."""

import pytest

from tests.openapi.generators.makers import MAKERS, Maker
from tests.openapi.generators.table import COLUMNS, cells_of, failures, rows

QUICK = [maker for maker in MAKERS if maker.name == "openapi_fetch"]
"""`make check` runs `make clients` as well: what takes a minute each is not made twice there."""


@pytest.mark.parametrize("maker", QUICK, ids=lambda maker: maker.name)
def test_a_stock_generators_client_plays_replays_and_streams(maker: Maker, address: str) -> None:
    assert cells_of(maker, address) == dict.fromkeys(COLUMNS, "yes")


def test_the_table_names_what_went_wrong() -> None:
    found = {"one": dict.fromkeys(COLUMNS, "yes"), "other": dict.fromkeys(COLUMNS, "yes") | {"streams": "cut off"}}
    assert failures(found) == ["other, streams: cut off"]
    assert [row.split()[-1] for row in rows(found)[1:]] == ["yes", "NO"]
