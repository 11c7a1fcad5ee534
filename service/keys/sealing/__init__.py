"""Sealing: what is secret in the database cannot be read without a key that is not in it."""

from service.keys.sealing.folder import KeysUnusable
from service.keys.sealing.seals import Seals, sealed

__all__ = ["KeysUnusable", "Seals", "sealed"]
