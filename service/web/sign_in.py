"""Signing in and out: a name makes a player, a token begins a session. No token is ever in an address."""

import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response

from service.accounts import sessions
from service.accounts.players import Token
from service.live import shapes
from service.problems import Refused
from service.web.page import Visit, page
from service.web.rendering import redirect

GUEST = "guest"
"""The label of a guest's first token, whose text nobody has seen."""
_INSIDE = re.compile(r"/(?!/)[A-Za-z0-9_/-]*(?:\?[A-Za-z0-9_.~%&=+*:/-]{0,4000})?")
_NAME: msgspec.json.Decoder[str] = msgspec.json.Decoder(shapes.Name)


@page("/sign-in")
async def sign_in(visit: Visit) -> Response[Any]:
    """Show both ways in; `next` is the page to go on to."""
    asked = visit.request.query_params
    return await _form(visit, back=own_path(asked.get("next", "") or asked.get("back", "/")))


async def _form(visit: Visit, back: str, status: int = 200, refusal: str = "", about: str = "") -> Response[Any]:
    return await visit.show("sign_in.html", status, back=back, refusal=refusal, about=about)


@page("/sign-in", "POST")
async def begin(visit: Visit) -> Response[Any]:
    """Begin a session with a token that the player has."""
    said = await visit.form()
    back = own_path(said.get("back", "/"))
    try:
        token = await _begin_session(visit, said.get("token", "").strip())
    except Refused as error:
        return await _form(visit, back, error.problem.status, error.problem.detail, "token")
    return set_cookie(visit, redirect(back), token)


@page("/register", "POST")
async def register(visit: Visit) -> Response[Any]:
    """Make a player of this name, show the account's token this once, and begin a session.

    A guest gets a name and goes on at once; a passkey, a token or another name may come later.
    """
    said = await visit.form()
    back = own_path(said.get("back", "/"))
    if "guest" in said:
        return set_cookie(visit, redirect(back), (await register_guest(visit))[1])
    try:
        name = _NAME.decode(msgspec.json.encode(said.get("name", "").strip()))
    except msgspec.ValidationError:
        sentence = "A name has 1 to 40 characters, all of them visible."
        return await _form(visit, back, 400, sentence, "name")
    player, first = await visit.services.accounts.register(
        name, visit.services.settings.token_days, label="first"
    )  # fmt: skip
    token = await _begin_session(visit, first.secret or "")
    you = await visit.people.one(player)
    ends = shapes.moment(first.expires_at)
    device = sessions.label_of(visit.request)
    shown = await visit.show("registered.html", you=you, device=device, secret=first.secret, expires=ends, back=back)
    return set_cookie(visit, shown, token)


async def register_guest(visit: Visit) -> tuple[UUID, Token]:
    """A new player with a guest's name, and the token of the session that has begun for them."""
    name, days = f"Guest {secrets.randbelow(9_000) + 1_000}", visit.services.settings.token_days
    player, first = await visit.services.accounts.register(name, days, label=GUEST)
    return player, await _begin_session(visit, first.secret or "")


async def open_for_guest(visit: Visit, open_game: Callable[[UUID], Awaitable[str]]) -> Response[Any]:
    """Go to the address of the game that is opened for this player; whoever is not signed in becomes a guest by it."""
    if visit.caller is not None:
        return redirect(await open_game(visit.may_play()))
    player, token = await register_guest(visit)
    return set_cookie(visit, redirect(await open_game(player)), token)


@page("/sign-in/code", "POST")
async def begin_with_code(visit: Visit) -> Response[Any]:
    """Begin a session with a recovery code, which is used up, and go to the account: a passkey may be missing."""
    said = await visit.form()
    try:
        token = await visit.services.recovery.sign_in(said.get("code", ""), sessions.label_of(visit.request))
    except Refused as error:
        back = own_path(said.get("back", "/"))
        return await _form(visit, back, error.problem.status, error.problem.detail, "code")
    await sessions.end(visit.services.accounts, visit.caller)
    return set_cookie(visit, redirect("/account"), token)


@page("/sign-out", "POST")
async def sign_out(visit: Visit) -> Response[Any]:
    """End the session: its token is revoked. A guest whom nothing would let in again is asked first."""
    if visit.caller is not None and "sure" not in await visit.form_if_any() and await _is_lost_without(visit):
        return await visit.show("sign_out.html")
    await sessions.end(visit.services.accounts, visit.caller)
    answer = redirect("/")
    answer.set_cookie(sessions.no_cookie(visit.request))
    return answer


async def _is_lost_without(visit: Visit) -> bool:
    """Whether the visitor is a guest without passkey or code: the account ends with the session."""
    services, caller = visit.services, visit.known_caller
    if await services.passkeys.listed(caller.player) or await services.recovery.left(caller.player):
        return False
    tokens = [token for token in await services.accounts.tokens(caller.player) if token.id != caller.token]
    return [token.label for token in tokens] == [GUEST]


async def _begin_session(visit: Visit, secret: str) -> Token:
    """A new session's token; ends the session that the browser came with."""
    label = sessions.label_of(visit.request)
    token = await sessions.begin(visit.services.accounts, visit.services.access, secret, label)
    await sessions.end(visit.services.accounts, visit.caller)
    return token


def set_cookie(visit: Visit, answer: Response[Any], token: Token) -> Response[Any]:
    answer.set_cookie(sessions.cookie(visit.request, token))
    return answer


def own_path(path: str) -> str:
    """A page of ours to go back to; anything else is the front page."""
    return path if _INSIDE.fullmatch(path) else "/"


HANDLERS = (sign_in, begin, register, begin_with_code, sign_out)
