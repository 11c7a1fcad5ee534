"""The moments of a game: the steps worth jumping to, through the same viewer_of as its frames."""

from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct

from domain.play.moments import Moment, moments
from domain.view import Viewer
from service.api.viewing import ViewQuery, viewer_of
from service.http.operation import JSON, Answer, Call, Reply, operation
from service.live.delay import last_step
from service.live.heavy import GameRef, game_ref
from service.live.heavy.stored import replay_of


class Moments(Struct, frozen=True, omit_defaults=True):
    """The steps worth jumping to. `steps` is how many there are now: of a game that goes on, moments may still change.

    `kind` is `deal`, `phase` (the entry into a phase), `undo`, `resignation`, `event` (one that is rare in this game)
    or `ending`; `sentence` is what the viewer was told there. `imported_from` and `vouched_for_by`: as in a look.
    """

    game_id: UUID
    steps: int
    moments: tuple[Moment, ...]
    imported_from: UUID | None = None
    vouched_for_by: str | None = None


@operation(
    id="list_moments", method="GET", path="/v1/games/{game_id:uuid}/moments", tag="replay", access="optional",
    query=ViewQuery, answers={200: Answer(type=Moments, says="The moments, in order.")},
    problems=("no_such_thing", "not_your_seat", "illegal", "busy"),
)  # fmt: skip
async def list_moments(call: Call[None, ViewQuery]) -> Response[bytes]:
    """List the steps worth jumping to: the deal, entries into a phase, undos, resignations, rare events, the ending.

    They are found in the frames that the viewer may have, and in nothing else.
    """
    game = await call.services.room.game(call.id("game_id"))
    viewer = viewer_of(call, game)
    newest = await last_step(call.services.replays, game, viewer)
    source = game.opening.source
    whence = () if source is None else (source.game, source.vouched_for_by)
    return Reply(await call.beside(_encode_moments, game_ref(game), newest, viewer, whence), 200, JSON, {})


def _encode_moments(asked: GameRef, newest: int, viewer: Viewer, whence: tuple[UUID, str | None] | tuple[()]) -> bytes:
    frames = replay_of(asked).frames(0, newest, viewer)
    return msgspec.json.encode(Moments(asked.game, newest + 1, moments(frames), *whence))


HANDLERS = (list_moments,)
