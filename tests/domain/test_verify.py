"""What verify says of whole games, and of games in which one thing was changed."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import commitment
from domain.game_type import Result
from domain.play import events as ev
from domain.play.aggregate import fold
from domain.play.deciding import finished_event
from domain.play.verify import Fault, verify

from .changes import Records, at_step, changed, rechained, steps
from .played import SECRET, duel, player, solitaire

GAME = solitaire()
WHOLE = at_step(GAME, 15)
DEALT = GAME[2].event
SWAPPED = replace(DEALT, cards=(DEALT.cards[1], DEALT.cards[0], *DEALT.cards[2:]))


def forged_ending(*before: Any, command: Any = None) -> Records:
    """The game up to step 14 with a step behind it that says it was won."""
    events = [*before, finished_event(fold(GAME[:WHOLE]), Result("won", "all_home"))]
    first = replace(GAME[WHOLE], command=command)
    records = [replace(first, version=first.version + at, event=event) for at, event in enumerate(events)]
    return rechained([*GAME[:WHOLE], *records])


@pytest.mark.parametrize(
    "records",
    [GAME, duel(), GAME[: at_step(GAME, 20)], forged_ending(ev.Abandoned("idle"))],
    ids=["an undo and a resignation", "two seats and a client seed", "still played", "abandoned"],
)
def test_a_game_is_without_fault(records: Records) -> None:
    assert verify(records) == []
    assert any(isinstance(record.event, ev.Undone) for record in GAME)


def _at(step: int, **change: Any) -> Records:
    """With the first record of a step changed."""
    return changed(GAME, at_step(GAME, step), **change)


def _broken_digest(step: int) -> Records:
    digest = GAME[at_step(GAME, step)].digest
    return _at(step, digest=bytes([digest[0] ^ 1]) + digest[1:])


def _later(step: int, by: int) -> Records:
    """With another time of a whole step."""
    return [replace(record, time=record.time + by) if record.step == step else record for record in GAME]


def _exchanged_seed() -> Records:
    promised = commitment(GAME[0].stream, "klondike", fold(GAME[:1]).options, bytes(32))
    sealed = changed(GAME[:3], 1, event=replace(SECRET, seed=bytes(32)))
    return rechained(changed(sealed, 0, event=replace(GAME[0].event, commitment=promised)))


def _without_step(step: int) -> Records:
    kept = [record for record in GAME if record.step != step]
    return [replace(record, version=version) for version, record in enumerate(kept, 1)]


def _miscounted() -> Records:
    forged = forged_ending(ev.Abandoned("idle"))
    return rechained(changed(forged, len(forged) - 1, event=replace(forged[-1].event, moves=3)))


def _digest(step: int) -> str:
    return f"The digest of version {GAME[at_step(GAME, step)].version} does not fit what is recorded."


UNDEALT = "The deal is not what the seeds and the options make."
UNMADE = "The events are not what the command makes."
CLOCK = "The time runs backwards, or differs within the step."
UNRATED = "A game that was not shuffled is rated."
TOLD: dict[str, tuple[Callable[[], Records], int, str]] = {
    "a changed deal, every digest made anew": (lambda: rechained(changed(GAME[:3], 2, event=SWAPPED)), 0, UNDEALT),
    "a seed exchanged with its commitment": (_exchanged_seed, 0, UNDEALT),
    "a changed time": (lambda: _later(8, 1), 8, _digest(8)),
    "a changed digest at the opening": (lambda: _broken_digest(0), 0, _digest(0)),
    "a changed digest": (lambda: _broken_digest(12), 12, _digest(12)),
    "a changed digest at the end": (lambda: _broken_digest(30), 30, _digest(30)),
    "a step whose last events are lost": (lambda: GAME[:-1], GAME[-1].step, UNMADE),
    "a forged ending whose digests fit": (forged_ending, 15, "The game ends without a cause."),
    "an ending that the command does not make": (lambda: forged_ending(command=GAME[WHOLE].command), 15, UNMADE),
    "a rated game with a given deal": (
        lambda: rechained(changed(GAME[:3], 1, event=replace(SECRET, given=DEALT.cards))), 0, UNRATED,
    ),
    # Only a fork does, which is not rated: else who opens a game could choose them after the commitment.
    "a rated game that brings its client seeds along": (
        lambda: rechained(changed(GAME[:3], 1, event=replace(SECRET, client_seeds=(None,)))), 0, UNRATED,
    ),
    "secrets revealed before the end": (
        lambda: rechained([*GAME[:WHOLE], replace(GAME[WHOLE], command=None, event=GAME[-1].event)]), 15,
        "Revealed is recorded at the wrong end of the game.",
    ),
    "an ending that miscounts the moves": (_miscounted, 15, "The ending does not tell the game as it was played."),
    "a time that differs within a step": (lambda: _at(8, time=GAME[at_step(GAME, 8)].time + 1), 8, CLOCK),
    "a time that runs backwards": (lambda: _at(8, time=GAME[at_step(GAME, 8)].time - 10_000_000), 8, CLOCK),
    "a step before its predecessor": (lambda: _later(8, -2_000_000), 8, CLOCK),
    "records of no game": (list, 0, "The records do not begin with the opening of a game and its secrets."),
    "a lost step, the versions closed up": (
        lambda: _without_step(6), 7, "Step 6 is missing: step 7 stands in its place.",
    ),
    "a record of another game": (
        lambda: _at(4, stream=player(9)), 4, f"Version {GAME[at_step(GAME, 4)].version} belongs to another game.",
    ),
    "a revision that nobody knows": (
        lambda: changed(GAME, 0, event=replace(GAME[0].event, revision=99)), 0, "Nobody knows revision 99 of klondike.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("records", "step", "what"), TOLD.values(), ids=TOLD)
def test_one_change_is_told_with_its_step(records: Callable[[], Records], step: int, what: str) -> None:
    assert verify(records()) == [Fault(step, what)]


def test_one_changed_card_of_the_deal_is_told_at_step_0() -> None:
    faults = verify(changed(GAME, 2, event=SWAPPED))
    assert {Fault(0, UNDEALT), Fault(0, "The digest of version 3 does not fit what is recorded.")} <= set(faults)


def test_one_changed_card_of_a_draw_is_told_with_its_step() -> None:
    records = duel()
    index = next(i for i, record in enumerate(records) if getattr(record.event, "card", None) and record.step > 5)
    record = records[index]
    other = "2C" if record.event.card != "2C" else "3C"
    faults = verify(changed(records, index, event=replace(record.event, card=other)))
    assert min(steps(faults)) == record.step
    assert any("events are not what" in fault.what for fault in faults)


def test_a_changed_command_is_told_with_its_step() -> None:
    other = GAME[at_step(GAME, 7)].command
    assert GAME[at_step(GAME, 5)].command != other
    assert [fault.step for fault in verify(_at(5, command=other))] == [5, 5]


def test_a_changed_seed_is_told_at_step_0_and_where_it_is_revealed() -> None:
    faults = verify(changed(GAME, 1, event=replace(SECRET, seed=bytes(32))))
    assert Fault(0, "The seed is not the one that was committed to.") in faults
    assert Fault(GAME[-1].step, "The secrets that are revealed are not the sealed ones.") in faults


def test_strangers_lost_records_and_unreadable_options_are_told() -> None:
    assert Fault(9, "Whoever gives the command does not hold the seat.") in verify(_at(9, actor=player(7)))
    second = next(record for record in GAME if record.step > 0 and record.command is None)
    twice = [replace(record, command=ev.Undo()) if record is second else record for record in GAME]
    assert verify(twice) == [Fault(second.step, "A step holds more than one command.")]
    index = at_step(GAME, 6)
    assert verify(GAME[:index] + GAME[index + 1 :])[0].what.startswith(f"Version {index + 1} is missing")
    faults = verify(changed(GAME, 0, event=replace(GAME[0].event, options={"draw": "many"})))
    assert Fault(0, "The opening cannot be read (ValidationError).") in faults


def test_options_that_were_left_open_are_told() -> None:
    records = duel()[:2]
    options = {name: value for name, value in records[0].event.options.items() if name != "hand"}
    faults = verify(rechained(changed(records, 0, event=replace(records[0].event, options=options))))
    assert Fault(0, "The options are not those that the game type settles on.") in faults
