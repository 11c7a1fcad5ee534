"""The load: clients that play several game types at once over HTTP, and remember everything that was acknowledged.

Every command and every opening carries an idempotency key and is said again, with the same key, until it is answered.
So when the load has stopped nothing is in doubt: what was acknowledged must be recorded, and nothing else may be.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from queue import SimpleQueue
from random import Random
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import msgspec

from .world import LIMIT, World

ALONE: tuple[dict[str, Any], ...] = (
    {"game_type": "klondike"},
    {"game_type": "golf"},
    {"game_type": "freecell"},
    {"game_type": "screaming_yoda", "hot_seat": True},
)
TABLE: dict[str, Any] = {"game_type": "spite_and_malice", "seats": 2}
_MOVES = 0.97  # how often a move is chosen where there is one
_ASK_AGAIN = (502, 503, 504)
_TIMEOUT = 40.0  # seconds: more than the service may take to say that its database is silent


class Acknowledged(NamedTuple):
    """A command that was answered with 200: where it stands, what it was, and the digest of the answer's bytes."""

    game: str
    version: int
    command: Any
    path: str
    key: str
    answer: bytes


class Wrong(Exception):
    """An answer that no fault excuses."""


def digest(answer: httpx.Response) -> bytes:
    """What tells two answers apart."""
    return blake2b(answer.content, digest_size=16).digest()


class Place(NamedTuple):
    """Where a client plays: a game, the seat that is its own (None: all of them), and how it was opened."""

    game: str
    seat: int | None
    body: dict[str, Any]


