"""One server for all tests of the description."""

from collections.abc import Iterator

import pytest

from service.postgres import Server
from tests.api.serving import Player, Service, database_of, moderating, serving


@pytest.fixture(scope="package")
def running(postgres: Server, template_database: str) -> Iterator[Service]:
    """The server."""
    settings = {"log_level": "warning", "rate_limit_per_minute": 10_000_000}
    settings |= {"analysis_seconds": 1, "analysis_queue": 10_000}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **settings) as service:
        yield service


@pytest.fixture(scope="package")
def address(running: Service) -> str:
    """Its address."""
    return running.url


@pytest.fixture(scope="package")
def moderator(running: Service) -> Player:
    """Who may say what no player may."""
    return moderating(running)
