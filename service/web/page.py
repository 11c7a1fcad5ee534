"""A page: its visitor, template, headers, and the pictures of games that it links; its errors."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from time import monotonic
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl, quote, urlsplit
from uuid import UUID

import structlog
from cachetools import LRUCache
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from markupsafe import Markup
from msgspec import Struct

from domain.capabilities import Presets
from domain.game_type import Illegal
from domain.games import GAME_TYPES
from service.accounts import sessions
from service.accounts.access import Caller
from service.accounts.players import Accounts
from service.event_store import log_positions
from service.event_store.errors import NotLeased, StaleVersion, StoreUnavailable
from service.house.players import levels_of
from service.http import refusals
from service.http.bodies import media_type_of
from service.http.call import Call
from service.http.operation import newest_own_position
from service.http.representation import CODERS, DOCUMENTS, DRAWING, NO_STORE, SHORT, SVG, choose_coding, compress
from service.live.seats import delay_refusal
from service.live.shapes import SeatHolder
from service.pictures.svg import draw_opening
from service.pictures.words import name_players
from service.problems import KINDS, Problem, Refused, problem
from service.web.static_files import address
from service.workers.reads import RecentReads

_HEADERS = {"Cache-Control": "public, max-age=31536000, immutable"}


def picture_of(key: str) -> Markup:
    """An `img` of the game type's table, loaded once it comes into view; drawn here once in a process."""
    return Markup('<img src="/pictures/{}/{}.svg" width="480" height="320" alt="" loading="lazy">').format(
        _digest(key), key
    )


@cache
def _draw_table(key: str) -> bytes:
    return draw_opening(GAME_TYPES[key]).encode()


@cache
def _digest(key: str) -> str:
    return sha256(_draw_table(key)).hexdigest()[:16]


