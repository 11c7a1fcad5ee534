"""Everything that is published, asked of two worlds by people from whom something is hidden.

What differs: the face-down cards of a contest that is open, what its solver told, what was said in an attempt that is
over and in a private game. Every operation that reads, every operation on a hidden game and every page is a channel;
they are found in the service's own description, so that a new one is asked as soon as there is one.
"""

import asyncio
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.chance import Chance, deal_seed
from domain.contest import aggregate as ct
from domain.contest.aggregate import Announcement
from domain.contest.events import Certificate
from domain.games import GAME_TYPES
from domain.league.rules import DAYS
from domain.play.aggregate import AnyRecord
from service import web
from service.event_store.store import EventStore
from service.event_store.writing.rows import Companion
from service.live.shapes import today
from tests.openapi.described import DOCUMENT

from .link import Answer
from .pair import Pair, Person, Stranger
from .process import World

START, HOUR = 1_700_000_000_000_000, 3_600_000_000
KEY = "klondike"
KIND = GAME_TYPES[KEY]
NOWHERE = str(UUID(int=0xABCDEF))
DRAW, UNDO, RESIGN = ({"type": name} for name in ("klondike/draw", "game/undo", "game/resign"))
LOOKED: dict[str, tuple[tuple[Certificate, int], tuple[Certificate, int]]] = {
    "open": (("not_told", 700_000), ("impossible", 640_813)), "won": (("winnable", 2_751), ("winnable", 42_231)),
}  # fmt: skip
"""What a solver told of a contest's deal in either world."""
SAID = ([DRAW, DRAW, DRAW, DRAW], [DRAW, DRAW, UNDO, DRAW])
"""What is said in either world where nobody else may know it: as many records, other ones."""
TEXT = "application/vnd.kibitz.record+ndjson"
OWN = {"get_readiness"}
"""A world's own, with nothing hidden in it: seconds by the real clock."""


class Ask(NamedTuple):
    """One request to both worlds."""

    who: Stranger
    method: str
    path: str
    body: Any = None
    headers: dict[str, str] = {}


