"""Every item of the score, Laws 72 and 81 of rubber bridge."""

import pytest

from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire.state import STRAINS

from .positions import contract, hand

NO_HONOURS = hand("5432 S, 543 H, 543 D, 543 C")


def written(bid, tricks, declarer="me", vulnerable=(), cards=NO_HONOURS, old=False):
    """The entries as (side, place, kind, points)."""
    entries = scoring.entries(1, contract(bid, declarer), tricks, cards, vulnerable, old)
    return [(entry.side, entry.place, entry.kind, entry.points) for entry in entries]


@pytest.mark.parametrize(
    ("bid", "points"),
    [
        ("1C", 20), ("1D", 20), ("1H", 30), ("1S", 30), ("1NT", 40), ("3NT", 100), ("5C", 100), ("4S", 120),
        ("7NT", 220), ("2H doubled", 120), ("1NT doubled", 80), ("1NT redoubled", 160), ("1C redoubled", 80),
    ],
)  # fmt: skip
def test_tricks_bid_and_made_go_below_the_line(bid, points):
    made = written(bid, contract(bid).needs)
    assert made[0] == ("me", "below", "trick_score", points)
    assert made == [row for row in made if row[0] == "me"]


@pytest.mark.parametrize("strain", STRAINS)
def test_vulnerability_does_not_change_the_trick_score(strain):
    assert written(f"2{strain}", 8) == written(f"2{strain}", 8, vulnerable=("me", "it"))


@pytest.mark.parametrize(
    ("bid", "plain", "exposed"),
    [
        ("1C", 20, 20), ("1D", 20, 20), ("1H", 30, 30), ("1S", 30, 30), ("1NT", 30, 30),
        ("1C doubled", 100, 200), ("1NT doubled", 100, 200), ("1S redoubled", 200, 400),
    ],
)  # fmt: skip
def test_each_overtrick_goes_above_the_line(bid, plain, exposed):
    assert ("me", "above", "overtricks", plain) in written(bid, 8)
    assert ("me", "above", "overtricks", 2 * exposed) in written(bid, 9, vulnerable=("me",))


@pytest.mark.parametrize("vulnerable", [(), ("me",)])
def test_the_insult_is_fifty_doubled_and_a_hundred_redoubled(vulnerable):
    assert written("1C doubled", 7, vulnerable=vulnerable)[1:] == [("me", "above", "insult", 50)]
    assert written("1C redoubled", 7, vulnerable=vulnerable)[1:] == [("me", "above", "insult", 100)]


@pytest.mark.parametrize(
    ("bid", "kind", "plain", "exposed"),
    [("6C", "small_slam", 500, 750), ("7C", "grand_slam", 1000, 1500)],
)
def test_slams_bid_and_made_earn_their_premium_and_no_other(bid, kind, plain, exposed):
    tricks = contract(bid).needs
    assert written(bid, tricks)[1:] == [("me", "above", kind, plain)]
    assert written(bid, tricks, vulnerable=("me",))[1:] == [("me", "above", kind, exposed)]


def test_slam_and_insult_are_never_multiplied():
    assert written("6C redoubled", 12)[1:] == [("me", "above", "insult", 100), ("me", "above", "small_slam", 500)]


def test_twelve_tricks_without_bidding_six_earn_no_slam():
    assert written("5C", 12) == [("me", "below", "trick_score", 100), ("me", "above", "overtricks", 20)]


def test_six_bid_and_thirteen_made_earn_the_small_slam_only():
    assert ("me", "above", "small_slam", 500) in written("6C", 13)
    assert not [row for row in written("6C", 13) if row[2] == "grand_slam"]


UNDERTRICKS = [
    ("", False, [50, 100, 150, 200, 250, 300]),
    ("", True, [100, 200, 300, 400, 500, 600]),
    (" doubled", False, [100, 300, 500, 800, 1100, 1400]),
    (" doubled", True, [200, 500, 800, 1100, 1400, 1700]),
    (" redoubled", False, [200, 600, 1000, 1600, 2200, 2800]),
    (" redoubled", True, [400, 1000, 1600, 2200, 2800, 3400]),
]


