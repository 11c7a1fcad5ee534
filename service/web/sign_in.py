"""Signing in and out: a name makes a player, a token begins a session. No token is ever in an address."""

import re
from typing import Any

import msgspec
from litestar import Response

from service.accounts import sessions
from service.accounts.players import Token
from service.live import shapes
from service.problems import Refused
from service.web.page import Visit, page, redirect

_INSIDE = re.compile(r"/[a-z0-9_/-]*")
_NAME: msgspec.json.Decoder[str] = msgspec.json.Decoder(shapes.Name)


@page("/sign-in")
async def sign_in(visit: Visit) -> Response[Any]:
    """Show both ways in."""
    return await _form(visit, back=_own_path(visit.request.query_params.get("back", "/")))


async def _form(visit: Visit, back: str, status: int = 200, refusal: str = "", about: str = "") -> Response[Any]:
    return await visit.show("sign_in.html", status, back=back, refusal=refusal, about=about)


@page("/sign-in", "POST")
async def begin(visit: Visit) -> Response[Any]:
    """Begin a session with a token that the player has."""
    said = await visit.form()
    back = _own_path(said.get("back", "/"))
    try:
        token = await _begin_session(visit, said.get("token", "").strip())
    except Refused as error:
        return await _form(visit, back, error.problem.status, error.problem.detail, "token")
    return _set_cookie(visit, redirect(back), token)


@page("/register", "POST")
async def register(visit: Visit) -> Response[Any]:
    """Make a player of this name, show the account's token this once, and begin a session."""
    said = await visit.form()
    back = _own_path(said.get("back", "/"))
    try:
        name = _NAME.decode(msgspec.json.encode(said.get("name", "").strip()))
    except msgspec.ValidationError:
        sentence = "A name has 1 to 40 characters, all of them visible."
        return await _form(visit, back, 400, sentence, "name")
    player, first = await visit.services.accounts.register(name, visit.services.settings.token_days)
    token = await _begin_session(visit, first.secret or "")
    you = await visit.people.one(player)
    ends = shapes.moment(first.expires_at)
    shown = await visit.show("registered.html", you=you, secret=first.secret, expires=ends, back=back)
    return _set_cookie(visit, shown, token)


@page("/sign-out", "POST")
async def sign_out(visit: Visit) -> Response[Any]:
    """End the session: its token is revoked."""
    await sessions.end(visit.services.accounts, visit.caller)
    answer = redirect("/")
    answer.set_cookie(sessions.no_cookie(visit.request))
    return answer


async def _begin_session(visit: Visit, secret: str) -> Token:
    """A new session's token; ends the session that the browser came with."""
    token = await sessions.begin(visit.services.accounts, visit.services.access, secret)
    await sessions.end(visit.services.accounts, visit.caller)
    return token


def _set_cookie(visit: Visit, answer: Response[Any], token: Token) -> Response[Any]:
    answer.set_cookie(sessions.cookie(visit.request, token))
    return answer


def _own_path(path: str) -> str:
    """A page of ours to go back to; anything else is the front page."""
    return path if _INSIDE.fullmatch(path) and not path.startswith("//") else "/"


HANDLERS = (sign_in, begin, register, sign_out)
