"""What verify says of whole games, and of games in which one thing was changed."""

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


@pytest.fixture(scope="module")
def game() -> Records:
    return solitaire()


def test_a_game_with_an_undo_and_a_resignation_is_without_fault(game: Records) -> None:
    assert any(isinstance(record.event, ev.Undone) for record in game)
    assert verify(game) == []


def test_a_game_of_two_seats_with_a_client_seed_is_without_fault() -> None:
    assert verify(duel()) == []


def test_a_game_that_is_still_played_is_without_fault(game: Records) -> None:
    assert verify(game[: at_step(game, 20)]) == []


def test_one_changed_card_of_the_deal_is_told_at_step_0(game: Records) -> None:
    dealt = game[2].event
    cards = (dealt.cards[1], dealt.cards[0], *dealt.cards[2:])
    faults = verify(changed(game, 2, event=replace(dealt, cards=cards)))
    assert Fault(0, "The deal is not what the seeds and the options make.") in faults
    assert Fault(0, "The digest of version 3 does not fit what is recorded.") in faults


def test_a_changed_deal_is_told_even_if_every_digest_was_made_anew(game: Records) -> None:
    dealt = game[2].event
    swapped = changed(game[:3], 2, event=replace(dealt, cards=(dealt.cards[1], dealt.cards[0], *dealt.cards[2:])))
    assert verify(rechained(swapped)) == [Fault(0, "The deal is not what the seeds and the options make.")]


def test_one_changed_card_of_a_draw_is_told_with_its_step() -> None:
    records = duel()
    index = next(i for i, record in enumerate(records) if getattr(record.event, "card", None) and record.step > 5)
    record = records[index]
    other = "2C" if record.event.card != "2C" else "3C"
    faults = verify(changed(records, index, event=replace(record.event, card=other)))
    assert min(steps(faults)) == record.step
    assert any("events are not what" in fault.what for fault in faults)


def test_a_changed_command_is_told_with_its_step(game: Records) -> None:
    here, there = at_step(game, 5), at_step(game, 7)
    assert game[here].command != game[there].command
    faults = verify(changed(game, here, command=game[there].command))
    assert steps(faults) == {5}
    assert len(faults) == 2


def test_a_changed_time_is_told_with_its_step(game: Records) -> None:
    later = [replace(record, time=record.time + 1) if record.step == 8 else record for record in game]
    version = game[at_step(game, 8)].version
    assert verify(later) == [Fault(8, f"The digest of version {version} does not fit what is recorded.")]


@pytest.mark.parametrize("step", [0, 12, 30])
def test_a_changed_digest_is_told_with_its_step(game: Records, step: int) -> None:
    index = at_step(game, step)
    broken = bytes([game[index].digest[0] ^ 1]) + game[index].digest[1:]
    faults = verify(changed(game, index, digest=broken))
    assert faults == [Fault(step, f"The digest of version {game[index].version} does not fit what is recorded.")]


def test_a_changed_seed_is_told_at_step_0_and_where_it_is_revealed(game: Records) -> None:
    faults = verify(changed(game, 1, event=replace(SECRET, seed=bytes(32))))
    assert Fault(0, "The seed is not the one that was committed to.") in faults
    assert Fault(game[-1].step, "The secrets that are revealed are not the sealed ones.") in faults


def test_a_seed_that_was_exchanged_with_its_commitment_does_not_make_this_deal(game: Records) -> None:
    sealed, opened = replace(SECRET, seed=bytes(32)), game[0].event
    promised = commitment(game[0].stream, "klondike", fold(game[:1]).options, bytes(32))
    swapped = changed(changed(game[:3], 1, event=sealed), 0, event=replace(opened, commitment=promised))
    assert verify(rechained(swapped)) == [Fault(0, "The deal is not what the seeds and the options make.")]


def test_a_step_whose_last_events_are_lost_is_told_with_its_step(game: Records) -> None:
    assert verify(game[:-1]) == [Fault(game[-1].step, "The events are not what the command makes.")]


def test_a_command_of_a_stranger_is_told_with_its_step(game: Records) -> None:
    index = at_step(game, 9)
    faults = verify(changed(game, index, actor=player(7)))
    assert Fault(9, "Whoever gives the command does not hold the seat.") in faults


def forged_ending(game: Records, *before: Any, command: Any = None) -> Records:
    """The game up to step 14 with a step behind it that says it was won."""
    upto = game[: at_step(game, 15)]
    events = [*before, finished_event(fold(upto), Result("won", "all_home"))]
    first = replace(game[at_step(game, 15)], command=command)
    records = [replace(first, version=first.version + at, event=event) for at, event in enumerate(events)]
    return rechained([*upto, *records])


def test_a_forged_ending_is_told_although_its_digests_fit(game: Records) -> None:
    assert verify(forged_ending(game)) == [Fault(15, "The game ends without a cause.")]


def test_an_ending_that_the_command_does_not_make_is_told(game: Records) -> None:
    forged = forged_ending(game, command=game[at_step(game, 15)].command)
    assert verify(forged) == [Fault(15, "The events are not what the command makes.")]


def test_an_abandoned_game_is_without_fault(game: Records) -> None:
    assert verify(forged_ending(game, ev.Abandoned("idle"))) == []


def test_a_rated_game_with_a_given_deal_is_told(game: Records) -> None:
    given = replace(SECRET, given=game[2].event.cards)
    faults = verify(rechained(changed(game[:3], 1, event=given)))
    assert faults == [Fault(0, "A game that was not shuffled is rated.")]


def test_a_rated_game_that_brings_its_client_seeds_along_is_told(game: Records) -> None:
    """Only a fork does, which is not rated: else who opens a game could choose them after the commitment."""
    chosen = replace(SECRET, client_seeds=(None,))
    faults = verify(rechained(changed(game[:3], 1, event=chosen)))
    assert faults == [Fault(0, "A game that was not shuffled is rated.")]


def test_secrets_revealed_before_the_end_are_told(game: Records) -> None:
    upto, first = game[: at_step(game, 15)], game[at_step(game, 15)]
    early = replace(first, command=None, event=game[-1].event)
    faults = verify(rechained([*upto, early]))
    assert faults == [Fault(15, "Revealed is recorded at the wrong end of the game.")]


def test_an_ending_that_miscounts_the_moves_is_told(game: Records) -> None:
    forged = forged_ending(game, ev.Abandoned("idle"))
    wrong = changed(forged, len(forged) - 1, event=replace(forged[-1].event, moves=3))
    assert verify(rechained(wrong)) == [Fault(15, "The ending does not tell the game as it was played.")]
