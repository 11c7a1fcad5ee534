"""Snapshots of games: a cold game is read in one query of a few rows, however long it has been played."""

from service.live.snapshots.keeping import Snapshots

__all__ = ["Snapshots"]
