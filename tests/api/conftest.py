"""One server for most tests, with its own database, and a few players."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack

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


@pytest.fixture(scope="module")
def conninfo(postgres: Server, template_database: str) -> Iterator[str]:
    """A migrated database of the module's own."""
    with database_of(postgres, template_database) as made:
        yield made


@pytest.fixture(scope="module")
def serve(postgres: Server, template_database: str) -> Iterator[Callable[..., Service]]:
    """Starts servers with these settings that last as long as the module, each with a database of its own."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(
            serving(stack.enter_context(database_of(postgres, template_database)), **settings)
        )


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


@pytest.fixture(scope="module")
def nothing_recorded(service: Service, ada: Player, bob: Player, game: Game) -> Iterator[None]:
    """Whatever the module's tests say is refused: in the end the log and the game stand where they stood."""
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
