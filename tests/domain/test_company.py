"""Invitations, rematches, leaving a game unfinished, voiding: what they record, and that it verifies."""

from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.capabilities import OptionRules
from domain.game_type import Illegal
from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.aggregate import AnyRecord, Game, fold
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.endings import abandon, move_due_at, void
from domain.play.fork import rematch
from domain.play.frames import frames
from domain.play.table import MOST_INVITATIONS, Opening, invite, join, leave, open_game, uninvite
from domain.play.verify import Fault, verify

from .changes import rechained
from .played import SECRET, START, player, refusal

OPENER, GUEST, STRANGER = player(0), player(1), player(2)
SECOND = 1_000_000


class Story:
    """A game and all that was recorded of it, a second between any two steps."""

    def __init__(self, opening: Opening) -> None:
        self.time = START
        step = open_game(UUID(int=7), opening, SECRET, self.act(OPENER, None))
        self.records, self.game = list(step.records), step.game

    def act(self, actor: UUID, seat: int | None) -> Act:
        self.time += SECOND
        return Act(actor, seat, self.time)

    def say(self, decide: Any, command: Any, actor: UUID) -> Step:
        seats = self.game.seats_of(actor)
        step: Step = decide(self.game, command, self.act(actor, seats[0] if seats else None))
        self.records, self.game = self.records + list(step.records), step.game
        return step

    def move(self) -> None:
        """The first listed command of whoever is to act."""
        for seat in range(len(self.game.players)):
            for command in legal_commands(self.game, seat):
                if not isinstance(command, ev.Undo | ev.Resign):
                    actor = self.game.players[seat]
                    assert actor is not None
                    step = play(self.game, command, self.act(actor, seat))
                    self.records, self.game = self.records + list(step.records), step.game
                    return

    def refused(self, decide: Any, command: Any, actor: UUID) -> str:
        return refusal(self.say, decide, command, actor)


def opening(seats: int = 2, *guests: UUID, **more: Any) -> Opening:
    key = {1: "klondike", 2: "spite_and_malice", 3: "screaming_yoda"}[seats]
    return Opening(
        type=GAME_TYPES[key],
        options=GAME_TYPES[key].options(),
        players=(OPENER, *[None] * (seats - 1)),
        invited=tuple(ev.Invited(guest) for guest in guests),
        **more,
    )


def private(*guests: UUID, seats: int = 2, **more: Any) -> Story:
    return Story(opening(seats, *guests, visibility="private", **more))


def playing(seats: int = 2, **more: Any) -> Story:
    """A game at which every seat is taken by a player of its own."""
    story = Story(opening(seats, **more))
    for seat in range(1, seats):
        story.say(join, ev.Join(), player(seat))
    return story


def kinds(records: list[AnyRecord] | tuple[AnyRecord, ...]) -> list[str]:
    return [type(record.event).__name__ for record in records]


def guests(game: Game) -> list[UUID]:
    return [guest.player for guest in game.guests]


def test_an_invited_player_joins_a_private_game_and_nobody_else_does() -> None:
    story = private(GUEST)
    assert kinds(story.records) == ["Opened", "Sealed", "Invited"]
    assert guests(story.game) == [GUEST]
    assert story.refused(join, ev.Join(), STRANGER) == "not_invited"
    assert story.say(join, ev.Join(), GUEST).game.status == "playing"
    assert guests(story.game) == []
    assert verify(story.records) == []


def test_the_opener_alone_invites_and_everybody_once() -> None:
    story = private(GUEST)
    assert story.refused(invite, ev.Invite(STRANGER), GUEST) == "not_the_opener"
    assert kinds(story.say(invite, ev.Invite(STRANGER), OPENER).records) == ["Invited"]
    assert story.refused(invite, ev.Invite(STRANGER), OPENER) == "already_invited"
    assert story.refused(invite, ev.Invite(OPENER), OPENER) == "already_seated"
    assert story.say(join, ev.Join(), STRANGER).game.status == "playing"
    assert story.refused(invite, ev.Invite(player(5)), OPENER) == "game_started"
    assert verify(story.records) == []


