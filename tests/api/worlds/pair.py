"""Two servers with two databases, asked the same, and whatever they answer differently."""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from service.event_store.reading import read_topics
from service.keys.signing import make_signing_key
from service.postgres import Server
from service.workers.worker import Worker
from tests.api.serving import database_of

from .link import Answer, Link
from .process import World


class Stranger:
    """Somebody without a token, with a connection to each world."""

    def __init__(self, pair: "Pair") -> None:
        self.links = [Link(world.port) for world in pair.worlds]
        self.headers: dict[str, str] = {}

    def close(self) -> None:
        for link in self.links:
            link.close()


class Person(Stranger):
    """Somebody registered in both worlds."""

    def __init__(self, pair: "Pair", name: str) -> None:
        super().__init__(pair)
        made = json.loads(pair.request(self, "POST", "/v1/players", {"name": name})[0].body)
        self.id: str = made["player"]["id"]
        self.token_id: str = made["token"]["id"]
        self.headers = {"Authorization": f"Bearer {made['token']['secret']}"}


class Difference(NamedTuple):
    """What was answered otherwise on a channel."""

    channel: str
    where: str
    answers: tuple[Any, Any]


class Pair:
    """Both worlds. `counts`: comparisons by channel; `differences`: what they found."""

    def __init__(self, worlds: tuple[World, World]) -> None:
        self.worlds = worlds
        self.counts: Counter[str] = Counter()
        self.differences: list[Difference] = []

    def request(
        self, who: Stranger, method: str, path: str, body: Any = None, bodies: Any = None, **headers: str
    ) -> list[Answer]:
        """The same request to both worlds, or one with a body for each; their answers.

        Both are asked by the same name, for some answers hold it, and their ports differ.
        """
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        named = {"Host": "cards.example"} | who.headers | more
        texts = bodies if bodies is not None else [None if body is None else json.dumps(body).encode()] * 2
        for link, text in zip(who.links, texts, strict=True):
            link.send(method, path, named if text is None else {"Content-Type": "application/json", **named}, text)
        return [link.receive() for link in who.links]

    def ask(self, channel: str, who: Stranger, method: str, path: str, body: Any = None, **more: Any) -> Answer:
        """The same, where the answers must be the same bytes; that of the first world."""
        first, second = self.request(who, method, path, body, **more)
        self.compare(channel, f"{method} {path} {body}", first, second)
        return first

    def compare(self, channel: str, where: str, first: Any, second: Any) -> None:
        """One comparison on this channel."""
        self.counts[channel] += 1
        if first != second:
            self.differences.append(Difference(channel, where, (first, second)))

    def catch_up(self) -> None:
        """The read models of both worlds hold what was recorded."""
        for world in self.worlds:
            Worker(world.conninfo, read=partial(read_topics, codec=world.codec())).catch_up()

    def logs(self) -> None:
        """What was logged since the last look must be the same."""
        first, second = (world.logged() for world in self.worlds)
        for number, (mine, yours) in enumerate(zip(first, second, strict=False)):
            self.compare("log line", f"line {number}", mine, yours)
        self.compare("log line", "number of lines", len(first), len(second))


@contextmanager
def two_worlds(postgres: Server, template: str, leak: str | None = None) -> Iterator[Pair]:
    """Both servers for the length of a `with` block; `leak` (a name, or none yet) says that leaks are planted.

    They sign with one key, whose name every opening tells; each seals with a key of its own.
    """
    with ExitStack() as stack:
        signing = Path(stack.enter_context(TemporaryDirectory()))
        make_signing_key(signing)
        worlds = []
        for secret in ("one", "other"):
            folder = Path(stack.enter_context(TemporaryDirectory()))
            (folder / "secret").write_text(secret)
            shutil.copytree(signing, folder / "keys")
            if leak is not None:
                (folder / "leak").write_text(leak)
            worlds.append(World(stack.enter_context(database_of(postgres, template)), folder))
            stack.callback(worlds[-1].end)
        for world in worlds:
            world.ready()
        yield Pair((worlds[0], worlds[1]))
