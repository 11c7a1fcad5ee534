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
from .serving import Player, Service, database_of, player_fixture, registered, serving


@pytest.fixture(scope="session")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """The server that most tests share."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as running:
        yield running


@pytest.fixture(scope="module")
def conninfo(postgres: Server, template_database: str) -> Iterator[str]:
    """A migrated database of the module's own."""
    with database_of(postgres, template_database) as conninfo:
        yield conninfo


@pytest.fixture(scope="module")
def serve(postgres: Server, template_database: str) -> Iterator[Callable[..., Service]]:
    """Starts servers with these settings that last as long as the module, each with a database of its own."""
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(
            serving(stack.enter_context(database_of(postgres, template_database)), **settings)
        )


ada, bob, cyd, eve = map(player_fixture, ("Ada", "Bob", "Cyd", "Eve"))
"""Eve has no seat anywhere."""


@pytest.fixture(scope="session")
def game(service: Service, ada: Player) -> Game:
    """A game of Klondike that nobody moves: its version is 3."""
    return opened(ada)


@pytest.fixture
def pair(service: Service) -> tuple[Player, Player]:
    """Two players of whom no game is known."""
    return registered(service, "Ann"), registered(service, "Ben")


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
    durable = Durable(folder)
    yield durable
    durable.stop()
    shutil.rmtree(folder)
