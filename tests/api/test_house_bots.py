"""The house's bots at a table: who gets one, that they play to the end, and what a restart leaves of them."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.play.verify import verify
from service.house.players import HOUSE
from service.postgres import Server

from . import truth
from .browsing import signed_in
from .playing import Game, look, moves, of, opened, say
from .serving import Player, Service, database_of, registered, serving

EVERY = [
    ("spite_and_malice", "greedy"),
    ("spite_and_malice", "strong"),
    ("megiddo", "greedy"),
    ("megiddo", "strong"),
    ("screaming_yoda", "greedy"),
    ("decs_building", "greedy"),
]
SHORT: dict[str, dict[str, Any]] = {"spite_and_malice": {"options": {"preset": "snm_a_short"}}}


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    """A server whose bots think for a moment only."""
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, bot_seconds=0.01, clock_seconds=0.05) as running,
    ):
        yield running


@pytest.fixture(scope="module")
def ada(service: Service) -> Player:
    return registered(service, "Ada")


@pytest.fixture(scope="module")
def eve(service: Service) -> Player:
    return registered(service, "Eve")


def unrated(player: Player, key: str, **more: Any) -> Game:
    return opened(player, key, rated=False, **SHORT.get(key, {}), **more)


def with_bots(player: Player, game: Game, level: str) -> Game:
    """The game with a bot of the house at each empty seat."""
    while game["status"] == "waiting":
        answer = player.post(of(game, "/bots"), {"level": level})
        assert answer.status_code == 200, answer.text
        game = answer.json()
    return game


def after_news(player: Player, game: Game, version: int) -> Game:
    """The game once it stands at a later version: its stream says so."""
    asked = {"after": version, "max_seconds": 100}
    with player.http.stream("GET", of(game, "/events"), params=asked) as stream:
        for line in stream.iter_lines():
            if line.startswith("id:"):
                break
    now = look(player, game)
    assert now["version"] > version, "nobody has moved"
    return now


def play_to_end(player: Player, game: Game, lots: Random) -> Game:
    """The game at its end; the player says anything when it is the player's turn."""
    now = look(player, game)
    while now["status"] == "playing":
        listed = moves(player, game) if 0 in now["view"]["to_act"] else []
        calls = [command for command in listed if command["type"].endswith("/call")]
        if listed and listed != calls:
            say(player, game, lots.choice(listed), headers={"if-match": f'"{now["version"]}"'})
            now = look(player, game)
        else:
            now = after_news(player, game, now["version"])
    return now


@pytest.mark.parametrize(("key", "level"), EVERY)
def test_a_game_against_the_house_is_played_to_its_end(service: Service, ada: Player, key: str, level: str) -> None:
    over = play_to_end(ada, with_bots(ada, unrated(ada, key), level), Random(f"{key} {level}"))
    assert (over["status"], over["rated"]) == ("finished", False)
    assert over["result"]["reason"] != "resigned"
    assert verify(truth.records(service, over)) == []
    assert "the house cannot" not in service.log()


def test_everybody_is_told_who_the_house_is(service: Service, ada: Player) -> None:
    game = with_bots(ada, unrated(ada, "decs_building", seats=4), "greedy")
    bots = [held["player"] for held in game["seats"][1:]]
    assert len({bot["id"] for bot in bots}) == 3
    for bot in bots:
        shown = service.http.get(f"/v1/players/{bot['id']}").json()
        assert shown["bot"] is True
        assert shown["name"] == bot["name"] == HOUSE[UUID(bot["id"])].name


def refusal(player: Player, game: Game, **body: Any) -> tuple[int, str | None]:
    answer = player.post(of(game, "/bots"), {"level": "greedy", **body})
    return answer.status_code, answer.json().get("rule")


def test_the_house_plays_no_rated_games(ada: Player) -> None:
    assert refusal(ada, opened(ada, "megiddo")) == (409, "rated_game")


def test_strangers_cannot_ask_for_the_house(ada: Player, eve: Player) -> None:
    game = unrated(ada, "decs_building", player_ids=[])
    assert refusal(eve, game) == (403, "not_at_table")
    assert ada.post(of(game, "/invitations"), {"player_id": eve.id}).status_code == 200
    assert refusal(eve, game) == (200, None)


def test_a_level_that_the_game_type_has_not_is_refused(ada: Player) -> None:
    assert refusal(ada, unrated(ada, "decs_building"), level="strong") == (409, "no_such_level")


def test_the_house_does_not_play_alone(ada: Player) -> None:
    game = unrated(ada, "megiddo")
    assert ada.post(of(game, "/leave")).status_code == 200
    assert refusal(ada, game) == (409, "nobody_to_play")


def test_a_hidden_game_is_hidden_from_who_asks_for_the_house(ada: Player, eve: Player) -> None:
    other = registered_id(ada)
    game = unrated(ada, "megiddo", visibility="private", player_ids=[other])
    assert eve.post(of(game, "/bots"), {"level": "greedy"}).status_code == 404


