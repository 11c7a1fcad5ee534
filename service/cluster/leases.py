"""Leases: the slots whose games belong to this process, and the regular look that takes and hands over slots."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic
from uuid import UUID

import structlog

from service.cluster.client import can_connect
from service.cluster.roster import MACHINE, Keys, Lease, Look, Move, Peer, Roster, is_loopback
from service.event_store.errors import StoreUnavailable
from service.event_store.ids import uuid7
from service.live.slots import SLOTS, id_in, rightful_owner, slot_of
from service.telemetry.background import start_task

LOOK = 0.25
"""Seconds between two looks."""
SIGN = 1.0
"""Seconds between two signs of life."""
TRUST = 3.0
"""Seconds that a sign of life is valid. After that memory is not trusted: others soon take us for frozen (`SILENT`)."""
_PROBE = 5.0  # seconds between two connections to a process that is reached
_SETTLED = 5.0  # seconds without a way, after which it is told: one that has just ended is noticed before
_LOG = structlog.get_logger("leases")


class Leases:
    """The slots of one process.

    Callbacks: `gained` gets new slots before they count as ours; `looked`, after every look, the log's head and whether
    others live; `left` the address of a process that is gone.
    """

    def __init__(self, conninfo: str, address: str, keys: Keys = frozenset) -> None:
        self._roster = Roster(conninfo, address, keys)
        self._held: frozenset[int] = frozenset()
        self._leases = (Lease(0, 0),) * SLOTS
        self._living: dict[int, Peer] = {}
        self._trusted = self._looked_at = self._signed = -inf
        self._looking = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self.gained: Callable[[frozenset[int]], None] = lambda slots: None
        self.looked: Callable[[int, bool], None] = lambda head, peers: None
        self.left: Callable[[str], None] = lambda address: None
        self.company = False
        """Whether other processes live."""
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
    def held(self) -> frozenset[int]:
        """The slots that are ours."""
        return self._held

    @property
    def peers(self) -> dict[int, Peer]:
        """The other processes that live, by number."""
        return {number: peer for number, peer in self._living.items() if number != self.number}

    def start(self) -> None:
        """Go on looking, in a task of the running loop."""
        self._task = start_task(self._run, "leases")

    async def close(self) -> None:
        """Hand all slots over, and leave the roster."""
        tasks = [*self._ways.values(), *([] if self._task is None else [self._task])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        held, self._held = self._held, frozenset()
        with suppress(StoreUnavailable):
            if held:
                heirs = list(self.peers) or [0]
                await self._roster.move([Move(slot, self.number, rightful_owner(slot, heirs)) for slot in held])
            await self._roster.strike([self.number])
        await self._roster.close()

    def holds(self, game: UUID) -> bool:
        """Whether the game is ours, so that the one in memory is current."""
        return game.int & (SLOTS - 1) in self._held and monotonic() < self._trusted

    def slot(self, game: UUID) -> int | None:
        """The slot whose lease a change of the game needs."""
        return game.int & (SLOTS - 1)

    def new_id(self) -> UUID:
        """An id for a new game in a slot of ours; in any slot while we own none."""
        return id_in(self._held) if 0 < len(self._held) < SLOTS else uuid7()

    def leads(self) -> bool:
        """Whether this process does the work that one does for all: the owner of slot 0."""
        return 0 in self._held and monotonic() < self._trusted

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
        await self.look()
        return self.holds(game)

    async def look(self) -> None:
        """Look, and take or hand over slots; concurrent callers share one look."""
        asked = monotonic()
        async with self._looking:
            if self._looked_at < asked:
                began = monotonic()
                await self._look(began)
                self._looked_at = began

    async def _look(self, began: float) -> None:
        if began - self._signed >= SIGN:
            await self._roster.enter()
            self._signed = began
            if frozen := await self._roster.end_frozen():
                _LOG.warning("the log was held by a frozen process", ended=frozen)
        look = await self._roster.look()
        leases, moves = list(look.leases), list(self._moves(look))
        if moves:
            self._held -= {move.slot for move in moves if move.owner == self.number}
            for slot, lease in (await self._roster.move(moves)).items():
                leases[slot] = lease
            _LOG.info("leases moved", process=self.number, moved=len(moves), processes=len(look.living))
        if look.gone:
            await self._roster.strike(look.gone)
        self._settle(look, tuple(leases))

    def _moves(self, look: Look) -> Iterator[Move]:
        """Slots without a living owner that should be ours, and slots of ours that should be another's."""
        for slot, (owner, _) in enumerate(look.leases):
            heir = rightful_owner(slot, look.living)
            if owner != heir and ((heir == self.number and owner not in look.living) or owner == self.number):
                yield Move(slot, owner, heir)

    def _settle(self, look: Look, leases: tuple[Lease, ...]) -> None:
        """Apply a look. A slot that was another's between two looks counts as gained: its games may have changed."""
        held = frozenset(slot for slot, lease in enumerate(leases) if lease.owner == self.number)
        if gained := frozenset(slot for slot in held if slot not in self._held or leases[slot] != self._leases[slot]):
            self.gained(gained)
        for number in self._living.keys() - look.living.keys():
            self.left(self._living[number].address)
            self._cut.pop(number, None)
            if (way := self._ways.pop(number, None)) is not None:
                way.cancel()
        for number in look.living.keys() - self._ways.keys() - {self.number}:
            self._ways[number] = start_task(partial(self._watch_way, number), "way")
        self.company = len(look.living) > 1
        self._held, self._leases, self._living, self._trusted = held, leases, look.living, self._signed + TRUST
        self.looked(look.head, self.company)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except StoreUnavailable:
                self._on_unavailable()

    def _on_unavailable(self) -> None:
        """Believe memory if this process was alone; else its lock may be lost, and another one may reconnect first."""
        self._trusted = -inf if self.peers else inf


def unreachable_text(peer: Peer) -> str:
    """The sentence for a process that cannot be reached."""
    text = f"The process at {peer.address} ({peer.machine or 'an older program'}) cannot be reached from here"
    if is_loopback(peer.address) and peer.machine not in ("", MACHINE):
        return f"{text}: its KIBITZ_ADDRESS must be one that other machines reach."
    return f"{text}: its games are played here all the same, and more slowly."
