"""What each option of Seahaven Towers changes."""

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.games.seahaven_towers import SEAHAVEN_TOWERS, Options

from .positions import after, events, legal, move, position, rule_against, standard

STRICT, ANY = Options(strict_single=True), Options(any_card=True)


def test_the_defaults_are_runs_kings_only_and_undo():
    assert Options() == Options(strict_single=False, any_card=False, undo=True)


def test_with_strict_single_moves_a_run_is_carried_card_by_card():
    state = position("0 6D 5D\n1 7D", STRICT)
    assert rule_against(state, move("0 1 x2")) == "strict_single"
    assert rule_against(state, *standard("12")) == "strict_single"
    assert after(state, move("0 a"), move("0 1"), move("a 1")).columns[1] == ("7D", "6D", "5D")
    assert {command.count for command in SEAHAVEN_TOWERS.legal_commands(state, 0)} == {1}
    assert SEAHAVEN_TOWERS.look(state, 0).facts.run_limit == 1


def test_an_empty_column_takes_any_card_only_where_the_option_allows_it():
    assert not legal(position("0 2D QS\ntowers 5H"), move("0 5"))
    assert legal(position("0 2D QS\ntowers 5H", ANY), move("0 5"))
    assert legal(position("0 2D QS\ntowers 5H", ANY), move("a 5"))


FIVE = "0 9S 8S 7S 6S 5S\n1 TS\n2 2D\n3 2H\n4 2C\n5 3D\n6 3H\n7 3C\n8 4D\ntowers KH KD KC"


def test_with_any_card_an_empty_column_doubles_what_the_towers_carry():
    assert SEAHAVEN_TOWERS.look(position(FIVE, ANY), 0).facts.run_limit == 4
    assert SEAHAVEN_TOWERS.look(position(FIVE), 0).facts.run_limit == 2
    assert legal(position(FIVE.replace("9S ", "2S 4H ").replace("TS", "9S"), ANY), move("0 1 x4"))
    assert rule_against(position(FIVE, ANY), move("0 1 x5")) == "run_limit"


def test_with_any_card_part_of_a_run_goes_into_an_empty_column():
    state = position(FIVE, ANY)
    assert [legal(state, move(f"0 9 x{count}")) for count in (1, 2, 3)] == [True, True, False]
    assert events(state, move("0 9"))[0].standard == "110v1"  # type: ignore[attr-defined]
    assert events(state, *standard("110")) == events(state, move("0 9 x2"))


def test_a_run_carried_by_way_of_an_empty_column_is_what_the_single_moves_come_to():
    state = position(FIVE.replace("9S ", "2S 4H ").replace("TS", "9S"), ANY)
    singly = after(
        state, move("0 d"), move("0 9"), move("d 9"), move("0 d"), move("0 1"), move("d 1"), move("9 d"), move("9 1"),
        move("d 1"),
    )  # fmt: skip
    assert singly == after(state, move("0 1 x4"))


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert SEAHAVEN_TOWERS.get(Undoing).allowed(Options(undo=undo)) is undo


@pytest.mark.parametrize("wrong", [{"strict_single": 1}, {"towers": 3}, {"undo": None}])
def test_other_values_and_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)
