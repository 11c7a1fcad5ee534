"""Where one loses what could be won: the analyses of one's own patiences, summed up."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from projections.games.game_lists import ENTRY, GAMES, own_lists
from service.analysis import queue
from service.analysis.report import AnalysedGame, LossesOfType, LostGame, PatienceReport, lost_games, sum_losses
from service.api.paging import LogPosition
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services

_NEWEST = 200


class Losses(Struct, frozen=True):
    """Of the newest finished games: how many there are, what their analyses tell by game type, and which were lost."""

    games: Annotated[int, Meta(description=f"Finished games of yours that were looked through, {_NEWEST} at most.")]
    analysed: Annotated[int, Meta(description="Those of them that are patiences and have been analysed.")]
    types: tuple[LossesOfType, ...]
    lost: Annotated[tuple[LostGame, ...], Meta(description="Newest first.")]
    log_position: LogPosition


@operation(
    id="get_losses", method="GET", path="/v1/account/losses", tag="account", access="required", may_lag=True,
    answers={200: Answer(type=Losses, says="What your analysed games tell.")},
)  # fmt: skip
async def get_losses(call: Call[None, None]) -> Response[bytes]:
    """Tell how often, where and in which games you lost what could be won.

    Only patiences count that somebody has asked an analysis of: ask for more of them, and this tells more.
    """
    return reply(await losses_of(call.services, call.player))


async def losses_of(services: Services, player: UUID) -> Losses:
    """What the analyses of this player's newest finished games tell."""
    async with services.reads.of(GAMES) as found:
        page = await found.gather(own_lists(player, None, "finished"), ENTRY(), _NEWEST, None)
        listed, position = page.documents, str(found.position)
    reports = await queue.reports_of(services.store, [game.id for game in listed])
    analysed = [
        AnalysedGame(game.id, game.game_type, report)
        for game in listed
        if isinstance(report := reports.get(game.id), PatienceReport)
    ]
    return Losses(len(listed), len(analysed), sum_losses(analysed), lost_games(analysed), position)


HANDLERS = (get_losses,)
