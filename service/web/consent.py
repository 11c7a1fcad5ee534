"""The pages on which a player lets an app act for them, or does not (OAuth 2.1, RFC 9207; devices: RFC 8628, 3.3)."""

from typing import Any
from urllib.parse import parse_qsl, quote

from authlib.oauth2.rfc6749.errors import AccessDeniedError
from litestar import Response

from domain.player import APP_SCOPES, AppScope
from service.accounts.access import Caller
from service.api.apps import issuer_of
from service.oauth.apps import TERMINAL, App, redirect_source
from service.oauth.grants import OAuthParts, read_user_code
from service.oauth.protocol import AskedConsent, OAuthError, answer_uri, check_consent_request, refuse
from service.oauth.server import Fields
from service.problems import Refused
from service.web.page import HEADERS, Visit, page, redirect

_CHOICE = "choice"
_DEVICE = "/device"
_POLICY = "Content-Security-Policy"


@page("/oauth/authorize")
async def ask(visit: Visit) -> Response[Any]:
    """Ask the player, who signs in before if need be."""
    query = visit.request.url.query
    again = f"{visit.request.url.path}?{query}"
    try:
        fields = parse_qsl(query, keep_blank_values=True, max_num_fields=20)
        consent = await _check_consent(visit, fields)
    except (OAuthError, ValueError) as error:
        if _is_from_another_site(visit) and isinstance(error, OAuthError) and error.redirect_uri is not None:
            return await open_again(visit, again)
        return await _show_refusal(visit, error)
    if visit.caller is None or not visit.caller.session:
        return await open_again(visit, again)
    owner = await visit.people.one(consent.app.player)
    response = await visit.show(
        "consent.html", app=consent.app, owner=owner, place=_describe_place(consent), fields=fields,
        sentences=[APP_SCOPES[scope] for scope in held_scopes(visit.caller, consent.scopes)],
    )  # fmt: skip
    response.headers[_POLICY] = _make_policy(consent)
    return response


@page("/oauth/authorize", "POST")
async def answer(visit: Visit) -> Response[Any]:
    """Send the player back to the app, with a code or with a no."""
    fields = await visit.form_fields()
    try:
        consent = await _check_consent(visit, [(name, value) for name, value in fields if name != _CHOICE])
        if visit.caller is None or not visit.caller.session:
            raise Refused("unauthenticated", "The session is over; sign in again.")
        if dict(fields).get(_CHOICE) != "allow":
            error = refuse(AccessDeniedError, "The player said no.", consent.redirect_uri)
            error.members |= {} if consent.state is None else {"state": consent.state}
            raise error
    except OAuthError as error:
        return await _show_refusal(visit, error)
    code = await visit.area(OAuthParts).grants.make_code(
        consent.app, visit.caller, consent.redirect_uri, held_scopes(visit.caller, consent.scopes), consent.challenge
    )
    gone = redirect(answer_uri(consent.redirect_uri, issuer_of(visit), code=code, state=consent.state))
    gone.headers[_POLICY] = _make_policy(consent)
    return gone


async def open_again(visit: Visit, address: str) -> Response[Any]:
    """To the sign-in page, and from there to this address of ours.

    A link from another site brings no cookie (`SameSite=Strict`): then a page of our own opens the address again.
    """
    if _is_from_another_site(visit):
        return await visit.show("consent_again.html", again=address)
    return redirect(f"/sign-in?next={quote(address, safe='/')}")


def _is_from_another_site(visit: Visit) -> bool:
    return visit.request.headers.get("sec-fetch-site") in ("cross-site", "same-site")


def held_scopes(session: Caller, scopes: tuple[AppScope, ...]) -> tuple[AppScope, ...]:
    """The scopes that the session has itself: it can give no others."""
    return tuple(scope for scope in scopes if scope in session.scopes)


