"""How the parts of a serving process stand: what it has in memory, what is open, what waits."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from prometheus_client.metrics_core import Metric

from service.metrics.exposition import gauge, gauges, totals

if TYPE_CHECKING:
    from service.services import Services

_WAITED = (
    ("kibitz_pool_requests_total", "Connections asked of a pool.", "requests_num", 1.0),
    ("kibitz_pool_waits_total", "Those that had to wait for one.", "requests_queued", 1.0),
    ("kibitz_pool_wait_seconds_total", "Seconds waited for a connection.", "requests_wait_ms", 0.001),
    ("kibitz_pool_errors_total", "Those that got none in time.", "requests_errors", 1.0),
)


def of_parts(services: "Services") -> Iterator[Metric]:
    """The room, its listeners, the writer's queue, the pools."""
    room = services.room
    yield gauge("kibitz_cached_games", "Live games in memory.", room.cached)
    yield gauge("kibitz_open_streams", "Open event streams of games and inboxes.", room.watched)
    yield gauge("kibitz_open_inboxes", "Open streams of inboxes.", len(room.listeners))
    yield gauge("kibitz_slots_held", "Slots whose games are this process's own.", len(services.company.leases.held))
    yield gauge("kibitz_append_queue", "Appends that wait for the batch in hand.", services.store.queued)
    pools = {"store": services.store.pool_stats(), "reads": services.reads.pool_stats()}
    yield from _pools(pools)


def _pools(pools: dict[str, dict[str, Any]]) -> Iterator[Metric]:
    for name, says, key, unit in _WAITED:
        yield totals(name, says, "pool", ((pool, stats.get(key, 0) * unit) for pool, stats in pools.items()))
    yield gauges(
        "kibitz_pool_connections", "Connections of a pool.", "pool",
        ((pool, stats.get("pool_size", 0)) for pool, stats in pools.items()),
    )  # fmt: skip
