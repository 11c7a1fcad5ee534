"""Counts for Prometheus, in its text format."""

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.services import Services

REQUESTS: Counter[tuple[str, int]] = Counter()
"""Answers by operation and status, since the process started."""


def exposition(services: "Services", head: int) -> str:
    """The metrics as text; the log's head is -1 while the database is gone."""
    lines = ["# HELP kibitz_requests_total Answers by operation and status.", "# TYPE kibitz_requests_total counter"]
    lines += [
        f'kibitz_requests_total{{operation="{name}",status="{status}"}} {count}'
        for (name, status), count in sorted(REQUESTS.items())
    ]
    gauges = {
        "kibitz_log_position": ("Position of the newest event, -1 while the store is gone.", head),
        "kibitz_read_position": ("Position the read models stand at.", read_position(services, head)),
        "kibitz_cached_games": ("Live games in memory.", services.room.cached),
        "kibitz_open_streams": ("Open event streams.", services.room.watched),
    }
    for name, (text, value) in gauges.items():
        lines += [f"# HELP {name} {text}", f"# TYPE {name} gauge", f"{name} {value}"]
    return "\n".join(lines) + "\n"


def read_position(services: "Services", head: int) -> int:
    """The position that every read model has reached."""
    positions = dict(services.worker.progress.positions) if services.worker is not None else {}
    return min(positions.values(), default=0 if services.worker is not None else head)
