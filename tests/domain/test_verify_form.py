"""What verify says of records whose form is wrong already: gaps, strangers, clocks, options."""

import pytest
from msgspec.structs import replace

from domain.play import events as ev
from domain.play.verify import Fault, verify

from .changes import Records, at_step, changed, rechained
from .played import duel, player, solitaire


@pytest.fixture(scope="module")
def game() -> Records:
    return solitaire()


def test_a_time_that_differs_within_a_step_is_told_with_its_step(game: Records) -> None:
    faults = verify(changed(game, at_step(game, 8), time=game[at_step(game, 8)].time + 1))
    assert faults == [Fault(8, "The time runs backwards, or differs within the step.")]


def test_a_time_that_runs_backwards_is_told_with_its_step(game: Records) -> None:
    index = at_step(game, 8)
    faults = verify(changed(game, index, time=game[index].time - 10_000_000))
    assert faults == [Fault(8, "The time runs backwards, or differs within the step.")]


def test_a_lost_record_is_told_with_its_step(game: Records) -> None:
    index = at_step(game, 6)
    assert verify(game[:index] + game[index + 1 :])[0].what.startswith(f"Version {index + 1} is missing")


def test_records_of_no_game_are_told() -> None:
    assert verify([]) == [Fault(0, "The records do not begin with the opening of a game and its secrets.")]


def test_a_step_that_was_before_its_predecessor_is_told(game: Records) -> None:
    earlier = [replace(record, time=record.time - 2_000_000) if record.step == 8 else record for record in game]
    assert verify(earlier) == [Fault(8, "The time runs backwards, or differs within the step.")]


def test_a_lost_step_is_told_although_the_versions_were_closed_up(game: Records) -> None:
    kept = [record for record in game if record.step != 6]
    closed = [replace(record, version=version) for version, record in enumerate(kept, 1)]
    assert verify(closed) == [Fault(7, "Step 6 is missing: step 7 stands in its place.")]


def test_a_second_command_within_a_step_is_told(game: Records) -> None:
    index = next(index for index, record in enumerate(game) if record.step > 0 and record.command is None)
    faults = verify(changed(game, index, command=ev.Undo()))
    assert faults == [Fault(game[index].step, "A step holds more than one command.")]


def test_a_record_of_another_game_is_told(game: Records) -> None:
    index = at_step(game, 4)
    faults = verify(changed(game, index, stream=player(9)))
    assert faults == [Fault(4, f"Version {game[index].version} belongs to another game.")]


def test_a_revision_that_nobody_knows_is_told(game: Records) -> None:
    faults = verify(changed(game, 0, event=replace(game[0].event, revision=99)))
    assert faults == [Fault(0, "Nobody knows revision 99 of klondike.")]


def test_options_that_were_left_open_are_told() -> None:
    records = duel()[:2]
    options = {name: value for name, value in records[0].event.options.items() if name != "hand"}
    faults = verify(rechained(changed(records, 0, event=replace(records[0].event, options=options))))
    assert Fault(0, "The options are not those that the game type settles on.") in faults


def test_options_that_cannot_be_read_are_told(game: Records) -> None:
    faults = verify(changed(game, 0, event=replace(game[0].event, options={"draw": "many"})))
    assert Fault(0, "The opening cannot be read (ValidationError).") in faults
