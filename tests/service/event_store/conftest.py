"""Databases that the shared fixtures do not make."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from service.postgres import Server


@pytest.fixture
def empty_database(postgres: Server) -> Iterator[str]:
    """The connection string of a database that was never migrated."""
    name = f"test_{uuid4().hex}"
    yield postgres.create_database(name)
    postgres.drop_database(name)
