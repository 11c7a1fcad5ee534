"""One server for most tests, with its own database, and a few players."""

import shutil
from collections.abc import Iterator

import pytest

from service.postgres import Server
from tests.conftest import on_disk

from . import truth
from .bursts import Durable
from .playing import Game, look, opened
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
def cyd(service: Service) -> Player:
    return registered(service, "Cyd")


@pytest.fixture(scope="session")
def eve(service: Service) -> Player:
    """Who has no seat anywhere."""
    return registered(service, "Eve")


@pytest.fixture(scope="session")
def game(service: Service, ada: Player) -> Game:
    """A game of Klondike that nobody moves: its version is 3."""
    return opened(ada)


@pytest.fixture
def nothing_recorded(service: Service, ada: Player, game: Game) -> Iterator[None]:
    """Whatever the test says is refused: the log and the game stand where they stood."""
    before = (truth.head(service), look(ada, game))
    yield
    assert (truth.head(service), look(ada, game)) == before


@pytest.fixture(scope="module")
def durable() -> Iterator[Durable]:
    """The server of this module; its data is on a disk, as in earnest."""
    folder = on_disk("kibitz-tests-")
    made = Durable(folder)
    yield made
    made.stop()
    shutil.rmtree(folder)
