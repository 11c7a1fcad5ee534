"""Whole rubbers of random play."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire.events import Dealt, HandScored, RubberScored, Select
from domain.games.bridge_solitaire.state import TRICKS, Options, Sheet
from domain.view import ALL_SEEING, FACE_DOWN

from .bots import finished, steps
from .positions import opened

LONG = settings(max_examples=12, deadline=None, derandomize=True, database=None)
seeds = st.binary(min_size=32, max_size=32)
options = st.builds(
    lambda *chosen: dict(zip(Options.__struct_fields__, chosen, strict=True)),
    st.sampled_from(["rubber", "hand"]),
    st.sampled_from(["highest", "lowest"]),
    st.booleans(),
    st.booleans(),
)


@LONG
@given(seeds, options)
def test_every_game_comes_to_its_end_by_points(seed, chosen):
    state, events = finished(opened(seed=seed, **chosen), Random(seed))
    reason = chosen["length"]
    assert GAME.result(state).reason == reason
    assert GAME.result(state).scores == (state.sheet.margin,)
    assert isinstance(events[-1], RubberScored if reason == "rubber" else HandScored)


@LONG
@given(seeds)
def test_every_hand_has_thirteen_tricks_and_the_sheet_is_their_fold(seed):
    state, events = finished(opened(seed=seed), Random(seed))
    hands = [event for event in events if isinstance(event, HandScored)]
    assert [hand.hand for hand in hands] == list(range(1, state.hand_number + 1))
    assert all(hand.tricks_me + hand.tricks_it == TRICKS and len(hand.cards) == 13 for hand in hands)
    on = Sheet()
    for event in events:
        assert not isinstance(event, HandScored) or event.vulnerable == on.vulnerable
        on = scoring.after(on, event)
    assert on == state.sheet


@LONG
@given(seeds)
def test_with_one_joker_in_the_hand_the_other_is_in_the_stock(seed):
    for state, _, _ in steps(opened(seed=seed), Random(seed)):
        if state.phase == "auction":
            assert not {"*1", "*2"} & set(state.discard)
            assert len({"*1", "*2"} & set(state.hand + state.stock)) == 2


@LONG
@given(seeds, options)
def test_the_house_never_bids_seven_or_no_trump_and_the_player_never_holds_its_honours(seed, chosen):
    for state, _, _ in steps(opened(seed=seed, **chosen), Random(seed)):
        if state.phase == "auction" and not state.call.is_pass:
            assert state.call.level in range(1, 7)
            assert state.call.strain != "NT"
            assert sum(card[1] == state.call.strain for card in state.hand) <= 3


@LONG
@given(seeds)
def test_a_deal_shows_the_thirteen_and_nothing_else(seed):
    _, events = finished(opened(seed=seed), Random(seed))
    state = opened(seed=seed)
    for event in events:
        if isinstance(event, Dealt):
            shown = GAME.redact(state, event, None)
            assert shown.chance is None
            assert shown.cards == (FACE_DOWN,) * 7 + event.cards[7:20] + (FACE_DOWN,) * 34
            assert GAME.redact(state, event, ALL_SEEING) == event
        state = GAME.evolve(state, event)


def test_listings_of_selections_hold_every_card_equally_often():
    state = opened(seed=bytes(32))
    listed = GAME.legal_commands(state, 0)
    assert all(isinstance(select, Select) for select in listed)
    free = [card for card in state.offered if card[0] != "*"]
    assert len({sum(card in select.cards for select in listed) for card in free}) == 1
