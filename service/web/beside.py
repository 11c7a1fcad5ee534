"""Two replays of one deal beside each other, in step."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct

from domain.capabilities import CardFaces, Chips
from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.view import ALL_SEEING
from service.live import seats, shapes
from service.pictures.placing import pack_boards
from service.problems import Refused
from service.web.listing import sentence
from service.web.page import Person, Visit, page, seat_people
from service.web.replaying import clock_of
from service.web.static_files import sprite_name


class Side(Struct, frozen=True):
    """One of the two games: who played it, how it ended, when each step was made."""

    game: UUID
    seats: int
    players: tuple[Person | None, ...]
    outcome: str | None
    clock: dict[str, Any]


@page("/beside")
async def beside(visit: Visit) -> Response[Any]:
    """Show the games `left` and `right`, if they are over and of one deal."""
    left, right = [await _known_game(visit, name) for name in ("left", "right")]
    if not await _is_one_deal(visit, left, right):
        raise Refused("no_such_thing", "These two games are not of one deal.")
    faces = left.type.get(CardFaces).by_card
    return await visit.show(
        "beside.html",
        game_type=left.type.key,
        sides=[await _side(visit, left), await _side(visit, right)],
        cards=sprite_name(left.type),
        faces=msgspec.to_builtins(dict(faces)),
        boards=pack_boards(left.type.boards(left.options, len(left.players))),
        chips=msgspec.to_builtins(left.type.get(Chips).chips),
    )


async def _known_game(visit: Visit, name: str) -> Game:
    """The game that the query names, all of which the visitor may know; raises Refused."""
    try:
        game = await visit.services.room.game(UUID(visit.request.query_params.get(name, "")))
        seats.all_seeing_viewer(game, visit.caller)
    except ValueError:
        raise Refused("no_such_thing", f"{name}: it is no game's id.") from None
    except Illegal as error:
        raise Refused("no_such_thing", "Games stand beside each other once they are over and told.") from error
    return game


async def _is_one_deal(visit: Visit, left: Game, right: Game) -> bool:
    """Whether the table was the same in both once the cards were dealt."""
    dealt = [await _dealt(visit, game) for game in (left, right)]
    return (left.type, left.options, dealt[0]) == (right.type, right.options, dealt[1]) and dealt[0] is not None


async def _dealt(visit: Visit, game: Game) -> Any:
    """What whoever sees all saw after the deal."""
    replay = await visit.services.replays.of(game)
    return next(replay.frames(replay.dealt, replay.dealt, ALL_SEEING)).view


async def _side(visit: Visit, game: Game) -> Side:
    names = await visit.services.accounts.shown_names(shapes.people_of(game))
    shown = shapes.look(game, None, (), names)
    players = seat_people(shown.seats, await visit.people.holding(shown.seats))
    clock = clock_of(await visit.services.replays.of(game), game.step)
    return Side(game.id, len(players), players, None if game.result is None else sentence(game.result, players), clock)


HANDLERS = (beside,)
