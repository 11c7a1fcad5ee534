"""`python -m tests.benchmarks.table < document.json`: the document as the Markdown tables of RESULTS.md."""

import json
import sys
from collections.abc import Iterable
from typing import Any

Rows = Iterable[tuple[str, ...]]


def shown(number: Any) -> str:
    """A median with its least and greatest, a plain number, or a dash."""
    if number is None:
        return "-"
    if isinstance(number, dict):
        return f"{_digits(number['median'])} ({_digits(number['min'])} to {_digits(number['max'])})"
    return _digits(number)


def _digits(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"


def table(head: tuple[str, ...], rows: Rows) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def commands(section: dict[str, Any]) -> Rows:
    """Clients by row."""
    named: dict[str, Any] = {f"{clients} at once": told for clients, told in section["by_clients"].items()}
    named |= {"16, If-Match and key": section["16_with_if_match_and_key"], "64, without frames": section["64_minimal"]}
    fields = (
        "commands_per_second", "p50_ms", "p99_ms", "ratio_to_constant_post", "ratio_to_plain_commits",
        "ratio_to_pgbench", "processor_us_per_command", "processor_us_per_constant",
    )  # fmt: skip
    for name, told in named.items():
        yield name, *(shown(told.get(field)) for field in fields), str(told["not_accepted"] or "none")


def fields(section: dict[str, Any], above: str = "") -> Rows:
    """Every number of a section, by its path."""
    for name, value in section.items():
        if isinstance(value, dict) and "median" not in value:
            yield from fields(value, f"{above}{name}, ")
        elif isinstance(value, int | float | dict):
            yield (above + name).replace("_", " "), shown(value)


def by_game_type(section: dict[str, Any]) -> str:
    """Game types by column."""
    found: list[dict[str, str]] = [{row[0]: row[1] for row in fields(told)} for told in section.values()]
    rows = ((name, *(told.get(name, "-") for told in found)) for name in found[0])
    return table(("", *section), rows)


_COMMANDS = (
    "", "accepted a second", "p50 ms", "p99 ms", "to constant POST", "to psycopg commits", "to pgbench commits",
    "processor us", "of the constant", "not accepted",
)  # fmt: skip

_SECTIONS = (
    "goals", "processes", "lag", "replay", "feed", "projections", "tables", "memory", "store", "sealing", "watching",
    "webhooks",
)  # fmt: skip


def main() -> None:
    """The program: tables of the sections that the document has."""
    document = json.load(sys.stdin)
    rest: dict[str, Any] = {}
    if "commands" in document:
        print(table(_COMMANDS, commands(document["commands"])))
        rest["looks, 16 clients"] = document["commands"]["looks_16"]
    rest |= {name: document[name] for name in _SECTIONS if name in document}
    for name, section in rest.items():
        print(f"## {name.capitalize()}\n\n" + table(("", "median (least to greatest)"), fields(section)))
    for name in ("fold", "verify", "rules"):
        if name in document:
            print(f"## {name.capitalize()}\n\n" + by_game_type(document[name]))


if __name__ == "__main__":
    main()
