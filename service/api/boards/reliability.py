"""A player's reliability: of the games begun with others, how many were seen through."""

from typing import Annotated
from uuid import UUID

from litestar import Response
from msgspec import Meta, Struct

from domain.league.rules import RELIABILITY
from projections.boards.reliability import RELIABILITIES, Kept, Kind, Reliability, kept, rows
from service.accounts.names import Person, person
from service.api.paging import LogPosition
from service.api.showing import fill_struct
from service.http.operation import Answer, Call, operation, reply
from service.http.services import Services
from service.live import shapes


class KeptShown(Struct, frozen=True, kw_only=True):
    """A game that was not seen through, or a fixture that was missed."""

    game_id: UUID | None
    fixture_id: UUID | None
    at: shapes.Time
    kind: Kind


class ReliabilityShown(Struct, frozen=True, kw_only=True):
    """Of a player's last rated games with others, `kept` were seen through; it is no rating.

    `failures` says which were not, newest first. While `barred_until` is ahead, rated tables are closed to them.
    """

    player: Person
    rules: Annotated[str, Meta(description="The named, versioned rules.")]
    games: int
    kept: int
    barred_until: shapes.Time | None
    failures: tuple[KeptShown, ...]
    log_position: LogPosition


@operation(
    id="get_reliability", may_lag=True, method="GET", path="/v1/players/{player_id:uuid}/reliability", tag="players",
    answers={200: Answer(type=ReliabilityShown, says="The player's reliability.")}, problems=("no_such_thing",),
)  # fmt: skip
async def get_reliability(call: Call[None, None]) -> Response[bytes]:
    """Show how many of their games with others a player saw through."""
    player = (await call.services.accounts.player(call.id("player_id"))).id
    return reply(await reliability_of(call.services, player))


async def reliability_of(services: Services, player: UUID) -> ReliabilityShown:
    """The player's reliability; all counts are 0 for a player without rated games against others."""
    async with services.reads.of(RELIABILITIES) as found:
        row = await found.document(rows(), str(player)) or Reliability(player, RELIABILITY.id, 0, 0, 0, 0)
        lines = [line for _, line in await found.documents(kept(player)) if line.kind != "finished"]
        position = str(found.position)
    names = await services.accounts.shown_names([player])
    failures = sorted(lines, key=lambda line: -line.position)[: RELIABILITY.window]
    return fill_struct(
        ReliabilityShown, row, player=person(player, names),
        barred_until=shapes.moment(row.barred_until) if row.barred_until else None,
        failures=tuple(_failure(one) for one in failures),
        log_position=position,
    )  # fmt: skip


def _failure(one: Kept) -> KeptShown:
    game, fixture = (None, one.what) if one.kind == "no_show" else (one.what, None)
    return KeptShown(game_id=game, fixture_id=fixture, at=shapes.moment(one.at), kind=one.kind)


HANDLERS = (get_reliability,)
