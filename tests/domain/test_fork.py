"""Forks: the game as it stood after any step, made again by its commands, and a game like any other from there."""

from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, fold
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.endings import abandon, time_out, void
from domain.play.fork import Fork, fork
from domain.play.frames import frames
from domain.play.verify import verify
from domain.view import ALL_SEEING
from tests.domain.golden_games import PATHS, records
from tests.domain.played import SECRET, START, act, duel, player, seated, solitaire, until_all_have_acted
from tests.domain.whole_records import records as whole_records

FORKER = UUID(int=500)
ID = UUID(int=8)
LATER = Act(FORKER, None, START + 10**12)


def forked(parent: Sequence[AnyRecord], step: int, **more: Any) -> Step:
    return fork(parent, Fork(step=step, digest_key=bytes(32), **more), ID, LATER)


def refused(parent: Sequence[AnyRecord], step: int, **more: Any) -> tuple[str, str]:
    with pytest.raises(Illegal) as refusal:
        forked(parent, step, **more)
    return refusal.value.rule, refusal.value.message


def played_steps(parent: Sequence[AnyRecord]) -> list[int]:
    """The steps after which the game was being played."""
    shown = frames(parent, ALL_SEEING)
    return [frame.step for frame in shown if frame.status == "playing"]


def shown(played: Sequence[AnyRecord], since: int) -> list[Any]:
    """What is seen and told from this step on, counted from it."""
    return [
        (frame.step - since, frame.live_step - since, frame.seat, frame.command, frame.sentences[-1], frame.view)
        for frame in frames(played, ALL_SEEING)
        if frame.step >= since
    ]


@pytest.mark.parametrize("key", GAME_TYPES)
def test_a_game_of_any_type_can_be_forked_after_every_step_that_was_played(key: str) -> None:
    parent = whole_records(key)
    for step in played_steps(parent):
        made = forked(parent, step)
        assert fold(made.records) == made.game
        assert verify(made.records) == []
        assert shown(made.records, 0) == shown([one for one in parent if one.step <= step], 0)


def test_a_fork_is_marked_unrated_and_held_by_whoever_forked() -> None:
    made = forked(duel(), 5)
    opened = made.game.opening
    assert (opened.origin, opened.rated, opened.forked_from) == ("fork", False, ev.Branch(UUID(int=7), 5))
    assert made.game.players == (FORKER, FORKER)
    assert {record.actor for record in made.records} == {FORKER}
    assert made.game.status == "playing"


def test_client_seeds_and_the_deal_of_a_game_that_waited_are_kept() -> None:
    parent = duel()
    assert played_steps(parent)[0] == 1
    made = forked(parent, 9)
    assert made.game.sealed is not None
    assert made.game.sealed.client_seeds == (None, "mine")
    ours, theirs = shown(made.records, 0), shown([one for one in parent if one.step <= 9], 1)
    assert ours[1:] == theirs[1:]
    assert ours[0][-2:] == theirs[0][-2:]


def test_a_given_deal_is_kept() -> None:
    pack = tuple(rank + suit for suit in "CDHS" for rank in "A23456789TJQK")
    secret = ev.Sealed(SECRET.seed, SECRET.digest_key, pack)
    step = seated(GAME_TYPES["klondike"], secret=secret, origin="given_deal")
    parent = [*step.records, *play(step.game, ev.Resign(), act(0, 1)).records]
    assert forked(parent, 0).game.state == step.game.state


def test_undo_in_the_game_is_undo_in_the_fork_and_what_came_before_can_be_taken_back() -> None:
    parent = solitaire()
    made = forked(parent, 12)
    undone = [record.step for record in made.records if isinstance(record.event, ev.Undone)]
    assert undone == [10]
    back = play(made.game, ev.Undo(), LATER._replace(seat=0)).game
    assert back.state == fold([one for one in parent if one.step <= 11]).state


def test_a_step_that_was_undone_can_be_forked() -> None:
    parent = solitaire()
    assert forked(parent, 9).game.state == fold([one for one in parent if one.step <= 9]).state


def test_a_fork_is_played_on_ends_verifies_and_can_be_forked_itself() -> None:
    made = forked(duel(), 7)
    played, game, lots = list(made.records), made.game, Random(3)
    for _ in range(6):
        seat = game.type.look(game.state, 0).to_act[0]
        command = lots.choice([one for one in legal_commands(game, seat) if not isinstance(one, ev.Resign)])
        said = play(game, command, LATER._replace(seat=seat))
        played, game = played + list(said.records), said.game
    played += play(game, ev.Resign(), LATER._replace(seat=0)).records
    assert verify(played) == []
    again = fork(played, Fork(step=game.step, digest_key=bytes(32)), UUID(int=9), LATER)
    assert again.game.state == game.state
    assert verify(again.records) == []


