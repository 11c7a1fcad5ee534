"""Rubbers: the sheet document, its invariants over random rubbers, the list, the back score, totals, and the paper."""

from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any

import pytest
from projection_logs import (
    ADA,
    BEN,
    START,
    AnyRecord,
    event_record,
    finish,
    folded,
    game_id,
    opening_event,
    placed,
    played,
    present,
)
from rubber_hands import FIVE_CLUB_HONOURS, KIND, LEVEL, LOST_GAMES_BUT_NOT_POINTS, events, rubber_game, sheet_of

from domain.games import GAME_TYPES
from domain.games.bridge_solitaire.events import HandsVoided
from domain.games.bridge_solitaire.scoring import after, back_score
from domain.games.bridge_solitaire.state import Sheet
from domain.play import events as ev
from domain.rulings import GamesVoided, VoidsWithdrawn, ruling_record
from projections.rubbers.rubber_projection import (
    RUBBERS,
    BackLine,
    RubberTotals,
    back_lines,
    public_rubbers,
    rubbers,
    sheets,
    totals,
)
from projections.rubbers.sheets import GameWon, RubberSheet, ToGame, paper
from tests.memory_documents import MemoryDocuments

WON_TWO_NIL = ("me 4H 10", "me 3NT 9")
LOST = ("it 4H 10", "it 5D 11")


def documents(*games: Sequence[AnyRecord]) -> MemoryDocuments:
    return folded(RUBBERS, placed(record for records in games for record in records))


def sheet(stored: MemoryDocuments, number: int = 1) -> RubberSheet:
    return present(stored.get(sheets(), str(game_id(number))))


def totals_of(stored: MemoryDocuments) -> RubberTotals | None:
    return stored.get(totals(), str(ADA))


def lines(stored: MemoryDocuments) -> list[BackLine]:
    """The back score, first finish first."""
    return [line for _, line in stored.listed(back_lines(ADA))][::-1]


def test_a_sheet_tells_hands_games_totals_and_net() -> None:
    rubber = sheet(documents(rubber_game(1, *events(*LOST_GAMES_BUT_NOT_POINTS))))
    assert (rubber.status, rubber.net, rubber.sheet.me.total, rubber.sheet.it.total) == ("completed", 810, 1690, 880)
    assert rubber.games == (GameWon("me", 2), GameWon("it", 4), GameWon("it", 8))
    assert [(line.contract.level, line.result, line.vulnerable) for line in rubber.hands[:4]] == [
        (2, 0, ()), (3, 3, ()), (3, -3, ("me",)), (4, 0, ("me",)),
    ]  # fmt: skip
    assert (rubber.to_game, rubber.if_stopped) == (None, ())


def test_an_open_sheet_tells_what_is_needed_for_game_and_what_stopping_would_bring() -> None:
    rubber = sheet(documents(rubber_game(1, *events("me 2S 8", "me 2H 9", "it 1C 8"), ended=False)))
    assert (rubber.status, rubber.to_game) == ("open", ToGame(100, 80))
    assert [(entry.side, entry.kind, entry.points) for entry in rubber.if_stopped] == [
        ("me", "unfinished_game", 300), ("it", "unfinished_part_score", 100),
    ]  # fmt: skip


def test_a_game_of_another_type_has_no_sheet() -> None:
    assert documents([event_record(game_id(1), 1, opening_event("klondike", (ADA,)))]).rows() == []


def test_voided_hands_leave_the_rubber_as_it_was_before_them_and_open_again() -> None:
    written = [*events(*WON_TWO_NIL)]
    ended = rubber_game(1, *written)
    voided = [*ended, event_record(game_id(1), 90, HandsVoided(2), kind=KIND)]
    stored, before = documents(voided), documents(rubber_game(1, *events(WON_TWO_NIL[0]), ended=False))
    assert sheet(stored) == sheet(before)
    assert (lines(stored), totals_of(stored)) == ([], None)


