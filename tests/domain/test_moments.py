"""The moments of a game: what is worth jumping to, and nothing that the viewer was not told."""

from pathlib import Path

import pytest

from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.deciding import Act, play
from domain.play.endings import void
from domain.play.frames import Moment, frames, moments
from domain.view import ALL_SEEING
from tests.domain.golden_games import NAMES, PATHS, records
from tests.domain.played import act, duel, player, solitaire
from tests.laws.goldens import GAMES


def of(played: list[AnyRecord], viewer: int | None = None) -> tuple[Moment, ...]:
    return moments(frames(played, viewer))


def kinds(found: tuple[Moment, ...]) -> list[str]:
    return [moment.kind for moment in found]


@pytest.mark.parametrize(("key", "path"), PATHS, ids=NAMES)
def test_every_golden_game_has_its_deal_first_and_its_ending_last(key: str, path: Path) -> None:
    played = records(key, path)
    found = of(played)
    assert (found[0].step, found[0].kind) == (0, "deal")
    assert (found[-1].step, found[-1].kind) == (played[-1].step, "ending")
    assert [moment.step for moment in found] == sorted({moment.step for moment in found})


@pytest.mark.parametrize(("key", "path"), PATHS, ids=NAMES)
def test_the_moments_of_a_golden_game_are_few_and_tell_what_was_told(key: str, path: Path) -> None:
    shown = list(frames(records(key, path), 0))
    found = moments(shown)
    assert all(moment.sentence in shown[moment.step].sentences for moment in found)
    assert len(found) <= 4 + len(shown) // 2


@pytest.mark.parametrize(("key", "path"), PATHS, ids=NAMES)
def test_moments_are_made_of_one_viewers_frames_and_nothing_else(key: str, path: Path) -> None:
    played = records(key, path)
    for viewer in (None, 0, ALL_SEEING):
        again = tuple(frames(played, viewer))
        assert moments(again) == moments(iter(again)) == of(played, viewer)


def test_a_rubber_has_the_deal_of_every_hand() -> None:
    played = records("bridge_solitaire", GAMES / "bridge_solitaire" / "golden" / "rubber_won.jsonl")
    told = [moment.sentence for moment in of(played)]
    hands = [sentence for sentence in told if sentence.startswith("Hand") and "is dealt" in sentence]
    assert [sentence.split()[1] for sentence in hands] == ["1", "2", "3", "4", "5", "6"]


def test_turning_the_waste_over_is_rare_and_a_moment_and_a_move_is_none() -> None:
    played = records("klondike", GAMES / "klondike" / "golden" / "draw_one_won.jsonl")
    found = of(played)
    assert kinds(found) == ["deal", "event", "ending"]
    turned = [record.step for record in played if type(record.event).__name__ == "Recycled"]
    assert [moment.step for moment in found[1:-1]] == turned


def test_an_undo_and_a_resignation_are_moments() -> None:
    found = of(solitaire())
    assert [moment.sentence for moment in found if moment.kind == "undo"] == ["Taken back: step 8 stands again."]
    assert (found[-1].kind, found[-1].sentence) == ("ending", "The game is lost: resigned.")


def test_undos_in_a_row_are_one_moment() -> None:
    played = [record for record in solitaire() if not isinstance(record.event, ev.Resigned | ev.Finished | ev.Revealed)]
    for number in (40, 41, 42):
        played += play(fold(played), ev.Undo(), act(0, number)).records
    assert [moment.step for moment in of(played) if moment.kind == "undo"] == [10, played[-1].step - 2]


def test_a_seat_that_resigns_while_the_others_play_on_is_a_moment() -> None:
    path = GAMES / "screaming_yoda" / "golden" / "three_seats_won.jsonl"
    played = [record for record in records("screaming_yoda", path) if record.step < 40]
    played += play(fold(played), ev.Resign(), Act(player(2), 2, act(2, 40).time)).records
    assert [moment.sentence for moment in of(played) if moment.kind == "resignation"] == ["Player 3 resigns."]


def test_a_game_that_is_voided_after_its_end_has_both_as_moments() -> None:
    played = solitaire()
    played += void(fold(played), "no good", act(None, 60)).records
    assert [(moment.kind, moment.sentence) for moment in of(played)[-2:]] == [
        ("ending", "The game is lost: resigned."), ("ending", "The game is void: no good."),
    ]  # fmt: skip


def test_a_game_that_waits_has_no_moment() -> None:
    waiting = [record for record in duel() if record.step == 0]
    assert of(waiting) == ()


def test_the_deal_is_where_the_cards_are_dealt() -> None:
    found = of(duel())
    assert (found[0].step, found[0].kind) == (1, "deal")
