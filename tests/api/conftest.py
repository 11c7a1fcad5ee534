"""One server for most tests, with its own database, and a few players."""

from collections.abc import Iterator

import pytest

from service.postgres import Server

from .serving import Player, Service, database_of, registered, serving


@pytest.fixture(scope="session")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """The server that most tests share."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as running:
        yield running


@pytest.fixture(scope="session")
def ada(service: Service) -> Player:
    return registered(service, "Ada")


@pytest.fixture(scope="session")
def bob(service: Service) -> Player:
    return registered(service, "Bob")


@pytest.fixture(scope="session")
def eve(service: Service) -> Player:
    """Who has no seat anywhere."""
    return registered(service, "Eve")
