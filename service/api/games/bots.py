"""The house at one's table: an empty seat for one of its bots."""

from typing import Annotated

from litestar import Response
from msgspec import Meta, Struct

from service.api.games.games import TABLE, act_at_table
from service.house.players import Level, seat_house
from service.http.operation import Call, operation
from service.live import seats, shapes

_LEVEL = (
    "`greedy` says what looks best at once, `strong` searches; which there are for a game type, its description tells."
)


class BotBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the house's bots, at which seat: left out, the first that is free."""

    level: Annotated[Level, Meta(description=_LEVEL)]
    seat: shapes.SeatNumber | None = None


@operation(
    id="seat_bot", method="POST", path="/v1/games/{game_id:uuid}/bots", body=BotBody, **TABLE,
    examples={"a greedy one": {"level": "greedy"}},
)  # fmt: skip
async def seat_bot(call: Call[BotBody, None]) -> Response[bytes]:
    """Give an empty seat to a bot of the house; the last seat taken starts the game.

    Whoever opened the game, has a seat at it or is invited may ask. The house plays unrated games only, and sits where
    a person does. Its bots know what their seat may know and play until the game is over; `GET /v1/players/{id}` says
    that they are bots.
    """
    seats.visible_game(await call.services.room.game(call.id("game_id")), call.caller)
    await call.services.house.register(call.body.level)
    answer = await act_at_table(call, lambda game, act: seat_house(game, call.body.level, call.body.seat, act))
    call.services.house.wake()
    return answer


HANDLERS = (seat_bot,)
