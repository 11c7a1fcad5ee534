"""Another deal or the same cards in one click, for guests too; two games of one deal side by side.

The same cards are dealt again once the game is over and its deal revealed: as a fork, which is unrated. The house keeps
its seats.
"""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct

from domain.capabilities import CardFaces, Chips
from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.play.fork import current_options
from domain.view import ALL_SEEING, Seat
from service.api.games.games import ForkBody, make_fork
from service.house.players import HOUSE
from service.house.tables import HouseBots
from service.live import seats, shapes
from service.live.openings import OPENING_BODIES
from service.live.replay import LiveParts
from service.pictures.placing import pack_boards
from service.problems import Refused
from service.web.game import clock_of
from service.web.listing import sentence
from service.web.page import Person, Visit, page, redirect, seat_people
from service.web.passkeys import open_for_guest
from service.web.rule_sets import open_or_say_none
from service.web.static_files import sprite_name

_NEW = "/games/{game_id:uuid}/new-deal"
_SAME = "/games/{game_id:uuid}/deal"


@page(_NEW, "POST")
async def deal_anew(visit: Visit) -> Response[Any]:
    """Open another game like this one and go there."""
    return await _deal(visit, _open_alike)


@page(f"{_NEW}/as-guest", "POST")
async def deal_anew_to_guest(visit: Visit) -> Response[Any]:
    """The same for a visitor who is not signed in and so becomes a guest."""
    return await _deal_to_guest(visit, _open_alike)


@page(_SAME, "POST")
async def deal_again(visit: Visit) -> Response[Any]:
    """Deal the cards of a game that is over again and go there; raises Illegal before its deal is revealed."""
    return await _deal(visit, _fork)


@page(f"{_SAME}/as-guest", "POST")
async def deal_again_to_guest(visit: Visit) -> Response[Any]:
    """The same for a visitor who is not signed in and so becomes a guest."""
    return await _deal_to_guest(visit, _fork)


@page(_SAME)
async def show_deal(visit: Visit) -> Response[Any]:
    """Offer the cards of a finished game to every visitor with this address."""
    game = await _read_game(visit)
    _require_revealed(game)
    people = {} if game.importers is not None else await visit.people.of(game.players)
    players = tuple(None if player is None else people.get(player) for player in game.players)
    outcome = None if game.result is None else sentence(game.result, players, visit.visitor)
    dealt = (await visit.area(LiveParts).replays.of(game)).dealt
    return await visit.show(
        "deal.html", game=game, players=players, outcome=outcome, house=house_seats(game), dealt=dealt
    )


async def _read_game(visit: Visit) -> Game:
    return seats.visible_game(await visit.room.game(visit.id("game_id")), visit.caller)


_Open = Callable[[Visit, Game, UUID], Awaitable[str]]
"""Opens a game for this player after another one; its address."""


async def _deal(visit: Visit, open_game: _Open) -> Response[Any]:
    """Open the game and go there; a visitor who is no longer signed in stays on the page."""
    if visit.caller is None:
        return redirect(f"/games/{visit.id('game_id')}")
    player = visit.may_play()
    return redirect(await open_game(visit, await _read_game(visit), player))


async def _deal_to_guest(visit: Visit, open_game: _Open) -> Response[Any]:
    if visit.caller is not None:
        return await _deal(visit, open_game)
    game = await _read_game(visit)
    if open_game is _fork:
        _require_revealed(game)
    return await open_for_guest(visit, lambda player: open_game(visit, game, player))


def _require_revealed(game: Game) -> None:
    if not game.revealed:
        raise Illegal("game_not_finished", "The cards of this game are dealt again once its deal is told.")


async def _fork(visit: Visit, game: Game, player: UUID) -> str:
    deal = (await visit.area(LiveParts).replays.of(game)).dealt
    step = await make_fork(visit, game, ForkBody(step=deal), player, house_seats(game))
    await visit.room.open(step)
    visit.area(HouseBots).wake()
    return f"/games/{step.game.id}"


def house_seats(game: Game) -> dict[Seat, UUID]:
    """The seats of a game of this service that the house holds, and who of it."""
    held = enumerate(game.players if game.importers is None else ())
    return {seat: player for seat, player in held if player in HOUSE}


async def _open_alike(visit: Visit, game: Game, player: UUID) -> str:
    """Open a game with the same options and conditions; the house and a player of all seats keep their seats."""
    opened, level = game.opening, next((HOUSE[holder].level for holder in game.players if holder in HOUSE), None)
    body: dict[str, Any] = {
        "game_type": game.type.key,
        "options": msgspec.to_builtins(current_options(game)),
        "rated": level is None and not opened.hints and (opened.rated or opened.origin == "fork"),
        "move_seconds": opened.move_seconds,
    }
    if opened.hints:
        body["hints"] = True
    if opened.deal_level is not None:
        body["deal"] = {"winnable": True, "level": opened.deal_level}
    if opened.origin != "fork" and opened.visibility != "public":
        body["visibility"] = opened.visibility if len(game.players) == 1 else "unlisted"
    if len(game.players) > 1:
        alone = len(set(game.players)) == 1 and None not in game.players
        body |= {"seats": len(game.players), "hot_seat": alone, "spectator_delay": opened.spectator_delay}
    return await open_or_say_none(visit, msgspec.convert(body, OPENING_BODIES[game.type.key]), level, player)


class Side(Struct, frozen=True):
    """One of the two games: who played it, how it ended, when each step was made."""

    game: UUID
    seats: int
    players: tuple[Person | None, ...]
    outcome: str | None
    clock: dict[str, Any]


@page("/beside")
async def side_by_side(visit: Visit) -> Response[Any]:
    """Show the games `left` and `right`, if they are over and of one deal."""
    left, right = [await _find_known_game(visit, name) for name in ("left", "right")]
    replays = [await visit.area(LiveParts).replays.of(game) for game in (left, right)]
    dealt = [next(replay.frames(replay.dealt, replay.dealt, ALL_SEEING)).view for replay in replays]
    if (left.type, left.options, dealt[0]) != (right.type, right.options, dealt[1]) or dealt[0] is None:
        raise Refused("no_such_thing", "These two games are not of one deal.")
    faces = left.type.get(CardFaces).by_card
    return await visit.show(
        "beside.html",
        game_type=left.type.key,
        sides=[await _make_side(visit, left), await _make_side(visit, right)],
        cards=sprite_name(left.type),
        faces=msgspec.to_builtins(dict(faces)),
        boards=pack_boards(left.type.boards(left.options, len(left.players))),
        chips=msgspec.to_builtins(left.type.get(Chips)),
    )


async def _find_known_game(visit: Visit, name: str) -> Game:
    """The query's game, if the visitor may see all of it; raises Refused."""
    try:
        game = await visit.room.game(UUID(visit.request.query_params.get(name, "")))
        seats.all_seeing_viewer(game, visit.caller)
    except ValueError:
        raise Refused("no_such_thing", f"{name}: it is no game's id.") from None
    except Illegal as error:
        raise Refused("no_such_thing", "Games stand beside each other once they are over and told.") from error
    return game


async def _make_side(visit: Visit, game: Game) -> Side:
    names = await visit.accounts.shown_names(shapes.people_of(game))
    look = shapes.look(game, None, (), names)
    players = seat_people(look.seats, await visit.people.holding(look.seats))
    clock = clock_of(await visit.area(LiveParts).replays.of(game), game.step)
    return Side(game.id, len(players), players, None if game.result is None else sentence(game.result, players), clock)
