"""The listed commands against every command that can be said, along random games; taking back; options."""

from itertools import product
from random import Random
from uuid import UUID

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.game_type import Illegal
from domain.games.yukon import TABLEAU, YUKON, Move, Options, State
from domain.kit.cards import PACK
from domain.kit.patience import FOUNDATIONS
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game

from .positions import PLAIN, RETURN, after, dealt, position, rule_against

ZONES = (*FOUNDATIONS, *TABLEAU)
EVERYTHING = [Move(*said) for said in product(ZONES, ZONES, range(1, 25))]


def walk(options, seed, steps):
    """The positions of a random game."""
    lots, state = Random(seed), dealt(seed, options)
    for _ in range(steps):
        yield state
        if not (listed := YUKON.legal_commands(state, 0)):
            return
        state = after(state, lots.choice(listed))


@pytest.mark.parametrize("options", [PLAIN, RETURN])
def test_exactly_the_listed_commands_are_legal(options):
    for seed in (11, 12):
        for state in walk(options, seed, 50):
            listed = YUKON.legal_commands(state, 0)
            assert len(set(listed)) == len(listed)
            assert {said for said in EVERYTHING if rule_against(state, said) is None} == set(listed)


@pytest.mark.parametrize("options", [PLAIN, RETURN])
def test_no_card_is_lost_or_doubled_and_every_column_ends_face_up(options):
    for seed in range(5):
        for state in walk(options, seed, 120):
            home = [PACK[13 * suit + rank] for suit, count in enumerate(state.foundations) for rank in range(count)]
            assert sorted([*home, *(card for column in state.columns for card in column)]) == sorted(PACK)
            assert all(
                len(column) > down or not column for column, down in zip(state.columns, state.face_down, strict=True)
            )


def test_the_top_card_goes_home_first_and_then_each_card_by_its_depth():
    state = position("home AS\n0 9H 2S\n1 3D\n2 TC")
    assert YUKON.legal_commands(state, 0) == (
        Move("tableau_0", "foundation_spades"),
        Move("tableau_0", "tableau_1"),
        Move("tableau_0", "tableau_2", 2),
    )


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_and_commands_survive_storage(code):
    for state in walk(RETURN, 5, 60):
        assert code.decode(code.encode(state), type=State) == state
        for command in YUKON.legal_commands(state, 0):
            assert code.decode(code.encode(command), type=Move) == command


@pytest.mark.parametrize("said", [{"source": "stock"}, {"target": "tableau_7"}, {"count": 0}, {"count": 53}])
def test_what_is_no_command_cannot_be_read(said):
    whole = {"type": "yukon/move", "source": "tableau_0", "target": "tableau_1"}
    assert msgspec.convert(whole, Move) == Move("tableau_0", "tableau_1")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, **said}, Move)


def test_the_defaults_are_no_return_and_undo():
    assert Options() == Options(False, True)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"draw": 1}, Options)


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert YUKON.get(Undoing).allowed(Options(undo=undo)) is undo


def test_no_other_seat_may_play():
    assert YUKON.legal_commands(dealt(0), 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        YUKON.decide(dealt(0), 1, Move("tableau_0", "tableau_1"))


ACT = Act(UUID(int=7), 0, 0)


def opened(options):
    opening = Opening(type=YUKON, options=options, players=(UUID(int=7),))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32), None), ACT).game


def test_undo_restores_every_position_back_to_the_deal():
    games, lots = [opened(RETURN)], Random(4)
    for _ in range(40):
        games.append(play(games[-1], lots.choice(YUKON.legal_commands(games[-1].state, 0)), ACT).game)
    game = games[-1]
    for earlier in reversed(games[:-1]):
        game = play(game, Undo(), ACT).game
        assert game.state == earlier.state


def test_without_undo_nothing_is_taken_back_and_giving_up_scores_the_cards_home():
    game = opened(Options(undo=False))
    game = play(game, YUKON.legal_commands(game.state, 0)[0], ACT).game
    assert Undo() not in legal_commands(game, 0)
    ended = play(game, Resign(), ACT).game
    assert (ended.result.ending, ended.result.reason) == ("lost", "resigned")