def test_a_rubber_that_goes_on_after_a_void_counts_as_it_ends_then() -> None:
    voided = [*events(*WON_TWO_NIL), HandsVoided(2)]
    again = [*events("me 4H 10", *LOST)][1:]
    finished = rubber_game(1, *voided, *again)
    stored, straight = documents(finished), documents(rubber_game(1, *events("me 4H 10", *LOST)))
    assert sheet(stored).sheet == sheet(straight).sheet
    assert [(line.status, line.net) for line in lines(stored)] == [(line.status, line.net) for line in lines(straight)]


@pytest.mark.parametrize(
    ("margin", "hundreds"), [(950, 10), (940, 9), (-950, -10), (-940, -9), (0, 0), (40, 0), (50, 1), (-50, -1)]
)
def test_an_odd_fifty_is_a_further_hundred_on_the_back_score_of_either_side(margin: int, hundreds: int) -> None:
    assert back_score(margin) == hundreds


def test_the_back_score_runs_on_from_rubber_to_rubber_exactly_and_in_hundreds() -> None:
    stored = documents(
        rubber_game(1, *events(*LOST_GAMES_BUT_NOT_POINTS)),
        rubber_game(2, *events(*LOST)),
        rubber_game(3, *events(*LEVEL)),
    )
    assert [(line.net, line.hundreds) for line in lines(stored)] == [(810, 8), (-920, -9), (0, 0)]
    assert [(line.running_net, line.running_hundreds) for line in lines(stored)] == [(810, 8), (-110, -1), (-110, -1)]


def test_totals_count_points_not_games_and_average_as_a_fraction() -> None:
    stored = totals_of(
        documents(
            rubber_game(1, *events(*LOST_GAMES_BUT_NOT_POINTS)),
            rubber_game(2, *events(*WON_TWO_NIL)),
            rubber_game(3, *events(*LEVEL)),
        )
    )
    assert stored is not None
    assert (stored.completed, stored.won, stored.drawn, stored.lost, stored.won_two_nil) == (3, 2, 1, 0, 1)
    assert (stored.net, stored.average, stored.best_net) == (1730, (1730, 3), 920)


def test_a_rubber_stopped_early_keeps_its_premiums_but_is_not_completed() -> None:
    stored = documents(
        rubber_game(1, *events("me 4H 10", stop="closed")), rubber_game(2, *events("me 4H 10", stop="resigned"))
    )
    counted = present(totals_of(stored))
    assert (counted.completed, counted.closed, counted.resigned, counted.best_net) == (0, 1, 1, None)
    assert [(line.status, line.net) for line in lines(stored)] == [("closed", 420), ("resigned", 420)]
    assert counted.back_net == 840


def test_a_voided_rubber_is_out_of_the_list_and_the_sums_behind_it_are_mended() -> None:
    games = [rubber_game(number, *events(*WON_TWO_NIL)) for number in (1, 2, 3)]
    void = event_record(game_id(2), 90, ev.Voided("fault"), kind=KIND)
    stored, never = documents(*games, [void]), documents(games[0], games[2])
    assert [line.running_net for line in lines(stored)] == [line.running_net for line in lines(never)] == [920, 1840]
    assert [key for key, _ in stored.listed(rubbers(ADA))] == [str(game_id(3)), str(game_id(1))]
    assert sheet(stored, 2).voided


def test_a_rubber_whose_void_is_withdrawn_was_never_voided() -> None:
    games = [rubber_game(number, *events(*WON_TWO_NIL)) for number in (1, 2, 3)]
    void = ruling_record(1, GamesVoided((game_id(2),), "abuse"), ADA, 1)
    back_lines = ruling_record(2, VoidsWithdrawn((game_id(2),), "it was none"), ADA, 2)
    assert sheet(documents(*games, [void]), 2).voided
    assert documents(*games, [void, back_lines]).rows() == documents(*games).rows()


def test_a_contests_rubber_is_in_no_list_before_the_contest_is_revealed() -> None:
    hidden = rubber_game(1, *events(*WON_TWO_NIL), contest=game_id(900))
    stored = documents(hidden)
    assert (stored.listed(rubbers(ADA)), lines(stored), totals_of(stored)) == ([], [], None)
    revealed = documents([*hidden, event_record(game_id(1), 90, ev.Revealed(b"", b""), kind=KIND)])
    assert (len(revealed.listed(rubbers(ADA))), [line.net for line in lines(revealed)]) == (1, [920])


