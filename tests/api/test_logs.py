"""What the server writes to its log: neither token nor body nor card, also when a handler crashes."""

import json
import re
from typing import Any

from . import truth
from .playing import look, of, opened, say
from .problems import told
from .serving import Player, Service, registered, serving

DRAW = {"type": "klondike/draw"}
CARD = re.compile(r"(?<!\w)([A2-9TJQK][SHDC]|\*[1-4])(?!\w)")


def lines(service: Service) -> list[dict[str, Any]]:
    return [json.loads(line) for line in service.log().splitlines()]


def clean(service: Service, *players: Player) -> None:
    """No line holds what none may hold, nor do the metrics."""
    text = service.log() + service.metrics() + service.http.get("/readyz").text
    assert "Ada" not in text
    assert "kbz_" not in text
    assert "Bearer" not in text
    assert all(player.token.removeprefix("kbz_") not in text for player in players)
    assert "my lucky text" not in text
    assert "password" not in text
    assert not CARD.findall(text)


def test_every_answer_is_logged_without_its_body_its_token_and_its_cards(database: str) -> None:
    with serving(database) as service:
        ada = registered(service, "Ada")
        game = opened(ada, seed="my lucky text")
        say(ada, game, {"type": "klondike/move", "source": "waste", "target": "foundation_spades"})
        ada.http.post(
            of(game, "/commands"), content=b'{"my lucky text": "AS"}', headers={"content-type": "application/json"}
        )
        ada.get(of(game), params={"my lucky text": "AS"})
        ada.get("/v1/nowhere/my%20lucky%20text")
        say(ada, game, [DRAW, DRAW, {"type": "game/resign"}])
        clean(service, ada)
        answered = [line for line in lines(service) if line["event"] == "answered"]
        assert {"open_game", "post_command", "get_game"} <= {line["operation"] for line in answered}
        assert {200, 201, 400, 409} <= {line["status"] for line in answered}


def test_a_repeat_on_an_old_version_is_logged_and_counted_by_its_game_type(database: str) -> None:
    with serving(database, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada)
        headers = {"idempotency-key": "k", "if-match": f'"{game["version"]}"'}
        for _ in range(2):
            assert say(ada, game, DRAW, headers=headers).status_code == 200
        told(say(ada, game, DRAW, headers={"if-match": headers["if-match"]}), 412, "stale_version")
        commands = [line for line in lines(service) if line["event"] == "command"]
        assert [(line["outcome"], line["game_type"], line["seat"]) for line in commands] == [
            ("accepted", "klondike", 0), ("repeated", "klondike", 0), ("stale", "klondike", 0),
        ]  # fmt: skip
        counts = service.metrics()
        assert re.search(r'game_type="klondike"[^\n]*"repeated"|"repeated"[^\n]*game_type="klondike"', counts)
        assert 'game_type=""' not in counts


def test_a_handler_that_crashes_tells_nothing_and_logs_where_but_no_card(database: str) -> None:
    with serving(database, cached_games=1, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada, seed="my lucky text")
        opened(ada)  # the first game leaves the memory
        truth.done(
            service, "UPDATE events SET state = substr(state, 1, 200) WHERE stream = %s AND version = 3", game["id"]
        )
        for answer in (
            ada.get(of(game)),
            say(ada, game, DRAW),
            ada.get(of(game, "/frames")),
            ada.get(of(game, "/events")),
        ):
            told(answer, 500, "broken")
            assert not CARD.findall(answer.text)
        clean(service, ada)
        crashed = [line for line in lines(service) if line["event"] == "request failed"]
        assert len(crashed) == 4
        assert all("Traceback" in line["exception"] for line in crashed)
        assert service.process.poll() is None
        assert look(ada, opened(ada))["status"] == "playing"


def test_a_game_that_folds_wrongly_crashes_without_showing_a_card(database: str) -> None:
    with serving(database, cached_games=1, run_worker=False) as service:
        ada = registered(service, "Ada")
        game = opened(ada, options={"draw": 1})
        say(ada, game, [DRAW] * 3)
        opened(ada)
        truth.done(service, "DELETE FROM events WHERE stream = %s AND version = 3", game["id"])
        for answer in (ada.get(of(game)), say(ada, game, DRAW), ada.get(of(game, "/frames/1"))):
            assert not CARD.findall(answer.text) or answer.status_code == 200
        clean(service, ada)
        assert service.http.get("/livez").status_code == 200


def test_the_pattern_finds_cards_as_states_and_bodies_write_them() -> None:
    assert CARD.findall('{"cards":["AS","TD"],"*1"}') == ["AS", "TD", "*1"]
