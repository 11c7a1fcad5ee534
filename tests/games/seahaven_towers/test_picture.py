"""What is seen and heard of a game of Seahaven Towers."""

import pytest

from domain.chance import Chance
from domain.games.seahaven_towers import SEAHAVEN_TOWERS
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import dealt, events, move, position, standard

START = dealt(1)


def zones(state, viewer=0):
    return {zone.id: zone for zone in SEAHAVEN_TOWERS.look(state, viewer).zones}


def test_the_zones_are_always_the_same_in_the_same_order():
    ids = [f"tower_{place}" for place in range(4)]
    ids += [f"foundation_{suit}" for suit in ("spades", "hearts", "diamonds", "clubs")]
    ids += [f"tableau_{place}" for place in range(10)]
    assert list(zones(START)) == ids
    assert list(zones(SEAHAVEN_TOWERS.initial(START.options, 1))) == ids


def test_foundations_and_towers_stand_above_the_columns_that_the_rules_name():
    seen = zones(START)
    above = [round(zone.x / 1.25) for zone in list(seen.values())[:8]]
    assert above == [3, 4, 5, 6, 0, 1, 8, 9]
    assert len({(zone.x, zone.y) for zone in seen.values()}) == 18


@pytest.mark.parametrize("viewer", [0, None, ALL_SEEING])
def test_everybody_sees_every_card_face_up(viewer):
    assert sorted(card for zone in zones(START, viewer).values() for card in zone.cards) == sorted(PACK)
    assert SEAHAVEN_TOWERS.look(START, viewer) == SEAHAVEN_TOWERS.look(START, 0)


def test_towers_and_foundations_show_their_cards():
    seen = zones(position("towers - QH\nhome 3D"))
    assert (seen["tower_0"].cards, seen["tower_1"].cards) == ((), ("QH",))
    assert seen["foundation_diamonds"].cards == ("AD", "2D", "3D")


def test_the_facts_tell_how_many_cards_can_move_at_once():
    facts = SEAHAVEN_TOWERS.look(position("0 9S\ntowers KS KH"), 0).facts
    assert (facts.run_limit, facts.run_limit_into_space) == (3, 3)


def told(state, command):
    return [SEAHAVEN_TOWERS.tell(state, event, 0) for event in events(state, command)]


def test_moves_are_told_with_their_standard_notation():
    state = position("0 QS JS\n1 KS\n2 AH\n9 TC\ntowers - 9C")
    assert told(state, move("0 1 x2")) == [
        "The player moves the queen of spades and the jack of spades from column 1 to column 2 (12)."
    ]
    assert told(state, *standard("b10")) == ["The player moves the nine of clubs from tower b to column 10 (b10)."]
    assert told(state, move("2 H")) == [
        "The player moves the ace of hearts from column 3 to the foundation of hearts (3h)."
    ]


def test_the_deal_is_told():
    event = SEAHAVEN_TOWERS.deal(START.options, Chance(b"", given=PACK), 1)[0]
    assert SEAHAVEN_TOWERS.tell(SEAHAVEN_TOWERS.initial(START.options, 1), event, None) == (
        "Ten columns are dealt face up, and the queen of clubs and the king of clubs to the middle towers."
    )
