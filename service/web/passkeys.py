"""Signing in and out: by a name, a token or a passkey. No address ever holds a token."""

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar
from uuid import UUID

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from msgspec import Meta, Struct

from domain.game_type import Illegal
from service.accounts import sessions
from service.accounts.passkeys import SignInParts, Site, site_of
from service.accounts.players import Token
from service.http.bodies import media_type_of
from service.http.refusals import problem_of_rule, respond
from service.http.replies import JSON
from service.http.representation import NO_STORE
from service.live import shapes
from service.problems import Refused, in_words, show_hidden
from service.web.account import require_authority
from service.web.page import Visit, page, redirect

GUEST = "guest"
"""The label of a guest's first token, whose text is never shown."""
_INSIDE = re.compile(r"/(?!/)[A-Za-z0-9_/-]*(?:\?[A-Za-z0-9_.~%&=+*:/-]{0,4000})?")
_NAME: msgspec.json.Decoder[str] = msgspec.json.Decoder(shapes.Name)


@page("/sign-in")
async def sign_in(visit: Visit) -> Response[Any]:
    """Show both ways in; `next` is the page to go on to."""
    query = visit.request.query_params
    return await _show_form(visit, back=own_path(query.get("next", "") or query.get("back", "/")))


async def _show_form(visit: Visit, back: str, status: int = 200, refusal: str = "", about: str = "") -> Response[Any]:
    return await visit.show("sign_in.html", status, back=back, refusal=refusal, about=about)


@page("/sign-in", "POST")
async def begin(visit: Visit) -> Response[Any]:
    """Begin a session with a token that the player has."""
    fields = await visit.form()
    back = own_path(fields.get("back", "/"))
    try:
        token = await _begin_session(visit, fields.get("token", "").strip())
    except Refused as error:
        return await _show_form(visit, back, error.problem.status, error.problem.detail, "token")
    return set_cookie(visit, redirect(back), token)


@page("/register", "POST")
async def register(visit: Visit) -> Response[Any]:
    """Make a player of this name, show the account's token this once, and begin a session.

    A guest gets a name and goes on at once; a passkey, a token or another name may come later.
    """
    fields = await visit.form()
    back = own_path(fields.get("back", "/"))
    if "guest" in fields:
        return set_cookie(visit, redirect(back), (await register_guest(visit))[1])
    try:
        name = _NAME.decode(msgspec.json.encode(fields.get("name", "").strip()))
    except msgspec.ValidationError:
        sentence = "A name has 1 to 40 characters, all of them visible."
        return await _show_form(visit, back, 400, sentence, "name")
    player, first = await visit.accounts.register(name, visit.settings.token_days, label="first")
    token = await _begin_session(visit, first.secret or "")
    you = await visit.people.one(player)
    ends = shapes.moment(first.expires_at)
    device = sessions.label_of(visit.request)
    response = await visit.show("registered.html", you=you, device=device, secret=first.secret, expires=ends, back=back)
    return set_cookie(visit, response, token)


async def register_guest(visit: Visit) -> tuple[UUID, Token]:
    """A new player with a guest's name, and the token of the session that has begun for them."""
    name, days = f"Guest {secrets.randbelow(9_000) + 1_000}", visit.settings.token_days
    player, first = await visit.accounts.register(name, days, label=GUEST)
    return player, await _begin_session(visit, first.secret or "")


async def open_for_guest(visit: Visit, open_game: Callable[[UUID], Awaitable[str]]) -> Response[Any]:
    """Open a game for this player and go there; a visitor who is not signed in becomes a guest."""
    if visit.caller is not None:
        return redirect(await open_game(visit.may_play()))
    player, token = await register_guest(visit)
    return set_cookie(visit, redirect(await open_game(player)), token)


@page("/sign-in/code", "POST")
async def begin_with_code(visit: Visit) -> Response[Any]:
    """Begin a session with a recovery code, which is used up, and go to the account: a passkey may be missing."""
    fields = await visit.form()
    try:
        token = await visit.area(SignInParts).recovery.sign_in(fields.get("code", ""), sessions.label_of(visit.request))
    except Refused as error:
        back = own_path(fields.get("back", "/"))
        return await _show_form(visit, back, error.problem.status, error.problem.detail, "code")
    await sessions.end(visit.accounts, visit.caller)
    return set_cookie(visit, redirect("/account"), token)


@page("/sign-out", "POST")
async def sign_out(visit: Visit) -> Response[Any]:
    """End the session: revoke its token. A guest who could not sign in again confirms first."""
    if visit.caller is not None and "sure" not in await visit.form_if_any() and await _is_lost_without(visit):
        return await visit.show("sign_out.html")
    await sessions.end(visit.accounts, visit.caller)
    answer = redirect("/")
    answer.set_cookie(sessions.no_cookie(visit.request))
    return answer


