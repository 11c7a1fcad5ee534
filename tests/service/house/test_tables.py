"""Bots as clients: marked as such, they play whole games over HTTP, at every table there is for several players."""

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest

import service.house.client
from domain.games import GAME_TYPES
from tests.api.serving import Service, registered

from .tables import bot_account, ended_before_it_hears, opened, run, seen, until_listed, wish

COMPANY = [key for key, kind in GAME_TYPES.items() if kind.seats[-1] > 1]
NAMES = ("greedy", "random")
SHORT = {"spite_and_malice": {"stock": 5}, "decs_building": {"short": True}}
"""Options of games that would be long."""
LIVELY = {"screaming_yoda": {"swap_phase": True, "false_call_penalty": 2}}
"""Options with which many shout, call and exchange at once; that holds nobody up."""


def played(service: Service, key: str, seats: int, **body: Any) -> dict[str, Any]:
    """A game of so many seats, played by as many bots, greedy and random ones by turns."""
    host = bot_account(service)
    game = opened(host, key, seats=seats, **body)
    others = [wish(service, key, name=f"Guest {seat}", choice=NAMES[seat % 2]) for seat in range(1, seats)]
    games, sentences = run(wish(service, key, token=host.token), *others)
    assert games == [1] * seats
    assert sum(game["id"] in sentence for sentence in sentences) == seats
    return seen(service, game)


@pytest.mark.parametrize("key", COMPANY)
def test_a_full_table_of_bots_plays_to_the_end(service: Service, key: str) -> None:
    game = played(service, key, GAME_TYPES[key].seats[-1], options=SHORT.get(key, {}))
    assert game["status"] == "finished"
    assert game["result"]["reason"] != "resigned"


@pytest.mark.parametrize("key", [key for key in COMPANY if len(GAME_TYPES[key].seats) > 1])
def test_so_does_the_smallest_table(service: Service, key: str) -> None:
    game = played(service, key, GAME_TYPES[key].seats[0], options=LIVELY.get(key, {}))
    assert (game["status"], game["result"]["ending"]) == ("finished", "won")


def test_the_deal_waits_for_the_seeds_of_all_and_bots_give_theirs(service: Service) -> None:
    assert played(service, "megiddo", 2, await_seeds=True)["status"] == "finished"


def test_a_bot_plays_every_seat_that_it_holds(service: Service) -> None:
    host = bot_account(service)
    game = opened(host, "megiddo", hot_seat=True)
    assert run(wish(service, "megiddo", token=host.token))[0] == [1]
    assert seen(service, game)["status"] == "finished"


def test_two_programs_with_one_token_are_faster_than_each_other_and_still_end_the_game(service: Service) -> None:
    host = bot_account(service)
    game = opened(host, "megiddo", hot_seat=True)
    until_listed(host, game)  # or one might find it, and play it to the end, before the other looks again
    assert run(*[wish(service, "megiddo", token=host.token, choice="random")] * 2)[0] == [1, 1]
    assert seen(service, game)["status"] == "finished"


@pytest.mark.parametrize("key", ["black_hole", "pyramid"])
def test_a_patience_that_leads_nowhere_is_given_up(service: Service, key: str) -> None:
    host = bot_account(service)
    game = opened(host, key)
    assert run(wish(service, key, token=host.token))[0] == [1]
    assert seen(service, game)["status"] == "finished"


def test_a_bot_plays_as_many_games_as_it_is_asked_for(service: Service) -> None:
    host = bot_account(service)
    games = [opened(host, "megiddo") for _ in range(2)]
    both = {"games": 2, "choice": "greedy"}
    assert run(wish(service, "megiddo", token=host.token, **both), wish(service, "megiddo", **both))[0] == [2, 2]
    assert {seen(service, game)["status"] for game in games} == {"finished"}


def test_a_seat_that_it_has_not_heard_of_yet_is_given_back_too(service: Service) -> None:
    host = bot_account(service)
    game = opened(host, "screaming_yoda", seats=4)
    until_listed(host, game)
    asyncio.run(ended_before_it_hears(wish(service, "screaming_yoda")))
    assert [held["player"] and held["player"]["id"] for held in seen(service, game)["seats"]] == [
        host.id, None, None, None,
    ]  # fmt: skip


def test_everybody_is_told_that_a_player_is_a_bot_and_stays_one(service: Service) -> None:
    bot = bot_account(service)
    assert service.http.get(f"/v1/players/{bot.id}").json()["bot"] is True
    assert bot.get("/v1/players/me").json()["bot"] is True
    assert registered(service, "Ada").get("/v1/players/me").json()["bot"] is False
    bot = bot_account(service)
    assert bot.http.patch("/v1/players/me", json={"name": "Ada"}).json()["bot"] is True
    assert bot.http.patch("/v1/players/me", json={"name": "Ada", "bot": False}).status_code == 400
    bot = bot_account(service)
    assert bot.http.delete("/v1/players/me").status_code == 204
    answer = service.http.get(f"/v1/players/{bot.id}").json()
    assert (answer["name"], answer["bot"]) == (None, True)


def test_the_client_gets_its_games_from_the_api_alone() -> None:
    nodes = list(ast.walk(ast.parse(Path(str(service.house.client.__file__)).read_text())))
    named = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported = named | {f"{node.module}" for node in nodes if isinstance(node, ast.ImportFrom)}
    ours = {name for name in imported if name.split(".")[0] in ("domain", "projections", "service")}
    assert ours == {"domain.kit.evaluation", "service.house.engine"}
