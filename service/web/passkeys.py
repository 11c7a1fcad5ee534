"""What the pages' script asks while a passkey is made or used: challenges and their answers, as JSON."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from msgspec import Meta, Struct

from domain.game_type import Illegal
from service.accounts import sessions
from service.accounts.passkeys import Site, site_of
from service.http.bodies import media_type_of
from service.http.ready_response import JSON
from service.http.refusals import problem_of_rule, respond
from service.http.security_headers import NO_STORE
from service.live import shapes
from service.problems import Refused
from service.problems.patterns import in_words, show_hidden
from service.web.account import require_authority
from service.web.page import Visit, page
from service.web.sign_in import own_path, set_cookie

B = TypeVar("B", bound=Struct)


class Nothing(Struct, frozen=True, forbid_unknown_fields=True):
    """An empty body."""


class Registered(Struct, frozen=True, forbid_unknown_fields=True):
    """A new passkey: what it is called, and the browser's `PublicKeyCredential`."""

    label: shapes.Name
    credential: dict[str, Any]


class Asserted(Struct, frozen=True, forbid_unknown_fields=True):
    """A passkey that was used, and the page to go back to."""

    credential: dict[str, Any]
    back: Annotated[str, Meta(max_length=300)] = "/"


def ceremony(path: str, body: type[B]) -> Callable[[Callable[[Visit, B], Awaitable[Response[Any]]]], HTTPRouteHandler]:
    """A handler at this path that takes JSON; what refuses it is told as a problem document."""
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
async def offer_registration(visit: Visit, said: Nothing) -> Response[Any]:
    """Answer with the options for a new passkey of the visitor."""
    await require_authority(visit)
    you = await visit.people.one(visit.player)
    return _json(await visit.services.passkeys.registration_options(_site(visit), you.id, you.name or ""))


@ceremony("/account/passkeys", Registered)
async def add_passkey(visit: Visit, said: Registered) -> Response[Any]:
    """Register the passkey."""
    await require_authority(visit)
    await visit.services.passkeys.add(_site(visit), visit.player, said.label, said.credential)
    return _json(b'{"location":"/account"}', 201)


@ceremony("/sign-in/passkey/challenge", Nothing)
async def offer_sign_in(visit: Visit, said: Nothing) -> Response[Any]:
    """Answer with the options for signing in."""
    return _json(await visit.services.passkeys.sign_in_options(_site(visit)))


@ceremony("/sign-in/passkey", Asserted)
async def sign_in_with_passkey(visit: Visit, said: Asserted) -> Response[Any]:
    """Begin a session for the passkey's player; it ends the session that the browser came with."""
    label = sessions.label_of(visit.request)
    token = await visit.services.passkeys.sign_in(_site(visit), said.credential, label)
    await sessions.end(visit.services.accounts, visit.caller)
    return set_cookie(visit, _json(msgspec.json.encode({"location": own_path(said.back)})), token)


def _site(visit: Visit) -> Site:
    return site_of(visit.request, visit.services.settings.public_address)


def _json(content: str | bytes, status: int = 200) -> Response[Any]:
    return Response(content, status_code=status, media_type=JSON, headers={"Cache-Control": NO_STORE})


HANDLERS = (offer_registration, add_passkey, offer_sign_in, sign_in_with_passkey)
