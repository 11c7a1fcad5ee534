"""The real read models over the simulated log, as lines of a table."""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from uuid import UUID

from projections.boards.reliability import RELIABILITIES, rows
from projections.boards.scoreboards import SCOREBOARDS, Standing, board
from projections.engine.contract import advance
from projections.ladders.ladder_projection import LADDERS, LadderRow, ladder
from tests.memory_documents import MemoryDocuments

from .people import KIND, SOLO, Log, Person, honest, rounds
from .schemes import SCHEMES, Scheme

HONEST, GAMES, SEED = 40, 40, 7


@cache
def shown(scheme: Scheme, name: str, seed: int = SEED) -> tuple[list[Person], MemoryDocuments]:
    """Honest people, and the ladder after their games and one scheme."""
    lots, log, me = Random(seed), Log(), Person(name)
    people = honest(HONEST, lots)
    for winner, loser in rounds(people, GAMES, lots):
        log.won(winner, loser)
    scheme(log, me, people, lots)
    documents = MemoryDocuments()
    for projection in (LADDERS, RELIABILITIES):
        advance(projection, documents, 0, log.records)
    return people, documents


def listed(documents: MemoryDocuments) -> list[UUID]:
    """Who is listed, the best first."""
    return [UUID(key) for key, _ in documents.listed(ladder(KIND))]


def tables(names: Sequence[str] = tuple(SCHEMES)) -> Iterator[str]:
    """A line for every scheme: where the account that is to profit stands among honest players."""
    yield f"{'scheme':<14}{'rank':>6}{'of':>5}{'rating':>9}{'mu':>8}{'sigma':>7}{'games':>7}{'weight':>8}{'kept':>9}"
    for name in names:
        people, documents = shown(SCHEMES[name], name)
        yield _line(name, documents, Person(name))
    yield ""
    yield "the honest, by their true skill: rank on the ladder"
    order = listed(documents)
    yield " ".join(str(order.index(one.id) + 1) for one in people if one.id in order)
    yield ""
    yield from _patience()


def patience(won: int = 24, of: int = 60) -> dict[str, Standing]:
    """People who win as many games of patience; what becomes of the others is what they differ in."""
    log, people = Log(), [Person(name) for name in ("plays on", "gives up", "leaves")]
    for player in people:
        for number in range(of):
            if number < won:
                log.solo(player, won=True)
            elif player.name == "leaves":
                log.left(player)
            else:
                log.solo(player, won=False, reason="resigned" if player.name == "gives up" else "stuck")
    documents = MemoryDocuments()
    advance(SCOREBOARDS, documents, 0, log.records)
    return {one.name: found for one in people if (found := documents.get(board(SOLO), str(one.id))) is not None}


def _patience() -> Iterator[str]:
    yield f"{'patience':<14}{'games':>7}{'won':>6}{'bound':>8}"
    for name, row in patience().items():
        yield f"{name:<14}{row.games:>7}{row.wins:>6}{row.clean_bound / 10**9:>8.3f}"


def _line(name: str, documents: MemoryDocuments, me: Person) -> str:
    row, order = documents.get(ladder(KIND), str(me.id)), listed(documents)
    kept = documents.get(rows(), str(me.id))
    seen = "-" if kept is None else f"{kept.kept}/{kept.games}"
    if row is None:
        return f"{name:<14}{'none':>6}{len(order):>5}{'-':>9}{'-':>8}{'-':>7}{0:>7}{'-':>8}{seen:>9}"
    return f"{name:<14}{_rank(row, order):>6}{len(order):>5}{_numbers(row)}{seen:>9}"


def _rank(row: LadderRow, order: Sequence[UUID]) -> str:
    return str(order.index(row.player) + 1) if row.player in order else "?"


def _numbers(row: LadderRow) -> str:
    rating = row.rating
    return (
        f"{row.ordinal / 100:>9.2f}{rating.mu / 10**6:>8.2f}{rating.sigma / 10**6:>7.2f}"
        f"{row.games:>7}{row.weight / 10**6:>8.2f}"
    )
