"""A rule that forbids what a member of the body names says which member, as a JSON pointer."""

from typing import Any

import httpx

from .boxes import BOX, at, founded
from .playing import of, opened
from .problems import told
from .serving import Player, Service, registered

NOBODY = "01890000-0000-7000-8000-000000000000"


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
