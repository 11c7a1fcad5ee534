"""The file that the description has its examples from, one exchange a line; how two recordings may differ."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from service.http.openapi import parameters
from tests.openapi.exchanges.stage import Exchange, Stage, as_json


def differences(before: Exchange, now: Exchange) -> list[str]:
    """What is different, in words; nothing where the exchange of before still tells the truth."""
    found = [
        f"{name}: {old} before, {new} now"
        for name, old, new in (
            ("request", as_json(_plain(before.asked)), as_json(_plain(now.asked))),
            ("status", before.status, now.status),
            ("media type", before.media_type, now.media_type),
        )
        if old != new
    ]
    if not found and now.status >= 400:
        return [] if before.body == now.body else [f"refusal: {as_json(before.body)} before, {as_json(now.body)} now"]
    return found or list(_shapes("", before.body, now.body))


def _plain(asked: Any) -> Any:
    return {name: getattr(asked, name) for name in asked.__struct_fields__}


def _shapes(place: str, before: Any, now: Any) -> Iterator[str]:
    """Members that only one of two values has; of a tagged value (a command, an event) only that it is one."""
    if isinstance(before, dict) and isinstance(now, dict):
        if _is_tagged(before) and _is_tagged(now):
            return
        yield from (f"{place}/{name}: only {when}" for name, when in _lone(before, now))
        for name in before.keys() & now.keys():
            yield from _shapes(f"{place}/{name}", before[name], now[name])
    elif isinstance(before, list) and isinstance(now, list):
        if before and now:
            yield from _shapes(f"{place}/0", before[0], now[0])
    elif None not in (before, now) and type(before) is not type(now):
        yield f"{place}: {before!r} before, {now!r} now"


def _lone(before: dict[str, Any], now: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from ((name, "before") for name in before.keys() - now.keys())
    yield from ((name, "now") for name in now.keys() - before.keys())


def _is_tagged(value: dict[str, Any]) -> bool:
    return "/" in str(value.get("type", ""))


CASES = ("successes", "refusals")


def read() -> dict[str, dict[str, Exchange]]:
    """Case -> operation -> exchange."""
    found = json.loads(parameters.FILE.read_text("utf-8")) if Path(parameters.FILE).exists() else {}
    return {case: msgspec.convert(found.get(case, {}), dict[str, Exchange]) for case in CASES}


def write(stage: Stage, *, anew: bool = False) -> int:
    """Write what was played and return how many exchanges are new. What still tells the truth stays as it was."""
    before, lines, changed = read(), [], 0
    for case in CASES:
        kept: list[str] = []
        for operation, now in sorted(getattr(stage, case).items()):
            old = before[case].get(operation)
            stays = old is not None and not anew and not differences(old, now)
            changed += not stays
            kept.append(f"{json.dumps(operation)}:{_line(old if stays else now)}")
        lines.append(f"{json.dumps(case)}: {{\n" + ",\n".join(kept) + "\n}")
    parameters.FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return changed


def _line(exchange: Any) -> str:
    return json.dumps(msgspec.to_builtins(exchange), ensure_ascii=False, separators=(",", ":"))
