"""Random games of every table, to their end."""

from collections import Counter

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.game_type import Illegal
from domain.games.spite_and_malice import SPITE_AND_MALICE as GAME
from domain.games.spite_and_malice import events as ev
from domain.games.spite_and_malice.events import Discard, EndTurn, Play
from domain.games.spite_and_malice.state import State, pack

from .positions import held
from .walks import TABLES, Game, game, unfolded

NUMBERS = range(4)


@pytest.fixture(scope="module", params=TABLES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [game(request.param, number) for number in NUMBERS]


def test_every_game_ends_with_a_reason_and_then_offers_nothing(games: list[Game]) -> None:
    for played in games:
        ended = GAME.result(played.state)
        assert ended is not None
        assert (ended.ending, len(ended.winners)) in {("won", 1), ("drawn", 0)}
        assert [GAME.legal_commands(played.state, seat) for seat in (0, 1)] == [(), ()]


def test_no_card_is_lost_or_doubled_at_any_event(games: list[Game]) -> None:
    for played in games:
        cards = sorted(pack(played.state.settings))
        for state, event in played.moments():
            assert held(GAME.evolve(state, event)) == cards


def test_what_is_listed_is_accepted_and_nothing_is_listed_twice(games: list[Game]) -> None:
    for played in games:
        for step in played.steps[::7]:
            listed = GAME.legal_commands(step.state, step.seat)
            assert len(set(listed)) == len(listed)
            for command in listed:
                assert GAME.get(Spelling).canonical(step.state, step.seat, command) == command
                assert GAME.decide(step.state, step.seat, command)


def test_what_is_not_listed_is_refused(games: list[Game]) -> None:
    said = {step.command for played in games for step in played.steps}
    for played in games:
        for step in played.steps[::40]:
            listed = set(GAME.legal_commands(step.state, step.seat))
            for command in said - listed:
                assert (_accepted(step.state, step.seat, command)) == (
                    GAME.get(Spelling).canonical(step.state, step.seat, command) in listed
                )


def _accepted(state: State, seat: int, command: Play | Discard | EndTurn) -> bool:
    try:
        GAME.decide(state, seat, command)
    except Illegal:
        return False
    return True


def test_states_events_and_commands_survive_being_written(games: list[Game]) -> None:
    events = msgspec.json.Decoder(ev.Event)
    for played in games:
        for step in played.steps[::11]:
            for written in (msgspec.json, msgspec.msgpack):
                assert written.decode(written.encode(step.state), type=State) == step.state
            assert [events.decode(msgspec.json.encode(event)) for event in step.events] == list(step.events)


def test_a_turn_starts_with_a_full_hand_unless_the_cards_run_out(games: list[Game]) -> None:
    for played in games:
        for before, after in zip(played.steps, played.steps[1:], strict=False):
            if before.seat != after.seat and played.state.settings.on_exhaustion != "partial_draw":
                assert len(after.state.hands[after.seat]) == played.state.settings.hand


def test_an_empty_hand_on_turn_means_that_nothing_can_be_drawn(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            if not step.state.hands[step.seat]:
                assert step.state.draw == step.state.removed == ()


def test_no_wild_reaches_a_stock_where_there_are_to_be_none(games: list[Game]) -> None:
    for played in games:
        settings = played.state.settings
        if not settings.wilds_in_stock:
            state = played.steps[0].state
            assert not any(settings.is_wild(card) for stock in state.stocks for card in stock)


def test_a_play_deck_never_holds_a_finished_run_between_commands(games: list[Game]) -> None:
    for played in games:
        assert all(len(deck) < played.state.settings.finish for step in played.steps for deck in step.state.play_decks)


@pytest.mark.parametrize(
    ("tables", "kinds"),
    [
        (["snm_a", "snm_pz", "snm_pz_nwis"], {"Dealt", "TurnStarted", "Drawn", "Played", "DeckRemoved", "Discarded"}),
        (["snm_a_short", "deck_removed"], {"StockTurned"}),
        (["one_pack", "one_pack_any_draw"], {"TurnEnded", "Reshuffled"}),
        (["redeal"], {"Redealt"}),
        (["redeal_nothing_wild"], {"Deadlocked"}),
        (["fewest_stock"], {"Exhausted"}),
    ],
)
def test_the_tables_reach_every_kind_of_event(tables: list[str], kinds: set[str]) -> None:
    seen = Counter(
        type(event).__name__ for table in tables for number in NUMBERS for _, event in game(table, number).moments()
    )
    assert kinds <= set(seen)


def test_a_shuffle_happens_just_when_its_type_says_so() -> None:
    for table in ("snm_a_short", "any_draw", "deck_removed"):
        for step in game(table, 1).steps:
            for state, event in unfolded(step.state, step.events):
                _shuffle_in_time(state, event)


def _shuffle_in_time(state: State, event: ev.Event) -> None:
    kind = state.settings.shuffle_type
    if isinstance(event, ev.Reshuffled):
        assert kind != "deck_removed"
        assert bool(state.draw) == (kind == "any_draw")
    if isinstance(event, ev.DeckRemoved):
        assert (event.draw is not None) == (kind == "deck_removed")
