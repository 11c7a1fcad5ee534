"""The house on the pages: a form for its seats at a table that waits, a field in the form that opens a game."""

from typing import Any
from uuid import UUID

from litestar import Response
from msgspec.structs import replace

from domain.games import AnyGameType
from domain.play.aggregate import Game
from domain.play.deciding import Act
from service.api.games.games import act_of_caller, new_game
from service.event_store.ids import now
from service.house.players import LEVELS, PLAYERS, Level, levels_of, seat_house
from service.live import seats
from service.web.form import Field
from service.web.page import Visit, page
from service.web.rendering import redirect

_AGAINST = "Its bots take every other seat, and the game is not rated."


def offered_levels(game: Game, player: UUID | None) -> tuple[Level, ...]:
    """What this visitor may ask for at this table: as `seat_house` decides it."""
    if game.status != "waiting" or game.opening.rated or not game.seats_of(player):
        return ()
    return levels_of(game.type) if None in game.players else ()


def house_field(found: AnyGameType, chosen: str) -> tuple[Field, ...]:
    """The field for opponents of the house; none where it does not play."""
    if not (levels := levels_of(found)):
        return ()
    choices = (("", "nobody yet"), *((level, f"the house, {level}") for level in levels))
    return (Field(name="house", label="Against", help=_AGAINST, kind="choice", value=chosen, choices=choices),)


def asked_level(text: str) -> Level:
    """The level that a form names; raises ValueError."""
    if (level := next((one for one in LEVELS if one == text), None)) is None:
        raise ValueError("Choose one of the house's bots.")
    return level


@page("/games/{game_id:uuid}/bots", "POST")
async def seat_bot(visit: Visit) -> Response[Any]:
    """Give an empty seat to the house."""
    visit.may_play()
    game_id, level = visit.id("game_id"), asked_level((await visit.form()).get("level", ""))
    seats.visible_game(await visit.services.room.game(game_id), visit.caller)
    await visit.services.house.register(level)
    await visit.services.room.act(game_id, lambda game: seat_house(game, level, None, act_of_caller(visit, game)))
    visit.services.house.wake()
    return redirect(f"/games/{game_id}")


async def open_table(visit: Visit, body: Any, level: Level | None, player: UUID) -> str:
    """Open the game of this body, the house's bots at the other seats of an unrated one where they are asked for.

    A private game invites the first of them, who is then its company. Its address; raises Illegal.
    """
    if level is not None:
        await visit.services.house.register(level)
        body = replace(body, rated=False)
        if body.visibility == "private" and not body.hot_seat:
            body = replace(body, player_ids=(*body.player_ids, PLAYERS[level][0].id))
    step = await new_game(visit.services, player, body)
    await visit.services.room.open(step)
    if level is not None:
        await fill_seats(visit, step.game, level, player)
    return f"/games/{step.game.id}"


async def fill_seats(visit: Visit, game: Game, level: Level, player: UUID) -> None:
    """Give every empty seat of a game that was opened now to the house."""
    await visit.services.house.register(level)
    for _ in range(game.players.count(None)):
        await visit.services.room.act(game.id, lambda game: seat_house(game, level, None, Act(player, None, now())))
    visit.services.house.wake()


HANDLERS = (seat_bot,)
