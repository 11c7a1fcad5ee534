"""What other sites show of a link to a game's page: title, sentence and picture, all as anybody may see them."""

from typing import Any
from urllib.parse import urlencode

from litestar import Response
from msgspec import Struct

from domain.play.aggregate import Game
from service.api.replays.replay import draw_step
from service.http.negotiation import PNG
from service.live import seats
from service.live.delay import last_step
from service.problems import Refused
from service.records.summaries import summary_of
from service.web.page import Visit, page

_FRESH = {"Cache-Control": "public, max-age=300"}


class Preview(Struct, frozen=True):
    """Whole addresses, and the sentence with the names of now; `oembed` is None where no page may embed games."""

    page: str
    sentence: str
    image: str
    oembed: str | None


async def preview(visit: Visit, found: Game) -> Preview | None:
    """The preview of a game that anybody may see; None of any other. The picture is of the last step shown to all."""
    try:
        seats.visible_game(found, None)
    except seats.NoSuchGame:
        return None
    here = str(visit.request.base_url).rstrip("/")
    at = f"{here}/games/{found.id}"
    people = await visit.people.of(found.players if found.importers is None else ())
    names = {player: person.name for player, person in people.items() if person.name is not None}
    oembed = f"{here}/oembed?{urlencode({'url': at, 'format': 'json'})}"
    last = await last_step(visit.services.replays, found, None)
    may_embed = visit.services.settings.embedding_origins.split()
    return Preview(at, summary_of(found, names), f"{at}/steps/{last}.png", oembed if may_embed else None)


@page("/games/{game_id:uuid}/steps/{name:str}")
async def picture_step(visit: Visit) -> Response[Any]:
    """Draw a step as anybody may see it, whoever asks: `12.png`."""
    step, _, suffix = visit.request.path_params["name"].partition(".")
    if suffix != "png" or not (step.isascii() and step.isdigit() and len(step) <= 9):
        raise Refused("no_such_thing", "Steps are there as NUMBER.png.")
    game = seats.visible_game(await visit.services.room.game(visit.id("game_id")), None)
    return Response(await draw_step(visit, game, int(step), None), media_type=PNG, headers=_FRESH)


HANDLERS = (picture_step,)
