"""A season's tables as CSV and as text."""

from collections.abc import Iterator, Sequence

from service.api.leagues.league_table_shapes import DivisionTable, TableRow, Tables
from service.api.tabular import csv_text, safe_name

_COLUMNS = (
    "place", "points", "games", "wins", "ties", "losses", "head_to_head", "sonneborn_berger", "score_difference",
)  # fmt: skip


def csv(tables: Tables) -> str:
    """One line a row under a line of names; the log position stands in each."""
    columns = ("division", "player", "name", *_COLUMNS, "rules", "log_position")
    return csv_text(columns, _lines(tables))


def _lines(tables: Tables) -> Iterator[Sequence[object]]:
    for division in tables.divisions:
        for row in division.rows:
            values = [_csv_value(getattr(row, column)) for column in _COLUMNS]
            who = (division.division, row.player.id, safe_name(row.player.name))
            yield (*who, *values, tables.rules, tables.log_position)


def _csv_value(value: object) -> object:
    """A whole number without a needless fraction."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def text(tables: Tables) -> str:
    """The tables one under the other."""
    lines = [f"Season {tables.season}{', closed' if tables.closed else ''}, rules {tables.rules}."]
    for division in tables.divisions:
        lines += ["", f"Division {division.division + 1}", *_rows(division)]
    return "\n".join([*lines, "", f"As of event {tables.log_position}."]) + "\n"


def _rows(division: DivisionTable) -> Iterator[str]:
    yield f"{'':>4} {'':<24}{'games':>6}{'won':>5}{'tied':>5}{'lost':>5}{'points':>8}{'h2h':>5}{'SB':>8}{'diff':>7}"
    shared = [row.place for row in division.rows]
    yield from (_row(row, shared.count(row.place) > 1) for row in division.rows)
    for one in division.published[1:]:
        yield f"     Amendment {one.number}: {one.because}."


def _row(row: TableRow, shared: bool) -> str:
    place = "-" if row.place is None else f"{'=' if shared else ''}{row.place}"
    name = (row.player.name or "(erased)")[:23]
    counts = f"{row.games:>6}{row.wins:>5}{row.ties:>5}{row.losses:>5}{row.points:>8}"
    breaks = f"{row.head_to_head:>5}{row.sonneborn_berger:>8.1f}{row.score_difference:>+7}"
    return f"{place:>4} {name:<24}{counts}{breaks}"
