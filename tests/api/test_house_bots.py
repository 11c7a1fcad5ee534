"""The house's bots at a table: who gets one, that they play to the end, and what a restart leaves of them."""

import signal
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any
from uuid import UUID

import psutil
import pytest

from domain.play.verify import verify
from service.house.players import HOUSE

from . import truth
from .browsing import signed_in
from .playing import RESIGN, Game, look, moves, of, opened, say
from .serving import Player, Service, done, player_fixture, registered, server_fixture, serving

LEVELS = {
    "decs_building": ["greedy"],
    "megiddo": ["greedy", "strong"],
    "screaming_yoda": ["greedy"],
    "spite_and_malice": ["greedy", "strong"],
}
SHORT = {"spite_and_malice": {"options": {"preset": "snm_a_short"}}, "decs_building": {"options": {"short": True}}}


service = server_fixture(bot_seconds=0.01, clock_seconds=0.05)
"""A server whose bots think for a moment only."""
ada, eve = player_fixture("Ada", "module"), player_fixture("Eve", "module")


def unrated(player: Player, key: str, **more: Any) -> Game:
    return opened(player, key, rated=False, **SHORT.get(key, {}), **more)


def with_bots(player: Player, game: Game, level: str) -> Game:
    """The game with a bot of the house at each empty seat."""
    while game["status"] == "waiting":
        game = done(player.post(of(game, "/bots"), {"level": level}))
    return game


def after_news(player: Player, game: Game, version: int) -> Game:
    """The game once it stands at a later version: its stream says so."""
    query = {"after": version, "max_seconds": 100}
    with player.http.stream("GET", of(game, "/events"), params=query) as stream:
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


@pytest.mark.parametrize(("key", "level"), [(key, level) for key in LEVELS for level in LEVELS[key]])
def test_a_game_against_the_house_is_played_to_its_end(service: Service, ada: Player, key: str, level: str) -> None:
    over = play_to_end(ada, with_bots(ada, unrated(ada, key), level), Random(f"{key} {level}"))
    assert (over["status"], over["rated"]) == ("finished", False)
    assert over["result"]["reason"] != "resigned"
    assert verify(truth.records(service, over)) == []
    assert "the house cannot" not in service.log()


def test_everybody_is_told_who_and_what_the_house_plays(service: Service, ada: Player) -> None:
    types = service.http.get("/v1/game-types").json()["game_types"]
    assert {kind["key"]: kind["bots"] for kind in types if kind["bots"]} == LEVELS
    game = with_bots(ada, unrated(ada, "decs_building", seats=4), "greedy")
    bots = [held["player"] for held in game["seats"][1:]]
    assert len({bot["id"] for bot in bots}) == 3
    for bot in bots:
        player = service.http.get(f"/v1/players/{bot['id']}").json()
        assert player["bot"] is True
        assert player["name"] == bot["name"] == HOUSE[UUID(bot["id"])].name


def refusal(player: Player, game: Game, **body: Any) -> tuple[int, str | None]:
    answer = player.post(of(game, "/bots"), {"level": "greedy", **body})
    return answer.status_code, answer.json().get("rule")


def test_the_house_plays_unrated_at_known_levels_and_never_alone(ada: Player) -> None:
    assert refusal(ada, opened(ada, "megiddo")) == (409, "rated_game")
    assert refusal(ada, unrated(ada, "decs_building"), level="strong") == (409, "no_such_level")
    game = unrated(ada, "megiddo")
    done(ada.post(of(game, "/leave")))
    assert refusal(ada, game) == (409, "nobody_to_play")


def test_strangers_cannot_ask_for_the_house(service: Service, ada: Player, eve: Player) -> None:
    game = unrated(ada, "decs_building", player_ids=[])
    assert refusal(eve, game) == (403, "not_at_table")
    done(ada.post(of(game, "/invitations"), {"player_id": eve.id}))
    assert refusal(eve, game) == (200, None)
    game = unrated(ada, "megiddo", visibility="private", player_ids=[registered(service, "Guest").id])
    assert refusal(eve, game) == (404, None)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_house_goes_on_after_a_restart(database: str, number: int) -> None:
    with serving(database, bot_seconds=30) as first:
        ada = registered(first, "Ada")
        moved = thinking(ada)
        first.end(number)
    with serving(database, bot_seconds=0.01) as second:
        answered = after_news(ada.on(second), moved, moved["version"])
    assert answered["view"]["to_act"] == [0]


def test_the_house_resigns_where_it_cannot_think(serve: Callable[..., Service]) -> None:
    running = serve(bot_seconds=30)
    ada = registered(running, "Ada")
    game = thinking(ada)
    while game["status"] == "playing":
        for child in running.children("bots"):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        game = look(ada, game)
    assert (game["result"]["reason"], game["result"]["winners"]) == ("resigned", [0])


def thinking(ada: Player) -> Game:
    """A game in which Ada has moved and the house thinks for long."""
    game = with_bots(ada, unrated(ada, "megiddo", options={"first_seat": "seat_0"}), "strong")
    done(say(ada, game, {"type": "megiddo/place", "target": "point_3_3"}))
    moved = look(ada, game)
    assert moved["view"]["to_act"] == [1]
    return moved


def test_the_pages_offer_the_house_without_a_script(service: Service, ada: Player) -> None:
    game = unrated(ada, "screaming_yoda")
    with signed_in(service, ada) as browser:
        assert "House: greedy" in browser.shown(f"/games/{game['id']}"), service.log()[-3000:]
        for _ in range(2):
            assert browser.post(f"/games/{game['id']}/bots", {"level": "greedy"}).status_code == 303
        assert look(ada, game)["status"] == "playing"
        assert "House: greedy" not in browser.get(f"/games/{game['id']}").text
        assert "House: greedy" not in browser.get(f"/games/{opened(ada, 'megiddo')['id']}").text
        assert 'name="house"' not in browser.get("/games/new/klondike").text
        answer = browser.post("/games/new/decs_building", {"house": "greedy", "seats": "4", "seat": "1", "rated": "on"})
        game = ada.get(f"/v1{answer.headers['location']}").json()
    assert (game["status"], game["rated"], game["your_seats"]) == ("playing", False, [1])


def test_the_house_keeps_its_seat_when_cards_are_dealt_again(service: Service, ada: Player) -> None:
    game = with_bots(ada, unrated(ada, "spite_and_malice"), "greedy")
    say(ada, game, RESIGN)
    with signed_in(service, ada) as browser:
        assert "the house sits where it sat" in browser.shown(f"/games/{game['id']}/deal")
        answer = browser.post(f"/games/{game['id']}/deal")
        assert answer.status_code == 303, answer.text
        again = ada.get(f"/v1{answer.headers['location']}").json()
    assert again["seats"] == look(ada, game)["seats"]
    assert (again["your_seats"], again["rated"], again["forked_from"]["game_id"]) == ([0], False, game["id"])
    over = play_to_end(ada, again, Random("again"))
    assert over["result"]["reason"] != "resigned"
    assert verify(truth.records(service, over)) == []
