"""One server for the bots."""

from collections.abc import Iterator

import pytest

from service.postgres import Server
from tests.api.serving import Service, database_of, serving


@pytest.fixture(scope="package")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as running:
        yield running
