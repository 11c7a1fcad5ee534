"""Read your own writes: the log position of a request's changes, which read models must reach to show them.

Every accepted change answers with its log position (`Log-Position`). A read that names one (`Min-Log-Position`) waits
for it; in a service without replicas a read waits for the player's own recent change without naming it.
"""

from contextvars import ContextVar
from time import monotonic
from uuid import UUID


class OwnPositions:
    """Positions of this process's appends, as runs of neighbours, newest last; at most `most` runs are kept."""

    def __init__(self, most: int = 1000) -> None:
        self._runs: list[list[int]] = []
        self._most = most

    def add(self, first: int, last: int) -> None:
        """Add these positions as our own, and note the last for the current request; an empty range adds nothing."""
        note(last)
        if first > last:
            return
        if self._runs and self._runs[-1][1] + 1 == first:
            self._runs[-1][1] = last
        else:
            self._runs.append([first, last])
            del self._runs[: -self._most]

    def others(self, after: int, upto: int) -> list[tuple[int, int]]:
        """The positions after `after` up to `upto` that are not our own, as runs (first, last)."""
        runs, at = [], after + 1
        for first, last in sorted(self._runs):
            if at <= last and first <= upto:
                runs += [(at, first - 1)] if at < first else []
                at = last + 1
        return [*runs, (at, upto)] if at <= upto else runs

    def drop(self, upto: int) -> None:
        """Drop runs up to this position, which are not needed any more."""
        self._runs = [run for run in self._runs if run[1] > upto]


HEADER = "Log-Position"
"""A header of accepted changes: the log position at which they can be read."""
HEADER_TEXT = {
    HEADER: "The log position at which this change stands: name it in Min-Log-Position to read what came of it. Where "
    "nothing was to be recorded, a position at which all that is told here stands.",
}
_FRESH = 5.0  # seconds after which a player's own change is not waited for: read models that lag longer have a problem
_MOST_PLAYERS = 10_000


class RequestWrites:
    """The newest log position that one request has written; 0 for none."""

    position = 0


_request: ContextVar[RequestWrites | None] = ContextVar("written", default=None)


def begin_request() -> RequestWrites:
    """Start noting the positions that this context writes, in the value returned."""
    writes = RequestWrites()
    _request.set(writes)
    return writes


def note(position: int) -> None:
    """Note that the current request, if any, has written this position, or shows an earlier write of it."""
    if (writes := _request.get()) is not None and position > writes.position:
        writes.position = position


class Writers:
    """Players' newest log positions, kept for seconds and in this process only."""

    def __init__(self) -> None:
        self._positions: dict[int, tuple[int, float]] = {}  # by the id's number

    def keep(self, player: UUID, position: int) -> None:
        """Note that this player has just written this position."""
        if len(self._positions) >= _MOST_PLAYERS:
            self._positions.clear()
        self._positions[player.int] = (position, monotonic())

    def newest(self, player: UUID) -> int:
        """The player's newest position of the last seconds; 0 for none."""
        position, at = self._positions.get(player.int, (0, 0.0))
        return position if monotonic() - at < _FRESH else 0
