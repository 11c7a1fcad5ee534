"""Bodies of requests: what may be left out is `{}`, and a refusal says which member it is about."""

from typing import Any

import httpx
import pytest

from .boxes import BOX, at, done, founded
from .playing import of, opened
from .problems import told
from .serving import JSON, Player, Service, parts, registered

NOBODY = "01890000-0000-7000-8000-000000000000"
SPITE = "spite_and_malice"


@pytest.mark.parametrize("headers", [{}, JSON, {"content-type": "application/x-www-form-urlencoded"}])
def test_a_seat_is_taken_without_a_body(headers: dict[str, str], ada: Player, bob: Player) -> None:
    assert done(bob.http.post(of(opened(ada, SPITE), "/join"), headers=headers))["your_seats"] == [1]


def test_no_body_and_an_empty_one_are_the_same_request(ada: Player, bob: Player) -> None:
    game, key = opened(ada, SPITE), {"idempotency-key": "once"}
    first, again = (bob.post(of(game, "/join"), body, headers=key) for body in (None, {}))
    assert parts(first) == parts(again)
    assert done(first)


def test_the_description_says_which_bodies_may_be_left_out(ada: Player) -> None:
    paths = ada.get("/v1/openapi.json").json()["paths"]
    described = [operation for item in paths.values() for operation in item.values() if "requestBody" in operation]
    optional = {operation["operationId"] for operation in described if not operation["requestBody"]["required"]}
    assert optional == {"analyse_game", "join_game", "decide_promotions", "change_webhook", "rename_me"}


def blamed(answer: httpx.Response, rule: str, pointer: str, status: int = 409) -> None:
    """This answer names this rule, and this member of the body."""
    assert (answer.status_code, answer.json().get("rule")) == (status, rule), answer.text
    assert [fault["pointer"] for fault in answer.json()["errors"]] == [pointer]
    assert answer.json()["errors"][0]["detail"] == answer.json()["detail"]


def test_an_invitation_names_the_player_that_it_is_about(ada: Player, bob: Player) -> None:
    table: dict[str, Any] = {"game_type": "screaming_yoda", "seats": 4}
    guests = [bob.id, NOBODY]
    blamed(ada.post("/v1/games", {**table, "player_ids": guests}), "unknown_player", "/player_ids/1")
    game = opened(ada, **table)
    blamed(ada.post(of(game, "/invitations"), {"player_id": NOBODY}), "unknown_player", "/player_id")
    assert ada.post(of(game, "/invitations"), {"player_id": bob.id}).status_code == 200
    blamed(ada.post(of(game, "/invitations"), {"player_id": bob.id}), "already_invited", "/player_id")
    blamed(ada.post("/v1/games", {**table, "seats": 2, "seat": 3}), "seats", "/seat")


def test_a_league_names_the_member_that_it_is_about(service: Service, ada: Player, bob: Player) -> None:
    olga = registered(service, "Olga")
    blamed(olga.post("/v1/leagues", {**BOX, "game_type": "whist"}), "unknown_game_type", "/game_type")
    blamed(olga.post("/v1/leagues", {**BOX, "rules": "same-deal-1"}), "solo_only", "/rules")
    league = founded(olga)
    for path in ("/invitations", "/organisers"):
        blamed(olga.post(at(league, path), {"player_id": NOBODY}), "unknown_player", "/player_id")
    blamed(olga.post(at(league, "/organisers"), {"player_id": olga.id}), "organiser", "/player_id")
    told(bob.post(at(league, "/organisers"), {"player_id": NOBODY}), 403, "forbidden", "organisers_only")
    void = {"type": "void_games", "game_ids": [NOBODY], "reason": "A reason."}
    blamed(olga.post(at(league, "/rulings"), void), "unknown_game", "/game_ids/0")
    correct = {"type": "withdraw_correction", "game_id": NOBODY, "reason": "A reason."}
    blamed(olga.post(at(league, "/rulings"), correct), "unknown_game", "/game_id")
    elsewhere = opened(ada)["id"]
    blamed(olga.post(at(league, "/rulings"), {**void, "game_ids": [elsewhere]}), "unknown_game", "/game_ids/0")
