"""Through whose eyes a request looks at a game, and the answer that shows one."""

from typing import Annotated, Any, Literal

from litestar import Response
from msgspec import Meta, Struct

from domain.play.aggregate import Game
from domain.view import Viewer
from service.api import headers
from service.http.operation import Call, reply
from service.live import seats, shapes
from service.live.delay import shown_game


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Through whose eyes."""

    seat: shapes.SeatNumber | None = None
    spectator: Annotated[bool, Meta(description="As a spectator saw it although you have a seat.")] = False
    known: Annotated[
        Literal["then", "now"],
        Meta(description="`then`: as that seat saw it then; `now`: every card face up, once the game is over."),
    ] = "then"

    def __post_init__(self) -> None:
        seats.check_one_viewpoint(self.seat, self.spectator)


def viewer_of(call: Call[Any, ViewQuery], game: Game) -> Viewer:
    """Through whose eyes this request looks; raises Refused or Illegal."""
    if call.query.known == "now":
        return seats.all_seeing_viewer(game, call.caller)
    return seats.viewer(game, call.caller, call.query.seat, call.query.spectator)


async def reply_opened(call: Call[Any, Any], game: Game, status: int = 201) -> Response[bytes]:
    """The answer with a game that was opened now or before."""
    own = seats.own_seats(game, call.caller)
    viewer = seats.viewer(game, call.caller, None, False)
    shown = await shown_game(call.services.replays, game, viewer)
    where = f"/v1/games/{game.id}"
    return reply(shapes.look(shown, viewer, own), status, ETag=headers.etag(shown.version), Location=where)
