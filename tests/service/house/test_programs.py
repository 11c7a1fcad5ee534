"""`kibitz bot` as its users run it: signals, a server that is killed and comes back, wrong usage."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from tests import forking
from tests.api.serving import Service
from tests.api.watching import metric
from tests.ports import free_ports
from tests.service.cli.programs import KIBITZ, environment, folder, kibitz, serving
from tests.waiting import until

from .tables import bot_account, opened, seen

Process = subprocess.Popen[str]


@contextmanager
def bot(server: str, *words: object, **settings: str) -> Iterator[Process]:
    """A bot of its own process; it has said who it is."""
    command = [*KIBITZ, "bot", "--server", server, *map(str, words)]
    process = forking.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(**settings))
    assert process.stdout is not None
    try:
        assert "looks for" in process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


def ended(process: Process, number: int) -> int:
    """Its exit code after this signal."""
    process.send_signal(number)
    return process.wait(60)


def holders(service: Service, game: dict[str, Any]) -> list[str | None]:
    return [held["player"] and held["player"]["id"] for held in seen(service, game)["seats"]]


def streams(service: Service) -> float:
    """How many are open: a bot opens one for a game once it has heard that it has a seat there."""
    return metric(service, "kibitz_open_streams")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_the_seat_it_waited_at_is_free_again(service: Service, number: int) -> None:
    host = bot_account(service)
    game = opened(host, "screaming_yoda", seats=4)
    until(lambda: streams(service) == 0)
    with bot(service.url, "--game-type", "screaming_yoda") as process:
        until(lambda: holders(service, game).count(None) == 2 and streams(service) > 0)
        assert ended(process, number) == 0
    assert holders(service, game) == [host.id, None, None, None]
    assert host.post(f"/v1/games/{game['id']}/leave").status_code == 200


def test_a_bot_that_nobody_can_be_again_gives_up_what_it_plays(service: Service) -> None:
    host = bot_account(service)
    game = opened(host, "spite_and_malice")
    until(lambda: streams(service) == 0)
    with bot(service.url, "--game-type", "spite_and_malice", "--name", "Comet") as process:
        until(lambda: seen(service, game)["status"] == "playing" and streams(service) > 0)
        assert ended(process, signal.SIGTERM) == 0
    assert seen(service, game)["result"] == {"ending": "won", "reason": "resigned", "winners": [0]}


def test_a_bot_with_a_token_keeps_its_seat_and_comes_back(service: Service) -> None:
    host, guest = bot_account(service), bot_account(service)
    game = opened(host, "megiddo")
    with bot(service.url, "--game-type", "megiddo", KIBITZ_TOKEN=guest.token) as process:
        until(lambda: seen(service, game)["status"] == "playing")
        assert ended(process, signal.SIGTERM) == 0
    assert seen(service, game)["status"] == "playing"
    with bot(service.url, "--games", 1, "--game-type", "megiddo", "--token", guest.token) as process:
        played = kibitz("bot", "--server", service.url, "--games", 1, "--game-type", "megiddo", "--token", host.token)
        assert process.wait(60) == played.returncode == 0
    assert played.stdout.endswith("That makes 1.\n")
    assert seen(service, game)["result"]["reason"] != "resigned"


def test_a_server_that_is_killed_in_the_middle_of_a_game_and_comes_back_sees_it_end() -> None:
    with folder() as data, serving(data, "--port", str(free_ports())) as service:
        port, address = service.port, service.address
        host = _host(address)
        game = _game(address, host)
        flags = ("--games", 1, "--game-type", "spite_and_malice", "--choice", "random")
        with bot(address, *flags, "--token", host) as host_bot, bot(address, *flags) as guest_bot:
            until(lambda: _look(address, game)["version"] > 20)
            assert service.end(signal.SIGKILL) == -signal.SIGKILL
            with serving(data, "--port", str(port)):
                before = _look(address, game)
                assert (host_bot.wait(240), guest_bot.wait(240)) == (0, 0)
                after = _look(address, game)
            assert host_bot.stdout is not None
            sentences = host_bot.stdout.read()
    assert before["status"] == "playing"
    assert after["status"] == "finished"
    assert sentences.count("The service is away; waiting for it.\n") == sentences.count("The service is back.\n") >= 1


def _host(address: str) -> str:
    answer = httpx.post(f"{address}/v1/players", json={"name": "Host", "bot": True}, timeout=60).json()
    return str(answer["token"]["secret"])


def _game(address: str, token: str) -> str:
    """Four packs, so that it is long: some 450 events at least."""
    body = {"game_type": "spite_and_malice", "options": {"packs": 4}}
    headers = {"authorization": f"Bearer {token}"}
    answer = httpx.post(f"{address}/v1/games", json=body, headers=headers, timeout=60).json()
    return str(answer["id"])


def _look(address: str, game: str) -> dict[str, Any]:
    look: dict[str, Any] = httpx.get(f"{address}/v1/games/{game}", timeout=60).json()
    return look


def test_what_it_cannot_do_it_says_in_a_sentence(service: Service) -> None:
    assert kibitz("bot", "--server", "http://127.0.0.1:9").stderr.startswith("kibitz: http://127.0.0.1:9 does not")
    unknown = kibitz("bot", "--server", service.url, "--game-type", "chess")
    assert (unknown.returncode, unknown.stderr) == (1, "kibitz: There is no game type chess.\n")
    alone = kibitz("bot", "--server", service.url, "--game-type", "golf", "klondike")
    assert (alone.returncode, alone.stderr.count("plays golf, klondike alone")) == (1, 1)
    barred = kibitz("bot", "--server", service.url, "--token", "kbz_nonsense")
    assert (barred.returncode, barred.stderr.count("\n")) == (1, 1)
    assert kibitz("bot", "--server", service.url, "--games", "0").returncode == 2
