"""Hints: what to do next in an unrated patience that was opened with them, for whoever plays it."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.view import Seat
from service.analysis.history import has_solver
from service.api import headers
from service.api.play.play import SeatQuery
from service.hints import Hinted, find_hint
from service.http.operation import Answer, Call, operation, reply
from service.jobs.stored_games import game_ref
from service.live import seats, shapes

_COMMAND = "What wins in most of these deals; null where none of them is known to be won."
_OUTLOOK = (
    "`winnable`: some of these deals can still be won; `impossible`: none of them can; `open`: the solver found no win "
    "and could not rule it out in all of them."
)
_UNDOS = (
    "Where none of them can be won: after how many undos some could; null without undo, or where that is not found."
)
_CERTAIN = "No other deal looks the same: every card is known, or all orders of those that are not were tried."


class Hint(Struct, frozen=True, kw_only=True):
    """A hint, made of what your seat has seen alone, so it is the same in every deal that looks the same from there."""

    game_id: UUID
    game_type: str
    version: int
    seat: Seat
    outlook: Annotated[Literal["winnable", "impossible", "open"], Meta(description=_OUTLOOK)]
    certain: Annotated[bool, Meta(description=_CERTAIN)]
    deals: Annotated[int, Meta(description="How many deals that look the same were tried.")]
    winnable_deals: Annotated[int, Meta(description="In how many of them there is a win from here.")]
    impossible_deals: Annotated[int, Meta(description="In how many of them there is none.")]
    command: Annotated[shapes.AnyPlayCommand | None, Meta(description=_COMMAND)]
    command_wins: Annotated[int, Meta(description="In how many of them a win begins with the command.")]
    undos: Annotated[int | None, Meta(description=_UNDOS)]
    sentence: str


@operation(
    id="get_hint", method="GET", path="/v1/games/{game_id:uuid}/hint", tag="play", access="required", query=SeatQuery,
    problems=("no_such_thing", "not_your_seat", "illegal", "busy"),
    answers={200: Answer(type=Hint, says="The hint.", headers=headers.ETAG)},
)  # fmt: skip
async def get_hint(call: Call[None, SeatQuery]) -> Response[bytes]:
    """Ask what to do next, and whether the game can still be won as far as you can know.

    Only for whoever plays a game that was opened with `hints`, while it goes on. A solver looks at the position in
    deals that look the same from your seat: the cards that you have never seen lie there in other orders, drawn by lots
    that depend on what you have seen alone. Where your cards lie in truth is not asked. A process beside the service
    does it, one hint after the other; 503 answers where too many wait.
    """
    game = await call.services.room.game(call.id("game_id"))
    seat = seats.speaker(game, call.known_caller, call.query.seat)
    _require_hints(game)
    text = await call.services.hints.ask(call.player.bytes, find_hint, game_ref(game))
    found = msgspec.json.decode(text, type=Hinted)
    hint = Hint(
        game_id=game.id, game_type=game.type.key, version=game.version, seat=seat, outlook=found.outlook,
        certain=found.certain, deals=found.deals, winnable_deals=found.won, impossible_deals=found.lost,
        command=found.command, command_wins=found.command_wins, undos=found.undos,
        sentence=found.sentence,
    )  # fmt: skip
    return reply(hint, ETag=headers.etag(game.version))


def _require_hints(game: Game) -> None:
    """Raises Illegal for a game without hints, that waits or is over, or whose rules have changed."""
    if not game.opening.hints:
        raise Illegal("no_hints", "This game was opened without hints.")
    if game.status in seats.OVER:
        raise Illegal("game_finished", "The game is over: ask for its analysis.")
    if game.state is None:
        raise Illegal("game_not_started", "The game has not been dealt.")
    if not has_solver(game.type):
        raise Illegal("no_solver", f"There is no solver of {game.type.name}, revision {game.type.revision}.")


HANDLERS = (get_hint,)
