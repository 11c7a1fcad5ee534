"""While one account does its worst, with the limits as they are by default: how long the others wait.

`ABUSE_SECONDS` says for how long, 60 by default; the same time before it is quiet. The others sit at addresses of
their own, move and look at their games as people do who play fast.

`python -m tests.benchmarks.abuse PORT SECONDS LIVE FINISHED TOKEN...` is the account: everything that is dear to
answer, as fast as it is answered, over many connections and tokens; in a process of its own that gives way to the
server, since an abuser sits elsewhere. It tells what was answered, by work and status, as JSON.
"""

import http.client
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from random import Random
from time import monotonic, sleep
from typing import Any, NamedTuple

import httpx

from service.postgres import Server
from service.settings import Settings

from .asking import Asking, request
from .measures import percentile, say, short
from .programs import ROOT
from .running import Serving, database, kibitz

SECONDS = float(os.environ.get("ABUSE_SECONDS", "60"))
GOAL = 5.0
"""So many times as long as in quiet the slowest hundredth of the others' requests may take."""
PEOPLE, TOKENS, STEPS = 6, 21, 9_500
_PAUSE = 0.05  # seconds between two requests of one of them
_DEFAULTS = {
    f"KIBITZ_{name.upper()}": str(getattr(Settings(), name))
    for name in ("rate_limit_per_minute", "max_streams_per_sender")
}

_BACK_AND_FORTH = {"commands": [{"type": "klondike/draw"}, {"type": "game/undo"}] * 250}


class Person(NamedTuple):
    """Somebody who plays: a token, a game, an address."""

    token: str
    game: str
    address: str


