"""The client: `Kibitz`, and a `Game` in one's hands."""

from kibitz_client.asynchronous.client import Kibitz
from kibitz_client.asynchronous.game import Game

__all__ = ["Game", "Kibitz"]
