"""The file that the description has its examples from: one exchange a line."""

import json
from pathlib import Path
from typing import Any

import msgspec

from service.http.openapi import parameters
from tests.openapi.exchanges.comparing import differences
from tests.openapi.exchanges.stage import Exchange, Stage

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
