"""Posted forms: the action named in the path, and the fields as the API's own body."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias, TypeVar, get_args, get_origin
from uuid import UUID

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct

from domain.game_type import Illegal
from service.accounts import finding
from service.problems import Refused
from service.web.form import FieldError, convert_values, label_of
from service.web.page import Visit, page
from service.web.rendering import redirect

B = TypeVar("B", bound=Struct)
_PARAMETER = re.compile(r"\{(\w+):\w+\}")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_PLAYERS = ("player_id", "by_player_id", "player_ids")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d", re.ASCII)
FormFields: TypeAlias = Mapping[str, str]
FormAction = Callable[[Visit, FormFields], Awaitable[str | None]]
"""Returns the address to redirect to; None: back to the page."""
Page = Callable[[Visit, str], Awaitable[Response[Any]]]
"""The page with this refusal on it."""


def form_route(path: str, deeds: Mapping[str, FormAction], shown: Page) -> HTTPRouteHandler:
    """The handler of the forms on the page at this path, whose action is named behind it.

    Players may be named in a form. It redirects to where the action says, else back to the page, which shows a refusal.
    """

    async def run_form_action(visit: Visit) -> Response[Any]:
        deed = deeds.get(visit.request.path_params["deed"])
        if deed is None:
            raise Refused("no_such_thing", "There is no such form.")
        visit.may_play()
        try:
            address = await deed(visit, await resolve_names(visit, await visit.form_if_any()))
        except (Illegal, ValueError) as error:
            return await shown(visit, str(error))
        return redirect(address or _PARAMETER.sub(lambda name: str(visit.request.path_params[name[1]]), path))

    return page(f"{path}/{{deed:str}}", "POST")(run_form_action)


async def resolve_names(visit: Visit, said: FormFields) -> FormFields:
    """The fields with ids where they name players, several with commas between; raises FieldError."""
    return {field: await _ids(visit, field, text) if field in _PLAYERS else text for field, text in said.items()}


async def _ids(visit: Visit, field: str, text: str) -> str:
    parts = list[str]()
    for part in filter(None, map(str.strip, text.split(","))):
        players = [part] if _ID.search(part) else await finding.find_namesakes(visit.services.store, part)
        if len(players) != 1:
            why = f"{'several players are' if players else 'nobody who may be found is'} called {part}"
            raise FieldError(field, f"{label_of(field)}: {why}; give the address of the player's page.")
        parts.append(str(players[0]))
    return " ".join(parts)


def decode_form(body: type[B], said: Mapping[str, str], **given: Any) -> B:
    """The body, with what is `given` beside the form; raises ValueError with a sentence that names the field."""
    values = dict(given)
    for field in msgspec.structs.fields(body):
        if field.name not in given and (text := said.get(field.name, "").strip()):
            values[field.name] = _value(text, field.type)
    converted: B = convert_values(values, body)
    return converted


def _value(text: str, kind: Any) -> Any:
    if _contains_type(kind, tuple):
        return [_field_text(part, kind) for part in text.replace(",", " ").split()]
    return _field_text(text, kind)


def _field_text(text: str, kind: Any) -> str:
    """The id in a link to a game or a player, a time with its zone, else the text."""
    if _contains_type(kind, UUID) and (found := _ID.search(text)) is not None:
        return found[0]
    return f"{text}:00Z" if _TIME.fullmatch(text) else text


def _contains_type(kind: Any, wanted: type) -> bool:
    """Whether a type is this one, or is made of it."""
    return kind is wanted or get_origin(kind) is wanted or any(_contains_type(part, wanted) for part in get_args(kind))
