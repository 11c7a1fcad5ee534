"""Can a deal be won: a verdict on cards that anybody gives, the same for everybody who gives them.

It is the analysis of a game with these cards that is given up at once: a record made here, kept as one brought here.
"""

from typing import Any
from uuid import UUID

from litestar import Response
from msgspec import Struct

from domain.game_type import Illegal
from service.analysis import queue
from service.analysis.history import has_solver
from service.api.replays.analysis import TAG, Analysis, Bound, require_told, show_analysis
from service.event_store.ids import now
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.jobs.stored_games import GameRef
from service.live.openings import AnyOpening, judged_deal
from service.live.replay import Replay
from service.records import imports


class DealQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """How far to look."""

    bound: Bound | None = None


@operation(
    id="judge_deal", method="POST", path="/v1/deals", tag=TAG, access="required", scope="records:write",
    keyless="Asked for twice it is one analysis.", body=AnyOpening, query=DealQuery,
    problems=("illegal", "busy"),
    answers={
        202: Answer(type=Analysis, says="It is asked for."),
        200: Answer(type=Analysis, says="It is done already."),
    },
    examples={"a FreeCell that cannot be won": {"game_type": "freecell", "deal_number": 11982}},
)  # fmt: skip
async def judge_deal(call: Call[Any, DealQuery]) -> Response[bytes]:
    """Ask whether a deal can be won.

    Said as a game is opened, with `deal`, `seed` or `deal_number`; beside them only `options` are read. The answer is
    the analysis of a game with this deal that was given up at once, imported by you under `game_id`: follow it there.
    Whoever asks about the same deal is told the same. In its report the outcome is `given_up`: the deal can be won, by
    `line`, and `/record?annotated=true` is the record with that line, which `kibitz verify` plays; `unwinnable`; or
    `open`. Refused for cards that a contest or a rated game deals which is not over.
    """
    told = await ask_about(call.services, call.player, call.body, call.query.bound or 0)
    return reply(told, 200 if told.status == "done" else 202)


async def ask_about(services: Services, player: UUID, body: Any, bound: int = 0) -> Analysis:
    """The analysis of the deal of this body, asked for by this player; raises Illegal or Refused, with nothing kept."""
    opening, secret = judged_deal(body)
    if not has_solver(opening.type):
        raise Illegal("no_solver", f"There is no solver of {opening.type.name}.", "/game_type")
    found, replay = await services.verifiers.ask(imports.resigned_game, opening, secret), Replay()
    replay.extend(found.record.records)
    await require_told(services, found.game, replay)
    ref, store, settings = GameRef(found.id, found.game.version, found.game.digest), services.store, services.settings
    kept = await imports.statements_if_analysed(store, player, found, now(), settings.max_imports)
    asked = await queue.ask(store, ref, bound, settings.analysis_queue, player, kept)
    services.room.forget(found.id)
    return show_analysis(found.id, asked)


HANDLERS = (judge_deal,)
