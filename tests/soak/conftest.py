"""The installation that faults are done to, and the server that a tester asks."""

from tests.faults.conftest import lots, world
from tests.openapi.conftest import address, moderator, running

__all__ = ["address", "lots", "moderator", "running", "world"]