class Published:
    """An evening in both worlds, and by channel all that may be asked of it."""

    def __init__(self, pair: Pair) -> None:
        self.pair = pair
        self.ada, self.bob, self.guest = (Person(pair, name) for name in ("Ada", "Bob", "Guest"))
        self.stranger = Stranger(pair)
        (pair.worlds[1].folder / "twists.json").write_bytes(msgspec.json.encode(exchanged(_seed("open"))))
        self.contests = {name: self._announced(name, number) for number, name in enumerate(LOOKED, 1)}
        attempt = self._entered(self.ada)
        self.private = self._of_both("POST", "/v1/games", {"game_type": KEY, "visibility": "private", "seed": "one"})
        self._entered(self.bob)
        self.games = (attempt, self.private)
        for game in self.games:
            self._hidden_play(game)
        pair.catch_up()
        self.channels: dict[str, list[Ask]] = defaultdict(list)
        for channel, ask in [*self._reads(), *self._refusals(), *self._pages(), *self._others()]:
            self.channels[channel].append(ask)

    def ask(self, channel: str) -> None:
        """All of this channel, compared."""
        for who, method, path, body, headers in self.channels[channel]:
            more = {"bodies": (body, body)} if isinstance(body, bytes) else {"body": body}
            self.pair.ask(channel, who, method, path, **more, **headers)

    def really_differs(self) -> bool:
        """Whether there is something to be told, in every hidden game and contest."""
        one, other = self.pair.worlds
        return all(one.events(UUID(game)) != other.events(UUID(game)) for game in self.games)

    # The evening

    def _announced(self, name: str, number: int) -> str:
        contest = UUID(int=(START // 1000 << 80) | (7 << 76) | (2 << 62) | (1 << 40) | number)
        for world, looked in zip(self.pair.worlds, LOOKED[name], strict=True):
            asyncio.run(_append(world, contest, announced(contest, _seed(name), *looked)))
        return str(contest)

    def _of_both(self, method: str, path: str, body: Any = None) -> str:
        one, other = self.pair.request(self.ada, method, path, body)
        assert one.status == other.status == 201, (one, other)
        assert json.loads(one.body)["id"] == json.loads(other.body)["id"]
        return str(json.loads(one.body)["id"])

    def _entered(self, player: Person) -> str:
        """What the player sees of the attempt is the same: the exchanged cards lie face down."""
        self.pair.compare("enter_contest", "", *self._attempt(player))
        return str(json.loads(self._attempt(player)[0].body)["id"])

    def _attempt(self, player: Person) -> list[Answer]:
        answers = self.pair.request(player, "POST", f"/v1/contests/{self.contests['open']}/enter")
        assert {answer.status for answer in answers} <= {200, 201}, answers
        return answers

    def _hidden_play(self, game: str) -> None:
        """By Ada alone; then the game is over."""
        for bodies in [*zip(*SAID, strict=True), (RESIGN, RESIGN)]:
            texts = [json.dumps(body).encode() for body in bodies]
            answers = self.pair.request(self.ada, "POST", f"/v1/games/{game}/commands", bodies=texts)
            assert [answer.status for answer in answers] == [200, 200], answers
            assert len({json.loads(answer.body)["version"] for answer in answers}) == 1

    # The channels

    def _reads(self) -> Iterator[tuple[str, Ask]]:
        for operation, method, path, told in _operations():
            named = {one["name"] for one in told["parameters"]}
            if method == "get" and "{game_id}" not in path and operation not in OWN:
                for filled, query in self._filled(path, named):
                    for who in (self.guest, self.stranger, self.bob):
                        yield operation, Ask(who, "GET", filled + _query(named, query))

    def _filled(self, path: str, named: set[str]) -> Iterator[tuple[str, dict[str, str]]]:
        for contest in self.contests.values() if "{contest_id}" in path else [NOWHERE]:
            filled = path.format_map(Known(contest_id=contest, player_id=self.ada.id, key=KEY, game_type=KEY))
            yield filled, {}
            for name, value in {"player_id": self.ada.id, "game_type": KEY, "include": "record"}.items():
                if name in named:
                    yield filled, {name: value}

    def _refusals(self) -> Iterator[tuple[str, Ask]]:
        """Whatever is asked of a hidden game."""
        for operation, method, path, told in _operations():
            if "{game_id}" in path:
                named = {one["name"] for one in told["parameters"]}
                for game in self.games:
                    filled = path.format_map(Known(game_id=game, player_id=self.ada.id))
                    for who in (self.guest, self.stranger):
                        yield operation, Ask(who, method.upper(), filled + _query(named, {}), _example(told))

    def _pages(self) -> Iterator[tuple[str, Ask]]:
        for handler in web.find_handlers():
            for path in handler.paths if "GET" in handler.http_methods else ():
                plain = re.sub(r":\w+}", "}", path)
                for game in self.games if "{game_id}" in plain else [NOWHERE]:
                    for contest in self.contests.values() if "{contest_id}" in plain else [NOWHERE]:
                        known = Known(game_id=game, contest_id=contest, player_id=self.ada.id, key=KEY, game_type=KEY)
                        for who in (self.guest, self.stranger):
                            yield str(handler.name), Ask(who, "GET", plain.format_map(known))

    def _others(self) -> Iterator[tuple[str, Ask]]:
        for who in (self.guest, self.stranger):
            yield "metrics", Ask(who, "GET", "/metrics")
            for operation, path in (("import_record", "/v1/records"), ("verify_record", "/v1/records/verify")):
                yield operation, Ask(who, "POST", path, b'{"no":"record"}\n', {"Content_Type": TEXT})
                text = json.dumps({"game": self.games[0]}).encode()
                yield operation, Ask(who, "POST", path, text, {"Content_Type": TEXT})


class Known(dict[str, str]):
    """What a path may name; every other number is of nothing."""

    def __missing__(self, name: str) -> str:
        return NOWHERE if name.endswith("_id") else "1"


def _operations() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for path, item in DOCUMENT["paths"].items():
        for method, told in item.items():
            yield told["operationId"], method, path, told


def _query(named: set[str], more: dict[str, str]) -> str:
    said = {**({"max_seconds": "0"} if "max_seconds" in named else {}), **more}
    return "?" + "&".join(f"{name}={value}" for name, value in said.items()) if said else ""


def _example(told: dict[str, Any]) -> Any:
    if "requestBody" not in told:
        return None
    examples = told["requestBody"]["content"]["application/json"]["examples"]
    return next(iter(examples.values()))["value"]


# Contests, announced past the servers


def _seed(name: str) -> bytes:
    return name.encode().ljust(32, b".")


def announced(contest: UUID, seed: bytes, certificate: Certificate, positions: int) -> list[AnyRecord]:
    """As it is announced now; and a bit as it was of old, with the count in the clear: that is not told either."""
    wanted = Announcement(
        game_type=KEY, options=KIND.options(), rules=DAYS, opens=START - HOUR, closes=START + 24 * HOUR, seed=seed,
        day=today(), certificate=certificate, positions=positions,
    )  # fmt: skip
    first, sealed = ct.announce(contest, wanted)
    if certificate == "winnable":
        first = replace(first, positions=positions)
    return [ct.contest_record(contest, at, event, None, START) for at, event in enumerate((first, sealed), 1)]


async def _append(world: World, contest: UUID, records: Sequence[AnyRecord]) -> None:
    due = Companion("INSERT INTO contests_due (contest, due) VALUES (%s, %s)", (contest, ct.fold(records).due()))
    async with EventStore(world.conninfo, world.codec()) as store:
        await store.append(records, [due])


def exchanged(seed: bytes) -> dict[str, dict[int, dict[int, int]]]:
    """Of this deal the lowest cards of two columns change places: who plays sees neither."""
    dealt, shuffles, real = deal_seed(seed, (None,)), list[tuple[int, Any]](), Chance.shuffle

    def noted(self: Chance, cards: Any) -> Any:
        outcome = real(self, cards)
        shuffles.append((self.number, outcome.cards))
        return outcome

    Chance.shuffle = noted  # type: ignore[method-assign]
    try:
        options = KIND.get(OptionRules).settle(KIND.options(), 1)
        state = KIND.initial(options, 1)
        for event in KIND.deal(options, Chance(dealt), 1):
            state = KIND.evolve(state, event)
    finally:
        Chance.shuffle = real  # type: ignore[method-assign]
    ((number, outcome),) = shuffles
    one, other = (list(outcome).index(column[0]) for column in state.columns[-2:])
    return {dealt.hex(): {number: {one: other, other: one}}}
