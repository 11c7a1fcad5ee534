"""The sheet as it is written on paper."""

from rubber_hands import FIVE_CLUB_HONOURS, LEVEL, LOST_GAMES_BUT_NOT_POINTS, events, sheet_of

from domain.games.bridge_solitaire.state import Sheet
from projections.rubbers.sheets import paper


def drawn(picture: str) -> str:
    """A picture without its margin."""
    lines = picture.strip("\n").splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip().startswith("━"))
    return "\n".join(line[margin:].rstrip() for line in lines[:-1]) + "\n"


def test_a_new_sheet_has_two_names_and_the_thick_line() -> None:
    assert paper(Sheet()) == drawn("""
             ME │     IT
        ━━━━━━━━┿━━━━━━━━
    """)


def test_one_club_doubled_with_five_honours_is_40_below_and_50_and_150_above() -> None:
    assert paper(sheet_of(events("me 1Cx 7", cards=FIVE_CLUB_HONOURS))) == drawn("""
             ME │     IT
            150 │
             50 │
        ━━━━━━━━┿━━━━━━━━
             40 │
    """)


def test_the_side_with_one_game_may_have_more_points_than_the_side_with_two() -> None:
    assert paper(sheet_of(events(*LOST_GAMES_BUT_NOT_POINTS))) == drawn("""
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
    """)


def test_a_rubber_may_end_level() -> None:
    assert paper(sheet_of(events(*LEVEL))) == drawn("""
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
    """)


def test_a_line_cuts_off_both_part_scores_and_the_next_game_starts_below_it() -> None:
    assert paper(sheet_of(events("it 2D 8", "me 2S 8", "me 2H 9", "me 1NT 7"))) == drawn("""
             ME │     IT
             30 │
        ━━━━━━━━┿━━━━━━━━
             60 │     40
             60 │
        ────────┼────────
             40 │
    """)


def test_a_rubber_closed_early_has_its_premiums_on_top_and_totals_at_the_foot() -> None:
    assert paper(sheet_of(events("it 2D 8", "me 2S 8", "me 2H 9", "it 1C 8", stop="closed"))) == drawn("""
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
    """)
