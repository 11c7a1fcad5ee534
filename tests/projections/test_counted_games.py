"""How games with others count: how seats are placed, and who sees games through."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from msgspec import Struct
from msgspec.structs import replace
from projection_logs import START, AnyRecord, event_record, folded, game_id, opening_event, placed, present
from seasons import DAY, ended, member

from domain import rulings
from domain.league import aggregate as lg
from domain.league import events as le
from domain.league.rules import RELIABILITY
from domain.play import events as ev
from projections.boards.reliability import RELIABILITIES, Reliability, kept, rows
from projections.games.counted_games import Departure, Play, RulingsOfGame, places, units

FOUR = [member(number) for number in range(4)]


def play(finish: ev.Finished, *left: tuple[int, int], kind: str = "decs_building") -> Play:
    """A game that ended so; who left, each with the step."""
    gone = tuple(Departure(seat, step) for seat, step in left)
    return Play(game_id(1), kind, finish.players, finish=finish, left=gone)


@pytest.mark.parametrize(("players", "placed_"), [(2, (0, 1)), (3, (0, 1, 2)), (4, (0, 0, 2, 3)), (5, (0, 1, 1, 1, 4))])
def test_units_run_from_24_to_0_and_ties_share(players: int, placed_: tuple[int, ...]) -> None:
    assert sum(units(placed_)) == 12 * players
    assert max(units(placed_)) <= 24
    assert min(units(placed_)) >= 0


TWO = FOUR[:2]
AGREED, RESIGNED = {"ending": "abandoned", "reason": "agreed"}, {"reason": "resigned"}


@pytest.mark.parametrize(("game", "placed"), [
    (play(ended(FOUR, [2], (5, 9, 7, 8)), (1, 7), (3, 9)), (1, 3, 0, 2)),  # the first to leave at the very end
    (play(ended(FOUR, [0, 2]), (1, 7), (3, 7)), (0, 2, 0, 2)),  # out of time in the same step
    (play(ended(FOUR, [0, 2, 3]), (1, 7)), (0, 3, 0, 0)),  # it could not go on without the leaver
    (play(ended(TWO, [], (7, 3), ending="lost"), kind="golf"), (1, 0)),
    (play(ended(TWO, [], (7, 3), ending="lost")), (0, 1)),
    (play(ended(TWO, [], moves=1, **AGREED)), None),  # closed by all before everybody had a turn
    (play(ended(TWO, [], moves=2, **AGREED)), (0, 0)),
    (play(ended(TWO, [1], moves=0, **RESIGNED), (0, 3)), None),
    (play(ended(TWO, [1], moves=1, **RESIGNED), (0, 3)), None),
    (play(ended(TWO, [1], moves=2, **RESIGNED), (0, 3)), (1, 0)),
    (play(ended(FOUR, [], **AGREED), (1, 7)), (0, 3, 0, 0)),  # closed by those who remain
    (play(ended(FOUR, [], ending="abandoned", reason="not_begun"), (1, 7)), None),  # as the clock found
])  # fmt: skip
def test_seats_are_placed_by_result_and_leavers_come_last(game: Play, placed: tuple[int, ...] | None) -> None:
    assert places(game) == placed


@pytest.mark.parametrize(("said", "placed"), [
    ({"ending": "won", "winners": (3,), "scores": (1, 2, 3, 9)}, (3, 2, 1, 0)),
    ({"ending": "won", "winners": (1,), "places": (1, 0, 1, 3)}, (1, 0, 1, 3)),
    ({"ending": "abandoned", "winners": ()}, None),
])  # fmt: skip
def test_a_correction_places_as_it_says_and_by_winners_and_scores_where_it_does_not(
    said: dict[str, Any], placed: tuple[int, ...] | None
) -> None:
    corrected = RulingsOfGame(correction=rulings.ResultCorrected(game=game_id(1), reason="typo", **said))
    assert places(replace(play(ended(FOUR, [0]), (3, 7)), said=corrected)) == placed


KIND = "screaming_yoda"
ADA, BEN, CYD = (member(number) for number in range(3))


def game(number: int, end: ev.Finished, *left: Struct, day: float = 0) -> list[AnyRecord]:
    """A game that ended so on this day, after these seats had left."""
    events = [opening_event(KIND, end.players), *left, end, ev.Revealed(b"", b"")]
    at = START // DAY * DAY + int(day * DAY)
    return [event_record(game_id(number), version, event, at, KIND) for version, event in enumerate(events, 1)]


def late(number: int, day: float = 0) -> list[AnyRecord]:
    """A game in which Ada ran out of time."""
    return game(number, ended((ADA, BEN), [1], reason="timed_out"), ev.TimedOut(0), day=day)


def row(records: Sequence[AnyRecord], player: UUID = ADA) -> Reliability:
    return present(folded(RELIABILITIES, placed(records)).get(rows(), str(player)))


def kinds(records: Sequence[AnyRecord], player: UUID = ADA) -> list[str]:
    return [line.kind for _, line in folded(RELIABILITIES, placed(records)).scan(kept(player))]


def bar(*days: float) -> float:
    """How many days the last bar is ahead of the last of these failures."""
    records = [record for number, day in enumerate(days, 1) for record in late(number, day)]
    until = row(records).barred_until
    return (until - START // DAY * DAY) / DAY - days[-1] if until else 0


@pytest.mark.parametrize(("end", "left", "kind"), [
    (ended((ADA, BEN), [1], reason="timed_out"), ev.TimedOut(0), "timed_out"),
    (ended((ADA, BEN), [1], reason="resigned"), ev.Resigned(0), "finished"),
    (ended((ADA, BEN), [1], reason="resigned", moves=1), ev.Resigned(0), "left"),
    (ended((ADA, BEN), [1], reason="resigned", moves=11), ev.Resigned(0), "left"),
    (ended((ADA, BEN, CYD), [1]), ev.Resigned(0), "left"),
    (ended((ADA, BEN, CYD), [1]), ev.Resigned(2), "finished"),
    (ended((ADA, BEN), [], ending="abandoned", reason="agreed"), ev.AbandonAgreed(0), "finished"),
])  # fmt: skip
def test_what_counts_against_a_player(end: ev.Finished, left: Struct, kind: str) -> None:
    assert kinds(game(1, end, left)) == [kind]


@pytest.mark.parametrize("end", [
    ended((ADA,), [], ending="lost"), ended((ADA, BEN), [1], rated=False),
])  # fmt: skip
def test_games_alone_and_unrated_ones_say_nothing(end: ev.Finished) -> None:
    assert kinds(game(1, end, ev.TimedOut(0))) == []


def test_the_share_is_that_of_the_last_hundred_games() -> None:
    old = [record for number in range(1, 11) for record in late(number, number)]
    new = [record for number in range(11, 111) for record in game(number, ended((ADA, BEN), [0]), day=number)]
    assert (row(old + new[:3]).games, row(old + new[:3]).kept) == (11, 1)
    assert (row(old + new).games, row(old + new).kept) == (RELIABILITY.window, RELIABILITY.window)


def test_three_failures_within_a_week_bar_for_a_day_and_each_further_bar_soon_after_for_twice_as_long() -> None:
    assert bar(0, 1) == 0
    assert bar(0, 1, 8) == 0, "the first is more than a week ago"
    assert bar(0, 1, 6) == 1
    assert bar(0, 1, 2, 20, 21, 22) == 2
    assert bar(0, 1, 2, 20, 21, 22, 40, 41, 42) == 4
    assert bar(0, 1, 2, 200, 201, 202) == 1, "forgotten after ninety days"


def test_a_void_takes_a_failure_and_the_bar_away_and_its_withdrawal_gives_them_back() -> None:
    records = [*late(1), *late(2, 1), *late(3, 2)]
    voiding = rulings.ruling_record(1, rulings.GamesVoided((game_id(2),), "a fault"), BEN, START + 3 * DAY)
    back = rulings.ruling_record(2, rulings.VoidsWithdrawn((game_id(2),), "it was none"), BEN, START + 3 * DAY)
    before = row(records)
    assert before.barred_until > 0
    assert row([*records, voiding]) == replace(before, games=2, barred_until=0, bars=0)
    assert row([*records, voiding, back]) == before


def test_who_did_not_show_for_a_fixture_has_failed_until_that_is_taken_back() -> None:
    fixture, league = UUID(int=0xF1), UUID(int=0x1E)
    walkover = lg.league_record(league, 1, le.WalkoverGiven(fixture, BEN, "nobody came", (ADA,)), BEN, START)
    back = lg.league_record(league, 2, le.FixtureReopened(fixture, "they did"), BEN, START)
    assert kinds([walkover]) == ["no_show"]
    assert kinds([walkover, back]) == []