def test_a_single_hand_is_a_sheet_and_no_rubber() -> None:
    stored = documents(rubber_game(1, *events("me 4H 10"), options={"length": "hand"}))
    assert (sheet(stored).net, sheet(stored).to_game) == (120, None)
    assert (stored.listed(rubbers(ADA)), lines(stored)) == ([], [])


def test_a_rubber_belongs_to_who_sits_there_when_it_is_dealt() -> None:
    opening = opening_event(KIND, (None,))
    table = [opening, ev.Joined(0, ADA), ev.Left(0, ADA), ev.Joined(0, BEN)]
    stored = documents([event_record(game_id(1), at, event, kind=KIND) for at, event in enumerate(table, 1)])
    assert [len(stored.listed(rubbers(player))) for player in (ADA, BEN)] == [0, 1]


@pytest.mark.parametrize(("more", "public"), [({"rated": False}, 1), ({"visibility": "private"}, 0)])
def test_practice_and_hidden_rubbers_are_listed_and_count_for_nothing(more: dict[str, Any], public: int) -> None:
    stored = documents(rubber_game(1, *events(*WON_TWO_NIL), **more))
    assert [len(stored.listed(rows(ADA))) for rows in (rubbers, public_rubbers)] == [1, public]
    assert [row.rated for _, row in stored.listed(rubbers(ADA))] == [more.get("rated", True)]
    assert (lines(stored), totals_of(stored)) == ([], None)


def test_the_rubber_board_lists_by_average_from_twenty_completed_rubbers() -> None:
    games = [rubber_game(number, *events(*WON_TWO_NIL)) for number in range(1, 21)]
    games += [rubber_game(100 + number, *events(*LOST), player=BEN) for number in range(1, 21)]
    assert [key for key, _ in documents(*games).listed(totals())] == [str(ADA), str(BEN)]
    assert documents(*games[:19]).listed(totals()) == []


@cache
def random_rubbers() -> tuple[tuple[AnyRecord, ...], ...]:
    """Real games, played at random to their end or given up early."""
    kind = GAME_TYPES[KIND]
    complete = [played(kind, number, (ADA,), 1500) for number in range(1, 16)]
    return tuple(map(tuple, [*complete, *(played(kind, number, (ADA,), number * 4) for number in range(16, 31))]))


@pytest.mark.parametrize("number", range(1, 31))
def test_the_sheet_of_a_random_rubber_adds_up_and_is_the_one_it_was_played_by(number: int) -> None:
    records, state = random_rubbers()[number - 1], Sheet()
    rubber = sheet(documents(records), number)
    entries, me, it = rubber.sheet.entries, rubber.sheet.me, rubber.sheet.it
    for side, column in (("me", me), ("it", it)):
        points = [entry.points for entry in entries if entry.side == side]
        assert column.total == sum(points) == column.above + column.below
        assert 0 not in points
    assert max(me.part_score, it.part_score) < 100
    assert (me.games, it.games) in [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 2)]
    assert [game.side for game in rubber.games].count("me") == me.games

    # A hand scores for one side but for honours, and below the line for the declarer only.
    declarers = {line.hand: line.contract.declarer for line in rubber.hands}
    earned = [entry for entry in entries if not entry.kind.startswith(("rubber", "unfinished"))]
    for hand, group in groupby(earned, key=lambda entry: entry.hand):
        rows = list(group)
        assert len({row.side for row in rows if row.kind != "honours"}) <= 1
        assert all(row.side == declarers[hand] for row in rows if row.place == "below")
    for line in rubber.hands:
        assert set(line.vulnerable) == {game.side for game in rubber.games if game.hand < line.hand}

    # The rubber's premium is there exactly when a side has two games, the others only when it was stopped.
    kinds = [entry.kind for entry in entries]
    assert (rubber.status == "completed") <= kinds.count("rubber_premium") == (2 in (me.games, it.games))
    assert not any(kind.startswith("unfinished") for kind in kinds) or rubber.status in ("closed", "resigned")

    hands = [record.event for record in records if type(record.event).__name__ == "HandScored"]
    assert all(after(rubber.sheet, hand) == rubber.sheet for hand in hands), "none is added to a sheet that is over"
    for record in records:
        state = after(state, record.event)
    assert rubber.sheet == state
    assert rubber.net == next(record.event for record in records if isinstance(record.event, ev.Finished)).scores[0]