@pytest.mark.parametrize("who", [OPENER, GUEST])
def test_an_invitation_is_revoked_by_the_opener_or_declined(who: UUID) -> None:
    story = private(GUEST)
    assert story.refused(uninvite, ev.Uninvite(GUEST), STRANGER) == "not_the_opener"
    assert kinds(story.say(uninvite, ev.Uninvite(GUEST), who).records) == ["Uninvited"]
    assert story.refused(join, ev.Join(), GUEST) == "not_invited"
    assert story.refused(uninvite, ev.Uninvite(GUEST), who) == "not_invited"
    assert verify(story.records) == []


def test_who_has_taken_a_seat_cannot_be_uninvited_but_may_leave_and_come_back() -> None:
    story = private(GUEST, await_seeds=True)
    story.say(join, ev.Join(), GUEST)
    assert story.refused(uninvite, ev.Uninvite(GUEST), OPENER) == "already_seated"
    assert story.refused(invite, ev.Invite(STRANGER), OPENER) == "no_empty_seat"
    story.say(leave, ev.Leave(), GUEST)
    assert guests(story.game) == [GUEST]
    story.say(join, ev.Join(), GUEST)
    assert verify(story.records) == []


def test_a_game_without_an_empty_seat_invites_nobody_and_none_invites_too_many() -> None:
    for wanted, rule in (
        (opening(1, GUEST), "no_empty_seat"),
        (opening(2, OPENER), "already_seated"),
        (opening(2, *map(player, range(10, 11 + MOST_INVITATIONS))), "too_many_invites"),
    ):
        assert refusal(Story, wanted) == rule


def test_a_seat_that_is_kept_is_taken_by_its_player_alone() -> None:
    wanted = replace_invited(opening(3), ev.Invited(GUEST, 2))
    story = Story(wanted)
    assert story.refused(join, ev.Join(2), STRANGER) == "seat_kept"
    assert story.say(join, ev.Join(), STRANGER).game.players == (OPENER, STRANGER, None)
    assert story.refused(join, ev.Join(), player(5)) == "seat_kept"
    assert story.refused(join, ev.Join(1), player(5)) == "seat_taken"
    assert story.say(join, ev.Join(), GUEST).game.players == (OPENER, STRANGER, GUEST)
    assert verify(story.records) == []


def test_a_player_who_is_kept_a_seat_gets_that_one_and_may_take_another_which_frees_it() -> None:
    wanted = replace_invited(opening(3), ev.Invited(GUEST, 2))
    assert Story(wanted).say(join, ev.Join(), GUEST).game.players == (OPENER, None, GUEST)
    story = Story(wanted)
    assert story.say(join, ev.Join(1), GUEST).game.players == (OPENER, GUEST, None)
    assert story.say(join, ev.Join(), STRANGER).game.status == "playing"
    assert verify(story.records) == []


def replace_invited(wanted: Opening, *invited: ev.Invited) -> Opening:
    return replace(wanted, invited=invited)


def test_a_seat_kept_for_who_declines_is_free() -> None:
    story = Story(replace_invited(opening(2), ev.Invited(GUEST, 1)))
    story.say(uninvite, ev.Uninvite(GUEST), GUEST)
    assert story.say(join, ev.Join(), STRANGER).game.status == "playing"


def test_a_forged_guest_is_told() -> None:
    story = private(GUEST)
    story.say(invite, ev.Invite(STRANGER), OPENER)
    forged = rechained([*story.records[:-1], replace(story.records[-1], actor=GUEST)])
    assert verify(forged) == [Fault(1, "The command is against the rules (not_the_opener).")]
    changed = rechained([*story.records[:-1], replace(story.records[-1], event=ev.Invited(player(5)))])
    assert verify(changed) == [Fault(1, "The events are not what the command makes.")]


