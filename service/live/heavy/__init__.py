"""Work that takes long because a game is long runs in processes beside the event loop."""

from service.live.heavy.pool import Heavy
from service.live.heavy.stored import GameRef, game_ref

__all__ = ["GameRef", "Heavy", "game_ref"]
