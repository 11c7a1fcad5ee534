"""One server for the clients that are built."""

from tests.openapi.conftest import address, running

__all__ = ["address", "running"]
