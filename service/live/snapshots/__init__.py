"""Snapshots of games: reading a cold game takes one query of a few rows, however long the game is."""

from service.live.snapshots.keeping import Snapshots

__all__ = ["Snapshots"]