class Client(threading.Thread):
    """One player, who plays until told to stop; with a partner, at a table for two besides."""

    def __init__(self, world: World, number: int, seed: int) -> None:
        super().__init__(name=f"client-{number}", daemon=True)
        self._lots = Random(f"{seed} {number}")
        self._http = httpx.Client(base_url=world.url, timeout=_TIMEOUT)
        self._stopping = threading.Event()
        self.partner: Client | None = None
        self.invited: SimpleQueue[str] = SimpleQueue()
        self.acknowledged: list[Acknowledged] = []
        self.opened: list[str] = []
        self.finished = self.repeated = 0
        self.slowest = self.answered_at = 0.0
        self.wrong: Exception | None = None

    def stop(self) -> None:
        """Finish the command in hand, and stop."""
        self._stopping.set()

    def run(self) -> None:
        try:
            self._register()
            playing = [self._open(body) for body in self._bodies()]
            while not self._stopping.is_set():
                self._sit_down(playing)
                place = self._lots.choice(playing)
                if not self._turn(place):
                    playing.remove(place)
                    playing += [] if place.seat else [self._open(place.body)]
        except Exception as error:  # noqa: BLE001  told by whoever waits for this thread
            self.wrong = error

    def _bodies(self) -> list[dict[str, Any]]:
        return [*ALONE, TABLE] if self.partner is not None else [*ALONE]

    def _register(self) -> None:
        told = msgspec.json.decode(self.answered("POST", "/v1/players", {"name": self.name}).content)
        self._http.headers["authorization"] = f"Bearer {told['token']['secret']}"

    def answered(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """The answer, asked for again while the service is away; raises Wrong for a fault of its own."""
        while (answer := self._asked(method, path, body, headers)) is None or answer.status_code in _ASK_AGAIN:
            self.repeated += 1
        if answer.status_code >= 500 or answer.status_code in (401, 404, 429):
            raise Wrong(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer

    def _asked(self, method: str, path: str, body: Any, headers: dict[str, str]) -> httpx.Response | None:
        asked = time.monotonic()
        try:
            answer = self._http.request(method, path, json=body, headers=headers)
            if answer.status_code not in _ASK_AGAIN:
                self.answered_at = time.monotonic()
            return answer
        except httpx.ConnectError:
            time.sleep(0.05)
        except httpx.TransportError:
            pass
        finally:
            self.slowest = max(self.slowest, time.monotonic() - asked)
        return None

    def _open(self, body: dict[str, Any]) -> Place:
        answer = self.answered("POST", "/v1/games", body, **{"idempotency-key": str(uuid4())})
        if answer.status_code != 201:
            raise Wrong(f"an opening was refused: {answer.status_code} {answer.text}")
        game = msgspec.json.decode(answer.content)["id"]
        self.opened.append(game)
        if body is TABLE and self.partner is not None:
            self.partner.invited.put(game)
        return Place(game, 0 if body is TABLE else None, body)

    def _sit_down(self, playing: list[Place]) -> None:
        """At the tables that the other has opened; who sits there already, unheard, is refused the second time."""
        while not self.invited.empty():
            game = self.invited.get()
            self.answered("POST", f"/v1/games/{game}/join", {})
            playing.append(Place(game, 1, TABLE))

    def _turn(self, place: Place) -> bool:
        """One command in this game, if it is this client's turn; False if the game is over."""
        look = msgspec.json.decode(self.answered("GET", f"/v1/games/{place.game}").content)
        if look["status"] == "waiting":
            return True
        acting = look["view"]["to_act"] if look["status"] == "playing" else []
        seats = [seat for seat in acting if place.seat in (None, seat)]
        if not seats:
            return bool(acting)
        if not (listed := self._listed(place.game, seats[0]))[1]:
            return False
        version, commands = listed
        return self._say(place, seats[0], self._lots.choice(commands), version)

    def _say(self, place: Place, seat: int, command: Any, listed: int) -> bool:
        path, key = f"/v1/games/{place.game}/commands?seat={seat}", str(uuid4())
        answer = self.answered("POST", path, command, **{"idempotency-key": key})
        if answer.status_code != 200:
            raise Wrong(f"a command of {place.game} that was listed as of {listed} was refused: {answer.text}")
        told = msgspec.json.decode(answer.content)
        self.acknowledged.append(Acknowledged(place.game, told["version"], command, path, key, digest(answer)))
        over = told["frames"][-1]["status"] != "playing"
        self.finished += over
        return not over

    def _listed(self, game: str, seat: int) -> tuple[int, list[Any]]:
        """The version and what may be said at it: mostly moves, now and then an undo or a resignation."""
        told = msgspec.json.decode(self.answered("GET", f"/v1/games/{game}/legal-commands?seat={seat}").content)
        moves, own = told["commands"], told["other_commands"]
        return told["version"], moves if moves and self._lots.random() < _MOVES else own

    def turn_to(self, world: World) -> None:
        """Speak to another installation from now on, with the same token."""
        self._http.base_url = httpx.URL(world.url)

    def say_again(self, said: Acknowledged) -> bytes:
        """The digest of the answer to a command that was acknowledged before, said again with its key."""
        return digest(self.answered("POST", said.path, said.command, **{"idempotency-key": said.key}))


class Load:
    """Several clients at once."""

    def __init__(self, world: World, clients: int, seed: int = 1) -> None:
        self.clients = [Client(world, number, seed) for number in range(clients)]
        for host, guest in zip(self.clients[::2], self.clients[1::2], strict=False):
            host.partner = guest

    @property
    def acknowledged(self) -> int:
        """How many commands were acknowledged so far."""
        return sum(len(client.acknowledged) for client in self.clients)

    @property
    def slowest(self) -> float:
        """The seconds of the slowest answer."""
        return max(client.slowest for client in self.clients)

    @property
    def answered_at(self) -> float:
        """When a client was answered last, and not only told to ask again."""
        return max(client.answered_at for client in self.clients)

    def grow(self, commands: int) -> None:
        """Wait until so many more commands are acknowledged."""
        goal, end = self.acknowledged + commands, time.monotonic() + LIMIT
        while self.acknowledged < goal:
            self.fail_early()
            assert time.monotonic() < end, f"no progress: {self.acknowledged} of {goal} commands are acknowledged"
            time.sleep(0.02)

    def fail_early(self) -> None:
        """Raise what a client has come upon."""
        for client in self.clients:
            if client.wrong is not None:
                raise client.wrong

    def stop(self) -> None:
        """Let every client finish the command in hand."""
        for client in self.clients:
            client.stop()
        for client in self.clients:
            client.join(LIMIT)
            assert not client.is_alive(), f"{client.name} is still waiting for an answer"
        self.fail_early()


@contextmanager
def load(world: World, clients: int = 4, seed: int = 1) -> Iterator[Load]:
    """A load for the length of a `with` block; at its end nothing is in doubt."""
    with under_way(world, Load(world, clients, seed)) as running:
        yield running


@contextmanager
def under_way(world: World, running: Load) -> Iterator[Load]:
    """The same for a load that was made before."""
    world.loads.append(running)
    for client in running.clients:
        client.start()
    try:
        yield running
    finally:
        running.stop()
