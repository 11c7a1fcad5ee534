"""A table that waits for players: its link, who is there, seats to take, the house, and the way to begin."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import segno
from litestar import Response
from markupsafe import Markup
from msgspec import Struct

from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.table import check_waiting, give_seed, join, leave
from service.api.games.games import SeedBody, act_of_caller
from service.event_store.ids import now
from service.house.players import Level, levels_of, seat_house
from service.house.tables import HouseBots
from service.leagues.commands import require_admission
from service.live import seats
from service.problems import Refused
from service.web.account import rename
from service.web.form import decode_form
from service.web.lessons import lesson_of
from service.web.page import Visit, page, redirect
from service.web.passkeys import open_for_guest
from service.web.rule_sets import asked_level, fill_seats


class WaitingTable(Struct, frozen=True):
    """What a visitor may do at a table that waits. `levels`: of the house's bots that may be added; `taught`: steps of
    the lesson.
    """

    link: str
    qr_code: Markup
    own: tuple[int, ...]
    may_sit: bool
    needs_seed: bool
    levels: tuple[Level, ...]
    brief: tuple[str, ...]
    taught: int


def describe_waiting_table(visit: Visit, game: Game) -> WaitingTable | None:
    """None for a game that has begun or is over."""
    if game.status != "waiting":
        return None
    own, link = game.seats_of(visit.visitor), f"{str(visit.request.base_url).rstrip('/')}/games/{game.id}"
    qr_code = segno.make(link, micro=False).svg_inline(border=3, omitsize=True, light="#fff", svgclass="qr")
    may_ask = not game.opening.rated and bool(own) and None in game.players
    lesson = lesson_of(game.type.key)
    return WaitingTable(
        link=link, qr_code=Markup(qr_code), own=own,
        may_sit=not own and None in game.players,
        needs_seed=game.opening.await_seeds and any(game.seeds[seat] is None for seat in own),
        levels=levels_of(game.type) if may_ask else (), brief=lesson.brief,
        taught=len(lesson.steps),
    )  # fmt: skip


@page("/games/{game_id:uuid}/join", "POST")
async def take_seat(visit: Visit) -> Response[Any]:
    """Take a seat; a visitor who is no longer signed in stays on the page."""
    return await _sit(visit) if visit.caller is not None else redirect(f"/games/{visit.id('game_id')}")


@page("/games/{game_id:uuid}/join/as-guest", "POST")
async def take_seat_as_guest(visit: Visit) -> Response[Any]:
    """The same for a visitor who is not signed in and so becomes a guest."""
    return await _sit(visit)


async def _sit(visit: Visit) -> Response[Any]:
    if visit.caller is not None:
        visit.may_play()
    game = seats.visible_game(await visit.room.game(visit.id("game_id")), visit.caller)
    check_waiting(game)

    async def sit(player: UUID) -> str:
        await require_admission(visit, player, len(game.players), game.opening.rated)
        await visit.room.act(game.id, lambda game: join(game, ev.Join(), Act(player, None, now())))
        return f"/games/{game.id}"

    return await open_for_guest(visit, sit)


@page("/games/{game_id:uuid}/leave", "POST")
async def leave_table(visit: Visit) -> Response[Any]:
    """Give the seat back."""
    return await _act_at_table(visit, lambda game, act: leave(game, ev.Leave(), act))


@page("/games/{game_id:uuid}/seed", "POST")
async def give_own_seed(visit: Visit) -> Response[Any]:
    """Give a seed of one's own for the deal."""
    visit.may_play()
    with _refusing_fields():
        body = decode_form(SeedBody, await visit.form())
    return await _act_at_table(visit, lambda game, act: give_seed(game, ev.Seed(body.client_seed), act))


async def _act_at_table(visit: Visit, decide: Callable[[Game, Act], Step]) -> Response[Any]:
    visit.may_play()
    game_id = visit.id("game_id")
    await visit.room.act(game_id, lambda game: decide(game, act_of_caller(visit, game)))
    return redirect(f"/games/{game_id}")


@contextmanager
def _refusing_fields() -> Iterator[None]:
    """A field that cannot be read is refused in its words."""
    try:
        yield
    except ValueError as error:
        raise Refused("malformed", str(error)) from None


def _read_level(fields: Mapping[str, str]) -> Level:
    with _refusing_fields():
        return asked_level(fields.get("level", ""))


@page("/games/{game_id:uuid}/name", "POST")
async def change_name(visit: Visit) -> Response[Any]:
    """Be called something else, at this table and everywhere."""
    visit.may_play()
    try:
        await rename(visit, await visit.form())
    except ValueError as error:
        raise Refused("malformed", str(error)) from None
    return redirect(f"/games/{visit.id('game_id')}")


@page("/games/{game_id:uuid}/bots", "POST")
async def seat_bot(visit: Visit) -> Response[Any]:
    """Give an empty seat to the house, the one of the form or the first."""
    visit.may_play()
    fields = await visit.form()
    game_id, level, seat = visit.id("game_id"), _read_level(fields), fields.get("seat", "")
    seats.visible_game(await visit.room.game(game_id), visit.caller)
    await visit.area(HouseBots).register(level)
    chosen = int(seat) if seat.isdecimal() and len(seat) < 3 else None
    await visit.room.act(game_id, lambda game: seat_house(game, level, chosen, act_of_caller(visit, game)))
    visit.area(HouseBots).wake()
    return redirect(f"/games/{game_id}")


@page("/games/{game_id:uuid}/start", "POST")
async def start_now(visit: Visit) -> Response[Any]:
    """Begin with the house at every empty seat."""
    player, level = visit.may_play(), _read_level(await visit.form())
    game = seats.visible_game(await visit.room.game(visit.id("game_id")), visit.caller)
    await fill_seats(visit, game, level, player)
    return redirect(f"/games/{game.id}")