@pytest.mark.parametrize(("doubling", "exposed", "points"), UNDERTRICKS)
def test_undertricks_go_to_the_defenders_above_the_line(doubling, exposed, points):
    vulnerable = ("me",) if exposed else ("it",)
    scored = [written(f"7C{doubling}", 13 - down, vulnerable=vulnerable) for down in range(1, 7)]
    assert scored == [[("it", "above", "undertricks", due)] for due in points]


def test_the_fourth_doubled_undertrick_not_vulnerable_costs_300_not_200():
    assert scoring.penalty(contract("7C doubled"), 4, False) - scoring.penalty(contract("7C doubled"), 3, False) == 300


def test_old_undertricks_stay_at_200_from_the_second_on_when_not_vulnerable():
    fines = [scoring.penalty(contract("7C doubled"), down, False, old=True) for down in range(1, 7)]
    assert fines == [100, 300, 500, 700, 900, 1100]
    assert scoring.penalty(contract("7C redoubled"), 4, False, old=True) == 1400


def test_old_undertricks_change_nothing_when_vulnerable_or_undoubled():
    for bid, exposed in (("7C doubled", True), ("7C redoubled", True), ("7C", False), ("7C", True)):
        both = {scoring.penalty(contract(bid), 5, exposed, old) for old in (False, True)}
        assert len(both) == 1


@pytest.mark.parametrize(
    ("bid", "cards", "points"),
    [
        ("1C", "AKQJ C, 5432 S, 543 H, 54 D", 100),
        ("1C", "AKQJT C, 5432 S, 54 H, 54 D", 150),
        ("1C", "KQJT C, 5432 S, 543 H, 54 D", 100),
        ("1NT", "A432 S, A32 H, A32 D, A32 C", 150),
    ],
)
def test_honours_are_written_above_the_line_made_or_not(bid, cards, points):
    row = ("me", "above", "honours", points)
    assert row in written(bid, 7, cards=hand(cards))
    assert row in written(bid, 3, cards=hand(cards))
    assert row in written(f"{bid} redoubled", 7, cards=hand(cards))


@pytest.mark.parametrize(
    ("bid", "cards"),
    [
        ("1C", "AKQ9 C, 5432 S, 543 H, 54 D"),
        ("1H", "AKQJT C, 5432 S, 54 H, 54 D"),
        ("1NT", "AKQJT C, A432 S, A4 H, 54 D"),
        ("1S", "A432 S, A32 H, A32 D, A32 C"),
        ("1NT", "5432 S, 543 H, 543 D, T43 C"),
    ],
)
def test_three_honours_or_honours_elsewhere_earn_nothing(bid, cards):
    assert not [row for row in written(bid, 7, cards=hand(cards)) if row[2] == "honours"]


def test_a_house_contract_that_is_made_scores_for_the_house():
    assert written("2D doubled", 9, "it") == [
        ("it", "below", "trick_score", 80),
        ("it", "above", "overtricks", 100),
        ("it", "above", "insult", 50),
    ]


def test_a_house_contract_two_down_doubled_earns_the_player_300():
    assert written("2D doubled", 6, "it") == [("me", "above", "undertricks", 300)]


def test_the_houses_own_vulnerability_counts_for_its_undertricks():
    assert written("2D doubled", 6, "it", vulnerable=("it",)) == [("me", "above", "undertricks", 500)]
    assert written("2D doubled", 6, "it", vulnerable=("me",)) == [("me", "above", "undertricks", 300)]


def test_the_house_can_score_a_small_slam():
    assert ("it", "above", "small_slam", 500) in written("6H", 12, "it")


def test_one_club_doubled_with_five_honours_scores_as_the_published_example_says():
    cards = hand("AKQJT8 C, Q87 H, 94 S, 3 D")
    assert written("1C doubled", 7, cards=cards) == [
        ("me", "below", "trick_score", 40),
        ("me", "above", "insult", 50),
        ("me", "above", "honours", 150),
    ]


def test_zeros_are_never_written():
    rows = [written(f"{n}{s}", tricks) for n in range(1, 8) for s in STRAINS for tricks in range(14)]
    assert all(points > 0 for row in rows for *_, points in row)
