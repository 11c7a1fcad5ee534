"""Limits: a quota of requests per time for each player, or each address without a token; every answer has the state.

All players of one address share a larger quota: registering many players gains little.

Headers as in the IETF draft "RateLimit header fields for HTTP": `RateLimit-Policy` names the quotas and their windows,
`RateLimit` the rest of each and the seconds until it is full again. Each process counts alone: a service of four
processes allows up to four times as much.
"""

import time
from collections.abc import Awaitable, Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Receive, Send

from service.problems import Refused
from service.settings import Settings

_MOST_KEYS = 10_000
BYTES_PER_REQUEST = 16_384
"""Bytes of a body that count as one request more."""
MINUTE, HOUR = 60, 3600

SPENT = "quota"
"""The key in a request's scope of its use of the operation's quota (`QuotaSpent`)."""

OF_OPERATION: dict[str, str] = {
    **dict.fromkeys(("post_command", "post_commands"), "commands"),
    "register_player": "registrations",
    "page POST /register": "registrations",
    "page POST /games/new/{game_type:str}/as-guest": "registrations",
    "page POST /games/{game_id:uuid}/new-deal/as-guest": "registrations",
    "page POST /games/{game_id:uuid}/deal/as-guest": "registrations",
    **dict.fromkeys(
        (
            "open_game", "fork_game", "open_rematch", "import_moves", "enter_contest", "announce_league_contest",
            "found_league", "open_season", "open_fixture", "mint_token", "register_app", "authorize_device",
            "page POST /account/tokens", "page POST /device", "page POST /device/answer",
            "page POST /sign-in", "page POST /sign-in/passkey/challenge", "page POST /sign-in/passkey",
            "page POST /sign-in/code",
            "page POST /games/new/{game_type:str}", "page POST /games/new/{game_type:str}/deal",
            "page POST /games/{game_id:uuid}/new-deal", "page POST /games/{game_id:uuid}/deal",
            "page POST /leagues/new/{game_type:str}",
            "page POST /contests/{contest_id:uuid}/attempt",
            "page POST /leagues/{league_id:uuid}/fixtures/{fixture_id:uuid}/{deed:str}",
        ),
        "openings",
    ),
    **dict.fromkeys(
        (
            "import_record", "verify_record", "verify_game", "get_replay_page", "get_embedded_replay",
            "get_oembed", "get_record", "get_witness", "analyse_game", "judge_deal", "get_analysis_line", "get_hint",
            "list_frames", "list_moments", "get_feed", "stream_game", "list_games", "get_openapi_document",
            "get_reference_page",
        ),
        "heavy",
    ),
}  # fmt: skip
"""Operation id -> its quota in addition to the general one. Heavy: costs as much as several views of a game."""


class QuotaLeft(NamedTuple):
    """The rest of a quota: requests (negative: refused), and seconds until it is full again."""

    requests: int
    seconds: int


_new_tuple: Any = tuple.__new__  # half the time of calling the class; this runs for every request


class Windows:
    """`amount` requests per key in a window of `seconds`, which begins with the first request."""

    def __init__(self, amount: int, seconds: int, clock: Callable[[], float]) -> None:
        self._amount, self._seconds = amount, seconds
        self._clock = clock
        self._used: dict[bytes, list[Any]] = {}

    def __len__(self) -> int:
        return len(self._used)

    def take(self, key: bytes, count: int) -> QuotaLeft:
        """Count these requests under the key; returns the rest."""
        at = self._clock()
        used = self._used.get(key)
        if used is None or at - used[0] >= self._seconds:
            used = self._begin_window(key, at)
        used[1] += count
        left: QuotaLeft = _new_tuple(QuotaLeft, (self._amount - used[1], int(used[0] + self._seconds - at) + 1))
        return left

    def _begin_window(self, key: bytes, at: float) -> list[Any]:
        if key not in self._used and len(self._used) >= _MOST_KEYS:
            self._used = {key: used for key, used in self._used.items() if at - used[0] < self._seconds}
            if len(self._used) >= _MOST_KEYS:  # no window is over
                self._used.clear()
        used = self._used[key] = [at, 0]
        return used


