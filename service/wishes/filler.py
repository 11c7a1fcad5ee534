"""Filling the stock: a thread beside the worker, one process of the lowest priority at a time, and long rests."""

from collections.abc import Iterable
from functools import partial
from time import monotonic
from typing import Any

from psycopg import Connection

from domain.play.events import DealLevel
from service.event_store.reading import read_head
from service.keys.sealing import Seals
from service.settings import Settings
from service.solving.levels import level_of
from service.wishes import stock
from service.wishes.stock import Proven, Shelf
from service.workers.connected_thread import ConnectedThread
from service.workers.searching import read_lines, started

_LOCK = 0x776973686573  # "wishes": an advisory lock: one worker fills the stock
_LOOK = 1.0  # seconds between two looks at what is lacking
_SLICE = 5
"""Seconds of processor time of one process."""
_REST = 3
"""Rests so many times as long as it worked: a quarter of one core at most, and that behind everything else."""
_FRUITLESS = 600.0
"""Seconds in which a shelf is left alone once a process found nothing that it lacks."""


class Turns:
    """Whose turn it is: a wished shelf and a usual one by turns, of each kind that which has waited longest."""

    def __init__(self) -> None:
        self._waits_since: dict[Shelf, float] = {}
        self._usual, self._usual_next = frozenset(stock.usual_shelves()), False

    def next_of(self, lacking: Iterable[Shelf], at: float) -> Shelf | None:
        """The shelf of these whose turn it is; None: all rest. One that is new waits from now on, behind the others."""
        waits = self._waits_since = {shelf: self._waits_since.get(shelf, at) for shelf in lacking}
        due = [shelf for shelf, since in waits.items() if since <= at]
        chosen = min(due, key=lambda shelf: ((shelf in self._usual) != self._usual_next, waits[shelf]), default=None)
        self._usual_next = chosen not in self._usual
        return chosen

    def wait_from(self, shelf: Shelf, at: float) -> None:
        """It has had its turn, and waits for the next one from then on."""
        self._waits_since[shelf] = at


class Filler(ConnectedThread):
    """Fills the stock of one database; what was found is kept."""

    def __init__(self, conninfo: str, seals: Seals, settings: Settings) -> None:
        super().__init__(conninfo, "wishes")
        self._seals, self._most, self._niceness = seals, settings.certified_deals, settings.search_niceness
        self._turns = Turns()

    def start(self) -> None:
        """Run in a thread of this process; without a stock to fill there is none."""
        if self._most:
            super().start()

    def _work(self, connection: Connection[Any]) -> None:
        leads = self._lead(connection, _LOCK)
        while leads and not self._stopping.is_set():
            began = monotonic()
            self._fill_next(connection)
            self._stopping.wait(max(_LOOK, _REST * (monotonic() - began)))

    def _fill_next(self, connection: Connection[Any]) -> None:
        """Work for the shelf whose turn it is, of those that lack something."""
        if not self._seals.ids:  # nothing is stored in the clear
            return
        lacks = stock.lacking(connection, self._most)
        if (shelf := self._turns.next_of(lacks, monotonic())) is not None:
            found = self._fill(connection, shelf, lacks[shelf])
            self._turns.wait_from(shelf, monotonic() + (0.0 if found else _FRUITLESS))

    def _fill(self, connection: Connection[Any], shelf: Shelf, lacks: dict[DealLevel, int]) -> int:
        """Put on the shelf what a process finds, until nothing is lacking; how many deals."""
        found = 0
        with started("service.wishes", (shelf, _SLICE), self._niceness) as child:
            for proven in read_lines(child, Proven, partial(read_head, connection)):
                if proven is not None and lacks.get(level := level_of(shelf.key, proven.positions), 0) > 0:
                    stock.put(connection, self._seals, shelf, proven)
                    lacks[level], found = lacks[level] - 1, found + 1
                if self._stopping.is_set() or not any(lacks.values()):
                    break
        return found
