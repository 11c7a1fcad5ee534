"""The clock goes back an hour between two starts of the service."""

from pathlib import Path

from tests.faults import faults
from tests.faults.judge import judge
from tests.faults.load import load
from tests.faults.test_silence import Watching
from tests.faults.world import installed, until


def test_a_clock_that_went_back_an_hour_breaks_no_record_no_list_no_key_and_no_deadline(data_folder: Path) -> None:
    with installed(data_folder) as world:
        ada = Watching(world)
        first = ada.drawn(ada.games[0], "drawn")
        slow = ada.opened(move_seconds=3600)
        with load(world, clients=2) as running:
            running.grow(30)
            world.api.end()
            world.shifted(-3600)
            faults.kill_api(world)
            running.grow(30)
            late = ada.opened(move_seconds=5)
            until(lambda: status(ada, late) == "finished", "time is called")
        assert status(ada, slow) == "playing", "time was called too soon"
        assert ada.drawn(ada.games[0], "drawn").content == first.content
        assert ada.drawn(ada.games[0], "drawn again").status_code == 200
        until(lambda: listed(ada) >= {*ada.games, slow, late}, "every game is listed")
        judge(world, others={*ada.games, slow, late}).hold()
        assert late < slow, "the clock was not shifted at all: ids begin with the time"


def status(ada: Watching, game: str) -> str:
    return str(ada.answered("GET", f"/v1/games/{game}").json()["status"])


def listed(ada: Watching) -> set[str]:
    """Every game that pages of the list show."""
    found: set[str] = set()
    query: dict[str, str] = {"limit": "5"}
    while True:
        page = ada.answered("GET", "/v1/games", params=query).json()
        found |= {game["id"] for game in page["games"]}
        if page.get("next") is None:
            return found
        query["cursor"] = page["next"]
