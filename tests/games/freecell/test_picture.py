"""What is seen and heard of a game of FreeCell."""

import pytest

from domain.chance import Chance
from domain.games.freecell import FREECELL
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import dealt, events, move, position, standard

START = dealt(1)


def zones(state, viewer=0):
    return {zone.id: zone for zone in FREECELL.look(state, viewer).zones}


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = [f"cell_{place}" for place in range(4)]
    ids += [f"foundation_{suit}" for suit in ("spades", "hearts", "diamonds", "clubs")]
    ids += [f"tableau_{place}" for place in range(8)]
    assert list(zones(START)) == ids
    assert list(zones(FREECELL.initial(START.options, 1))) == ids


def test_the_cells_stand_above_the_first_four_columns_and_the_foundations_above_the_others():
    seen = zones(START)
    columns = [seen[f"tableau_{place}"].x for place in range(8)]
    assert [zone.x for zone in list(seen.values())[:8]] == columns
    assert len({(zone.x, zone.y) for zone in seen.values()}) == 16


@pytest.mark.parametrize("viewer", [0, None, ALL_SEEING])
def test_everybody_sees_every_card_face_up(viewer):
    assert sorted(card for zone in zones(START, viewer).values() for card in zone.cards) == sorted(PACK)
    assert FREECELL.look(START, viewer) == FREECELL.look(START, 0)


def test_cells_and_foundations_show_their_cards():
    seen = zones(position("cells - QH\nhome 3D"))
    assert (seen["cell_0"].cards, seen["cell_1"].cards) == ((), ("QH",))
    assert seen["foundation_diamonds"].cards == ("AD", "2D", "3D")


def test_the_facts_tell_how_many_cards_can_move_at_once():
    facts = FREECELL.look(position("0 9S\n1 9H\n2 9C\n3 9D\n4 8S\n5 8H\ncells KS KH"), 0).facts
    assert (facts.run_limit, facts.run_limit_into_space) == (12, 6)
    assert (FREECELL.look(START, 0).facts.run_limit, FREECELL.look(START, 0).facts.run_limit_into_space) == (5, 5)


def told(state, command):
    return [FREECELL.tell(state, event, 0) for event in events(state, command)]


def test_moves_are_told_with_their_standard_notation():
    state = position("0 QS JD\n1 KH\n2 AH\ncells - 9C")
    assert told(state, move("0 1 x2")) == [
        "The player moves the queen of spades and the jack of diamonds from column 1 to column 2 (12)."
    ]
    assert told(state, *standard("b4")) == ["The player moves the nine of clubs from cell b to column 4 (b4)."]
    assert told(state, move("2 H")) == [
        "The player moves the ace of hearts from column 3 to the foundation of hearts (3h)."
    ]


def test_the_deal_is_told():
    dealt_event = FREECELL.deal(START.options, Chance(bytes(32)), 1)[0]
    assert FREECELL.tell(FREECELL.initial(START.options, 1), dealt_event, None) == "Eight columns are dealt face up."
