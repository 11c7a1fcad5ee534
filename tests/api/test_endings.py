"""How a server goes: at once although streams are open, and not because another has come."""

import time
from threading import Thread

import httpx

from service.postgres import Server

from .bursts import DRAW
from .playing import Game, of, opened, say
from .serving import Player, database_of, registered, serving


def test_an_open_stream_does_not_hold_up_the_end_and_breaks_off_to_be_resumed(
    postgres: Server, template_database: str
) -> None:
    lines: list[str] = []
    with database_of(postgres, template_database) as conninfo, serving(conninfo, heartbeat=3600) as service:
        ada = registered(service, "Ada")
        game = opened(ada, "klondike")
        following = Thread(target=_follow, args=(service.url + of(game, "/events"), lines))
        following.start()
        while "event: frame" not in lines:
            time.sleep(0.01)
        service.end()
        following.join(60)
        assert "Traceback" not in service.log()
        assert "graceful shutdown exceeded" not in service.log(), "the end waited for the stream"
    assert "event: end" not in lines


def _follow(url: str, lines: list[str]) -> None:
    with httpx.stream("GET", url, timeout=None) as answer:
        lines.extend(_until_broken(answer, lines))


def _until_broken(answer: httpx.Response, lines: list[str]) -> list[str]:
    try:
        for line in answer.iter_lines():
            lines.append(line)
    except httpx.TransportError:
        pass
    return []


def test_a_server_beside_another_is_ready_and_either_records(postgres: Server, template_database: str) -> None:
    with database_of(postgres, template_database) as conninfo, serving(conninfo) as old:
        ada = registered(old, "Ada")
        game = opened(ada, "klondike")
        with serving(conninfo) as new:
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
