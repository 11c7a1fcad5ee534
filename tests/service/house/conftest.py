"""A server for each file: bots would join a game that another file has left waiting, and miss the one that is meant."""

from collections.abc import Iterator

import pytest

from service.postgres import Server
from tests.api.serving import Service, database_of, serving


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as running:
        yield running
