"""Export, import into another database, export again: the same bytes, whatever the game and however it ended."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from domain.games import GAME_TYPES
from domain.play.verify_text import verify_text
from service.postgres import Server

from .playing import Game, look, of, opened, say, seated
from .recording import alone, imported, taken, with_company
from .serving import Player, Service, database_of, moderating, registered, serving


@pytest.fixture(scope="module")
def zoe(postgres: Server, template_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """A player of another service over another database, which knows nobody's keys but its own."""
    keys = str(tmp_path_factory.mktemp("keys"))
    with database_of(postgres, template_database) as conninfo, serving(conninfo, signing_keys=keys) as elsewhere:
        yield registered(elsewhere, "Zoe")


def there_and_back(player: Player, zoe: Player, game: Game) -> list[Any]:
    """The lines of the game's record, which comes out of the other service as it went in."""
    text = taken(player, game)
    assert verify_text(text).faults == ()
    there = imported(zoe, text)
    assert (there["imported"], there["imported_from_game_id"], there["vouched_for_by"]) == (True, game["id"], None)
    assert (there["origin"], there["rated"], there["id"] != game["id"]) == ("import", False, True)
    assert taken(zoe, there) == text
    lines: list[Any] = [json.loads(line) for line in text.splitlines()]
    assert lines[-2]["signature"] is not None
    assert lines[-1]["seal"] is not None
    return lines


@pytest.mark.parametrize("key", GAME_TYPES)
def test_a_game_with_client_seeds_undo_and_resignations_comes_back_to_the_byte(
    key: str, ada: Player, bob: Player, cyd: Player, zoe: Player
) -> None:
    lines = there_and_back(ada, zoe, with_company((ada, bob, cyd), key))
    told = _kinds(lines)
    assert {"game/seeded", "game/finished", "game/revealed"} <= told
    assert ("game/joined" in told) == (GAME_TYPES[key].seats[0] > 1)


@pytest.mark.parametrize("key", GAME_TYPES)
def test_a_game_from_a_given_seed_with_all_seats_ones_own_comes_back_to_the_byte(
    key: str, ada: Player, zoe: Player
) -> None:
    lines = there_and_back(ada, zoe, alone(ada, key))
    assert lines[0]["opened"]["origin"] == "given_seed"


def _kinds(lines: list[Any]) -> set[str]:
    return {event["type"] for line in lines[1:-2] for event in line["events"]}


def test_a_game_whose_time_ran_out_comes_back_to_the_byte(ada: Player, zoe: Player) -> None:
    game = opened(ada, "klondike", move_seconds=5)
    say(ada, game, {"type": "klondike/draw"})
    began = time.monotonic()
    while look(ada, game)["status"] == "playing":
        assert time.monotonic() - began < 60, "nobody called time"
        time.sleep(0.1)
    assert "game/timed_out" in _kinds(there_and_back(ada, zoe, game))


def test_an_abandoned_game_comes_back_to_the_byte(ada: Player, bob: Player, zoe: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    for player in (ada, bob):
        assert player.post(of(game, "/abandon")).status_code == 200
    assert "game/abandoned" in _kinds(there_and_back(ada, zoe, game))


def test_a_game_that_was_declared_void_comes_back_to_the_byte(service: Service, ada: Player, zoe: Player) -> None:
    game, moderator = opened(ada, "pyramid"), moderating(service)
    assert moderator.post(of(game, "/void"), {"reason": "a fault of the server"}).status_code == 200
    lines = there_and_back(ada, zoe, game)
    assert (lines[-2]["status"], lines[-2]["result"]) == ("voided", None)


def test_a_private_game_with_an_invitation_and_a_delay_comes_back_to_the_byte(
    ada: Player, bob: Player, zoe: Player
) -> None:
    game = opened(
        ada,
        "spite_and_malice",
        visibility="private",
        player_ids=[bob.id],
        spectator_delay=3,
        options={"preset": "snm_pz"},
    )
    seated(game, bob)
    say(ada, game, {"type": "game/resign"})
    lines = there_and_back(ada, zoe, game)
    assert (lines[0]["opened"]["visibility"], lines[0]["opened"]["spectator_delay"]) == ("private", 3)
