"""What other sites show of a link to a game's page: title, sentence and picture, all as anybody may see them."""

from typing import Any
from urllib.parse import urlencode

from litestar import Response
from msgspec import Struct

from domain.play.aggregate import Game
from service.api.replays.replay import draw_step
from service.api.viewing import cache_for_good
from service.http.negotiation import PNG
from service.http.representation import answer_tagged
from service.live import seats
from service.live.delay import last_step
from service.pictures.svg import board_drawing, setting_of
from service.problems import Refused
from service.records.summaries import summary_of
from service.web.page import Visit, page
from service.web.pictures import answer_drawing

_FRESH = {"Cache-Control": "public, max-age=300"}
_NOW = {"Cache-Control": "public, max-age=20"}


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
    drawn = await draw_step(visit, game, int(step), None)
    return answer_tagged(visit.request.scope["headers"], drawn, PNG, _FRESH | cache_for_good(game))


@page("/games/{game_id:uuid}/board.svg")
async def picture_board(visit: Visit) -> Response[Any]:
    """Draw the table alone, as anybody may see it now, whoever asks: for lists of games."""
    game = seats.visible_game(await visit.services.room.game(visit.id("game_id")), None)
    newest = await last_step(visit.services.replays, game, None)
    shown = next((await visit.services.replays.of(game)).frames(newest, newest, None))
    if shown.view is None:
        raise Refused("no_such_thing", "The game has not been dealt yet.")
    names = await visit.people.of(game.players if game.importers is None else ())
    called = [None if player is None or player not in names else names[player].name for player in game.players]
    drawn = board_drawing(shown, setting_of(game, None, called)).encode()
    return await answer_drawing(visit.request, drawn, _NOW | cache_for_good(game))


HANDLERS = (picture_step, picture_board)
