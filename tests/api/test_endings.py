"""How a server goes: at once although streams are open, and not because another has come."""

from contextlib import suppress
from threading import Thread

import httpx

from .bursts import DRAW
from .playing import Game, of, opened, say
from .serving import Player, registered, serving
from .watching import until


def test_an_open_stream_does_not_hold_up_the_end(database: str) -> None:
    lines: list[str] = []
    with serving(database, heartbeat=3600) as service:
        ada = registered(service, "Ada")
        game = opened(ada, "klondike")
        following = Thread(target=_follow, args=(service.url + of(game, "/events"), lines))
        following.start()
        until(lambda: "event: frame" in lines)
        service.end()
        following.join(60)
        assert "Traceback" not in service.log()
        assert "graceful shutdown exceeded" not in service.log(), "the end waited for the stream"
    assert "event: end" not in lines


def _follow(url: str, lines: list[str]) -> None:
    with httpx.stream("GET", url, timeout=None) as answer, suppress(httpx.TransportError):
        for line in answer.iter_lines():
            lines.append(line)


def test_a_server_beside_another_is_ready_and_either_records(database: str) -> None:
    with serving(database) as old:
        ada = registered(old, "Ada")
        game = opened(ada, "klondike")
        with serving(database) as new:
            for number, service in enumerate((old, new, old), 1):
                assert service.http.get("/readyz").status_code == 200
                answer = in_the_end(ada.on(service), game, str(number))
                assert answer.status_code == 200, (answer.text, answer.headers, old.log()[-3000:], new.log()[-3000:])
                assert answer.json()["version"] == game["version"] + number


def in_the_end(player: Player, game: Game, key: str) -> httpx.Response:
    """What is answered to a command: where a busy machine keeps one process from the other it is said again."""
    while (answer := say(player, game, DRAW, headers={"idempotency-key": key})).status_code == 503:
        assert int(answer.headers["retry-after"]) > 0
    return answer
