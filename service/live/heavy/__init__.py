"""Work that takes long because a game is long runs in processes beside the event loop."""

from service.live.heavy.asked import GameRef, game_ref
from service.live.heavy.pool import Heavy

__all__ = ["GameRef", "Heavy", "game_ref"]
