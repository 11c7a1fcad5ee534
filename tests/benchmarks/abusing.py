"""One account at its worst: `python -m tests.benchmarks.abusing PORT SECONDS LIVE FINISHED TOKEN...`.

Everything that is dear to answer, as fast as it is answered, over many connections and tokens; in a process of its own
that gives way to the server, since an abuser sits elsewhere. It tells what was answered, by work and status, as JSON.
"""

import http.client
import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import count
from random import Random
from time import monotonic

AT_ONCE = 16
ADDRESS = "203.0.113.66"
_NESTED = {
    "nested": b"[" * 120_000 + b"]" * 120_000,
    "many lists": b"[" + b"[],[{}]," * 32_000 + b"0]",
    "doubled members": b'{"name":"a","name":[' + b'{"a":0},' * 4_900 + b"0]}",
}
_DRAWS = json.dumps([{"type": "klondike/draw"}] * 500).encode()
Request = tuple[str, str, str, bytes]
"""What it is called, method, path, body."""


def worst(live: str, finished: str, rng: Random) -> Iterator[Request]:
    """The requests of one connection, in an order of its own, without an end."""
    while True:
        several = list(_each_once(live, finished, rng.randrange(9_000)))
        rng.shuffle(several)
        yield from several


def _each_once(live: str, finished: str, first: int) -> Iterator[Request]:
    for game in (live, finished):
        for rest in ("/moments", "/record", "/replay", f"/frames?first={first}&limit=1000", "/verification"):
            yield rest.partition("?")[0], "GET", f"/v1/games/{game}{rest}", b""
        yield "/frames/N", "GET", f"/v1/games/{game}/frames/{first}", b""
        yield "/events", "GET", f"/v1/games/{game}/events?max_seconds=0", b""
    yield "commands", "POST", f"/v1/games/{live}/commands", _DRAWS
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
    threads = [
        threading.Thread(target=abuse, args=(int(port), until, list(tokens), (live, finished), told, number))
        for number in range(AT_ONCE)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(dict(sorted(told.items()))))


if __name__ == "__main__":
    main(*sys.argv[1:])
