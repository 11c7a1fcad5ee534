"""Packed games over HTTP: nobody can tell that a game is packed."""

from collections.abc import Iterator

import pytest

from service.postgres import Server
from tests.service.cli.programs import kibitz

from . import truth
from .packed_world import KEY, RESIGN, World, lines, told
from .playing import look, of, opened, say
from .serving import KEYS, Service, database_of, serving


@pytest.fixture(scope="module")
def world(postgres: Server, template_database: str) -> Iterator[World]:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as service:
        yield World(service)


@pytest.fixture(scope="module")
def again(world: World) -> Iterator[Service]:
    """Another server of the same database, which has seen no game."""
    with serving(world.service.conninfo) as running:
        yield running


def test_everything_about_a_packed_game_is_told_as_before(world: World, again: Service) -> None:
    failed = {path: answer[0] for path, answer in world.before[world.ada.id].items() if answer[0] != 200}
    assert (world.count, failed) == (4, {})
    assert [world.rows(game) for game in world.over] == [0, 0, 0]
    for service in (world.service, again):
        for player in (world.ada, world.bob):
            assert told(player.on(service), world.over) == world.before[player.id]
        assert look(world.ada.on(service), world.live)["status"] == "playing"
    assert world.rows(world.live) > 0


def test_an_idempotency_key_of_a_packed_game_gets_the_first_answer(world: World, again: Service) -> None:
    repeated = say(world.ada.on(again), world.keyed, RESIGN, headers=KEY)
    assert (repeated.status_code, repeated.json()) == (200, world.first.json())


def test_a_packed_game_is_forked_and_the_fork_is_played(world: World, again: Service) -> None:
    ada = world.ada.on(again)
    answer = ada.post(of(world.solo, "/fork"), {"step": 5})
    assert answer.status_code == 201, answer.text
    assert answer.json()["forked_from"]["game_id"] == world.solo["id"]
    assert say(ada, answer.json(), RESIGN).status_code == 200


def test_the_feed_goes_on_over_packed_games_without_a_gap_or_a_double(world: World, again: Service) -> None:
    ada = world.ada.on(again)
    assert [line["game"]["id"] for line in world.feed] == [
        game["id"] for game in (world.solo, world.hand, world.duel, world.keyed)
    ]
    late = opened(ada)
    assert say(ada, late, RESIGN).status_code == 200
    found = lines(ada)
    assert found[: len(world.feed)] == world.feed
    assert found[-1]["game"]["id"] == late["id"]
    for number, line in enumerate(found):
        assert lines(ada, line["cursor"]) == found[number + 1 :]


def test_a_packed_game_is_voided_and_packed_again(world: World, again: Service) -> None:
    mo, ada, game = world.mo.on(again), world.ada.on(again), world.hand
    answer = mo.post(of(game, "/void"), {"reason": "a fault of the server"})
    assert answer.json()["version"] == game["version"] + 1
    assert world.rows(game) == 1
    assert look(ada, game)["status"] == "voided"
    assert ada.get(of(game, "/verification")).json()["faults"] == []
    world.caught_up()
    seen = told(ada, [game])
    kinds = [line["kind"] for line in lines(ada) if line["game"]["id"] == game["id"]]
    assert kinds == ["finished", "voided"]
    assert world.packed() >= 1
    assert world.rows(game) == 0
    with serving(world.service.conninfo) as third:
        assert told(world.ada.on(third), [game]) == seen
        assert world.mo.on(third).post(of(game, "/void"), {"reason": "twice"}).status_code == 409


def test_the_command_packs_verifies_and_exports(world: World) -> None:
    settings = {"DATABASE_URL": world.service.conninfo, "KIBITZ_SIGNING_KEYS": str(KEYS)}
    world.packed()
    game = world.played(opened(world.ada))
    before = kibitz("export", game["id"], **settings).stdout
    world.caught_up()
    assert kibitz("pack", **settings).stdout.startswith("Games packed: 0;")
    first, *changes = kibitz("pack", "--after-days", "0", **settings).stdout.splitlines()
    assert first.startswith("Games packed: 1; their records:")
    assert changes == []
    assert world.rows(game) == 0
    assert kibitz("export", game["id"], **settings).stdout == before
    assert kibitz("verify", "--all", **settings).returncode == 0


def test_a_damaged_game_is_an_error_and_no_other_game_suffers(world: World) -> None:
    one, other = world.played(opened(world.ada)), world.played(opened(world.ada))
    assert world.packed() >= 2
    sql = "UPDATE packed_games SET body = (SELECT body FROM packed_games WHERE game = %s) WHERE game = %s"
    assert truth.done(world.service, sql, other["id"], one["id"]) == 1
    with serving(world.service.conninfo) as fresh:
        assert world.ada.on(fresh).get(of(one)).status_code == 500
        assert f"The packed game {one['id']} is damaged" in fresh.log()
        assert look(world.ada.on(fresh), other)["id"] == other["id"]
    ran = kibitz("verify", "--all", DATABASE_URL=world.service.conninfo, KIBITZ_SIGNING_KEYS=str(KEYS))
    assert ran.returncode == 1
    assert f"FAULT {one['id']} The packed game {one['id']} is damaged" in ran.stdout
    assert "; with faults: 1." in ran.stderr
