"""A contest's results and a season over days, as CSV and as text."""

import csv as comma_separated
from collections.abc import Iterable
from io import StringIO
from typing import Any

from service.api.contests.contest_shapes import Results, ScoreShown
from service.api.contests.day_season_shapes import DaySeason, SeasonRowShown

_RESULT = ("place", "kind", "solved", "completed", "clean", "score", "moves", "seconds", "points", "of", "percent",
           "imps", "outcome")  # fmt: skip
_SEASON = ("rank", "mean", "compared", "solved", "streak", "best_streak", "solved_streak", "best_solved_streak")


def results_csv(found: Results) -> str:
    """One line a result under a line of names; the log position stands in each."""
    return _csv(_RESULT, found.results, found.log_position)


def season_csv(found: DaySeason) -> str:
    """One line a player under a line of names; the log position stands in each."""
    return _csv(_SEASON, found.rows, found.log_position)


def _csv(columns: tuple[str, ...], rows: Iterable[Any], position: str) -> str:
    text = StringIO()
    lines = comma_separated.writer(text, lineterminator="\r\n")  # RFC 4180
    lines.writerow(["player", "name", *columns, "log_position"])
    for row in rows:
        values = [_csv_value(getattr(row, column)) for column in columns]
        lines.writerow([row.player.id, _safe_name(row.player.name), *values, position])
    return text.getvalue()


def _csv_value(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _safe_name(name: str | None) -> str:
    """A name that no spreadsheet takes for a formula."""
    return "'" + name if name and name[0] in "=+-@\t" else name or ""


def results_text(found: Results) -> str:
    """The results one below the other; unranked results come last."""
    what = found.game_type.replace("_", " ").capitalize() + ("" if found.day is None else f", {found.day}")
    head = f"{what}: {'so far, the contest is not closed' if found.provisional else 'results'}."
    columns = f"{'':>5} {'':<24}{'score':>7}{'moves':>7}{'time':>9}{'points':>8}{'percent':>9}{'imps':>6}"
    shared = [one.place for one in found.results]
    lines = [_result(one, shared.count(one.place) > 1) for one in found.results]
    return _page([head, "", columns, *lines], found.next, found.log_position)


def _result(one: ScoreShown, tied: bool) -> str:
    place = "-" if one.place is None else f"{'=' if tied else ''}{one.place}"
    marks = " *" if one.solved else ""
    told = "" if one.kind == "ranked" else f"  {one.kind.replace('_', ' ')}"
    known = one.kind != "unreadable"
    cells = f"{_told(one.score):>7}{one.moves if known else '-':>7}{_time(one.seconds) if known else '-':>9}"
    worth = f"{one.points:>8}{_told(one.percent):>9}{_told(one.imps):>6}" if one.kind == "ranked" else told
    said = f"  {one.outcome}" if one.outcome else ""
    return f"{place:>5} {_name(one)[:22] + marks:<24}{cells}{worth}{said}"


def season_text(found: DaySeason) -> str:
    """The season's rows one under the other."""
    unit = "IMPs" if found.scoring == "imps" else "percent"
    head = (
        f"{found.of.replace('_', ' ').capitalize()}, {found.period}: mean {unit} of the best {found.best_days} days,"
        f" {found.least_days} to be listed; rules {found.rules}."
    )
    columns = f"{'':>5} {'':<24}{'mean':>8}{'days':>6}{'solved':>8}{'streak':>8}"
    shared = [row.rank for row in found.rows]
    return _page(
        [head, "", columns, *(_row(row, shared.count(row.rank) > 1) for row in found.rows)], found.next,
        found.log_position,
    )  # fmt: skip


def _row(row: SeasonRowShown, tied: bool) -> str:
    rank = "-" if row.rank is None else f"{'=' if tied else ''}{row.rank}"
    return f"{rank:>5} {_name(row):<24}{row.mean:>8.2f}{row.compared:>6}{row.solved:>8}{_told(row.streak):>8}"


def _page(lines: list[str], following: str | None, position: str) -> str:
    more = [] if following is None else [f"More behind the cursor {following}."]
    return "\n".join([*lines, "", *more, f"As of event {position}."]) + "\n"


def _name(row: ScoreShown | SeasonRowShown) -> str:
    return (row.player.name or "(erased)")[:23]


def _told(value: Any) -> str:
    return "-" if value is None else str(value)


def _time(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
