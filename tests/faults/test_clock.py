"""The clock goes back an hour between two starts of the service."""

from pathlib import Path

import httpx

from . import faults
from .judge import judge
from .load import load
from .test_silence import Watching
from .world import World, installed, until


def test_a_clock_that_went_back_an_hour_breaks_no_record_no_list_no_key_and_no_deadline(data_folder: Path) -> None:
    with installed(data_folder) as world:
        ada = Watching(world)
        first = ada.draw(ada.games[0], "drawn")
        slow = timed(ada, 3600)
        with load(world, clients=2) as running:
            running.grow(30)
            world.api.end()
            world.shifted(-3600)
            faults.kill_api(world)
            running.grow(30)
            late = timed(ada, 5)
            until(lambda: ada.http.get(f"/v1/games/{late}").json()["status"] == "finished", "time is called")
        assert ada.http.get(f"/v1/games/{slow}").json()["status"] == "playing", "time was called too soon"
        assert ada.draw(ada.games[0], "drawn").content == first.content
        assert ada.draw(ada.games[0], "drawn again").status_code == 200
        assert listed(ada.http) >= {*ada.games, slow, late}
        judge(world, others={*ada.games, slow, late}).hold()
        assert times_fall_between_games(world), "the clock was not shifted at all"


def timed(ada: Watching, seconds: int) -> str:
    """A new game with a limit for each move."""
    answer = ada.http.post("/v1/games", json={"game_type": "klondike", "move_seconds": seconds})
    return str(answer.json()["id"])


def listed(http: httpx.Client) -> set[str]:
    """Every game that pages of the list show."""
    found: set[str] = set()
    query: dict[str, str] = {"limit": "5"}
    while True:
        page = http.get("/v1/games", params=query).json()
        found |= {game["id"] for game in page["games"]}
        if page.get("next") is None:
            return found
        query["cursor"] = page["next"]


def times_fall_between_games(world: World) -> bool:
    """Whether a game was opened later in the log and earlier by the clock, as its id shows."""
    opened = [game for running in world.loads for client in running.clients for game in client.opened]
    return sorted(opened) != opened and min(opened) != opened[0]
