"""`make deploy-rehearsal [WAYS=systemd] [HOLD=60]`: each way is started, exercised and stopped, one by one."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests import debian

from . import containers, kubernetes, systemd
from .exercise import Exercise, Way
from .roots import CACHE

WAYS: dict[str, Callable[[Path], AbstractContextManager[Way, bool | None]]] = {
    "systemd": systemd.started, "image": containers.started,
    "compose": containers.composed, "kubernetes": kubernetes.started,
}  # fmt: skip


def main(minutes: str, *names: str) -> int:
    """0 if everything works in each of these ways, or in all."""
    if os.geteuid() != 0:
        print("The rehearsal boots machines and containers, which needs root.", file=sys.stderr)
        return 2
    folder = CACHE / time.strftime("run-%Y%m%d-%H%M%S")
    results: dict[str, dict[str, str]] = {}
    for name in names or tuple(WAYS):
        for step, outcome in rehearse(name, folder / name, float(minutes)):
            print(f"{name}, {step}: {outcome}", flush=True)
            results.setdefault(name, {})[step] = outcome
        (folder / "table.md").write_text(table(results))
    print(table(results) + f"\nAlso in {folder}/table.md, beside the logs.")
    return int("NO" in table(results))


def rehearse(name: str, folder: Path, minutes: float) -> Iterator[tuple[str, str]]:
    """Each step's outcome; a way that does not start, or does not end well, has a step of that name."""
    folder.mkdir(parents=True)
    began, step = time.monotonic(), "started"
    try:
        with WAYS[name](folder) as way:
            yield step, f"{time.monotonic() - began:.0f} s"
            step = "stopped"
            yield from Exercise(way, folder, minutes).run()
        yield step, "in good order"
    except debian.NotThere:
        raise
    except Exception as failure:  # noqa: BLE001 what fails is a line of the table
        yield step, f"NO: {failure!r} {getattr(failure, 'stderr', None) or ''}"


def table(results: dict[str, dict[str, str]]) -> str:
    """The ways as columns, the steps as rows."""
    steps = list(dict.fromkeys(step for outcomes in results.values() for step in outcomes))
    lines = [f"| | {' | '.join(results)} |", "|---" * (len(results) + 1) + "|"]
    for step in steps:
        cells = (" ".join(outcomes.get(step, "").split())[:300].replace("|", "/") for outcomes in results.values())
        lines.append(f"| {step} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    with debian.exit_where_missing():
        sys.exit(main(*sys.argv[1:]))
