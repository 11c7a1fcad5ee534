"""One page: who visits, players as pages name them, what is rendered, and the Litestar handler made of it."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from time import monotonic
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl
from uuid import UUID

from cachetools import LRUCache
from litestar import Request, Response
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from domain.game_type import Illegal
from service.accounts import sessions
from service.accounts.access import Caller
from service.accounts.players import Accounts
from service.event_store import log_positions
from service.http.bodies import media_type_of
from service.http.operation import Call
from service.live.seats import delay_refusal
from service.live.shapes import SeatHolder
from service.problems import Refused
from service.web.rendering import HTML, compress_page, render_page
from service.workers.reads import newest_own_position, primary_services

AnyRequest = Request[Any, Any, Any]
FORM = "application/x-www-form-urlencoded"
Q = TypeVar("Q")
_CACHED_PLAYERS = 10_000
_MAY = {"play": "play", "records:write": "bring in records of games"}


class Person(Struct, frozen=True):
    """A player; the name is None once the player is erased."""

    id: UUID
    name: str | None
    bot: bool


class People:
    """Looks players up; caches which players are programs, for that never changes."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts
        self._bots: LRUCache[UUID, bool] = LRUCache(_CACHED_PLAYERS)

    async def one(self, player: UUID) -> Person:
        """This player."""
        return (await self.of([player]))[player]

    async def of(self, players: Iterable[UUID | None]) -> dict[UUID, Person]:
        """These players, by id."""
        ids = list(dict.fromkeys(player for player in players if player is not None))
        names = await self._accounts.names(ids) if ids else {}
        return {player: Person(player, names.get(player), await self._bot(player)) for player in ids}

    async def holding(self, seats: Iterable[SeatHolder]) -> dict[UUID, Person]:
        """Who holds these seats, by id."""
        return await self.of(None if one.player is None else one.player.id for one in seats)

    async def _bot(self, player: UUID) -> bool:
        if (bot := self._bots.get(player)) is None:
            bot = self._bots[player] = (await self._accounts.player(player)).bot
        return bot


def seat_people(seats: Iterable[SeatHolder], people: Mapping[UUID, Person]) -> tuple[Person | None, ...]:
    """Who of these people holds each seat; None for an empty one."""
    return tuple(None if one.player is None else people[one.player.id] for one in seats)


class Visit(Call[None, None]):
    """One request for a page; `caller` is None for whoever is not signed in."""

    def __init__(self, request: AnyRequest, caller: Caller | None) -> None:
        super().__init__(request, None, None, caller, request.app.state.services)
        self.people: People = request.app.state.people
        self.services = primary_services(self.services, newest_own_position(self))[0]

    @property
    def cursor(self) -> str | None:
        """Where a page of a list goes on."""
        return self.request.query_params.get("cursor")

    def asking(self, query: Q, **ids: UUID) -> "Asked[Q]":
        """An API call by this visitor, with this query; `ids` replace ids of the path."""
        return Asked(self, query, ids)

    @property
    def key(self) -> str:
        """The game type's key in the path."""
        return str(self.request.path_params["game_type"])

    @property
    def visitor(self) -> UUID | None:
        """The visitor's player id; None for whoever is not signed in."""
        return None if self.caller is None else self.caller.player

    def may_play(self, scope: str = "play") -> UUID:
        """The visitor's player id; raises Refused if they are not signed in or their token lacks the scope."""
        if self.caller is not None and scope not in self.caller.scopes:
            raise Refused("scope_missing", f"You are signed in with a token that may not {_MAY[scope]}.")
        return self.player

    async def show(self, template: str, status_code: int = 200, **values: Any) -> Response[Any]:
        """This template as an answer, 409 with a `refusal`; it knows who visits, and whether a list goes on."""
        if "you" not in values:
            values["you"] = None if self.visitor is None else await self.people.one(self.visitor)
        if values.get("refusal") and status_code == 200:
            status_code = 409
        return render_page(template, status_code, further=self.cursor is not None, **values)

    async def form_if_any(self) -> dict[str, str]:
        """The fields of a posted form; none for a form of a single button, whose body is empty. Raises Refused."""
        return await self.form() if await self.request.body() else {}

    async def form(self) -> dict[str, str]:
        """The fields of a posted form, the last of each name; raises Refused."""
        return dict(await self.form_fields())

    async def form_fields(self) -> list[tuple[str, str]]:
        """The fields of a posted form, in their order; raises Refused."""
        if media_type_of(self.request.scope["headers"]) != FORM:
            raise Refused("unsupported_media_type", "The body must be a form.")
        try:
            body = (await self.request.body()).decode()
            return parse_qsl(body, keep_blank_values=True, strict_parsing=bool(body), max_num_fields=200)
        except ValueError as error:
            raise Refused("malformed", "The form cannot be read.") from error


class Asked(Call[None, Q]):
    """A call that a page makes to functions of the API; `ids` replace ids of the path."""

    def __init__(self, visit: Visit, query: Q, ids: Mapping[str, UUID]) -> None:
        super().__init__(visit.request, None, query, visit.caller, visit.services)
        self._ids = ids

    def id(self, name: str) -> UUID:
        """An id that the page names, or one of the path."""
        return self._ids[name] if name in self._ids else super().id(name)


Handler = Callable[[Visit], Awaitable[Response[Any]]]


def page(path: str, method: Literal["GET", "POST"] = "GET") -> Callable[[Handler], HTTPRouteHandler]:
    """Make a Litestar handler of a function of one Visit. A POST must come from our own pages, signed in or not."""

    def make(handler: Handler) -> HTTPRouteHandler:
        async def endpoint(request: AnyRequest) -> Response[Any]:
            began = monotonic()
            sessions.check_own_site(request)
            visit, stale = await _visit(request)
            written = log_positions.begin_request()
            try:
                answer = await handler(visit)
            except (Refused, Illegal) as refusal:
                await delay_refusal(visit.services.room, refusal, began)
                raise
            if method == "GET" and visit.caller is None and not stale:
                compress_page(request.scope["headers"], answer)
            if written.position and visit.caller is not None:
                visit.services.writers.keep(visit.caller.player, written.position)
            if stale:
                answer.set_cookie(sessions.no_cookie(request))
            return answer

        name = f"page {method} {path}"
        endpoint.__name__ = handler.__name__
        return HTTPRouteHandler(path, http_method=method, name=name, status_code=200, media_type=HTML)(endpoint)

    return make


async def _visit(request: AnyRequest) -> tuple[Visit, bool]:
    """The visit, and whether its session cookie has expired: the visitor is then not signed in."""
    try:
        caller = await sessions.caller(request)
        return Visit(request, caller if caller is not None and "games:read" in caller.scopes else None), False
    except Refused as error:
        if error.kind != "unauthenticated":
            raise
        return Visit(request, None), sessions.uses_cookie(request)
