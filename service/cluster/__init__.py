"""Several API processes on one log: who owns which game, what is passed on to whom, and how they hear of each other."""

from service.cluster.leases import Leases
from service.live.slots import Alone, Owns, slot_of

__all__ = ["Alone", "Leases", "Owns", "slot_of"]
