"""Slots: every game is in one of 64 by the last bits of its id, and every slot belongs to one process at a time."""

import secrets
from collections.abc import Collection
from hashlib import blake2b
from typing import Protocol
from uuid import UUID

from service.event_store.ids import uuid7

SLOTS = 64
_BITS = SLOTS - 1


def slot_of(game: UUID) -> int:
    """The slot of a game: the last bits of a UUIDv7 are random."""
    return game.int & _BITS


def id_in(slots: Collection[int]) -> UUID:
    """A new id whose slot is one of these."""
    return UUID(int=uuid7().int & ~_BITS | secrets.choice(tuple(slots)))


def rightful_owner(slot: int, processes: Collection[int]) -> int:
    """Which of these processes should own the slot: rendezvous hashing (Thaler and Ravishankar, 1996).

    A new process takes a share from each of the others; the others share the slots of one that ends.
    """
    return max(processes, key=lambda number: (blake2b(b"%d %d" % (slot, number), digest_size=8).digest(), number))


class Ownership(Protocol):
    """Which games belong to this process, as the card room needs to know."""

    has_peers: bool
    """Whether there are other processes."""

    def holds(self, game: UUID) -> bool:
        """Whether the game is ours, so that the one in memory is current."""

    def slot(self, game: UUID) -> int | None:
        """The slot whose lease a change of the game needs."""

    def is_cut_off(self, game: UUID) -> bool:
        """Whether the game is another process's that cannot be reached: then versions alone guard a change here."""

    @property
    def held(self) -> Collection[int]:
        """The slots that are ours."""

    def new_id(self) -> UUID:
        """An id for a new game of ours."""

    def leads(self) -> bool:
        """Whether this process does the work that one does for all."""

    async def recheck_owner(self, game: UUID) -> bool:
        """Look up the game's owner again: whether it is us. Raises StoreUnavailable."""


class SoleOwner:
    """The only process of its database."""

    held = frozenset(range(SLOTS))
    has_peers = False

    def holds(self, game: UUID) -> bool:
        return True

    def slot(self, game: UUID) -> int | None:
        return None

    def is_cut_off(self, game: UUID) -> bool:
        return False

    def new_id(self) -> UUID:
        return uuid7()

    def leads(self) -> bool:
        return True

    async def recheck_owner(self, game: UUID) -> bool:
        return True