class Quotas:
    """A quota for each sender, and one `players` times as large for each address that senders share."""

    def __init__(
        self, name: str, amount: int, seconds: int, players: int = 1, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.policy = b'"%s";q=%d;w=%d' % (name.encode(), amount, seconds)
        self.form = b'"%s";r=%%d;t=%%d' % name.encode()
        self._of_sender = Windows(amount, seconds, clock)
        self._of_address = Windows(amount * players, seconds, clock)

    def take(self, sender: bytes, address: bytes, count: int = 1) -> QuotaLeft:
        """Count these requests; returns the rest of the sender's quota, or of the address's if that is less.

        Requests beyond the sender's own quota do not count against the address.
        """
        left = self._of_sender.take(sender, count)
        if sender == address or left[0] < 0:
            return left
        together = self._of_address.take(address, count)
        return together if together[0] < left[0] else left


class QuotaSpent(NamedTuple):
    """A request's use of its operation's quota, and its sender; `refused`: too little was left."""

    quotas: Quotas
    sender: bytes
    address: bytes
    left: QuotaLeft
    refused: bool


def operations_quotas(settings: Settings) -> dict[str, Quotas]:
    """Name -> quota of single operations. A quota without a setting is a share of the general one."""
    general, players = settings.rate_limit_per_minute, settings.players_per_address
    amounts = {
        "commands": _choose_amount(settings.commands_per_minute, general // 2),
        "openings": _choose_amount(settings.openings_per_minute, general // 10),
        "heavy": _choose_amount(settings.heavy_per_minute, general // 10),
    }
    registrations = _choose_amount(settings.registrations_per_hour, max(5, general // 100))
    return {
        **{name: Quotas(name, amount, MINUTE, players) for name, amount in amounts.items()},
        "registrations": Quotas("registrations", registrations, HOUR),
    }


def _choose_amount(setting: int | None, share: int) -> int:
    return max(1, share) if setting is None else setting


def limit(handlers: Iterable[HTTPRouteHandler], quotas: dict[str, Quotas]) -> list[HTTPRouteHandler]:
    """The same handlers, each behind the quota of its operation."""
    limited = []
    for handler in handlers:  # without a quota of their own pages are heavy
        operation = str(handler.name)
        name = OF_OPERATION.get(operation) or ("heavy" if operation.startswith("page GET") else None)
        limited.append(handler if name is None else with_layer(handler, _make_quota_layer(quotas[name], name)))
    return limited


def with_layer(handler: HTTPRouteHandler, layer: Callable[[ASGIApp], ASGIApp]) -> HTTPRouteHandler:
    """A copy of the handler with one more layer, outermost."""
    made = copy(handler)
    made.middleware = (layer, *(handler.middleware or ()))
    return made


def _make_quota_layer(quotas: Quotas, name: str) -> Callable[[ASGIApp], ASGIApp]:
    key = "address" if name == "registrations" else "sender"  # one sender may register any number of players

    def with_quota(app: ASGIApp) -> ASGIApp:
        def serve(scope: Any, receive: Receive, send: Send) -> Awaitable[None]:
            left = quotas.take(sender := scope[key], where := scope["address"])
            scope[SPENT] = _new_tuple(QuotaSpent, (quotas, sender, where, left, left[0] < 0))
            if left[0] < 0:
                raise too_many(left)
            return app(scope, receive, send)

        return serve

    return with_quota


def spend(scope: Any, count: int) -> None:
    """Charge `count` more requests to the operation's quota: for a list of commands."""
    spent: QuotaSpent | None = scope.get(SPENT)
    if spent is not None and count > 0:
        left = spent.quotas.take(spent.sender, spent.address, count)
        scope[SPENT] = spent._replace(left=left)


def weigh(scope: Any, size: int) -> None:
    """Charge the general quota one request for each `BYTES_PER_REQUEST` bytes of a body."""
    if size >= BYTES_PER_REQUEST:
        requests: Quotas = scope["app"].state["requests"]
        requests.take(scope["sender"], scope["address"], size // BYTES_PER_REQUEST)


def too_many(left: QuotaLeft) -> Refused:
    """The refusal of a request beyond its quota."""
    return Refused("too_many_requests", f"The limit is reached; come back in {left.seconds} s.")
