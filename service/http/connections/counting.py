"""How many connections are open: in all, and from one address."""

from collections import Counter

from service.http.connections.answers import App, refusing
from service.problems import problem

_SECONDS = 5
_FULL = refusing(problem("busy", "Too many connections are open here; try again soon."), _SECONDS)
_ADDRESS = refusing(problem("too_many_requests", "Too many connections are open from your address."), _SECONDS)


class OpenConnections:
    """The connections of one process, by address."""

    def __init__(self, most: int, most_of_one: int) -> None:
        self._most, self._most_of_one = most, most_of_one
        self._open: Counter[bytes] = Counter()
        self.total = 0

    def begin(self, address: bytes) -> None:
        """One more."""
        self.total += 1
        self._open[address] += 1

    def end(self, address: bytes) -> None:
        """One less; an address that has none is forgotten."""
        self.total -= 1
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]

    def refusal(self, address: bytes, proxy: bool) -> App | None:
        """What answers on a connection that has begun and is one too many; a proxy brings those of many clients."""
        if self.total > self._most:
            return _FULL
        return _ADDRESS if not proxy and self._open[address] > self._most_of_one else None

    @property
    def overrun(self) -> bool:
        """Whether there are so many beyond the bound that not even a refusal is owed."""
        return self.total > self._most + self._most // 4 + 16
