"""A game to keep: one HTML page that replays it anywhere, without a network."""

from collections.abc import Sequence
from typing import Any

from litestar import Response

from domain.game_type import Illegal
from domain.play.aggregate import Game
from domain.view import Viewer
from service.accounts.access import Caller
from service.http.operation import Answer, Call, NoQuery, operation
from service.http.security_headers import DOCUMENTS, NO_STORE
from service.jobs.stored_games import GameRef, game_of, game_ref, replay_of
from service.live import seats
from service.live.delay import last_step
from service.records.one_file import one_file, viewer_frames

MOST = 20_000
"""At most so many frames in one page; a longer game has fewer viewers in it."""
_EXAMPLE = '<!doctype html>\n<html lang="en">...</html>\n'


@operation(
    id="get_replay_page", method="GET", path="/v1/games/{game_id:uuid}/replay", tag="replay", access="optional",
    problems=("no_such_thing", "busy"),
    answers={200: Answer(
        type=str, says="The page: script, cards and all frames are in it.", media_types=("text/html",),
        example=_EXAMPLE,
    )},
)  # fmt: skip
async def replay_page(call: Call[None, NoQuery]) -> Response[bytes]:
    """Download a game as one HTML page that replays it offline.

    Of a game that is over it holds what every seat and a spectator saw and, where it may be told, every card; of one
    that goes on what you may see of it so far, and it says so. `#step=7&viewer=seat-0` in its address leads to a step.
    """
    game = await call.services.room.game(call.id("game_id"))
    seen = [(viewer, await last_step(call.services.replays, game, viewer)) for viewer in viewers(game, call.caller)]
    text = await call.beside(render_page, game_ref(game), await names_by_seat(call, game), seen)
    return Response(text, media_type="text/html", headers=_HEADERS)


_HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'none'",
    "Cache-Control": NO_STORE,
    **DOCUMENTS,
}
"""In addition to the page's own policy: the page must not act on behalf of this service's origin."""


def viewers(game: Game, caller: Caller | None) -> list[Viewer]:
    """The viewers that the caller may choose: own seats, else a spectator; after the end all, own seats first."""
    own = list(seats.own_seats(seats.visible_game(game, caller), caller))
    if game.status not in ("finished", "voided"):
        return [*own] or [None]
    others = [seat for seat in range(len(game.players)) if seat not in own]
    return [*own, *others, None, *_all_seeing_viewer(game, caller)]


def _all_seeing_viewer(game: Game, caller: Caller | None) -> list[Viewer]:
    try:
        return [seats.all_seeing_viewer(game, caller)]
    except Illegal:
        return []


async def names_by_seat(call: Call[Any, Any], game: Game) -> list[str | None]:
    """The names of now; None for an empty seat and an erased player."""
    names = await call.services.accounts.names([player for player in game.players if player is not None])
    return [None if player is None else names.get(player) for player in game.players]


def render_page(
    asked: GameRef, players: Sequence[str | None], seen: Sequence[tuple[Viewer, int]], home: str = ""
) -> bytes:
    """The page of these viewers, each up to a last step; runs beside the event loop."""
    game, replay = game_of(asked), replay_of(asked)
    shown = seen[: max(MOST // (game.step + 1), 1)]
    looking = [viewer_frames(viewer, players, replay.frames(0, last, viewer)) for viewer, last in shown]
    return one_file(game, players, looking, len(seen) - len(shown), home).encode()


HANDLERS = (replay_page,)
