"""Sealing: secrets in the database are encrypted under keys that are not in the database."""

from service.keys.key_files import KeysUnusable
from service.keys.sealing.seals import Seals, is_sealed

__all__ = ["KeysUnusable", "Seals", "is_sealed"]
