"""What holds for every projection that is found, over real games of every game type and hand-made endings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_logs import (
    ADA,
    BEN,
    AnyRecord,
    event_record,
    finish,
    folded,
    game_id,
    life,
    placed,
    real_log,
    restored,
    without,
)
from seasons import LEAGUE, ORGANISER, contest, contest_id, season

from domain.league.aggregate import league_record
from domain.league.events import ContestAdded, SeasonClosed
from domain.play import events as ev
from projections import PROJECTIONS
from projections.engine.contract import Placed, Projection, advance
from projections.engine.rows import DocumentRow, fingerprint
from tests.memory_documents import MemoryDocuments

ALL = pytest.mark.parametrize("projection", PROJECTIONS.values(), ids=lambda projection: projection.name)


def mixed_log() -> list[Placed]:
    """The real games, and behind them endings of every kind, voids and a contest that closes late."""
    contest = finish(contest=game_id(900))
    made = [
        life(101, finish()), life(102, finish(ending="lost", reason="stuck"), forked_from=ev.Branch(game_id(101), 3)),
        life(103, finish(), ev.Voided("fault")), life(104, contest, ev.Revealed(b"", b""), contest=game_id(900)),
        life(105, finish(ending="drawn", players=(ADA, BEN), winners=())), life(106, None),
    ]  # fmt: skip
    records = [*_thinned(), *(record for records in made for record in records)]
    return placed([*records, void(records[0].stream, records), void(game_id(5), records), *of_leagues()])


def _thinned() -> list[AnyRecord]:
    """The real games, of the moves that nobody reads one in twenty."""
    records = [entry.record for entry in real_log()]
    read = [any(projection.reads(record) for projection in PROJECTIONS.values()) for record in records]
    return [record for at, record in enumerate(records) if read[at] or at % 20 == 0]


def of_leagues() -> list[AnyRecord]:
    """A box league's season, a same-deal season of one's own, and a public day."""
    own = contest(10, 4, Random(4))
    added = league_record(LEAGUE, 999, ContestAdded(1, contest_id(10)), ORGANISER, own[0].time)
    closed = league_record(LEAGUE, 1000, SeasonClosed(1), ORGANISER, own[-1].time)
    return [*season(Random(5), 8).records, added, *own, closed, *contest(11, 5, Random(6))]


def void(game: UUID, records: Sequence[AnyRecord]) -> AnyRecord:
    """The record that voids one of these games."""
    kind = next(record.type for record in records if record.stream == game)
    return event_record(game, 9999, ev.Voided("abuse"), kind=kind)


LOG = mixed_log()
GAMES = [
    game
    for game in dict.fromkeys(entry.record.stream for entry in LOG)
    if game_id(0) < game < game_id(10_000) and (game > game_id(100) or game.int % 3 == 0)
]
"""One real game of each type and the made ones; not those of a league, whose tables say that a voided one was there."""


def read(projection: Projection) -> list[Placed]:
    """The part of the log that this projection reads."""
    return [entry for entry in LOG if projection.reads(entry.record)]


@cache
def straight(name: str) -> MemoryDocuments:
    """The log folded in one go."""
    return folded(PROJECTIONS[name], LOG)


@ALL
def test_every_kind_of_document_comes_up(projection: Projection) -> None:
    written = Counter(name.split("/")[0] for name, *_ in straight(projection.name).rows())
    assert set(written) == {family.name for family in projection.families}


@ALL
@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(cuts=st.lists(st.integers(0, 10_000), max_size=40))
def test_where_batches_end_does_not_matter(projection: Projection, cuts: list[int]) -> None:
    documents, position = MemoryDocuments(), 0
    places = [0, *sorted(cut % (len(LOG) + 1) for cut in cuts), len(LOG)]
    for batch in [LOG[start:end] for start, end in pairwise(places)]:
        position = advance(projection, documents, position, batch)
    assert documents.rows() == straight(projection.name).rows()


@ALL
@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(cuts=st.lists(st.integers(0, 10_000), max_size=10), back=st.integers(1, 2000))
def test_what_is_delivered_twice_counts_once(projection: Projection, cuts: list[int], back: int) -> None:
    documents, position, delivered = MemoryDocuments(), 0, 0
    for cut in [*sorted(cut % len(LOG) for cut in cuts), len(LOG)]:
        again = LOG[max(0, delivered - back) : cut]
        position = advance(projection, documents, position, again + again)
        delivered = cut
    assert documents.rows() == straight(projection.name).rows()


@ALL
def test_a_fold_cut_at_any_position_resumes_from_what_was_stored(projection: Projection) -> None:
    documents, position = MemoryDocuments(), 0
    for entry in read(projection):
        position = advance(projection, documents, position, [entry])
        documents = restored(projection, documents.rows())
    assert documents.rows() == straight(projection.name).rows()


@ALL
def test_documents_survive_json_and_msgpack(projection: Projection) -> None:
    for _, key, row in straight(projection.name).documents():
        for codec in (msgspec.json, msgspec.msgpack):
            assert codec.decode(codec.encode(row), type=type(row)) == row, key


@ALL
def test_folding_writes_only_documents_of_its_families_and_reads_only_its_topics(projection: Projection) -> None:
    assert folded(projection, read(projection)).rows() == straight(projection.name).rows()
    types = {family.name: family.document for family in projection.families}
    assert all(type(row) is types[name.split("/")[0]] for name, _, row in straight(projection.name).documents())


@ALL
def test_what_a_projection_does_not_ask_for_would_change_nothing(projection: Projection) -> None:
    """It is never read: a topic that was left out would be missed here."""
    everything = replace(projection, topics=None)
    assert folded(everything, LOG).rows() == straight(projection.name).rows()


@ALL
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.hex[-4:])
def test_a_voided_game_was_never_counted_whenever_the_void_came(projection: Projection, game: UUID) -> None:
    places = [entry.position for entry in LOG if entry.record.stream == game]
    voiding = void(game, [entry.record for entry in LOG])
    never = counted(folded(projection, without(LOG, game)), game)
    for at in (places[0] + 1, places[-1] + 1, places[-1] - 1, LOG[-1].position + 1):
        voided = sorted([*LOG, Placed(at, voiding)], key=lambda entry: entry.position)
        assert counted(folded(projection, voided), game) == never, at


def counted(documents: MemoryDocuments, game: UUID) -> list[DocumentRow]:
    """All documents but those that stand under the game's own id."""
    return [row for row in documents.rows() if row[1] != str(game)]


def test_the_fingerprint_tells_documents_keys_sorts_and_collections_apart() -> None:
    rows = [("a", "b", None, b"c"), ("a", "b", b"", b"c"), ("ab", "", None, b"c"), ("a", "b", None, b"d")]
    assert len({fingerprint([row]) for row in rows}) == len(rows)
    assert len({fingerprint(rows[:2]), fingerprint(rows[1::-1]), fingerprint(rows[:1]), fingerprint([])}) == 4
