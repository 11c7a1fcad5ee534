"""Random games of every table, to their end."""

import msgspec
import pytest

from domain.capabilities import Spelling
from domain.game_type import Illegal
from domain.games.screaming_yoda import SCREAMING_YODA as GAME
from domain.games.screaming_yoda import events as ev
from domain.games.screaming_yoda.events import Command
from domain.games.screaming_yoda.plays import clearing
from domain.games.screaming_yoda.state import State, playing, total
from domain.kit.cards import PACK
from domain.view import Viewer

from .positions import held
from .walks import TABLES, Game, game, offered

NUMBERS = range(6)


@pytest.fixture(scope="module", params=TABLES)
def games(request: pytest.FixtureRequest) -> list[Game]:
    return [game(request.param, number, resigning=0.005 * (number % 2)) for number in NUMBERS]


def test_every_game_ends_with_one_winner_and_then_offers_nothing(games: list[Game]) -> None:
    for played in games:
        ended = GAME.result(played.state)
        assert ended is not None
        assert (ended.ending, len(ended.winners)) == ("won", 1)
        assert ended.reason == ("last_card" if played.state.out else "resigned")
        assert not offered(played.state)


def test_no_card_is_lost_or_doubled_at_any_event(games: list[Game]) -> None:
    for played in games:
        for state, event in played.moments():
            if not isinstance(event, ev.Dealt):
                assert held(state) == sorted(PACK)


def test_somebody_can_always_act_and_who_is_listed_is_to_act(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            listed = {seat for seat, _ in offered(step.state)}
            assert listed
            assert GAME.look(step.state, None).to_act == tuple(sorted(listed))


def test_what_is_listed_is_accepted_and_nothing_is_listed_twice(games: list[Game]) -> None:
    for played in games:
        for step in played.steps[::5]:
            choices = offered(step.state)
            assert len(set(choices)) == len(choices)
            for seat, command in choices:
                assert GAME.get(Spelling).canonical(step.state, seat, command) == command
                assert GAME.decide(step.state, seat, command)


def test_what_is_not_listed_is_refused(games: list[Game]) -> None:
    said = {(step.seat, step.command) for played in games for step in played.steps if step.command is not None}
    for played in games:
        for step in played.steps[::40]:
            listed = set(offered(step.state))
            for seat, command in said - listed:
                canonical = GAME.get(Spelling).canonical(step.state, seat, command)
                assert _accepted(step.state, seat, command) == ((seat, canonical) in listed)


def _accepted(state: State, seat: int, command: Command) -> bool:
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
                assert written.decode(written.encode(step.state), type=GAME.state) == step.state
            assert [events.decode(msgspec.json.encode(event)) for event in step.events] == list(step.events)


def test_between_commands_hands_are_full_while_the_draw_pile_lasts_and_no_pile_waits_to_be_cleared(
    games: list[Game],
) -> None:
    for played in games:
        for step in played.steps:
            assert clearing(step.state.pile) is None
            if step.state.draw:
                assert all(len(step.state.hands[seat]) >= 3 for seat in playing(step.state))


def test_only_seats_with_one_card_are_exposed(games: list[Game]) -> None:
    for played in games:
        for step in played.steps:
            assert all(total(step.state, seat) == 1 for seat in step.state.exposed)


def test_every_moment_can_be_looked_at_and_told_to_everybody(games: list[Game]) -> None:
    for played in games:
        for state, event in list(played.moments())[::7]:
            viewers: tuple[Viewer, ...] = (*range(played.seats), None, -1)
            for viewer in viewers:
                assert GAME.tell(state, event, viewer).endswith(".")
                assert GAME.look(state, viewer).phase in ("deal", "swap", "play", "finished")
                assert type(GAME.redact(state, event, viewer)) is type(event)
            assert all(seat in range(played.seats) for seat, _ in offered(state))


def test_the_games_reach_every_kind_of_event() -> None:
    walks = [game(table, number, 0.005 * (number % 2)) for table in TABLES for number in NUMBERS]
    assert {type(event) for walk in walks for _, event in walk.moments()} == set(GAME.events)
