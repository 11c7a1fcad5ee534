"""The table of `make clients`, which `make check` runs: there the clients of all generators compile and play."""

from tests.openapi.generators.table import COLUMNS, failures, rows


def test_the_table_names_what_went_wrong() -> None:
    cells = {"right": dict.fromkeys(COLUMNS, "yes"), "wrong": dict.fromkeys(COLUMNS, "yes") | {"streams": "cut off"}}
    assert failures(cells) == ["wrong, streams: cut off"]
    assert [row.split()[-1] for row in rows(cells)[1:]] == ["yes", "NO"]