async def _check_consent(visit: Visit, fields: Fields) -> AskedConsent:
    app = await visit.area(OAuthParts).apps.find(dict(fields).get("client_id", ""))
    return check_consent_request(fields, app)


async def _show_refusal(visit: Visit, error: Exception) -> Response[Any]:
    """Back to the app with the error; a page, where the app or its address is wrong, or without a session: any player
    can register an address, and a link to it must not look like one of ours (RFC 9700, 4.11.2)."""
    signed_in = visit.caller is not None and visit.caller.session
    if signed_in and isinstance(error, OAuthError) and (where := error.redirect_to(issuer_of(visit))) is not None:
        return redirect(where)
    description = error.members.get("error_description", "") if isinstance(error, OAuthError) else ""
    asks = bool(visit.request.url.query) or visit.request.method == "POST"
    return await visit.show("consent_refused.html", 400, said=description, asks=asks)


def _describe_place(consent: AskedConsent) -> str:
    """The target of the redirect in words: a host, or the scheme of an app on this device."""
    source = redirect_source(consent.redirect_uri) or ""
    if source.startswith("http:"):
        return f"a program on this device ({source.removeprefix('http://')})"
    return source.removeprefix("https://").removesuffix(":")


def _make_policy(consent: AskedConsent) -> str:
    """The pages' policy, by which this form may lead to the app's address."""
    return HEADERS[_POLICY].replace("form-action 'self'", f"form-action 'self' {redirect_source(consent.redirect_uri)}")


@page(_DEVICE)
async def ask_for_code(visit: Visit) -> Response[Any]:
    """Ask for the code; one in the address is filled in, and sent only by the player."""
    code = read_user_code(visit.request.query_params.get("user_code", ""))
    if visit.caller is None or not visit.caller.session:
        return await open_again(visit, f"{_DEVICE}?user_code={code}" if code else _DEVICE)
    return await visit.show("device.html", code=code, refusal="")


@page(_DEVICE, "POST")
async def ask_for_permission(visit: Visit) -> Response[Any]:
    """Show which app waits, and the scopes that it requests."""
    if visit.caller is None or not visit.caller.session:
        return redirect(f"/sign-in?next={quote(_DEVICE)}")
    typed = (await visit.form()).get("user_code", "")
    try:
        code, app, scopes = await _find(visit, visit.caller, typed)
    except Refused as error:
        return await visit.show("device.html", error.problem.status, code=typed[:40], refusal=error.problem.detail)
    owner = None if app is TERMINAL else await visit.people.one(app.player)
    sentences = [APP_SCOPES[scope] for scope in scopes]
    return await visit.show("device_consent.html", app=app, owner=owner, code=code, sentences=sentences)


@page(f"{_DEVICE}/answer", "POST")
async def answer_device(visit: Visit) -> Response[Any]:
    """Store the player's answer, which the device gets at its next request."""
    if visit.caller is None or not visit.caller.session:
        return redirect(f"/sign-in?next={quote(_DEVICE)}")
    fields = await visit.form()
    allowed = fields.get("choice") == "allow"
    try:
        code, app, scopes = await _find(visit, visit.caller, fields.get("user_code", ""))
        await visit.area(OAuthParts).devices.answer(visit.caller, code, scopes, allow=allowed)
    except Refused as error:
        return await visit.show("device.html", error.problem.status, code="", refusal=error.problem.detail)
    return await visit.show("device_answered.html", app=app, allowed=allowed)


async def _find(visit: Visit, caller: Caller, typed: str) -> tuple[str, App, tuple[AppScope, ...]]:
    """The code, the app of the device that shows it, and the scopes that it may get; raises Refused."""
    code = read_user_code(typed)
    waiting = await visit.area(OAuthParts).devices.find(caller.player, code)
    app = await visit.area(OAuthParts).apps.find(str(waiting.app))
    if app is None:
        raise Refused("no_such_thing", "The app is not known any more.")
    return code, app, held_scopes(caller, waiting.scopes)