@pytest.mark.parametrize("key", [key for key, found in GAME_TYPES.items() if found.seats[-1] > 2])
def test_a_seat_that_ran_out_of_time_while_the_others_played_on_resigns_in_the_fork(key: str) -> None:
    parent, game = until_all_have_acted(GAME_TYPES[key], 3, most_late=1)
    parent += time_out(game, game.updated_at + 60_000_000).records
    while (game := fold(parent)).status == "playing":
        seat = next(seat for seat in range(3) if seat not in game.out)
        parent += play(game, ev.Resign(), Act(player(seat), seat, game.updated_at)).records
    last = played_steps(parent)[-1]
    made = forked(parent, last)
    assert any(isinstance(record.event, ev.TimedOut) for record in parent)
    assert not any(isinstance(record.event, ev.TimedOut) for record in made.records)
    assert made.game.out == fold([one for one in parent if one.step <= last]).out != ()
    assert verify(made.records) == []


def test_an_agreement_to_leave_the_game_is_not_said_again() -> None:
    parent = [one for one in duel() if one.step < 10]
    parent += abandon(fold(parent), ev.Abandon(), act(0, 10)).records
    parent += abandon(fold(parent), ev.Abandon(), act(1, 11)).records
    assert played_steps(parent)[-1] == 10
    assert forked(parent, 10).game.state == forked(parent, 9).game.state


def test_a_game_that_goes_on_or_waits_is_refused() -> None:
    live = [one for one in solitaire() if one.step < 20]
    assert refused(live, 3)[0] == "game_not_finished"
    assert refused([one for one in duel() if one.step == 0], 0)[0] == "game_not_finished"


def test_a_contests_game_is_refused_until_it_is_revealed() -> None:
    step = seated(GAME_TYPES["klondike"], contest=UUID(int=77))
    parent = [*step.records, *play(step.game, ev.Resign(), act(0, 1)).records]
    assert fold(parent).status == "finished"
    assert refused(parent, 0)[0] == "game_not_finished"
    voided = [*parent, *void(fold(parent), "no good", act(None, 2)).records]
    assert refused(voided, 0)[0] == "game_not_finished"


def test_a_voided_game_can_be_forked() -> None:
    live = [one for one in duel() if one.step < 20]
    voided = [*live, *void(fold(live), "no good", act(None, 40)).records]
    assert forked(voided, 19).game.state == fold(live).state


def test_a_step_after_which_it_is_not_played_is_refused_with_those_that_there_are() -> None:
    parent = duel()
    last = parent[-1].step
    said = f"That game can be forked from step 1, the deal, to step {last - 1}, the last before its end."
    for step in (0, last, last + 1, 10**6):
        assert refused(parent, step) == ("step_not_played", said)


def test_a_game_that_was_voided_before_the_deal_has_no_such_step() -> None:
    waiting = [one for one in duel() if one.step == 0]
    voided = [*waiting, *void(fold(waiting), "no good", act(None, 1)).records]
    assert refused(voided, 0) == ("step_not_played", "That game was over before anybody could play.")


@pytest.mark.parametrize(
    ("parent", "wanted", "seen"),
    [
        ("public", None, "unlisted"), ("public", "public", "public"), ("public", "private", "private"),
        ("unlisted", None, "unlisted"), ("unlisted", "public", None), ("unlisted", "private", "private"),
        ("private", None, "private"), ("private", "unlisted", None), ("private", "public", None),
    ],
)  # fmt: skip
def test_a_fork_is_seen_by_no_more_than_its_game(parent: Any, wanted: Any, seen: str | None) -> None:
    step = seated(GAME_TYPES["klondike"], visibility=parent)
    played = [*step.records, *play(step.game, ev.Resign(), act(0, 1)).records]
    if seen is None:
        assert refused(played, 0, visibility=wanted)[0] == "more_visible"
    else:
        assert forked(played, 0, visibility=wanted).game.opening.visibility == seen


def test_a_record_whose_deal_its_seeds_do_not_make_is_refused() -> None:
    shuffled = [(key, path) for key, path in PATHS if key != "megiddo"]  # whose boards are set up without a lot
    for key, path in shuffled[::9]:
        parent = records(key, path)
        assert refused(parent, played_steps(parent)[-1])[0] == "not_repeatable"
