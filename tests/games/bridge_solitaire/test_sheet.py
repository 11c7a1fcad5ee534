"""The rubber's sheet: games, part scores, lines, vulnerability and premiums (Laws 73, 74 and 80)."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire.events import HandScored, HandsVoided, RubberClosed, RubberScored
from domain.games.bridge_solitaire.state import GAME, Column, Entry, Sheet, column

from .positions import contract
from .scored import ended, folded, rows, rubbers, scored_hand

HARD = settings(max_examples=200, deadline=None, derandomize=True, database=None)


def test_a_part_score_of_60_and_two_hearts_make_a_game():
    part = folded("me 2H 8")
    assert (part.me.part_score, part.me.games, part.lines) == (60, 0, ())
    game = folded("me 2H 8", "me 2H 8")
    assert (game.me.part_score, game.me.games, game.lines) == (0, 1, (2,))
    assert game.vulnerable == ("me",)
    assert game.me.total == 120


def test_a_line_cuts_off_the_other_sides_part_score_too_but_not_its_points():
    cut = folded("it 2H 8", "me 4H 10")
    assert (cut.it.part_score, cut.it.games, cut.it.total) == (0, 0, 60)
    assert cut.vulnerable == ("me",)


def test_ninety_below_the_line_is_no_game_and_a_hundred_is():
    assert folded("me 3H 9").me.games == 0
    assert folded("me 3NT 9").me.games == 1


def test_points_above_the_line_make_no_game():
    assert folded("me 1C 13").me.games == 0
    assert folded("it 7C doubled 3").me.games == 0


def test_a_game_makes_the_next_undertricks_vulnerable():
    assert rows(folded("me 4H 10", "me 4H 9").entries)[-1] == ("it", "undertricks", 100)


def test_the_game_that_is_won_in_a_hand_does_not_count_for_that_hand():
    assert rows(folded("me 6H 12").entries)[-1] == ("me", "small_slam", 500)


def test_two_games_to_none_earn_700():
    assert rows(ended(folded("me 4H 10", "me 4H 10")).entries)[-1] == ("me", "rubber_premium", 700)


def test_two_games_to_one_earn_500():
    assert rows(ended(folded("me 4H 10", "it 4H 10", "it 4H 10")).entries)[-1] == ("it", "rubber_premium", 500)


def test_a_rubber_premium_leaves_no_premium_of_an_unfinished_one():
    assert [entry.kind for entry in scoring.at_end(folded("me 4H 10", "it 2H 8", "me 4H 10"))] == ["rubber_premium"]


@pytest.mark.parametrize(
    ("hands", "due"),
    [
        ((), []),
        (("me 4H 10",), [("me", "unfinished_game", 300)]),
        (("it 4H 10",), [("it", "unfinished_game", 300)]),
        (("me 4H 10", "it 4H 10"), []),
        (("me 2H 8",), [("me", "unfinished_part_score", 100)]),
        (("me 2H 8", "it 2H 8"), []),
        (("me 4H 10", "it 2H 8"), [("me", "unfinished_game", 300), ("it", "unfinished_part_score", 100)]),
        (("me 4H 10", "me 2H 8"), [("me", "unfinished_game", 300), ("me", "unfinished_part_score", 100)]),
        (("it 2H 8", "me 4H 10"), [("me", "unfinished_game", 300)]),
        (("me 4H 10", "it 4H 10", "it 2H 8"), [("it", "unfinished_part_score", 100)]),
        (("me 4H 3", "it 4H 10"), [("it", "unfinished_game", 300)]),
        (("me 4H 3",), []),
    ],
)
def test_an_unfinished_rubber_pays_the_only_game_and_the_only_part_score(hands, due):
    assert rows(scoring.find_unfinished(folded(*hands))) == due


def test_the_only_part_score_earns_100_not_the_50_of_older_codes():
    assert scoring.find_unfinished(folded("me 1C 7"))[0].points == 100


def test_points_still_needed_for_game_are_told():
    assert scoring.to_game(folded("me 2H 8"), "me") == 40
    assert scoring.to_game(folded("me 2H 8"), "it") == 100


def test_the_back_score_counts_an_odd_fifty_as_a_further_hundred():
    margins = [950, 940, 0, 50, 40, -950, -940]
    assert [scoring.back_score(margin) for margin in margins] == [10, 9, 0, 1, 0, -10, -9]


def test_a_finished_sheet_takes_no_more_hands():
    complete = folded("me 4H 10", "me 4H 10")
    more = scored_hand(complete, contract("4H"), 10)
    assert scoring.after(complete, more) == complete
    closed = ended(folded("me 4H 10"))
    assert scoring.after(closed, more) == closed
    assert scoring.after(closed, RubberClosed("closed", scoring.find_unfinished(closed))) == closed


def test_voiding_returns_to_the_sheet_before_that_hand():
    hands = ("me 4H 10", "it 2H 8", "it 4H 10", "me 4H 10")
    for first in range(1, 5):
        assert scoring.after(ended(folded(*hands)), HandsVoided(first)) == folded(*hands[: first - 1])
    assert scoring.after(folded(*hands), HandsVoided(5)) == folded(*hands)


def test_a_voided_rubber_goes_on():
    on = scoring.after(ended(folded("me 4H 10", "me 4H 10")), HandsVoided(2))
    on = scoring.after(on, scored_hand(on, contract("4H", "it"), 3))
    assert (on.me.games, on.it.games, on.hands, on.closed) == (1, 1, 2, False)


def test_a_published_rubber_is_won_on_points_by_the_side_with_one_game():
    """Both columns as entries: two games to the house, 1690 to 880 for the player."""
    below = scoring.with_hand(Sheet(), 1, (Entry(1, "me", "below", "trick_score", 120),))
    below = scoring.with_hand(below, 2, (Entry(2, "it", "below", "trick_score", 100),))
    below = scoring.with_hand(below, 3, (Entry(3, "me", "above", "undertricks", 1570),))
    below = scoring.with_hand(below, 4, (Entry(4, "it", "below", "trick_score", 280),))
    done = ended(below)
    assert (done.me.total, done.it.total, done.margin) == (1690, 880, 810)


def fold(events):
    on = Sheet()
    for event in events:
        on = scoring.after(on, event)
    return on


@HARD
@given(rubbers())
def test_totals_are_the_sums_of_the_entries(events):
    on = fold(events)
    for side in ("me", "it"):
        own = [entry for entry in on.entries if entry.side == side]
        points = column(on, side)
        assert points.total == points.above + points.below == sum(entry.points for entry in own)
        assert points.below == sum(entry.points for entry in own if entry.place == "below")


@HARD
@given(rubbers())
def test_only_the_declarer_scores_below_the_line_and_one_side_a_hand_but_for_honours(events):
    for event in (event for event in events if isinstance(event, HandScored)):
        below = {entry.side for entry in event.entries if entry.place == "below"}
        assert below <= {event.contract.declarer}
        assert len({entry.side for entry in event.entries if entry.kind != "honours"}) == 1
        assert all(entry.points > 0 and entry.points % 10 == 0 for entry in event.entries)


@HARD
@given(rubbers())
def test_the_open_game_stays_under_100_and_games_never_pass_two_to_one(events):
    on = Sheet()
    for event in events:
        on = scoring.after(on, event)
        assert max(on.me.part_score, on.it.part_score) < GAME
        assert on.me.games + on.it.games <= 3
        assert max(on.me.games, on.it.games) <= 2
        assert len(on.lines) == on.me.games + on.it.games


@HARD
@given(rubbers())
def test_recorded_vulnerability_is_what_the_sheet_says(events):
    on = Sheet()
    for event in events:
        assert not isinstance(event, HandScored) or event.vulnerable == on.vulnerable
        on = scoring.after(on, event)


@HARD
@given(rubbers())
def test_premiums_stand_exactly_where_a_rubber_ended(events):
    on, kinds = fold(events), {entry.kind for entry in fold(events).entries}
    assert ("rubber_premium" in kinds) == on.complete == isinstance(events[-1] if events else None, RubberScored)
    unfinished = kinds & {"unfinished_game", "unfinished_part_score"}
    closed = bool(events) and isinstance(events[-1], RubberClosed)
    assert bool(unfinished) == (closed and bool(events[-1].entries))
    assert on.closed == (closed or on.complete)


@HARD
@given(rubbers(), st.integers(0, 25))
def test_folding_again_or_from_a_snapshot_gives_the_same_bytes(events, at):
    stored = msgspec.json.encode(fold(events))
    assert msgspec.json.encode(fold(events)) == stored
    on = msgspec.json.decode(msgspec.json.encode(fold(events[:at])), type=Sheet)
    for event in events[at:]:
        on = scoring.after(on, event)
    assert msgspec.json.encode(on) == stored


def test_an_empty_column_has_nothing():
    assert Column() == Sheet().me
    assert Sheet().margin == 0
