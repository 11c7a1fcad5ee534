"""How a server goes, at once although streams are open, and how another goes on, beside it or after it."""

from contextlib import suppress
from random import Random

import httpx

from . import truth
from .playing import DRAW, UNDO, Game, legal, look, opened, play_on, say
from .serving import Player, Service, done, registered, serving
from .streaming import events
from .watching import until


def test_an_open_stream_does_not_hold_up_the_end(database: str) -> None:
    """It breaks off, to be resumed."""
    with serving(database, heartbeat=3600) as service:
        ada = registered(service, "Ada")
        stream = events(ada, opened(ada))
        assert next(stream).name == "frame"
        service.end()
        with suppress(httpx.TransportError):
            for event in stream:
                assert event.name != "end"
        assert "Traceback" not in service.log()
        assert "graceful shutdown exceeded" not in service.log(), "the end waited for the stream"


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


def test_a_fresh_process_shows_a_long_game(service: Service, ada: Player, bob: Player) -> None:
    klondike, duel = opened(ada, seed="cold"), opened(ada, "spite_and_malice", seats=2, seed="cold", hot_seat=True)
    for game in (klondike, duel):
        assert len(list(play_on([ada, ada], game, Random(5), 60))) == 60
        until(lambda game=game: truth.done(service, "SELECT FROM snapshots WHERE game = %s", game["id"]))  # type: ignore[misc]
    with serving(service.conninfo) as fresh:
        for game in (klondike, duel):
            for player in (ada, bob):
                assert look(player.on(fresh), game) == look(player, game)
            assert legal(ada.on(fresh), game) == legal(ada, game)
        assert done(say(ada.on(fresh), klondike, [UNDO] * 50))["accepted"] == 50
        seen = look(ada.on(fresh), klondike)
    assert seen == look(ada, klondike)
    assert seen["live_step"] < seen["step"] == 110
