"""Ladders under rulings at any place of any history: to the byte what a fold gives that knows them from the start."""

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace
from projection_logs import START, AnyRecord, event_record, folded, game_id, life, placed
from psycopg import Connection
from seasons import DAY, ended, member

from domain import rulings
from domain.play import events as ev
from projections.engine import batches
from projections.engine.builds import build_fingerprint, builds, prepare
from projections.engine.contract import Placed, advance
from projections.engine.rows import fingerprint
from projections.ladders.ladder_projection import GAMES, LADDERS, ladder
from tests.memory_documents import MemoryDocuments, fold_batch

KIND = "screaming_yoda"
CONTEST = UUID(int=0xC0)


def history(lots: Random, games: int, people: int, days: float) -> list[AnyRecord]:
    """Games of two to five, and rulings about any of them at any place, in times that grow over so many days.

    Some belong to a contest: they count from their reveal on, among those that finished before it.
    """
    said: list[tuple[float, AnyRecord]] = []
    for number in range(1, games + 1):
        said += [(number + at / 10, one) for at, one in enumerate(_game(lots, number, people))]
    said += [(lots.uniform(1, games + 5), _ruling(lots, number, games)) for number in range(games // 3)]
    said = [(lots.uniform(at, games + 6) if isinstance(one.event, ev.Revealed) else at, one) for at, one in said]
    in_order = [one for _, one in sorted(said, key=lambda placed: placed[0])]
    step = round(days * DAY / len(in_order))
    return [replace(one, time=START + at * step) for at, one in enumerate(in_order)]


def _game(lots: Random, number: int, people: int) -> list[AnyRecord]:
    players = [member(one) for one in lots.sample(range(people), lots.randint(2, min(5, people)))]
    scores = [lots.randrange(4) for _ in players]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    contest = CONTEST if lots.random() < 0.2 else None
    lived = life(number, ended(players, winners, scores, contest=contest), kind=KIND, contest=contest)
    late = [event_record(game_id(number), 3, ev.Revealed(b"", b""), START, KIND)] if contest else []
    return lived + late


def _ruling(lots: Random, number: int, games: int) -> AnyRecord:
    about = [game_id(lots.randint(1, games)) for _ in range(lots.choice((1, 1, 1, 3)))]
    corrected = rulings.ResultCorrected(game=about[0], ending="won", winners=(1,), scores=(0, 9), reason="miscounted")
    said: list[Struct] = [
        rulings.GamesVoided(tuple(about), "abuse"), rulings.VoidsWithdrawn(tuple(about), "none"), corrected,
        rulings.CorrectionWithdrawn(about[0], "none"),
    ]  # fmt: skip
    return rulings.ruling_record(number + 1, lots.choice((said[0], lots.choice(said))), member(0), START)


def from_the_start(log: Sequence[Placed]) -> MemoryDocuments:
    """The same, every ruling and reveal known before any game finishes: each game is then folded once, and in order."""
    early = [one.record for one in log if not isinstance(one.record.event, ev.Finished)]
    before = [Placed(at + 1 - len(early), replace(one, time=START)) for at, one in enumerate(early)]
    documents = MemoryDocuments()
    advance(LADDERS, documents, -len(early), before)
    advance(LADDERS, documents, 0, (one for one in log if isinstance(one.record.event, ev.Finished)))
    last = event_record(game_id(0), 1, ev.Revealed(b"", b""), log[-1].record.time, KIND)
    advance(LADDERS, documents, 0, [Placed(log[-1].position + 1, last)])
    return documents


def tables(documents: MemoryDocuments) -> list[Any]:
    """Every document but what is known of each game, which tells when it was opened."""
    return [row for row in documents.rows() if not row[0].startswith("ladder_plays")]


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(
    seed=st.integers(0, 2**32), games=st.integers(1, 70), people=st.integers(2, 14),
    days=st.sampled_from((1, 40, 400)),
)  # fmt: skip
def test_whatever_is_ruled_wherever_leaves_what_a_fold_from_the_start_gives(
    seed: int, games: int, people: int, days: float
) -> None:
    log = placed(history(Random(seed), games, people, days))
    assert tables(folded(LADDERS, log)) == tables(from_the_start(log))


def test_the_histories_have_all_that_they_are_to_show() -> None:
    """Games voided, games that come in among others, players away for too long, and ties."""
    log = placed(history(Random(3), 70, 10, 400))
    documents = folded(LADDERS, log)
    rows = [row for _, row in documents.scan(ladder(KIND))]
    games = [game for _, game in documents.scan(GAMES(KIND))]
    finished = [one for one in log if isinstance(one.record.event, ev.Finished)]
    assert 20 < len(games) < len(finished)
    assert {row.active for row in rows} == {True, False}
    assert any(len(set(game.places)) < len(game.places) for game in games)


class Counted(MemoryDocuments):
    """Which documents were written since `written` was emptied."""

    def __init__(self) -> None:
        super().__init__()
        self.written = list[tuple[str, str]]()

    def put(self, collection: Any, key: str, document: Any, sort: bytes | None = None) -> None:
        self.written.append((collection.name, key))
        super().put(collection, key, document, sort)


def test_a_void_writes_the_games_that_it_changes_and_no_others() -> None:
    """Two circles of people who never meet: a void in one of them rewrites nothing of the other's."""
    pairs = [(member(0), member(1)), (member(2), member(3))]
    records = [one for number in range(1, 41) for one in life(number, ended(pairs[number % 2], [0]), kind=KIND)]
    documents, log = Counted(), placed(records)
    advance(LADDERS, documents, 0, log)
    documents.written.clear()
    void = rulings.ruling_record(1, rulings.GamesVoided((game_id(21),), "abuse"), member(0), START)
    advance(LADDERS, documents, log[-1].position, [Placed(log[-1].position + 1, void)])
    written = [key for name, key in documents.written if name == GAMES(KIND).name]
    behind = [f"{one.position:020}" for one in log if isinstance(one.record.event, ev.Finished)][20::2]
    assert written == behind[1:]
    assert sum(name.startswith("ladder_history") for name, _ in documents.written) == 0


@pytest.mark.parametrize(("seed", "held"), [(0, 11), (1, 11), (2, 1000), (3, 1000)])
def test_what_is_stored_is_the_same_however_little_is_held_in_memory(
    connection: Connection[Any], monkeypatch: pytest.MonkeyPatch, seed: int, held: int
) -> None:
    """Batches of any size, each of which reads all anew; games are read in pages, written in parts."""
    monkeypatch.setattr(batches, "_PAGE", 7)
    monkeypatch.setattr(batches, "_MOST_WRITTEN", held)
    lots, log, at = Random(seed), placed(history(Random(seed), 70, 8, 60)), 0
    prepare(connection, [LADDERS])
    while at < len(log):
        size = lots.choice((1, 3, 20))
        with connection.transaction():
            fold_batch(connection, builds(connection)[0], LADDERS, log[at : at + size])
        at += size
    assert build_fingerprint(connection, builds(connection)[0]) == fingerprint(folded(LADDERS, log).rows())