def test_random_rubbers_come_to_every_kind_of_end() -> None:
    stored = documents(*random_rubbers())
    assert {row.status for _, row in stored.scan(rubbers(ADA))} == {"completed", "resigned"}
    assert {entry.kind for _, rubber in stored.scan(sheets()) for entry in rubber.sheet.entries} >= {
        "trick_score", "overtricks", "undertricks", "rubber_premium", "unfinished_game", "unfinished_part_score",
    }  # fmt: skip


def test_the_finish_of_the_same_rubber_twice_counts_once() -> None:
    twice = [*rubber_game(1, *events(*LOST)), event_record(game_id(1), 90, finish(), START + 1, KIND)]
    assert len(lines(documents(twice))) == 1


def test_a_rubber_that_is_revealed_late_stands_in_the_back_score_where_it_was_finished() -> None:
    contest = rubber_game(1, *events(*WON_TWO_NIL), contest=game_id(900))
    revealed = event_record(game_id(1), 90, ev.Revealed(b"", b""), kind=KIND)
    stored = documents(contest, rubber_game(2, *events(*LOST_GAMES_BUT_NOT_POINTS)), [revealed])
    assert [(line.net, line.running_net) for line in lines(stored)] == [(920, 920), (810, 1730)]
    counted = present(totals_of(stored))
    assert (counted.back_net, counted.completed) == (1730, 2)


@pytest.mark.parametrize(("sheet", "picture"), [
    pytest.param(Sheet(), """
             ME │     IT
        ━━━━━━━━┿━━━━━━━━
    """, id="a new sheet has two names and the thick line"),
    pytest.param(sheet_of(events("me 1Cx 7", cards=FIVE_CLUB_HONOURS)), """
             ME │     IT
            150 │
             50 │
        ━━━━━━━━┿━━━━━━━━
             40 │
    """, id="one club doubled with five honours is 40 below and 50 and 150 above"),
    pytest.param(sheet_of(events(*LOST_GAMES_BUT_NOT_POINTS)), """
             ME │     IT
            200 │
            800 │
            500 │    500
             90 │    100
        ━━━━━━━━┿━━━━━━━━
            100 │     60
        ────────┼────────
                │    120
        ────────┼────────
                │    100
        ────────┼────────
        ════════╪════════
           1690 │    880
    """, id="the side with one game may have more points than the side with two"),
    pytest.param(sheet_of(events(*LEVEL)), """
             ME │     IT
            100 │
            800 │    700
        ━━━━━━━━┿━━━━━━━━
                │    100
        ────────┼────────
                │    100
        ────────┼────────
        ════════╪════════
            900 │    900
    """, id="a rubber may end level"),
    pytest.param(sheet_of(events("it 2D 8", "me 2S 8", "me 2H 9", "me 1NT 7")), """
             ME │     IT
             30 │
        ━━━━━━━━┿━━━━━━━━
             60 │     40
             60 │
        ────────┼────────
             40 │
    """, id="a line cuts off both part scores and the next game starts below it"),
    pytest.param(sheet_of(events("it 2D 8", "me 2S 8", "me 2H 9", "it 1C 8", stop="closed")), """
             ME │     IT
            300 │    100
             30 │     20
        ━━━━━━━━┿━━━━━━━━
             60 │     40
             60 │
        ────────┼────────
                │     20
        ════════╪════════
            450 │    180
    """, id="a rubber closed early has its premiums on top and totals at the foot"),
])  # fmt: skip
def test_a_sheet_is_written_as_on_paper(sheet: Sheet, picture: str) -> None:
    lines = picture.strip("\n").splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip().startswith("━"))
    assert paper(sheet) == "\n".join(line[margin:].rstrip() for line in lines[:-1]) + "\n"
