"""What the analyses of somebody's games tell together."""

from uuid import UUID

from service.analysis.report import AnalysedGame, LostGame, Outcome, PatienceReport, VerdictSpan, lost_games, sum_losses


def analysed(number: int, key: str, outcome: Outcome, lost_step: int | None, last: int) -> AnalysedGame:
    spans = (VerdictSpan(1, lost_step - 1, "won"), VerdictSpan(lost_step, last, "impossible")) if lost_step else ()
    report = PatienceReport(
        outcome=outcome, lost_step=lost_step, last_winnable_step=None, first_lost_step=lost_step, moves=last,
        line_step=None, line=(), spans=spans or (VerdictSpan(1, last, "open"),), asked=(), undone=(),
        sentences=("", "", ""),
    )  # fmt: skip
    return AnalysedGame(UUID(int=number), key, report)


GAMES = [
    analysed(1, "golf", "unwinnable", None, 40),
    analysed(2, "freecell", "lost", 30, 60),
    analysed(3, "freecell", "won", None, 90),
    analysed(4, "freecell", "lost", 10, 100),
    analysed(5, "freecell", "lost", None, 10),  # between two steps
    analysed(6, "freecell", "open", None, 10),
    analysed(7, "golf", "given_up", None, 12),
]


def test_games_are_counted_by_type_and_by_what_became_of_them() -> None:
    freecell, golf = sum_losses(GAMES)
    assert (freecell.game_type, freecell.analysed, freecell.lost, freecell.won, freecell.open) == (
        "freecell", 5, 3, 1, 1,
    )  # fmt: skip
    assert freecell.lost_share == 0.3  # the mean of 30 of 60 and 10 of 100
    assert (golf.analysed, golf.unwinnable, golf.given_up, golf.lost_share) == (2, 1, 1, None)


def test_lost_games_have_their_step() -> None:
    assert lost_games(GAMES) == (
        LostGame(UUID(int=2), "freecell", 30, 60),
        LostGame(UUID(int=4), "freecell", 10, 100),
    )


def test_of_nothing_nothing_is_told() -> None:
    assert (sum_losses([]), lost_games([])) == ((), ())
