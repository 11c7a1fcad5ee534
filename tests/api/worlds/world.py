"""One server process whose clock, ids and lots are substituted: `world.py SETTINGS CONNINFO FOLDER`.

Everything else is the service as it is. `FOLDER/secret` is this world's own: no two have the same digest keys.
`FOLDER/twists.json` says which places of a shuffle's outcome change places:
seed of the shuffles in hex -> number of the shuffle -> place -> the place whose card lies there instead. Where
`FOLDER/leak` exists, leaks are planted and that file names the one that leaks.
"""

import json
import socket
import sys
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from msgspec import convert

from domain.chance import Chance, Shuffle, shuffle
from domain.view import Card
from service.accounts import access
from service.app import create_app
from service.cli.server import Server, configuration
from service.event_store import ids
from service.http import front, limits
from service.live import command_log, openings, seats
from service.settings import Settings, decode_path
from service.telemetry import logs, request_ids
from tests.api.heavy_here import do_heavy_work_here

SECOND = 1_000_000_000
_numbers = count(1)


class Clock:
    """In place of the module `time`: every answer takes a second."""

    nanoseconds = 1_700_000_000 * SECOND

    def time_ns(self) -> int:
        return self.nanoseconds

    def advance_with_answers(self) -> None:
        """From now on count an answer and let a second pass."""
        count_answer = front.count_answer

        def count_and_advance(*values: Any) -> None:
            count_answer(*values)
            self.nanoseconds += SECOND

        vars(front)["count_answer"] = count_and_advance


def secret_bytes(own: bytes, length: int) -> bytes:
    """The next secret: tokens are the same in both worlds, the keys of digests are not."""
    return sha256(own + b" %d" % next(_numbers)).digest()[:length]


def twisted(folder: Path) -> None:
    """Shuffles are the real ones, then the places named in the file change places."""

    def shuffled(self: Chance, cards: Sequence[Card]) -> Shuffle:
        outcome = shuffle(cards, self.seed, self.number)
        named = json.loads((folder / "twists.json").read_text()).get(self.seed.hex(), {}).get(str(self.number), {})
        lie = tuple(outcome[named.get(str(place), place)] for place in range(len(outcome)))
        return Shuffle(lie, Chance(self.seed, self.number + 1))

    Chance.shuffle = shuffled  # type: ignore[method-assign]


def substituted(folder: Path) -> None:
    """Clock, ids and lots of both worlds are the same, but for the twists."""
    clock = Clock()
    clock.advance_with_answers()
    lots = SimpleNamespace(randbits=lambda bits: next(_numbers))
    vars(ids).update(time=clock, secrets=lots)
    vars(front)["perf_counter"] = lambda: 0.0
    vars(command_log)["perf_counter"] = lambda: 0.0
    seats.PERIOD = 0.001
    vars(request_ids)["new_id"] = lambda: "made"
    limits.Quotas.__init__.__defaults__ = (1, lambda: 0.0)
    do_heavy_work_here()
    own = (folder / "secret").read_bytes()
    access.secrets = SimpleNamespace(token_urlsafe=lambda length: secret_bytes(b"token", length).hex())  # type: ignore
    openings.secrets = SimpleNamespace(token_bytes=lambda length: secret_bytes(own, length))  # type: ignore
    twisted(folder)


def main(settings: str, conninfo: str, folder: Path) -> None:
    """Serve until a signal comes."""
    substituted(folder)
    if (folder / "leak").exists():
        from tests.api.worlds import leaks

        leaks.planted(folder / "leak")
    chosen = convert(json.loads(settings), Settings, dec_hook=decode_path)
    logs.configure(chosen.log_level, "json")
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    config = configuration(create_app(chosen, conninfo), chosen)
    ready = listener.getsockname()[1]
    Server(config, ready=lambda: print(ready, flush=True)).run(sockets=[listener])  # noqa: T201


main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
