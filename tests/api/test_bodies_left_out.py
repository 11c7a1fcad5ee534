"""Where nothing in a body must be said, the body may be left out: it is `{}`."""

import pytest

from .playing import of, opened
from .serving import JSON, Player, parts

FORM = {"content-type": "application/x-www-form-urlencoded"}
SPITE = "spite_and_malice"


@pytest.mark.parametrize("headers", [{}, JSON, FORM])
def test_a_seat_is_taken_without_a_body(headers: dict[str, str], ada: Player, bob: Player) -> None:
    game = opened(ada, SPITE)
    answer = bob.http.post(of(game, "/join"), headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.json()["your_seats"] == [1]


def test_without_a_body_and_with_an_empty_one_are_the_same_request(ada: Player, bob: Player) -> None:
    game, key = opened(ada, SPITE), {"idempotency-key": "once"}
    first = bob.http.post(of(game, "/join"), headers=key)
    again = bob.http.post(of(game, "/join"), headers=key, json={})
    assert first.status_code == 200, first.text
    assert parts(first) == parts(again)


def test_the_description_says_which_bodies_may_be_left_out(ada: Player) -> None:
    paths = ada.get("/v1/openapi.json").json()["paths"]
    optional = {
        told["operationId"]
        for item in paths.values()
        for told in item.values()
        if "requestBody" in told and not told["requestBody"]["required"]
    }
    assert optional == {"analyse_game", "join_game", "decide_promotions", "change_webhook", "rename_me"}
