"""Queries for what cannot be are refused, so that nobody takes a slip of theirs for an empty list."""

import pytest

from .playing import Game, of
from .problems import told
from .serving import Player

pytestmark = pytest.mark.usefixtures("nothing_recorded")
UNKNOWN = ["/v1/games", "/v1/contests", "/v1/feed"]


@pytest.mark.parametrize("path", UNKNOWN)
def test_a_game_type_that_there_is_not_is_refused(path: str, ada: Player) -> None:
    told(ada.get(path, params={"game_type": "poker"}), 400, "malformed")
    assert ada.get(path, params={"game_type": "klondike"}).status_code == 200


def test_the_description_lists_the_game_types(ada: Player) -> None:
    known = [one["key"] for one in ada.get("/v1/game-types").json()["game_types"]]
    paths = ada.get("/v1/openapi.json").json()["paths"]
    for path in UNKNOWN:
        parameters = {one["name"]: one for one in paths[path]["get"]["parameters"]}
        assert sorted(parameters["game_type"]["schema"]["enum"]) == sorted(known)


@pytest.mark.parametrize("day", ["2026-13-45", "2026-02-30", "2026-00-01", "0000-01-01", "2026-1-1", "20261120"])
def test_a_day_that_there_is_not_is_refused(day: str, ada: Player) -> None:
    told(ada.get("/v1/contests", params={"day": day}), 400, "malformed")


@pytest.mark.parametrize("month", ["2026-99", "2026-00", "2026-13", "2026-1"])
def test_a_month_that_there_is_not_is_refused(month: str, ada: Player) -> None:
    told(ada.get("/v1/day-seasons/klondike", params={"month": month}), 400, "malformed")
    path = f"/v1/day-seasons/klondike/players/{ada.id}"
    told(ada.get(path, params={"month": month}), 400, "malformed")


@pytest.mark.parametrize("path", ["", "/frames", "/frames/0", "/moments", "/events", "/record"])
def test_nobody_looks_from_a_seat_and_as_a_spectator_at_once(path: str, ada: Player, game: Game) -> None:
    more = {"max_seconds": 0} if path == "/events" else {}
    problem = told(ada.get(of(game, path), params={"seat": 0, "spectator": "true", **more}), 400, "malformed")
    assert "exclude each other" in str(problem["detail"])
    assert ada.get(of(game, path), params={"seat": 0, "spectator": "false", **more}).status_code == 200
