"""Several API processes on one log: which owns which game, request forwarding, and news between processes."""

from service.cluster.leases import Leases
from service.live.slots import Ownership, SoleOwner, slot_of

__all__ = ["Leases", "Ownership", "SoleOwner", "slot_of"]
