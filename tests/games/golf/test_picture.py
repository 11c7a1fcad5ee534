"""What is seen and heard of a game of Golf, and by whom."""

import msgspec
import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.golf import GOLF, Counted, Draw, Move, Options, State
from domain.kit.cards import PACK
from domain.view import ALL_SEEING

from .positions import dealt, events, play

BEFORE = GOLF.initial(Options(), 1)
DEALT = GOLF.deal(Options(), Chance(bytes(32)), 1)[0]
START = GOLF.evolve(BEFORE, DEALT)


def zones(state, viewer):
    return {zone.id: zone for zone in GOLF.look(state, viewer).zones}


@pytest.mark.parametrize("viewer", [0, None])
def test_the_stock_is_backs_and_all_else_lies_open(viewer):
    seen = zones(START, viewer)
    assert list(seen) == ["stock", "discard", *(f"tableau_{place}" for place in range(7))]
    assert (seen["stock"].face_down, seen["stock"].cards) == (16, ())
    assert [seen[f"tableau_{place}"].cards for place in range(7)] == list(START.columns)


def test_the_all_seeing_see_every_card():
    seen = zones(START, ALL_SEEING)
    assert sorted(card for zone in seen.values() for card in zone.cards) == sorted(PACK)
    assert seen["stock"].face_down == 0


@pytest.mark.parametrize("viewer", [0, None])
def test_the_order_of_the_stock_changes_nothing_that_is_seen_heard_or_legal(viewer):
    other = replace(DEALT, cards=DEALT.cards[:36] + DEALT.cards[:35:-1])
    start = GOLF.evolve(BEFORE, other)
    assert start != START
    assert GOLF.redact(BEFORE, other, viewer) == GOLF.redact(BEFORE, DEALT, viewer)
    assert GOLF.redact(BEFORE, DEALT, viewer).cards[36:] == ("#",) * 16
    assert GOLF.redact(BEFORE, DEALT, ALL_SEEING) == DEALT
    assert GOLF.tell(BEFORE, other, viewer) == GOLF.tell(BEFORE, DEALT, viewer)
    assert GOLF.look(start, viewer) == GOLF.look(START, viewer)
    assert GOLF.legal_commands(start, 0) == GOLF.legal_commands(START, 0)


def test_what_happens_is_told():
    state = dealt()
    assert GOLF.tell(state, events(state, play(4))[0], 0) == (
        "The player plays the ace of hearts from column 5 on the discard pile."
    )
    assert GOLF.tell(state, events(state, Draw())[0], None) == "The player draws the three of spades."
    assert GOLF.tell(state, Counted(), 0) == "The player gives up with 35 cards left in the columns."


@pytest.mark.parametrize("code", [msgspec.json, msgspec.msgpack])
def test_positions_survive_storage_and_do_not_print_their_cards(code):
    assert code.decode(code.encode(START), type=State) == START
    assert (repr(START), repr(DEALT)) == ("<State>", "<Dealt>")


@pytest.mark.parametrize("said", [{"source": "stock"}, {"target": "tableau_1"}, {"source": "tableau_7"}])
def test_what_is_no_command_cannot_be_read(said):
    whole = {"type": "golf/move", "source": "tableau_0", "target": "discard"}
    assert msgspec.convert(whole, Draw | Move) == play(0)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**whole, **said}, Draw | Move)
