"""Whole rubbers of random play."""

from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.capabilities import Resample, Spelling
from domain.chance import Chance
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE as GAME
from domain.games.bridge_solitaire import scoring
from domain.games.bridge_solitaire.events import Dealt, HandScored, RubberScored, Select
from domain.games.bridge_solitaire.rules import fold
from domain.games.bridge_solitaire.state import CARDS, TRICKS, Options, Sheet, lying
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
@given(seeds, options)
def test_no_card_is_lost_or_doubled_in_states_and_pictures(seed, chosen):
    for state, _, _ in steps(opened(seed=seed, **chosen), Random(seed)):
        assert sorted(lying(state)) == sorted(CARDS)
        known = [card for zone in GAME.look(state, ALL_SEEING).zones for card in zone.cards]
        assert sorted(known) == sorted(CARDS)
        seen = GAME.look(state, 0).zones
        assert sum(zone.face_down + len(zone.cards) for zone in seen) == 54


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
@given(seeds, options)
def test_states_events_and_commands_survive_both_wire_forms(seed, chosen):
    for state, command, events in steps(opened(seed=seed, **chosen), Random(seed), 80):
        for wire in (msgspec.json, msgspec.msgpack):
            assert wire.decode(wire.encode(state), type=GAME.state) == state
            assert wire.decode(wire.encode(command), type=type(command)) == command
            assert all(wire.decode(wire.encode(event), type=type(event)) == event for event in events)


@LONG
@given(seeds, st.integers(0, 120))
def test_what_nobody_was_shown_changes_nothing_that_can_be_seen(seed, at):
    *_, (state, _, _) = steps(opened(seed=seed), Random(seed), at + 1)
    others = [GAME.get(Resample).draw(state, 0, Chance(bytes(reversed(seed)), number)) for number in range(4)]
    assert len(state.hidden + state.stock) < 5 or any(other != state for other in others)
    for viewer in (0, None):
        assert all(GAME.look(other, viewer) == GAME.look(state, viewer) for other in others)
    assert all(GAME.legal_commands(other, 0) == GAME.legal_commands(state, 0) for other in others)


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


@LONG
@given(seeds)
def test_everything_listed_is_accepted_and_what_is_not_listed_refused(seed):
    for state, _, _ in steps(opened(seed=seed), Random(seed), 40):
        listed = GAME.legal_commands(state, 0)
        for command in listed[:: max(1, len(listed) // 20)]:
            fold(state, GAME.decide(state, 0, command))
            assert GAME.get(Spelling).canonical(state, 0, command) == command
        assert state.phase != "play" or {play.card for play in listed} <= set(state.hand)


def test_listings_of_selections_hold_every_card_equally_often():
    state = opened(seed=bytes(32))
    listed = GAME.legal_commands(state, 0)
    assert all(isinstance(select, Select) for select in listed)
    free = [card for card in state.offered if card[0] != "*"]
    assert len({sum(card in select.cards for select in listed) for card in free}) == 1