async def _is_lost_without(visit: Visit) -> bool:
    """Whether the visitor is a guest without passkey or code: the account ends with the session."""
    sign_in, caller = visit.area(SignInParts), visit.known_caller
    if await sign_in.passkeys.listed(caller.player) or await sign_in.recovery.left(caller.player):
        return False
    tokens = [token for token in await visit.accounts.tokens(caller.player) if token.id != caller.token]
    return [token.label for token in tokens] == [GUEST]


async def _begin_session(visit: Visit, secret: str) -> Token:
    """A new session's token; ends the session that the browser came with."""
    label = sessions.label_of(visit.request)
    token = await sessions.begin(visit.accounts, visit.accounts.access, secret, label)
    await sessions.end(visit.accounts, visit.caller)
    return token


def set_cookie(visit: Visit, answer: Response[Any], token: Token) -> Response[Any]:
    answer.set_cookie(sessions.cookie(visit.request, token))
    return answer


def own_path(path: str) -> str:
    """A page of ours to go back to; anything else is the front page."""
    return path if _INSIDE.fullmatch(path) else "/"


B = TypeVar("B", bound=Struct)


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty body."""


class Registered(Struct, frozen=True, forbid_unknown_fields=True):
    """A new passkey: its label, and the browser's `PublicKeyCredential`."""

    label: shapes.Name
    credential: dict[str, Any]


class Asserted(Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that was used, and the page to go back to."""

    credential: dict[str, Any]
    back: Annotated[str, Meta(max_length=300)] = "/"


def ceremony(path: str, body: type[B]) -> Callable[[Callable[[Visit, B], Awaitable[Response[Any]]]], HTTPRouteHandler]:
    """A handler at this path that takes JSON and refuses with a problem document."""
    decoder = msgspec.json.Decoder(body)

    def make(handler: Callable[[Visit, B], Awaitable[Response[Any]]]) -> HTTPRouteHandler:
        async def answer(visit: Visit) -> Response[Any]:
            try:
                if media_type_of(visit.request.scope["headers"]) != JSON:
                    raise Refused("unsupported_media_type", "The body must be application/json.")
                return await handler(visit, show_hidden(decoder.decode(await visit.request.body())))
            except msgspec.DecodeError as error:
                return respond(Refused("malformed", in_words(error)).problem)
            except Refused as refused:
                return respond(refused.problem)
            except Illegal as illegal:
                return respond(problem_of_rule(illegal))

        answer.__name__ = handler.__name__
        return page(path, "POST")(answer)

    return make


@ceremony("/account/passkeys/challenge", Nothing)
async def offer_registration(visit: Visit, body: Nothing) -> Response[Any]:
    """Answer with the options for a new passkey of the visitor."""
    await require_authority(visit)
    you = await visit.people.one(visit.player)
    return _answer_json(
        await visit.area(SignInParts).passkeys.registration_options(_find_site(visit), you.id, you.name or "")
    )


@ceremony("/account/passkeys", Registered)
async def add_passkey(visit: Visit, body: Registered) -> Response[Any]:
    """Register the passkey."""
    await require_authority(visit)
    await visit.area(SignInParts).passkeys.add(_find_site(visit), visit.player, body.label, body.credential)
    return _answer_json(b'{"location":"/account"}', 201)


@ceremony("/sign-in/passkey/challenge", Nothing)
async def offer_sign_in(visit: Visit, body: Nothing) -> Response[Any]:
    """Answer with the options for signing in."""
    return _answer_json(await visit.area(SignInParts).passkeys.sign_in_options(_find_site(visit)))


@ceremony("/sign-in/passkey", Asserted)
async def sign_in_with_passkey(visit: Visit, body: Asserted) -> Response[Any]:
    """Begin a session for the passkey's player; it ends the session that the browser came with."""
    label = sessions.label_of(visit.request)
    token = await visit.area(SignInParts).passkeys.sign_in(_find_site(visit), body.credential, label)
    await sessions.end(visit.accounts, visit.caller)
    return set_cookie(visit, _answer_json(msgspec.json.encode({"location": own_path(body.back)})), token)


def _find_site(visit: Visit) -> Site:
    return site_of(visit.request, visit.settings.public_address)


def _answer_json(content: str | bytes, status: int = 200) -> Response[Any]:
    return Response(content, status_code=status, media_type=JSON, headers={"Cache-Control": NO_STORE})
