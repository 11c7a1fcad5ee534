"""Leases: the slots whose games belong to this process, taken and handed over at each refresh."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic
from uuid import UUID

import structlog

from service.cluster.roster import MACHINE, Keys, Lease, Move, Peer, Roster, State, is_loopback
from service.event_store.errors import StoreUnavailable
from service.event_store.ids import uuid7
from service.live.slots import SLOTS, id_in, rightful_owner, slot_of
from service.telemetry.background import start_task

CONNECT = 2.0
"""Seconds to connect to another process."""
REFRESH = 0.25
"""Seconds between two refreshes."""
SIGN = 1.0
"""Seconds between two signs of life."""
TRUST = 3.0
"""Seconds that a sign of life is valid. After that memory is not trusted: others soon take us for frozen (`SILENT`)."""
_PROBE = 5.0  # seconds between two connections to a process that is reached
_SETTLED = 5.0  # seconds without a way before it is reported: a process that has just ended is noticed earlier
_LOG = structlog.get_logger("leases")


class Leases:
    """The slots of one process.

    Callbacks: `on_gain` gets new slots before they count as ours; `on_refresh`, after every refresh, the log's head and
    whether others live; `on_gone` the address of a process that is gone.
    """

    def __init__(self, conninfo: str, address: str, keys: Keys = frozenset) -> None:
        self._roster = Roster(conninfo, address, keys)
        self.held: frozenset[int] = frozenset()
        """The slots that are ours."""
        self.has_peers = False
        """Whether other processes live."""
        self.on_gain: Callable[[frozenset[int]], None] = lambda slots: None
        self.on_refresh: Callable[[int, bool], None] = lambda head, peers: None
        self.on_gone: Callable[[str], None] = lambda address: None
        self._leases = (Lease(0, 0),) * SLOTS
        self._living: dict[int, Peer] = {}
        self._trusted = self._refreshed_at = self._signed = -inf
        self._refreshing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._ways: dict[int, asyncio.Task[None]] = {}
        self._cut: dict[int, float] = {}

    @property
    def number(self) -> int:
        """This process's number; it grows with every start."""
        return self._roster.number

    @property
    def secret(self) -> str:
        """The secret that other processes send with requests forwarded to us."""
        return self._roster.secret

    @property
    def peers(self) -> dict[int, Peer]:
        """The other processes that live, by number."""
        return {number: peer for number, peer in self._living.items() if number != self.number}

    def start(self) -> None:
        """Refresh regularly, in a task of the running loop."""
        self._task = start_task(self._run, "leases")

    async def close(self) -> None:
        """Hand all slots over, and leave the roster."""
        tasks = [*self._ways.values(), *([] if self._task is None else [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        held, self.held = self.held, frozenset()
        with suppress(StoreUnavailable):
            if held:
                heirs = list(self.peers) or [0]
                await self._roster.move([Move(slot, self.number, rightful_owner(slot, heirs)) for slot in held])
            await self._roster.strike([self.number])
        await self._roster.close()

    def holds(self, game: UUID) -> bool:
        """Whether the game is ours, so that the one in memory is current."""
        return game.int & (SLOTS - 1) in self.held and monotonic() < self._trusted

    def slot(self, game: UUID) -> int | None:
        """The slot whose lease a change of the game needs."""
        return game.int & (SLOTS - 1)

    def new_id(self) -> UUID:
        """An id for a new game in a slot of ours; in any slot while we own none."""
        return id_in(self.held) if 0 < len(self.held) < SLOTS else uuid7()

    def leads(self) -> bool:
        """Whether this process does the work that one does for all: the owner of slot 0."""
        return 0 in self.held and monotonic() < self._trusted

    def other_owner(self, game: UUID) -> Peer | None:
        """The other process that owns the game as far as we know; None if we do, or no living process."""
        owner = self._leases[slot_of(game)].owner
        return None if owner == self.number else self._living.get(owner)

    def is_cut_off(self, game: UUID) -> bool:
        """Whether the game belongs to another living process that this one cannot reach."""
        return (owner := self.other_owner(game)) is not None and owner.number in self._cut

    def note_way(self, peer: Peer, reached: bool) -> None:
        """Note whether this process could connect to another one."""
        if reached and self._cut.pop(peer.number, None) is not None:
            _LOG.info("process reached again", process=peer.number, address=peer.address)
        elif not reached and peer.number not in self._cut:
            self._cut[peer.number] = monotonic()
            _LOG.warning("process cannot be reached", process=peer.number, address=peer.address)

    @property
    def unreachable(self) -> tuple[Peer, ...]:
        """The other living processes that could not be reached for some seconds."""
        now = monotonic()
        return tuple(peer for number, peer in self.peers.items() if now - self._cut.get(number, now) > _SETTLED)

    async def _watch_way(self, number: int) -> None:
        """Connect to the process again and again, so that a way that is cut or back is noticed without a command."""
        while (peer := self._living.get(number)) is not None:
            self.note_way(peer, await can_connect(peer.address))
            await asyncio.sleep(SIGN if number in self._cut else _PROBE)

    async def recheck_owner(self, game: UUID) -> bool:
        """Look up the game's owner again: whether it is us. Raises StoreUnavailable."""
        await self.refresh()
        return self.holds(game)

    async def refresh(self) -> None:
        """Give a sign of life, read the roster, take or hand over slots; concurrent callers share one refresh."""
        called = monotonic()
        async with self._refreshing:
            if self._refreshed_at >= called:
                return
            began = monotonic()
            if began - self._signed >= SIGN:
                await self._roster.enter()
                self._signed = began
                if frozen := await self._roster.end_frozen():
                    _LOG.warning("the log was held by a frozen process", ended=frozen)
            state = await self._roster.read()
            leases, moves = list(state.leases), list(self._moves(state))
            if moves:
                self.held -= {move.slot for move in moves if move.owner == self.number}
                for slot, lease in (await self._roster.move(moves)).items():
                    leases[slot] = lease
                _LOG.info("leases moved", process=self.number, moved=len(moves), processes=len(state.living))
            if state.gone:
                await self._roster.strike(state.gone)
            self._apply(state, tuple(leases))
            self._refreshed_at = began

    def _moves(self, state: State) -> Iterator[Move]:
        """Slots without a living owner that should be ours, and slots of ours that should be another's."""
        for slot, (owner, _) in enumerate(state.leases):
            heir = rightful_owner(slot, state.living)
            if owner != heir and ((heir == self.number and owner not in state.living) or owner == self.number):
                yield Move(slot, owner, heir)

    def _apply(self, state: State, leases: tuple[Lease, ...]) -> None:
        """Apply a state. A slot that was another's since the last one counts as gained: its games may have changed."""
        held = frozenset(slot for slot, lease in enumerate(leases) if lease.owner == self.number)
        if gained := frozenset(slot for slot in held if slot not in self.held or leases[slot] != self._leases[slot]):
            self.on_gain(gained)
        for number in self._living.keys() - state.living.keys():
            self.on_gone(self._living[number].address)
            self._cut.pop(number, None)
            if (way := self._ways.pop(number, None)) is not None:
                way.cancel()
        for number in state.living.keys() - self._ways.keys() - {self.number}:
            self._ways[number] = start_task(partial(self._watch_way, number), "way")
        self.has_peers = len(state.living) > 1
        self.held, self._leases, self._living, self._trusted = held, leases, state.living, self._signed + TRUST
        self.on_refresh(state.head, self.has_peers)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(REFRESH)
            try:
                await self.refresh()
            except StoreUnavailable:
                self._on_unavailable()

    def _on_unavailable(self) -> None:
        """Believe memory if this process was alone; else its lock may be lost, and another one may reconnect first."""
        self._trusted = -inf if self.peers else inf


async def can_connect(address: str) -> bool:
    """Whether a process listens at this address."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(CONNECT):
            _, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    except (OSError, ValueError):  # TimeoutError is an OSError
        return False
    writer.transport.abort()
    return True


def unreachable_text(peer: Peer) -> str:
    """The sentence for a process that cannot be reached."""
    text = f"The process at {peer.address} ({peer.machine or 'an older program'}) cannot be reached from here"
    if is_loopback(peer.address) and peer.machine not in ("", MACHINE):
        return f"{text}: its KIBITZ_ADDRESS must be one that other machines reach."
    return f"{text}: its games are played here all the same, and more slowly."
