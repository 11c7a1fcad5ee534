"""What takes long because a game is long is done beside the event loop, in a process of its own."""

from service.heavy.asked import Asked, asked_for
from service.heavy.pool import Heavy

__all__ = ["Asked", "Heavy", "asked_for"]
