"""Who knows all of a Klondike deal but five cards asks an open contest for their order: what it tells fits every order.

The solver is the real one, with a small bound. The count of positions that it looked at would name the order.
"""

from collections import Counter
from functools import cache
from itertools import permutations
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.contest import aggregate as ct
from domain.contest.aggregate import Announcement
from domain.contest.events import Certificate
from domain.games import GAME_TYPES
from domain.league.rules import DAYS
from projections.contests.days import CONTESTS, DAYS_PROJECTION, ContestRow
from projections.engine.contract import Placed
from service import solving
from service.api.contests.contests import shown_contest
from service.contests.certificates import CERTIFICATES
from service.web.rule_sets import say_certificate
from tests.memory_documents import MemoryDocuments

KIND = GAME_TYPES["klondike"]
OPTIONS = KIND.get(OptionRules).settle(KIND.options(), 1)
SEED, CONTEST, HOUR = bytes([2]) * 32, UUID(int=77), 3_600_000_000
HIDDEN, COLUMN, BOUND = 5, 6, 2000
"""So many face-down cards of this column are not known; a search ends after so many positions."""


@cache
def looked() -> tuple[tuple[Certificate, int], ...]:
    """What the solver tells of each of the 120 deals."""
    state = solving.seeded(KIND, OPTIONS, SEED)
    *before, column = state.columns  # type: ignore[attr-defined]
    found = []
    for order in permutations(column[:HIDDEN]):
        deal = replace(state, columns=(*before, order + column[HIDDEN:]))
        verdict = solving.verdict("klondike", OPTIONS, deal, BOUND)
        found.append((CERTIFICATES[verdict.verdict], verdict.positions))
    return tuple(found)


def row(certificate: Certificate, positions: int, closed: bool = False) -> ContestRow:
    """The contest as the read model has it. The commitment is of a seed that nobody can search for, so it is fixed."""
    wanted = Announcement(
        game_type="klondike", options=OPTIONS, rules=DAYS, opens=0, closes=HOUR, seed=SEED,
        certificate=certificate, positions=positions,
    )  # fmt: skip
    events = list(ct.announce(CONTEST, wanted))
    if closed:
        folded = ct.fold(ct.contest_record(CONTEST, at, event, None, 0) for at, event in enumerate(events, 1))
        events += ct.close(folded, folded.due())
    documents = MemoryDocuments()
    for at, event in enumerate(events, 1):
        DAYS_PROJECTION.fold(documents, Placed(at, ct.contest_record(CONTEST, at, event, None, 0)))
    found = documents.get(CONTESTS(), str(CONTEST))
    assert found is not None
    return found


def published(certificate: Certificate, positions: int) -> bytes:
    """All that API and page tell of the open contest, and what stands in the log in the clear."""
    found = row(certificate, positions)
    shown = shown_contest(found, None, "1")
    page = say_certificate(shown.certificate, shown.positions)
    return msgspec.json.encode((shown, page, found.announced))


def test_the_solver_itself_would_tell_the_order() -> None:
    """Otherwise the next test shows nothing: most orders have a count of positions that hardly another one has."""
    orders = Counter(looked())
    assert len(looked()) == 120
    assert len(orders) > 12
    assert 1 in orders.values()


def test_every_order_that_has_the_announced_property_is_told_in_the_same_bytes() -> None:
    told: dict[bytes, int] = Counter(published(*one) for one in looked())
    winnable = sum(certificate == "winnable" for certificate, _ in looked())
    assert sorted(told.values()) == sorted({winnable, 120 - winnable} - {0})


@pytest.mark.parametrize("positions", [1, 640_813])
def test_what_cannot_be_won_is_told_as_what_nobody_could_tell(positions: int) -> None:
    assert published("impossible", positions) == published("not_told", 700_000)


def test_a_record_of_old_that_says_more_is_shown_no_further_before_the_close() -> None:
    found = row("not_told", 0)
    old = replace(found, announced=replace(found.announced, certificate="impossible", positions=1318))
    assert (shown_contest(old, None, "1").certificate, shown_contest(old, None, "1").positions) == ("not_told", None)
    closed = shown_contest(replace(old, closed=True), None, "1")
    assert (closed.certificate, closed.positions) == ("impossible", 1318)


def test_once_the_contest_is_closed_all_of_it_is_told() -> None:
    shown = shown_contest(row("impossible", 640_813, closed=True), None, "1")
    assert (shown.certificate, shown.positions, shown.closed) == ("impossible", 640_813, True)
    assert shown.seed == SEED.hex()