async def _answer_picture(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The picture, the same for ever under its path; 404 for every other name."""
    key, digest = request.path_params["name"].removesuffix(".svg"), request.path_params["digest"]
    if key not in GAME_TYPES or digest != _digest(key):
        raise Refused("no_such_thing", "There is no such picture.")
    return await answer_drawing(request, _draw_table(key), _HEADERS)


async def answer_drawing(request: Request[Any, Any, Any], drawn: bytes, headers: dict[str, str]) -> Response[bytes]:
    """The SVG as an answer, compressed as the request wants it: nothing in it is a secret."""
    answer_headers = {**headers, **DRAWING, "Vary": "Accept-Encoding"}
    if (coding := choose_coding(request.scope["headers"], *CODERS)) is not None:
        tag = sha256(drawn).hexdigest()
        drawn, answer_headers["Content-Encoding"] = await compress(tag, coding, drawn), coding
    return Response(drawn, media_type=SVG, headers=answer_headers)


picture = HTTPRouteHandler("/pictures/{digest:str}/{name:str}", http_method="GET", name="picture", status_code=200)(
    _answer_picture
)


HTML = "text/html"  # in UTF-8, as the framework adds
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {"Content-Security-Policy": _POLICY, "Cache-Control": NO_STORE, **DOCUMENTS}
"""Further headers of pages: no inline code, nothing from other origins."""


def render_page(template: str, status_code: int, **values: Any) -> Response[Any]:
    """This template with these values as an answer; every value is escaped unless it is markup of ours."""
    return Response(fill_template(template, **values), status_code=status_code, media_type=HTML, headers=HEADERS)


def compress_page(headers: Iterable[tuple[bytes, bytes]], answer: Response[Any]) -> None:
    """Compress a page for a visitor without a session: it has no secret that its length could reveal (BREACH)."""
    text = answer.content
    if not isinstance(text, str) or len(text) < SHORT or answer.cookies:
        return
    answer.headers["Vary"] = "Accept-Encoding"
    if (coding := choose_coding(headers, *CODERS)) is not None:
        answer.content, answer.headers["Content-Encoding"] = CODERS[coding](text.encode()), coding


def fill_template(template: str, **values: Any) -> str:
    """This template with these values as text."""
    return _ENVIRONMENT.get_template(template).render(**values)


def redirect(where: str) -> Response[Any]:
    """A redirect after a posted form, or to the page to sign in at (303)."""
    return Response(None, status_code=303, headers={**HEADERS, "Location": where})


def when(moment: datetime) -> Markup:
    """A time as people and programs read it, in UTC."""
    exact, text = moment.isoformat().replace("+00:00", "Z"), f"{moment.day} {moment:%b %Y, %H:%M} UTC"
    return Markup('<time datetime="{}">{}</time>').format(exact, text)


def day(moment: date) -> Markup:
    """A day as people and programs read it; of a time its day in UTC."""
    return Markup('<time datetime="{}">{}</time>').format(f"{moment:%Y-%m-%d}", f"{moment.day} {moment:%b %Y}")


_SEAT = re.compile(r"\bseat_(\d+)\b")


def words(slug: object) -> str:
    """`all_home` as `all home`, `seat_0` as `player 1`: people count from 1."""
    return _SEAT.sub(lambda match: f"player {int(match[1]) + 1}", str(slug)).replace("_", " ")


def title(slug: object) -> str:
    """`all_home` as `All home`."""
    text = words(slug)
    return text[:1].upper() + text[1:]


def house_levels(key: str) -> Sequence[str]:
    """How strong the house's bots for this game type are; none where it does not play."""
    return levels_of(GAME_TYPES[key])


def type_name(key: str) -> str:
    """What the game type is called."""
    return GAME_TYPES[key].name if key in GAME_TYPES else title(key)


def chosen(value: object, key: str, option: str) -> str:
    """An option's value in words; a preset by its name."""
    if value is None or isinstance(value, bool):
        return {True: "yes", False: "no", None: "any"}[value]
    return preset_name(key, option, value) or words(value)


def preset_name(key: str, option: str, value: object) -> str | None:
    """The label of the preset with this value of the option `preset`."""
    presets = GAME_TYPES[key].get(Presets).presets if option == "preset" and key in GAME_TYPES else ()
    return next((preset.label for preset in presets if getattr(preset.options, option, None) == value), None)


def percent(share: float) -> str:
    """0.4285 as `43 %`."""
    return f"{100 * share:.0f} %"


def duration(seconds: float) -> str:
    """83 seconds as `1:23`, an hour and more as `1:00:00`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def left(moment: datetime) -> Markup:
    """The time from now until then, in words and as ISO 8601 has it: `3 h 20 min`; the script counts it down."""
    minutes = max(int((moment - datetime.now(UTC)).total_seconds()) // 60, 0)
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [f"{number} {unit}" for number, unit in ((days, "d"), (hours, "h"), (minutes, "min")) if number]
    exact = moment.isoformat().replace("+00:00", "Z")
    return Markup('<time datetime="P{}DT{}H{}M" data-until="{}">{}</time>').format(
        days, hours, minutes, exact, " ".join(parts[:2]) or "0 min"
    )


def ago(moment: datetime) -> Markup:
    """The time since then in one unit; after a day, the date."""
    minutes = int((datetime.now(UTC) - moment).total_seconds()) // 60
    if minutes >= 1440:
        return day(moment)
    text = "just now" if minutes < 1 else f"{minutes} min ago" if minutes < 60 else f"{minutes // 60} h ago"
    return Markup('<time datetime="{}">{}</time>').format(moment.isoformat().replace("+00:00", "Z"), text)


def plain(number: float) -> str:
    """A number without a needless fraction."""
    return f"{number:g}" if number % 1 else f"{number:.0f}"


_ENVIRONMENT = Environment(
    loader=PackageLoader("service.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True,
)  # fmt: skip
_ENVIRONMENT.filters.update(
    when=when, day=day, left=left,
    ago=ago, chosen=chosen, words=words, title=title, type_name=type_name, percent=percent,
    duration=duration, plain=plain, name_players=name_players,
)  # fmt: skip
_ENVIRONMENT.policies["json.dumps_kwargs"] = {"sort_keys": True, "separators": (",", ":")}
_ENVIRONMENT.globals.update(static=address, picture_of=picture_of, house_levels=house_levels)


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
        """The holders of these seats, by id."""
        return await self.of(None if seat.player is None else seat.player.id for seat in seats)

    async def _bot(self, player: UUID) -> bool:
        if (bot := self._bots.get(player)) is None:
            bot = self._bots[player] = (await self._accounts.player(player)).bot
        return bot


def seat_people(seats: Iterable[SeatHolder], people: Mapping[UUID, Person]) -> tuple[Person | None, ...]:
    """The holder of each seat; None for an empty one."""
    return tuple(None if seat.player is None else people[seat.player.id] for seat in seats)


class Visit(Call[None, None]):
    """One request for a page; `caller` is None for a visitor who is not signed in."""

    def __init__(self, request: AnyRequest, caller: Caller | None) -> None:
        super().__init__(request, None, None, caller, request.app.state.parts)
        self.people: People = request.app.state.people
        self.reads = RecentReads((self.reads,), newest_own_position(self))

    @property
    def cursor(self) -> str | None:
        """The cursor of the next page of a list."""
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
        """The visitor's player id; None if not signed in."""
        return None if self.caller is None else self.caller.player

    def may_play(self, scope: str = "play") -> UUID:
        """The visitor's player id; raises Refused if they are not signed in or their token lacks the scope."""
        if self.caller is not None and scope not in self.caller.scopes:
            raise Refused("scope_missing", f"You are signed in with a token that may not {_MAY[scope]}.")
        return self.player

    async def show(self, template: str, status_code: int = 200, **values: Any) -> Response[Any]:
        """This template as an answer, 409 with a `refusal`; it gets the visitor, and the next page of a list."""
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
        super().__init__(visit.request, None, query, visit.caller, visit.parts)
        self.reads, self._ids = visit.reads, ids

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
                await delay_refusal(visit.room.query_missing_game, refusal, began)
                raise
            if method == "GET" and visit.caller is None and not stale:
                compress_page(request.scope["headers"], answer)
            if written.position and visit.caller is not None:
                visit.parts.writers.keep(visit.caller.player, written.position)
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


_LOG = structlog.get_logger("pages")


def error_page(problem: Problem) -> Response[Any]:
    """The page of this problem; it does not know who visits."""
    return render_page("error.html", problem.status, problem=problem, you=None, unknown_visitor=True)


def _page_of(request: AnyRequest, error: Exception) -> Response[Any]:
    match error:
        case Refused(kind="unauthenticated"):
            return redirect(_sign_in_address(request))
        case Refused():
            return error_page(error.problem)
        case Illegal():
            return error_page(refusals.problem_of_rule(error))
        case StoreUnavailable():
            return error_page(problem("unavailable", "The store cannot be reached; try again soon."))
        case StaleVersion():
            return error_page(problem("stale_version", "Somebody was faster; look again and repeat."))
        case HTTPException():
            kind = refusals.KIND_OF_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "broken")
            return error_page(problem(kind, KINDS[kind].when))
        case _:
            _LOG.error("page failed", method=request.method, path=request.url.path, exc_info=error)
            return error_page(problem("broken", "A fault of the service; it has been logged."))


def _sign_in_address(request: AnyRequest) -> str:
    """The address to sign in, and then go on to the requested page, or the page of the sent form."""
    path = request.url.path if request.method == "GET" else urlsplit(request.headers.get("referer", "")).path
    with suppress(HTTPException):  # a refused form is a page without an address of its own
        request.app.asgi_router.handle_routing(path, "GET")
        return f"/sign-in?back={quote(path)}"
    return "/sign-in"


PAGES: dict[Any, Callable[..., Response[Any]]] = {
    **dict.fromkeys((Refused, Illegal, StoreUnavailable, StaleVersion, HTTPException, Exception), _page_of),
    NotLeased: refusals.HANDLERS[NotLeased],
}


def unrouted_page(request: AnyRequest, error: HTTPException) -> Response[Any]:
    """The answer to an error outside all routes: a page if the client accepts HTML outside `/v1/`, else a problem."""
    reads_pages = "text/html" in request.headers.get("accept", "")
    if reads_pages and not request.url.path.startswith("/v1/"):
        return _page_of(request, error)
    return refusals.HANDLERS[HTTPException](request, error)
