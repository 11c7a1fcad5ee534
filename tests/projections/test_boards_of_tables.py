"""Boards of games that several play: what was no game counts for nobody, and a table closed by all is a draw."""

from uuid import UUID

import pytest
from msgspec import Struct
from projection_logs import START, AnyRecord, event_record, folded, game_id, opening_event, placed
from seasons import ended, member

from domain import rulings
from domain.capabilities import Counting
from domain.games import GAME_TYPES
from domain.play import events as ev
from projections.boards.scoreboards import SCOREBOARDS, board, played_games
from tests.memory_documents import MemoryDocuments

KIND = "spite_and_malice"
ADA, BEN = member(0), member(1)


def game(end: ev.Finished, *left: Struct) -> list[AnyRecord]:
    events = [opening_event(KIND, end.players), *left, end, ev.Revealed(b"", b"")]
    return [event_record(game_id(1), version, event, kind=KIND) for version, event in enumerate(events, 1)]


def counts(documents: MemoryDocuments, player: UUID) -> tuple[int, int, int, int]:
    """Games, wins, draws and losses."""
    row = documents.get(board(KIND), str(player))
    return (0, 0, 0, 0) if row is None else (row.games, row.wins, row.draws, row.losses)


def told(*records: AnyRecord) -> tuple[tuple[int, int, int, int], ...]:
    documents = folded(SCOREBOARDS, placed(records))
    assert [bool(list(documents.scan(played_games(player, KIND)))) for player in (ADA, BEN)] == [
        counts(documents, player)[0] > 0 for player in (ADA, BEN)
    ]
    return counts(documents, ADA), counts(documents, BEN)


NOTHING = (0, 0, 0, 0)


def test_a_game_left_before_everybody_can_have_had_a_turn_counts_for_nobody() -> None:
    end = ended((ADA, BEN), [1], moves=1, reason="resigned")
    assert told(*game(end, ev.Resigned(0))) == (NOTHING, NOTHING)
    assert told(*game(ended((ADA, BEN), [1], reason="resigned"), ev.Resigned(0))) == ((1, 0, 0, 1), (1, 1, 0, 0))


LEAST = 2 * GAME_TYPES[KIND].get(Counting).moves


@pytest.mark.parametrize("end", [
    {"reason": "resigned"}, {"reason": "timed_out"}, {"ending": "abandoned", "reason": "agreed"},
])  # fmt: skip
def test_a_game_given_up_counts_from_as_many_moves_on_as_its_type_says(end: dict[str, str]) -> None:
    winners = [] if "ending" in end else [1]
    left = [] if "ending" in end else [ev.Resigned(0)]
    early, later = (ended((ADA, BEN), winners, moves=moves, **end) for moves in (LEAST - 1, LEAST))
    assert told(*game(early, *left)) == (NOTHING, NOTHING)
    assert told(*game(later, *left)) != (NOTHING, NOTHING)


def test_a_game_that_ends_by_its_rules_counts_however_short() -> None:
    assert told(*game(ended((ADA, BEN), [1], moves=2))) == ((1, 0, 0, 1), (1, 1, 0, 0))


def test_a_table_closed_by_all_is_a_draw() -> None:
    assert told(*game(ended((ADA, BEN), [], ending="abandoned", reason="agreed"))) == ((1, 0, 1, 0), (1, 0, 1, 0))


def test_a_correction_to_no_game_takes_it_from_everybody_and_its_withdrawal_gives_it_back() -> None:
    records = game(ended((ADA, BEN), [0]))
    said = rulings.ResultCorrected(game=game_id(1), ending="abandoned", winners=(), reason="a fault")
    none = rulings.ruling_record(1, said, BEN, START)
    back = rulings.ruling_record(2, rulings.CorrectionWithdrawn(game_id(1), "it was none"), BEN, START)
    assert told(*records, none) == (NOTHING, NOTHING)
    assert told(*records, none, back) == told(*records) == ((1, 1, 0, 0), (1, 0, 0, 1))
