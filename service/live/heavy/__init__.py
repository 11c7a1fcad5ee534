"""What takes long because a game is long is done beside the event loop, in a process of its own."""

from service.live.heavy.asked import Asked, asked_for
from service.live.heavy.pool import Heavy

__all__ = ["Asked", "Heavy", "asked_for"]
