"""What a posted form does: the deed of this name, then the way back, or the page again with the refusal's sentence."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

from litestar import Response

from domain.game_type import Illegal
from service.problems import Refused
from service.web.page import Visit, redirect

Said: TypeAlias = Mapping[str, str]
Deed = Callable[[Visit, Said], Awaitable[str | None]]
"""Returns where to go, None: back to the page."""
Page = Callable[[Visit, str], Awaitable[Response[Any]]]
"""The page with this refusal on it."""


async def done(visit: Visit, deeds: Mapping[str, Deed], page: Page, back: str) -> Response[Any]:
    """Do what the path names last; raises Refused for what there is not."""
    deed = deeds.get(visit.request.path_params["deed"])
    if deed is None:
        raise Refused("no_such_thing", "There is no such form.")
    visit.may_play()
    try:
        return redirect(await deed(visit, await _said(visit)) or back)
    except (Illegal, ValueError) as error:
        return await page(visit, str(error))


async def _said(visit: Visit) -> Said:
    """A form of one button has nothing to say."""
    return await visit.form() if await visit.request.body() else {}
