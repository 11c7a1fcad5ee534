"""Reading one's own writes: what a request has written in the log, and how far the read models must be to show it.

Every accepted change tells its log position (`Log-Position`). Who names it (`Min-Log-Position`) is waited for, and in
a service without replicas whoever has just changed something need not even name it.
"""

from contextvars import ContextVar
from time import monotonic
from uuid import UUID


class Stretches:
    """Positions of one's own appends, as few runs of neighbours, newest last; at most `most` runs are remembered."""

    def __init__(self, most: int = 1000) -> None:
        self._runs: list[list[int]] = []
        self._most = most

    def add(self, first: int, last: int) -> None:
        """These positions are one's own; nothing where `last` comes before `first`."""
        if first > last:
            return
        if self._runs and self._runs[-1][1] + 1 == first:
            self._runs[-1][1] = last
        else:
            self._runs.append([first, last])
            del self._runs[: -self._most]

    def others(self, after: int, upto: int) -> list[tuple[int, int]]:
        """What is not one's own behind `after` up to `upto`, as runs from first to last position."""
        found, at = [], after + 1
        for first, last in sorted(self._runs):
            if at <= last and first <= upto:
                found += [(at, first - 1)] if at < first else []
                at = last + 1
        return [*found, (at, upto)] if at <= upto else found

    def drop(self, upto: int) -> None:
        """Nobody will ask for what is at or before this position."""
        self._runs = [run for run in self._runs if run[1] > upto]


WRITTEN = "Log-Position"
"""A header of accepted changes: the position in the log from which on what they did can be read."""
TOLD = {
    WRITTEN: "The log position at which this change stands: name it in Min-Log-Position to read what came of it. Left "
    "out where nothing was recorded.",
}
_FRESH = 5.0  # seconds after which a writer is not waited for any more: read models that lag so far have a reason
_KEPT = 10_000


class Written:
    """The newest log position that one request has written; 0: it has written nothing."""

    __slots__ = ("position",)

    def __init__(self) -> None:
        self.position = 0


_request: ContextVar[Written | None] = ContextVar("written", default=None)


def begin_request() -> Written:
    """From now on what this context writes is noted in the value returned."""
    written = Written()
    _request.set(written)
    return written


def note(position: int) -> None:
    """The request under way, if there is one, has written this position, or shows what was written there before."""
    if (written := _request.get()) is not None and position > written.position:
        written.position = position


class Writers:
    """Who has written here lately, and where in the log: kept for seconds, and in this process alone."""

    def __init__(self) -> None:
        self._written: dict[UUID, tuple[int, float]] = {}

    def keep(self, player: UUID, position: int) -> None:
        """This player has written this position just now."""
        if len(self._written) >= _KEPT:
            self._written.clear()
        self._written[player] = (position, monotonic())

    def newest(self, player: UUID) -> int:
        """The newest position that the player wrote in the last seconds; 0 for none."""
        position, at = self._written.get(player, (0, 0.0))
        return position if monotonic() - at < _FRESH else 0
