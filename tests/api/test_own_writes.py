"""Who changes something is told where in the log, and reads what came of it: "not yet" is not told as "never"."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import psycopg
import pytest

from .boxes import BOX, at, founded
from .playing import Game, of, opened, say
from .serving import Player, Service, registered

RESIGN = {"type": "game/resign"}


@pytest.fixture(scope="module")
def ada(service: Service) -> Player:
    return registered(service, "Ada")


def position(answer: httpx.Response) -> int:
    assert answer.is_success, answer.text
    return int(answer.headers["log-position"])


def head(service: Service) -> int:
    told: int = service.http.get("/readyz").json()["log_position"]
    return told


CHANGES: dict[str, Callable[[Player, Game], httpx.Response]] = {
    "open": lambda ada, game: ada.post("/v1/games", {"game_type": "klondike"}),
    "play": lambda ada, game: say(ada, game, {"type": "klondike/draw"}),
    "play a list": lambda ada, game: say(ada, game, [{"type": "klondike/draw"}] * 2),
    "end": lambda ada, game: say(ada, game, RESIGN),
    "rename": lambda ada, game: ada.http.patch("/v1/players/me", json={"name": "Ada"}),
    "mint": lambda ada, game: ada.post("/v1/tokens", {"label": "spare", "scopes": ["read"]}),
    "found a league": lambda ada, game: ada.post("/v1/leagues", BOX),
    "register": lambda ada, game: ada.http.post("/v1/players", json={"name": "Ben"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_accepted_change_tells_its_log_position(change: str, service: Service, ada: Player) -> None:
    game = opened(ada)
    before = head(service)
    told = position(CHANGES[change](ada, game))
    assert before <= told <= head(service)


def test_a_repeat_tells_a_position_that_holds_what_was_recorded_the_first_time(service: Service, ada: Player) -> None:
    key = {"idempotency-key": "once"}
    game = opened(ada)
    first, again = (say(ada, game, {"type": "klondike/draw"}, headers=key) for _ in range(2))
    assert position(first) <= position(again) <= head(service)


@pytest.mark.parametrize("ask", ["refused", "look"])
def test_what_records_nothing_tells_none(ask: str, ada: Player) -> None:
    game = opened(ada)
    answer = {
        "refused": lambda: say(ada, game, {"type": "game/undo"}),
        "look": lambda: ada.get(of(game)),
    }[ask]()
    assert "log-position" not in answer.headers


@pytest.mark.parametrize("who", ["the player", "anybody"])
def test_a_scoresheet_is_there_right_after_opening_or_said_to_come(who: str, service: Service, ada: Player) -> None:
    """It was missing without a word, twelve times of twelve. A machine that is busy may still say "not yet"."""
    asker = ada.http if who == "the player" else service.http
    while (answer := asker.get(f"/v1/rubbers/{opened(ada, 'bridge_solitaire')['id']}")).status_code != 200:
        assert "may not be there yet" in answer.text


def test_ones_own_lists_show_what_one_has_just_done(ada: Player) -> None:
    """Once the lists have come as far as the change; the position that they tell says whether they have."""
    here = False
    while not here:
        answer = ada.post("/v1/games", {"game_type": "klondike"})
        listed = ada.get("/v1/games", params={"limit": 100}).json()
        here = answer.json()["id"] in {game["id"] for game in listed["games"]}
        assert here == (int(listed["log_position"]) >= position(answer))


@contextmanager
def read_models_held(service: Service) -> Iterator[None]:
    """Nothing is folded meanwhile; everything can be read."""
    with psycopg.connect(service.conninfo) as connection:
        connection.execute("LOCK TABLE documents IN SHARE ROW EXCLUSIVE MODE")
        yield


def test_what_is_not_there_yet_is_said_to_be_so_and_found_by_its_position(service: Service, ada: Player) -> None:
    with read_models_held(service):
        opening = ada.post("/v1/games", {"game_type": "bridge_solitaire"})
        path = f"/v1/rubbers/{opening.json()['id']}"
        answer = service.http.get(path)
        assert (answer.status_code, answer.json()["type"]) == (404, "/v1/problems/no_such_thing")
        wanted = answer.json()["detail"].rpartition("Min-Log-Position: ")[2].rstrip(".")
        assert int(wanted) >= position(opening)
    while (answer := service.http.get(path, headers={"min-log-position": wanted})).status_code == 404:
        assert "may not be there yet" in answer.text
    assert answer.status_code == 200


def test_what_will_never_be_there_is_not_said_to_come(ada: Player) -> None:
    game = opened(ada)
    while "yet" in (answer := ada.get(f"/v1/rubbers/{game['id']}")).json()["detail"]:
        pass
    assert answer.json()["detail"] == "This game has no scoresheet."


def test_a_league_is_read_right_after_founding(ada: Player) -> None:
    league: dict[str, Any] = founded(ada)
    answer = ada.get(at(league))
    assert answer.status_code == 200 or "may not be there yet" in answer.text
