"""Posted forms: run the action named in the path, then redirect, or show the page again with the refusal."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from litestar import Response

from domain.game_type import Illegal
from service.problems import Refused
from service.web.page import Visit, redirect

FormFields: TypeAlias = Mapping[str, str]
FormAction = Callable[[Visit, FormFields], Awaitable[str | None]]
"""Returns the address to redirect to; None: back to the page."""
Page = Callable[[Visit, str], Awaitable[Response[Any]]]
"""The page with this refusal on it."""


async def run_form_action(visit: Visit, deeds: Mapping[str, FormAction], page: Page, back: str) -> Response[Any]:
    """Run the action that the path's last part names; raises Refused if there is none of that name."""
    deed = deeds.get(visit.request.path_params["deed"])
    if deed is None:
        raise Refused("no_such_thing", "There is no such form.")
    visit.may_play()
    try:
        return redirect(await deed(visit, await _form_fields(visit)) or back)
    except (Illegal, ValueError) as error:
        return await page(visit, str(error))


async def _form_fields(visit: Visit) -> FormFields:
    """The form's fields; none for a form of a single button, whose body is empty."""
    return await visit.form() if await visit.request.body() else {}
