"""Options, refusals, stuck positions and the picture of Black Hole."""

import msgspec
import pytest

from domain.capabilities import Undoing
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.black_hole import BESIDE, BLACK_HOLE, Dealt, Move, Options, State
from domain.kit.cards import PACK, RANK
from domain.view import ALL_SEEING

from .deals import PUBLISHED, dealt
from .positions import after, from_pile, legal, position, rule_against, stuck

NOTHING_FITS = "foundation 8S\n0 8H\n1 AD\n2 JC"


def test_every_card_goes_on_four_kinds_of_two_ranks():
    assert all(len(BESIDE[card]) == 8 for card in PACK)
    assert {RANK[card] for card in BESIDE["AS"]} == {2, 13}
    assert {RANK[card] for card in BESIDE["7H"]} == {6, 8}


def test_the_defaults_are_the_ace_of_spades_and_undo():
    assert Options() == Options(start_card="AS", undo=True)


@pytest.mark.parametrize("start", ["KD", "7H", "AC"])
def test_another_card_may_lie_in_the_middle(start):
    options = Options(start_card=start)
    state = BLACK_HOLE.initial(options, 1)
    for event in BLACK_HOLE.deal(options, Chance(b"seed"), 1):
        state = BLACK_HOLE.evolve(state, event)
    assert state.foundation == (start,)
    assert sorted(card for pile in state.piles for card in pile) == sorted(set(PACK) - {start})


@pytest.mark.parametrize("wrong", [{"start_card": "*1"}, {"start_card": "1S"}, {"passes": 2}])
def test_other_options_cannot_be_read(wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, Options)


@pytest.mark.parametrize("undo", [True, False])
def test_undo_is_offered_as_the_option_says(undo):
    assert BLACK_HOLE.get(Undoing).allowed(Options(undo=undo)) is undo


def test_a_given_deal_without_the_start_card_is_refused():
    with pytest.raises(Illegal) as refusal:
        BLACK_HOLE.deal(Options(), Chance(bytes(32), given=tuple(PUBLISHED.split())), 1)
    assert refusal.value.rule == "given_deal"


def test_only_the_top_card_of_a_pile_can_be_played():
    state = position("foundation 6S\n0 7H 9H\n1 5D")
    assert rule_against(state, from_pile(0)) == "adjacent_rank"
    assert rule_against(state, from_pile(2)) == "source_empty"


def test_no_other_seat_may_play():
    state = dealt()
    assert BLACK_HOLE.legal_commands(state, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        BLACK_HOLE.decide(state, 1, from_pile(16))


def test_with_undo_a_game_without_a_move_stays_open_and_is_told_as_stuck():
    state = position(NOTHING_FITS)
    assert BLACK_HOLE.result(state) is None
    assert stuck(state)
    assert BLACK_HOLE.look(state, 0).to_act == (0,)


@pytest.mark.parametrize("last", ["7H", "9C"])
def test_one_move_is_enough_not_to_be_stuck(last):
    state = position(f"{NOTHING_FITS}\n3 {last}")
    assert legal(state, from_pile(3))
    assert not stuck(state)


def test_neither_a_won_game_nor_a_table_before_the_deal_is_stuck():
    assert not stuck(after(position("foundation 8S\n4 9D"), from_pile(4)))
    start = BLACK_HOLE.initial(Options(undo=False), 1)
    assert not stuck(start)
    assert BLACK_HOLE.result(start) is None
    assert BLACK_HOLE.legal_commands(start, 0) == ()


@pytest.mark.parametrize("viewer", [0, None, ALL_SEEING])
def test_everybody_sees_every_card(viewer):
    view = BLACK_HOLE.look(dealt(), viewer)
    assert sorted(card for zone in view.zones for card in zone.cards) == sorted(PACK)
    assert [zone.id for zone in view.zones] == ["foundation", *(f"tableau_{place}" for place in range(17))]
    assert view.facts.score == 1


def test_the_piles_lie_around_the_foundation_with_room_for_a_fan_of_three():
    places = [(zone.x, zone.y) for zone in BLACK_HOLE.look(dealt(), 0).zones]
    for number, (x, y) in enumerate(places):
        assert x >= 0
        assert y >= 0
        assert all(abs(x - other) >= 1.75 or abs(y - lower) >= 1 for other, lower in places[number + 1 :])


def test_what_happens_is_told():
    deal = Dealt("AS", tuple(PUBLISHED.split()))
    assert BLACK_HOLE.tell(BLACK_HOLE.initial(Options(), 1), deal, 0) == (
        "The ace of spades lies in the middle, and around it 17 piles of three cards are dealt face up."
    )
    moved = BLACK_HOLE.decide(dealt(), 0, from_pile(16))[0]
    assert (
        BLACK_HOLE.tell(dealt(), moved, None) == "The player moves the two of diamonds from pile 17 to the foundation."
    )


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_survive_storage_and_do_not_print_their_cards(code):
    assert code.decode(code.encode(dealt()), type=State) == dealt()
    assert repr(dealt()) == "<State>"


@pytest.mark.parametrize("said", [{"source": "foundation"}, {"target": "tableau_1"}, {"source": "tableau_17"}])
def test_what_is_no_command_cannot_be_read(said):
    whole = {"type": "black_hole/move", "source": "tableau_0", "target": "foundation"}
    assert msgspec.convert(whole, Move) == from_pile(0)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, **said}, Move)