def finished_game(seats: int = 3, **more: Any) -> Story:
    story = playing(seats, **more)
    for seat in range(seats):
        story.say(abandon, ev.Abandon(), player(seat))
    assert story.game.status == "finished"
    return story


def test_a_rematch_seats_the_asker_one_further_on_and_keeps_the_others_theirs() -> None:
    game = finished_game(move_seconds=90, spectator_delay=3).game
    wanted = rematch(game, player(1), {player(0), player(1), player(2)})
    assert wanted.players == (None, None, player(1))
    assert wanted.invited == (ev.Invited(player(2), 0), ev.Invited(player(0), 1))
    assert (wanted.rematch_of, wanted.visibility, wanted.rated) == (game.id, "public", True)
    assert (wanted.move_seconds, wanted.spectator_delay) == (90, 3)
    assert wanted.options == game.options
    assert wanted.type.get(OptionRules).settle(wanted.options, 3) == game.options


def test_a_rematch_starts_when_the_others_have_taken_their_seats_and_verifies() -> None:
    game = finished_game().game
    story = Story(rematch(game, OPENER, {player(0), player(1), player(2)}))
    for seat in (2, 1):
        story.say(join, ev.Join(), player(seat))
    assert story.game.players == (player(2), player(0), player(1))
    assert story.game.status == "playing"
    assert story.game.opening.rematch_of == game.id
    assert verify(story.records) == []


def test_a_seat_of_an_erased_player_is_kept_for_nobody() -> None:
    wanted = rematch(finished_game().game, OPENER, {player(0), player(2)})
    assert wanted.invited == (ev.Invited(player(2), 0),)


def test_a_rematch_is_for_those_who_played_and_follows_the_end() -> None:
    story = playing()
    for game, asker, rule in (
        (story.game, OPENER, "game_not_finished"),
        (finished_game().game, player(7), "not_seated"),
    ):
        assert refusal(rematch, game, asker, {OPENER}) == rule


def test_a_game_is_abandoned_when_every_seat_has_agreed() -> None:
    story = playing(3)
    story.move()
    for seat in (2, 0):
        assert kinds(story.say(abandon, ev.Abandon(), player(seat)).records) == ["AbandonAgreed"]
        assert story.game.status == "playing"
    assert story.refused(abandon, ev.Abandon(), player(0)) == "nothing_to_agree"
    assert story.refused(abandon, ev.Abandon(), player(7)) == "not_seated"
    last = story.say(abandon, ev.Abandon(), player(1))
    assert kinds(last.records) == ["AbandonAgreed", "Abandoned", "Finished", "Revealed"]
    assert story.game.result is not None
    assert (story.game.result.ending, story.game.result.winners, story.game.moves) == ("abandoned", (), 1)
    assert verify(story.records) == []


def test_a_move_withdraws_what_was_agreed() -> None:
    story = playing(2)
    story.say(abandon, ev.Abandon(), player(0))
    assert story.game.agreed == (0,)
    story.move()
    assert story.game.agreed == ()
    story.say(abandon, ev.Abandon(), player(1))
    assert story.game.status == "playing"
    story.say(abandon, ev.Abandon(), player(0))
    assert story.game.status == "finished"
    assert verify(story.records) == []


def test_agreeing_gains_nobody_time() -> None:
    story = playing(2, move_seconds=90)
    before = move_due_at(story.game)
    story.say(abandon, ev.Abandon(), player(0))
    assert move_due_at(story.game) == before
    story.move()
    assert move_due_at(story.game) == story.time + 90 * SECOND


