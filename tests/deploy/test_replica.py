"""What may lag is read from a replica; nothing else is, and a replica that is gone takes nothing away."""

import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from service.event_store.schema import migrate
from service.postgres import Server, private_server
from tests.api.holding import settled
from tests.api.playing import Game, legal, look, of, opened, say, seated
from tests.api.serving import Player, Service, registered, serving

from .standby import FAST, Standby, replicated, standing_by

DRAW = {"type": "klondike/draw"}
RESIGN = {"type": "game/resign"}


@pytest.fixture(scope="module")
def primary() -> Iterator[Server]:
    """A primary of this module's own, with the schema."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-primary-"))
    try:
        with private_server(folder, FAST) as server:
            migrate(server.dsn)
            yield server
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def copy(primary: Server) -> Iterator[Path]:
    with replicated(primary) as folder:
        yield folder


@pytest.fixture(scope="module")
def standby(copy: Path) -> Iterator[Standby]:
    with standing_by(copy) as running:
        yield running


@pytest.fixture(scope="module")
def service(primary: Server, standby: Standby) -> Iterator[Service]:
    with serving(primary.dsn, replica_url=standby.of(primary.dsn)) as running:
        yield running


@pytest.fixture(scope="module")
def ada(service: Service) -> Player:
    return registered(service, "Ada")


def finished(player: Player) -> Game:
    """A game that is over. A machine that is busy may tell its player to come again."""
    game = opened(player)
    while (answer := say(player, game, [DRAW, DRAW, RESIGN], headers={"idempotency-key": "all"})).status_code == 503:
        sleep(0.2)
    assert answer.status_code == 200, answer.text
    return game


def listed(player: Player, at_least: int = 0) -> dict[str, Any]:
    headers = {"min-log-position": str(at_least)} if at_least else {}
    answer = player.get("/v1/games", params={"limit": 100}, headers=headers)
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()
    return shown


def ids(shown: dict[str, Any]) -> set[str]:
    return {game["id"] for game in shown["games"]}


def until_listed(player: Player, game: Game) -> int:
    """The position at which the lists show the game, wherever they are read."""
    while game["id"] not in ids(shown := listed(player)):
        sleep(0.01)
    return int(shown["log_position"])


def until_lagging(player: Player, game: Game) -> dict[str, Any]:
    """The lists as the replica has them, which stands still before this game; one that was slow is shunned a while."""
    while game["id"] in ids(shown := listed(player)):
        sleep(0.01)
    return shown


def head(service: Service) -> int:
    position: int = service.http.get("/readyz").json()["log_position"]
    return position


def test_on_a_replica_that_stands_still_only_what_may_lag_lags(
    service: Service, ada: Player, primary: Server, standby: Standby
) -> None:
    old = finished(ada)
    until_listed(ada, old)
    settled(service)
    standby.catch_up(primary)
    with standby.standing_still():
        stood = int(listed(ada)["log_position"])
        ben = registered(service, "Ben")
        game = opened(ben)
        assert look(ben, game)["version"] == 3
        assert DRAW in legal(ben, game)
        assert say(ben, game, DRAW).status_code == 200
        assert look(ben, game)["version"] == 4
        shared = seated(opened(ben, "spite_and_malice", seats=2), ada)
        to_act = (ben, ada)[look(ada, shared)["view"]["to_act"][0]]
        assert [one["game_id"] for one in to_act.get("/v1/inbox").json()["games"]] == [shared["id"]]
        assert ben.get("/v1/players/me").json()["name"] == "Ben"
        assert head(service) > stood
        shown = until_lagging(ada, game)
        assert int(shown["log_position"]) == stood
        assert old["id"] in ids(shown)
    until_listed(ada, game)


def test_who_names_a_position_is_answered_by_the_primary_if_the_replica_does_not_come_so_far(
    service: Service, ada: Player, standby: Standby
) -> None:
    with standby.standing_still():
        game = finished(ada)
        settled(service)  # on the primary: who names a position waits a second for it, and no longer
        shown = listed(ada, head(service))
        assert game["id"] in ids(shown)
        until_lagging(ada, game)


@pytest.mark.parametrize("text", ["-1", "1.5", "x", "1" * 19, "²"])
def test_a_position_that_is_none_is_refused(text: str, ada: Player) -> None:
    answer = ada.get("/v1/games", headers={b"min-log-position": text.encode("latin-1")})
    assert answer.status_code == 400, answer.text


def test_a_game_that_ended_after_the_replica_stood_still_is_replayed_whole(ada: Player, standby: Standby) -> None:
    with standby.standing_still():
        game = finished(ada)
        assert len(ada.get(of(game, "/frames")).json()["frames"]) == 4


def test_the_feed_gives_every_game_once_however_the_replica_lags(ada: Player, standby: Standby) -> None:
    games, heard, after = [finished(ada)["id"]], list[str](), "0"
    with standby.standing_still():
        games += [finished(ada)["id"] for _ in range(2)]
        heard, after = fed(ada, after)
    for _ in range(2):
        with standby.standing_still():
            games.append(finished(ada)["id"])
            more, after = fed(ada, after, wait="0.1")
            heard += more
            more, after = fed(ada, after)
            heard += more
    while not set(games) <= {*heard, *(more := fed(ada, after)[0])}:
        sleep(0.01)
    assert len(heard + more) == len(set(heard + more))
    assert set(games) <= set(heard + more)


def fed(player: Player, after: str, **query: str) -> tuple[list[str], str]:
    """The games behind this cursor, and the cursor at the end."""
    answer = player.get("/v1/feed", params={"cursor": after, **query})
    assert answer.status_code == 200, answer.text
    *lines, end = map(json.loads, answer.text.splitlines())
    return [line["game"]["id"] for line in lines], end["cursor"]


def test_while_the_replica_is_gone_the_primary_answers_and_when_it_is_back_the_replica_again(primary: Server) -> None:
    with replicated(primary) as folder:
        with standing_by(folder) as replica:
            url = replica.of(primary.dsn)
        with serving(primary.dsn, replica_url=url) as service:
            ada = registered(service, "Ada")
            until_listed(ada, finished(ada))
            with standing_by(folder) as replica:
                replica.catch_up(primary)
                with replica.standing_still():
                    game = finished(ada)
                    settled(service)
                    assert game["id"] in ids(listed(ada, head(service)))
                    until_lagging(ada, game)
            assert game["id"] in ids(listed(ada))
            assert game["id"] in fed(ada, "0")[0]