def registered_id(player: Player) -> str:
    answer = player.http.post("/v1/players", json={"name": "Guest"}, headers={"authorization": ""})
    return str(answer.json()["player"]["id"])


def test_a_repeat_with_its_key_seats_one_bot(ada: Player) -> None:
    game = unrated(ada, "decs_building", seats=3)
    answers = [ada.post(of(game, "/bots"), {"level": "greedy"}, headers={"idempotency-key": "once"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[0].content == answers[1].content
    assert [held["player"] is None for held in look(ada, game)["seats"]] == [False, False, True]


def test_the_levels_of_every_game_type_are_told(service: Service) -> None:
    told = {one["key"]: one["bots"] for one in service.http.get("/v1/game-types").json()["game_types"]}
    assert {key: levels for key, levels in told.items() if levels} == {
        "decs_building": ["greedy"],
        "megiddo": ["greedy", "strong"],
        "screaming_yoda": ["greedy"],
        "spite_and_malice": ["greedy", "strong"],
    }


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_house_goes_on_after_a_restart(postgres: Server, template_database: str, number: int) -> None:
    with database_of(postgres, template_database) as conninfo:
        with serving(conninfo, bot_seconds=30) as first:
            ada = registered(first, "Ada")
            moved = thinking(ada)
            first.end(number)
        with serving(conninfo, bot_seconds=0.01) as second:
            answered = after_news(ada.on(second), moved, moved["version"])
    assert answered["view"]["to_act"] == [0]


def test_the_house_resigns_where_it_cannot_think(postgres: Server, template_database: str) -> None:
    with database_of(postgres, template_database) as conninfo, serving(conninfo, bot_seconds=30) as running:
        ada = registered(running, "Ada")
        game = thinking(ada)
        while game["status"] == "playing":
            for child in thinking_processes(running):
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            game = look(ada, game)
    assert (game["result"]["reason"], game["result"]["winners"]) == ("resigned", [0])


def thinking(ada: Player) -> Game:
    """A game in which Ada has moved and the house thinks for long."""
    game = with_bots(ada, unrated(ada, "megiddo", options={"first_seat": "seat_0"}), "strong")
    assert say(ada, game, {"type": "megiddo/place", "target": "point_3_3"}).status_code == 200
    moved = look(ada, game)
    assert moved["view"]["to_act"] == [1]
    return moved


def thinking_processes(service: Service) -> list[int]:
    """The processes beside this server that work for it."""
    found = Path(f"/proc/{service.process.pid}/task").glob("*/children")
    children = [int(child) for task in found for child in task.read_text().split()]
    return [child for child in children if b"\0bots" in command_line(child)]


def command_line(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def test_the_page_offers_the_house_without_a_script(service: Service, ada: Player) -> None:
    game = unrated(ada, "screaming_yoda")
    with signed_in(service, ada) as browser:
        assert "a greedy bot" in browser.shown(f"/games/{game['id']}"), service.log()[-3000:]
        for _ in range(2):
            assert browser.post(f"/games/{game['id']}/bots", {"level": "greedy"}).status_code == 303
        assert look(ada, game)["status"] == "playing"
        assert "a greedy bot" not in browser.get(f"/games/{game['id']}").text
        assert "a greedy bot" not in browser.get(f"/games/{opened(ada, 'megiddo')['id']}").text


def test_a_game_can_be_opened_against_the_house(service: Service, ada: Player) -> None:
    with signed_in(service, ada) as browser:
        assert 'name="house"' not in browser.get("/games/new/klondike").text
        answer = browser.post("/games/new/decs_building", {"house": "greedy", "seats": "4", "seat": "1", "rated": "on"})
        game = ada.get(f"/v1{answer.headers['location']}").json()
    assert (game["status"], game["rated"], game["your_seats"]) == ("playing", False, [1])


def test_the_house_sits_where_it_sat_when_the_same_cards_are_dealt_again(service: Service, ada: Player) -> None:
    game = with_bots(ada, unrated(ada, "spite_and_malice"), "greedy")
    say(ada, game, {"type": "game/resign"})
    with signed_in(service, ada) as browser:
        assert "the house sits where it sat" in browser.shown(f"/games/{game['id']}/deal")
        answer = browser.post(f"/games/{game['id']}/deal")
        assert answer.status_code == 303, answer.text
        again = ada.get(f"/v1{answer.headers['location']}").json()
    assert [seat["player"]["id"] for seat in again["seats"]] == [
        seat["player"]["id"] for seat in look(ada, game)["seats"]
    ]
    assert (again["your_seats"], again["rated"], again["forked_from"]["game_id"]) == ([0], False, game["id"])
    over = play_to_end(ada, again, Random("again"))
    assert over["result"]["reason"] != "resigned"
    assert verify(truth.records(service, over)) == []
