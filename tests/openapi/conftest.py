"""One server for all tests of the description."""

from collections.abc import Iterator

import pytest

from service.postgres import Server
from tests.api.serving import database_of, serving


@pytest.fixture(scope="package")
def address(postgres: Server, template_database: str) -> Iterator[str]:
    """The address of a running server."""
    settings = {"log_level": "warning", "rate_limit_per_minute": 10_000_000}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **settings) as running:
        yield running.url
