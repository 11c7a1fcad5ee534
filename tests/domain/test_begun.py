"""The ending of a game tells whether everybody had a turn: tables count nothing that ended before."""

from msgspec.structs import replace

from domain.play import events as ev
from domain.play.aggregate import AnyRecord, evolve, fold
from domain.play.deciding import Step, legal_commands, play
from domain.play.table import CONVENTIONS, join
from projections.engine.contract import Placed
from projections.games.counted_games import Play, evolve_play, places

from .played import act, opened


def _begun(turns: int, resigning: int) -> tuple[AnyRecord, ...]:
    """Spite & Malice: so many whole turns, however many moves they take, then a seat resigns."""
    step = join(opened("spite_and_malice", 2).game, ev.Join(), act(1, 0)._replace(seat=None))
    number = 1
    for _ in range(turns):
        seat = step.game.type.look(step.game.state, None).to_act[0]
        while seat in step.game.type.look(step.game.state, None).to_act:
            step = _said(step, seat, number)
            number += 1
    return play(step.game, ev.Resign(), act(resigning, number)).records


def _said(step: Step, seat: int, number: int) -> Step:
    """A move of that seat, never one that ends the turn where another is left."""
    listed = [one for one in legal_commands(step.game, seat) if not isinstance(one, ev.Undo | ev.Resign)]
    return play(step.game, listed[0], act(seat, number))


def _finished(records: tuple[AnyRecord, ...]) -> ev.Finished:
    return next(record.event for record in records if isinstance(record.event, ev.Finished))


def _places(records: tuple[AnyRecord, ...]) -> tuple[int, ...] | None:
    """As tables place the game."""
    game = Play(records[0].stream, "spite_and_malice")
    for position, record in enumerate(records, 1):
        game = evolve_play(game, Placed(position, record))
    return places(game)


def test_a_game_given_up_before_the_other_had_a_turn_had_not_begun() -> None:
    for turns, resigning in ((0, 0), (1, 0), (1, 1)):
        records = _begun(turns, resigning)
        assert (_finished(records).begun, _places(records)) == (False, None), (turns, resigning)
    records = _begun(2, 1)
    assert (_finished(records).begun, _places(records)) == (True, (0, 1))


def test_a_solo_game_and_one_under_the_first_conventions_say_nothing_of_it() -> None:
    assert _finished(play(opened("klondike").game, ev.Resign(), act(0, 1)).records).begun
    game = join(opened("spite_and_malice", 2).game, ev.Join(), act(1, 0)._replace(seat=None)).game
    old = replace(game, opening=replace(game.opening, conventions=1))
    assert _finished(play(old, ev.Resign(), act(0, 1)).records).begun


def test_a_game_opened_before_there_were_conventions_is_under_the_first() -> None:
    records = opened("klondike").records
    assert fold(records).opening.conventions == CONVENTIONS
    assert evolve(None, replace(records[0], event=replace(records[0].event, conventions=1))).opening.conventions == 1