def test_a_seat_that_has_resigned_is_not_asked() -> None:
    story = playing(3)
    story.say(play, ev.Resign(), player(1))
    assert story.game.status == "playing"
    assert story.refused(abandon, ev.Abandon(), player(1)) == "nothing_to_agree"
    story.say(abandon, ev.Abandon(), player(0))
    story.say(abandon, ev.Abandon(), player(2))
    assert story.game.status == "finished"
    assert verify(story.records) == []


def test_who_holds_every_seat_agrees_for_all_at_once() -> None:
    wanted = replace(opening(2), players=(OPENER, OPENER))
    story = Story(wanted)
    said = story.say(abandon, ev.Abandon(), OPENER)
    assert kinds(said.records) == ["AbandonAgreed", "AbandonAgreed", "Abandoned", "Finished", "Revealed"]
    assert verify(story.records) == []


def test_whoever_plays_alone_resigns_and_a_game_that_waits_is_not_abandoned() -> None:
    alone = Story(opening(1))
    assert kinds(alone.say(abandon, ev.Abandon(), OPENER).records) == ["Resigned", "Finished", "Revealed"]
    assert verify(alone.records) == []
    assert Story(opening(2)).refused(abandon, ev.Abandon(), OPENER) == "game_not_started"


def test_an_abandoning_that_not_all_have_agreed_to_is_told() -> None:
    story = playing(2)
    story.say(abandon, ev.Abandon(), player(0))
    step = story.say(abandon, ev.Abandon(), player(1))
    kept = [record for record in story.records if record.step != step.records[0].step - 1]
    forged = rechained(renumbered(kept))
    assert verify(forged) == [Fault(step.records[0].step - 1, "The events are not what the command makes.")]


def renumbered(records: list[AnyRecord]) -> list[AnyRecord]:
    """Versions and steps closed up after a step was taken out."""
    last = records[-1].step
    return [
        replace(record, version=version, step=record.step - (record.step == last))
        for version, record in enumerate(records, 1)
    ]


@pytest.mark.parametrize("seats", [1, 2])
def test_a_void_ends_a_game_and_reveals_its_secrets(seats: int) -> None:
    story = playing(seats)
    moderator = Act(player(9), None, story.time + SECOND)
    step = void(story.game, "a fault of the server", moderator)
    assert kinds(step.records) == ["Voided", "Revealed"]
    assert (step.game.status, step.game.revealed) == ("voided", True)
    assert verify([*story.records, *step.records]) == []
    with pytest.raises(Illegal, match="void already"):
        void(step.game, "again", moderator)
    with pytest.raises(Illegal):
        play(step.game, ev.Resign(), Act(OPENER, 0, moderator.time))


def test_a_finished_game_is_voided_and_its_invitations_end_with_a_waiting_one() -> None:
    story = finished_game()
    step = void(story.game, "abuse", Act(player(9), None, story.time + SECOND))
    assert kinds(step.records) == ["Voided"]
    assert verify([*story.records, *step.records]) == []
    waits = private(GUEST)
    assert guests(void(waits.game, "abuse", Act(player(9), None, waits.time + SECOND)).game) == []


def test_a_contest_keeps_the_secrets_of_a_void_game() -> None:
    story = playing(1, contest=UUID(int=3))
    assert kinds(void(story.game, "abuse", Act(player(9), None, story.time + SECOND)).records) == ["Voided"]


def test_a_replay_tells_all_of_it_in_sentences() -> None:
    story = Story(replace_invited(opening(2), ev.Invited(GUEST, 1), ev.Invited(STRANGER)))
    story.say(uninvite, ev.Uninvite(STRANGER), STRANGER)
    story.say(join, ev.Join(), GUEST)
    story.say(abandon, ev.Abandon(), GUEST)
    told = [sentence for frame in frames(story.records, None) for sentence in frame.sentences]
    assert {
        "A player is invited: place 2 is kept.",
        "A player is invited.",
        "An invitation is withdrawn.",
        "Player 2 would leave the game unfinished.",
    } <= set(told)
    assert fold(story.records) == story.game
