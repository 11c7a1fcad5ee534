"""Limits: so many requests in a while for each player, or each address without one, told in every answer.

All players of one address have a larger quota together: whoever registers often gains little.

Headers as in the IETF draft "RateLimit header fields for HTTP": `RateLimit-Policy` names the quotas and their windows,
`RateLimit` what is left of each and the seconds until it is whole again. Every process counts for itself: a service of
four processes gives up to four times as much.
"""

import time
from collections.abc import Awaitable, Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Send

from service.problems import Refused
from service.settings import Settings

_KEPT = 10_000
WEIGHT = 16_384
"""Bytes of a body that count as one request more."""
MINUTE, HOUR = 60, 3600

SPENT = "quota"
"""Where the scope of a request keeps what it took of the quota of its operation."""

OF_OPERATION: dict[str, str] = {
    "play": "commands",
    "register_player": "registrations",
    "page POST /register": "registrations",
    **dict.fromkeys(
        (
            "open_game", "fork_game", "open_rematch", "import_moves", "enter_contest", "announce_league_contest",
            "found_league", "open_season", "open_fixture", "mint_token", "page POST /sign-in",
            "page POST /games/new/{key:str}", "page POST /leagues/new/{key:str}",
            "page POST /contests/{contest_id:uuid}/attempt",
            "page POST /leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}/{deed:str}",
        ),
        "openings",
    ),
    **dict.fromkeys(
        (
            "import_record", "verify_record", "verify_game", "replay_page", "get_record", "get_witness", "list_frames",
            "list_moments", "feed_games", "stream_game", "list_games", "openapi_document", "openapi_page",
        ),
        "heavy",
    ),
}  # fmt: skip
"""The quota that an operation takes from besides the general one. Heavy is what costs several looks at a game,
or sends as much."""


class Left(NamedTuple):
    """What is left of a quota: requests (negative: refused), and seconds until it is whole again."""

    requests: int
    seconds: int


_made: Any = tuple.__new__  # half of what the classes themselves take; this runs for every request


class Windows:
    """So many requests for each key, in windows of so many seconds that begin with the first request."""

    def __init__(self, amount: int, seconds: int, clock: Callable[[], float]) -> None:
        self._amount, self._seconds = amount, seconds
        self._clock = clock
        self._used: dict[bytes, list[Any]] = {}

    def __len__(self) -> int:
        return len(self._used)

    def take(self, key: bytes, count: int) -> Left:
        """So many more requests under this key."""
        at = self._clock()
        used = self._used.get(key)
        if used is None or at - used[0] >= self._seconds:
            used = self._began(key, at)
        used[1] += count
        left: Left = _made(Left, (self._amount - used[1], int(used[0] + self._seconds - at) + 1))
        return left

    def _began(self, key: bytes, at: float) -> list[Any]:
        if key not in self._used and len(self._used) >= _KEPT:
            self._forget(at)
        used = self._used[key] = [at, 0]
        return used

    def _forget(self, at: float) -> None:
        """Keys whose window is over; all of them if there are none."""
        self._used = {key: used for key, used in self._used.items() if at - used[0] < self._seconds}
        if len(self._used) >= _KEPT:
            self._used.clear()


class Quotas:
    """One quota for each sender, and one of `players` times as much for each address that senders share."""

    def __init__(
        self, name: str, amount: int, seconds: int, players: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.policy = b'"%s";q=%d;w=%d' % (name.encode(), amount, seconds)
        self.form = b'"%s";r=%%d;t=%%d' % name.encode()
        self._of_sender = Windows(amount, seconds, clock)
        self._of_address = Windows(amount * players, seconds, clock)

    def take(self, sender: bytes, address: bytes, count: int = 1) -> Left:
        """So many more requests of this sender: what is left of their quota, or of their address's if that is less.

        What a sender asks for beyond their own quota costs their neighbours nothing.
        """
        left = self._of_sender.take(sender, count)
        if sender == address or left[0] < 0:
            return left
        together = self._of_address.take(address, count)
        return together if together[0] < left[0] else left


class Spent(NamedTuple):
    """What a request took of the quota of its operation, and of whose; `refused` if there was too little."""

    quotas: Quotas
    sender: bytes
    address: bytes
    left: Left
    refused: bool


def operations_quotas(settings: Settings) -> dict[str, Quotas]:
    """The quotas of single operations by name. One that is not set is a share of the general quota."""
    general, players = settings.rate_limit_per_minute, settings.players_per_address
    amounts = {
        "commands": _chosen(settings.commands_per_minute, general // 2),
        "openings": _chosen(settings.openings_per_minute, general // 10),
        "heavy": _chosen(settings.heavy_per_minute, general // 10),
    }
    registrations = _chosen(settings.registrations_per_hour, max(5, general // 100))
    return {
        **{name: Quotas(name, amount, MINUTE, players) for name, amount in amounts.items()},
        "registrations": Quotas("registrations", registrations, HOUR),
    }


def _chosen(setting: int | None, share: int) -> int:
    return max(1, share) if setting is None else setting


def limit(handlers: Iterable[HTTPRouteHandler], quotas: dict[str, Quotas]) -> list[HTTPRouteHandler]:
    """The same handlers, each behind the quota of its operation."""
    return [
        handler if (name := quota_of(str(handler.name))) is None else behind(handler, _taking(quotas[name], name))
        for handler in handlers
    ]


def quota_of(operation: str) -> str | None:
    """The quota that an operation takes from besides the general one; a page costs several looks."""
    return OF_OPERATION.get(operation) or ("heavy" if operation.startswith("page GET") else None)


def behind(handler: HTTPRouteHandler, layer: Callable[[ASGIApp], ASGIApp]) -> HTTPRouteHandler:
    """The same handler behind one more layer, which stands before those that it has."""
    made = copy(handler)
    made.middleware = (layer, *(handler.middleware or ()))
    return made


def _taking(quotas: Quotas, name: str) -> Callable[[ASGIApp], ASGIApp]:
    key = "address" if name == "registrations" else "sender"  # whoever registers may have as many tokens as they like

    def taking(app: ASGIApp) -> ASGIApp:
        def taken(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
            left = quotas.take(sender := scope[key], where := scope["address"])
            scope[SPENT] = _made(Spent, (quotas, sender, where, left, left[0] < 0))
            if left[0] < 0:
                raise too_many(left)
            return app(scope, receive, send)

        return taken

    return taking


def spend(scope: Any, count: int) -> None:
    """The request turns out to be so many more than the one it was taken for: a list of commands."""
    spent: Spent | None = scope.get(SPENT)
    if spent is not None and count > 0:
        left = spent.quotas.take(spent.sender, spent.address, count)
        scope[SPENT] = spent._replace(left=left)


def weigh(scope: Any, size: int) -> None:
    """A body of so many bytes counts as a request for each `WEIGHT` of them: what is long to read is seldom read."""
    if size >= WEIGHT:
        requests: Quotas = scope["app"].state["requests"]
        requests.take(scope["sender"], scope["address"], size // WEIGHT)


def too_many(left: Left) -> Refused:
    """The refusal of a request beyond its quota."""
    return Refused("too_many_requests", f"The limit is reached; come back in {left.seconds} s.")