class Account(NamedTuple):
    """Whoever abuses: tokens, a long game that goes on and one that is over."""

    tokens: list[str]
    live: str
    finished: str


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document: milliseconds, quiet and under abuse."""
    with database(postgres) as conninfo:
        say("abuse: games of thousands of steps are played")
        with kibitz(conninfo) as server:
            account = _account(server)
        with kibitz(conninfo, **_DEFAULTS) as server:
            people = [_person(server, number) for number in range(PEOPLE)]
            say(f"abuse: {SECONDS:.0f} seconds of quiet")
            quiet = _waited(server, people, SECONDS)
            say(f"abuse: {SECONDS:.0f} seconds of one account's worst")
            words = [str(server.port), str(SECONDS), account.live, account.finished, *account.tokens]
            program = [sys.executable, "-m", __name__, *words]
            with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=ROOT) as abusing:
                loud = _waited(server, people, SECONDS)
                answered = json.loads(abusing.communicate()[0])
    return {name: _compared(quiet[name], loud[name]) for name in quiet} | {"abuser_was_answered": answered}


def _compared(quiet: list[float], loud: list[float]) -> dict[str, Any]:
    before, during = percentile(quiet, 0.99), percentile(loud, 0.99)
    return {
        "quiet_p99_ms": short(1e3 * before), "abused_p99_ms": short(1e3 * during), "ratio": short(during / before),
        "goal": GOAL, "met": during / before < GOAL, "requests": [len(quiet), len(loud)],
        "quiet_median_ms": short(1e3 * sorted(quiet)[len(quiet) // 2]),
        "abused_median_ms": short(1e3 * sorted(loud)[len(loud) // 2]), "abused_max_ms": short(1e3 * max(loud)),
    }  # fmt: skip


def _account(server: Serving) -> Account:
    with httpx.Client(base_url=server.url, timeout=120) as http:
        http.headers["authorization"] = f"Bearer {_registered(http, 'Eve')}"
        tokens = [_post(http, "/v1/tokens", {"label": "more", "scopes": ["read", "play"]}) for _ in range(TOKENS)]
        live, finished = (_post(http, "/v1/games", {"game_type": "klondike"})["id"] for _ in range(2))
        for game in (live, finished):
            for _ in range(0, STEPS, 500):
                _post(http, f"/v1/games/{game}/commands/batch", _BACK_AND_FORTH)
        _post(http, f"/v1/games/{finished}/commands", {"type": "game/resign"})
    return Account([token["secret"] for token in tokens], live, finished)


def _person(server: Serving, number: int) -> Person:
    address = f"198.51.100.{number + 1}"
    with httpx.Client(base_url=server.url, headers={"x-forwarded-for": address}, timeout=60) as http:
        token = _registered(http, f"Ada {number}")
        http.headers["authorization"] = f"Bearer {token}"
        game = _post(http, "/v1/games", {"game_type": "klondike"})["id"]
        http.get(f"/v1/games/{game}/frames").raise_for_status()  # what is started when it is first needed
        return Person(token, game, address)


def _registered(http: httpx.Client, name: str) -> str:
    return str(_post(http, "/v1/players", {"name": name})["token"]["secret"])


def _post(http: httpx.Client, path: str, body: Any) -> Any:
    answer = http.post(path, json=body)
    answer.raise_for_status()
    return answer.json()


def _waited(server: Serving, people: list[Person], seconds: float) -> dict[str, list[float]]:
    """Seconds that every request of these people took: what they play by, and the replays that they look at."""
    waited: dict[str, list[float]] = {"play": [], "replay": []}
    until = monotonic() + seconds
    _together([partial(_play, server.port, one, until, waited) for one in people])
    return waited


def _together(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _play(port: int, one: Person, until: float, waited: dict[str, list[float]]) -> None:
    connection, more = Asking(port), {"x-forwarded-for": one.address}
    game = f"/v1/games/{one.game}"
    turn = [
        ("play", request("POST", f"{game}/commands", one.token, b'{"type":"klondike/draw"}', more)),
        ("play", request("GET", game, one.token, more=more)),
        ("play", request("POST", f"{game}/commands", one.token, b'{"type":"game/undo"}', more)),
        ("play", request("GET", f"{game}/legal-commands", one.token, more=more)),
    ]
    replay = "replay", request("GET", f"{game}/frames?first=0&limit=20", one.token, more=more)
    number = 0
    while monotonic() < until:
        number += 1
        for kind, text in [*turn, *([replay] if number % 10 == 0 else [])]:
            waited[kind].append(connection.ask(text).seconds)
            sleep(_PAUSE)
    connection.close()


AT_ONCE = 16
ADDRESS = "203.0.113.66"
_NESTED = {
    "nested": b"[" * 120_000 + b"]" * 120_000,
    "many lists": b"[" + b"[],[{}]," * 32_000 + b"0]",
    "doubled members": b'{"name":"a","name":[' + b'{"a":0},' * 4_900 + b"0]}",
}
_DRAWS = json.dumps({"commands": [{"type": "klondike/draw"}] * 500}).encode()
Dear = tuple[str, str, str, bytes]
"""What it is called, method, path, body."""


def worst(live: str, finished: str, rng: Random) -> Iterator[Dear]:
    """The requests of one connection, in an order of its own, without an end."""
    while True:
        several = list(_each_once(live, finished, rng.randrange(9_000)))
        rng.shuffle(several)
        yield from several


def _each_once(live: str, finished: str, first: int) -> Iterator[Dear]:
    for game in (live, finished):
        for rest in ("/moments", "/record", "/replay", f"/frames?first={first}&limit=1000", "/verification"):
            yield rest.partition("?")[0], "GET", f"/v1/games/{game}{rest}", b""
        yield "/frames/N", "GET", f"/v1/games/{game}/frames/{first}", b""
        yield "/events", "GET", f"/v1/games/{game}/events?max_seconds=0", b""
    yield "commands", "POST", f"/v1/games/{live}/commands/batch", _DRAWS
    yield "undo", "POST", f"/v1/games/{live}/commands", b'{"type":"game/undo"}'
    yield "/forks", "POST", f"/v1/games/{finished}/fork", b'{"step":1998}'
    yield "feed", "GET", "/v1/feed?include=record", b""
    for name, body in _NESTED.items():
        yield name, "POST", "/v1/games", body


def abuse(port: int, until: float, tokens: list[str], games: tuple[str, str], told: Counter[str], number: int) -> None:
    """One connection's share."""
    rng = Random(number)
    requests = worst(*games, rng)
    for turn in count(number):
        if monotonic() > until:
            return
        name, method, path, body = next(requests)
        headers = {"x-forwarded-for": ADDRESS, "content-type": "application/json"}
        if turn % 4:  # the fourth time as nobody
            headers["authorization"] = f"Bearer {tokens[turn % len(tokens)]}"
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            answer.read()
            told[f"{name} {answer.status}"] += 1
        except (OSError, http.client.HTTPException) as error:
            told[f"{name} {type(error).__name__}"] += 1
        finally:
            connection.close()


def main(port: str, seconds: str, live: str, finished: str, *tokens: str) -> None:
    """Abuse the server for so long."""
    os.nice(19)
    told, until = Counter[str](), monotonic() + float(seconds)
    _together([
        partial(abuse, int(port), until, list(tokens), (live, finished), told, number) for number in range(AT_ONCE)
    ])  # fmt: skip
    print(json.dumps(dict(sorted(told.items()))))


if __name__ == "__main__":
    main(*sys.argv[1:])
