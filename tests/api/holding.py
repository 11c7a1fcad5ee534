"""Holding same-deal contests: announced past the running server, and closed while none runs, by a clock put forward."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import httpx

from domain.contest.aggregate import Announcement
from domain.games import GAME_TYPES
from domain.league.rules import DAYS, DayRules
from service.contests.attempts import Contests
from service.contests.certificates import ExaminedDeal
from service.event_store import ids
from service.event_store.store import EventStore
from service.keys.signing import Ring
from service.live.openings import fresh_secret
from service.live.room import Room
from service.live.shapes import today
from service.live.signatures import Signatures

from . import truth
from .playing import RESIGN, Game, moves, say
from .serving import KEYS, Player, Service, done

R = TypeVar("R")
HOUR = 3_600_000_000
_DAY, _LASTS = 86_400, 150


def announced(
    conninfo: str,
    key: str,
    rules: DayRules = DAYS,
    day: str | None = None,
    looked: ExaminedDeal | None = None,
    opens_in: int = -HOUR,
    **options: Any,
) -> str:
    """The id of a contest that is open for some hours; of today, unless another day is named.

    With the deal that a solver has `looked` at, and what it told of it.
    """
    looked = looked or ExaminedDeal(seed=fresh_secret().seed)
    at, kind = ids.now(), GAME_TYPES[key]
    announcement = Announcement(
        game_type=key, options=kind.options(**options), rules=rules, opens=at + opens_in,
        closes=at + opens_in + 6 * HOUR, seed=looked.seed, day=day or lasting_day(),
        certificate=looked.certificate, positions=looked.positions, line=looked.line,
    )  # fmt: skip

    async def announce(contests: Contests) -> str:
        return str((await contests.announce(announcement)).id)

    return _with(conninfo, announce, 0)


def lasting_day() -> str:
    """The day of UTC, one of which some minutes are left: shortly before midnight the next one is waited for.

    So what a test asks of "today" it asks of the day of its contest.
    """
    if (left := _DAY - time.time() % _DAY) < _LASTS:
        time.sleep(left + 0.1)
    return today()


def close_all(conninfo: str) -> None:
    """A day later; no server may run, for it would not hear of it."""

    async def close(contests: Contests) -> None:
        for contest in await contests.closing.due():
            await contests.closing.close(contest)

    _with(conninfo, close, 24 * HOUR)


def _with(conninfo: str, do: Callable[[Contests], Awaitable[R]], ahead: int) -> R:
    async def run() -> R:
        ring = Ring(KEYS)
        ring.open()
        async with EventStore(conninfo, truth.codec()) as store:
            return await do(Contests(store, Room(store, 100, Signatures(ring)), lambda: ids.now() + ahead))

    return asyncio.run(run())


def entered(player: Player, contest: str) -> Game:
    """The player's attempt, as the answer told it."""
    return done(player.post(f"/v1/contests/{contest}/enter"), 201)


def move(player: Player, game: Game) -> None:
    """The first move that is listed."""
    done(say(player, game, moves(player, game)[0]))


def resign(player: Player, game: Game) -> None:
    done(say(player, game, RESIGN))


def settled(service: Service) -> None:
    """The read models have come as far as the log."""
    while (state := service.http.get("/readyz").json())["read_position"] < state["log_position"]:
        time.sleep(0.01)


def text_of(http: httpx.Client, path: str, media_type: str) -> str:
    answer = http.get(path, headers={"accept": media_type})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(media_type)
    return answer.text
