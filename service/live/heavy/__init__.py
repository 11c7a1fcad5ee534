"""Work that takes long because a game is long runs in processes beside the event loop."""

from service.live.heavy.asked import Asked, asked_for
from service.live.heavy.pool import Heavy

__all__ = ["Asked", "Heavy", "asked_for"]
