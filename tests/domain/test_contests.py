"""Same-deal contests: who may enter when, what an attempt comes to, and that its records verify."""

from functools import cache
from hashlib import sha256
from random import Random
from uuid import UUID

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import OptionRules, PureLuck, Score
from domain.chance import commitment
from domain.contest import aggregate as ct
from domain.contest import events as ce
from domain.contest.aggregate import Announcement, Contest
from domain.games import GAME_TYPES
from domain.league.rules import DAYS, DAYS_BOARDS, DAYS_IMPS
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step, legal_commands, play
from domain.play.endings import abandon, end_with_contest, reveal_contest_game, void
from domain.play.fork import rematch
from domain.play.table import Opening, open_game
from domain.play.verify import verify

from .changes import changed, rechained
from .played import START, act, player, refusal

CONTEST = UUID(int=77)
SEED = sha256(b"a day's deal").digest()
DAILY = sorted(key for key, kind in GAME_TYPES.items() if 1 in kind.seats and not kind.has(PureLuck))
EVERY = pytest.mark.parametrize("key", DAILY)
HOUR = 3_600_000_000


def announced(key: str = "golf", closes: int = START + HOUR, **more: object) -> Contest:
    kind = GAME_TYPES[key]
    wanted = Announcement(
        game_type=key, options=kind.options(), rules=DAYS, opens=START, closes=closes, seed=SEED, **more
    )  # type: ignore[arg-type]
    return folded(ct.announce(CONTEST, wanted))


def folded(events: object, contest: Contest | None = None) -> Contest:
    first = 1 if contest is None else contest.version + 1
    records = [ct.contest_record(CONTEST, at, event, None, START) for at, event in enumerate(events, first)]  # type: ignore
    return ct.fold(records, contest)


def entered(key: str, seat_key: bytes = b"key", contest: UUID | None = CONTEST) -> Step:
    """A game with the contest's deal."""
    kind = GAME_TYPES[key]
    opening = Opening(type=kind, options=kind.options(), players=(player(0),), contest=contest)
    secret = ev.Sealed(SEED, sha256(seat_key).digest())
    return open_game(UUID(bytes=sha256(seat_key).digest()[:16]), opening, secret, act(None, 0))


def wandered(step: Step, moves: int, lots: int = 1) -> Step:
    """The same, so many listed commands later or at its end."""
    random, game, records = Random(lots), step.game, list(step.records)
    for number in range(1, moves + 1):
        listed = [one for one in legal_commands(game, 0) if not isinstance(one, ev.Undo | ev.Resign)]
        if not listed:
            break
        said = play(game, random.choice(listed), act(0, number))
        game, records = said.game, records + list(said.records)
    return Step(tuple(records), game)


@cache
def begun(key: str, moves: int = 12) -> Step:
    return wandered(entered(key), moves)


def then(step: Step, after: Step) -> Step:
    return Step((*step.records, *after.records), after.game)


def resigned(step: Step) -> Step:
    return then(step, play(step.game, ev.Resign(), act(0, 900)))


def overtaken(step: Step) -> Step:
    return then(step, end_with_contest(step.game, Act(None, None, START + HOUR)))


def revealed(step: Step) -> Step:
    return then(step, reveal_contest_game(step.game, Act(None, None, START + 2 * HOUR)))


def ending(step: Step) -> ev.Finished:
    return next(record.event for record in reversed(step.records) if isinstance(record.event, ev.Finished))


# Who may enter


@pytest.mark.parametrize(("at", "open_"), [(-1, False), (0, True), (HOUR - 1, True), (HOUR, False)])
def test_attempts_begin_from_the_opening_until_the_closing(at: int, open_: bool) -> None:
    contest = announced()
    if open_:
        assert ct.enter(contest, player(0), UUID(int=5), START + at) == [ce.Entered(player(0), UUID(int=5))]
    else:
        assert refusal(ct.enter, contest, player(0), UUID(int=5), START + at) == "contest_not_open"


def test_a_player_is_dealt_the_cards_once() -> None:
    contest = folded(ct.enter(announced(), player(0), UUID(int=5), START), announced())
    assert refusal(ct.enter, contest, player(0), UUID(int=6), START) == "first_attempt_only"
    assert ct.enter(contest, player(1), UUID(int=6), START)


def test_a_contest_is_closed_once_and_not_before_the_grace_has_passed() -> None:
    contest = announced()
    due = contest.due()
    assert due == START + HOUR + DAYS.grace_seconds * 1_000_000
    assert refusal(ct.close, contest, due - 1) == "not_due"
    closed = folded(ct.close(contest, due), contest)
    assert refusal(ct.close, closed, due) == "contest_closed"
    assert refusal(ct.enter, closed, player(0), UUID(int=5), START) == "contest_not_open"


def test_a_contest_is_closed_without_games_and_without_a_deal_that_nobody_can_read() -> None:
    contest = announced()
    (closed, told) = ct.close(contest, contest.due(), (UUID(int=5),))
    assert (closed, told) == (ce.Closed((UUID(int=5),)), ce.Revealed(contest.seed))
    assert folded([closed], contest).unreadable == (UUID(int=5),)
    sealed = replace(contest, seed=b"")
    assert ct.close(sealed, contest.due()) == [ce.Closed()]
    over = folded([ce.Closed()], sealed)
    assert ct.reveal(over) == ct.reveal(contest) == []
    found = replace(over, seed=contest.seed)
    assert ct.reveal(found) == [ce.Revealed(contest.seed)]
    assert ct.reveal(folded(ct.reveal(found), found)) == []


def test_a_closing_of_before_is_the_same_bytes_and_reads_as_one_that_left_nothing_out() -> None:
    assert msgspec.msgpack.encode(ce.Closed()) == msgspec.msgpack.encode({"type": "contest/closed"})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(ce.Closed()), type=ce.Closed).unreadable == ()


def test_what_cannot_be_compared_is_not_announced() -> None:
    assert refusal(announced, "spite_and_malice") == "solo_only"
    assert refusal(announced, "the_clock") == "pure_luck"
    assert refusal(announced, closes=START) == "contest_ends"


def test_the_announcement_commits_to_the_deal_and_the_closing_proves_it() -> None:
    contest = announced()
    said = contest.announced
    options = GAME_TYPES["golf"].get(OptionRules).settle(GAME_TYPES["golf"].options(), 1)
    told = next(event for event in ct.close(contest, contest.due()) if isinstance(event, ce.Revealed))
    assert commitment(CONTEST, "golf", options, told.seed) == said.commitment
    assert commitment(CONTEST, "golf", options, bytes(32)) != said.commitment


# What an attempt comes to


@EVERY
def test_everybody_is_dealt_the_same_cards_and_only_the_digests_differ(key: str) -> None:
    one, other = entered(key, b"one"), entered(key, b"other")
    assert [record.event for record in one.records[2:]] == [record.event for record in other.records[2:]]
    assert one.game.state == other.game.state
    digests = [{record.digest for record in step.records} for step in (one, other)]
    assert digests[0].isdisjoint(digests[1])


@EVERY
def test_an_attempt_given_up_or_overtaken_has_its_standing_score(key: str) -> None:
    step = begun(key)
    assert step.game.status == "playing"
    standing = (GAME_TYPES[key].get(Score).count(step.game.state),)
    assert ending(resigned(step)).scores == standing
    assert ending(overtaken(step)).scores == standing


def test_a_game_that_is_given_up_is_scored_by_what_is_left_in_contests_alone() -> None:
    assert ending(resigned(begun("golf", 3))).scores > (20,)
    step = wandered(entered("klondike", contest=None), 12)
    assert ending(resigned(step)).scores == ()


def test_a_hand_of_bridge_solitaire_that_is_given_up_loses_the_tricks_not_played() -> None:
    step = begun("bridge_solitaire", 60)
    while step.game.state.phase != "play":  # type: ignore[union-attr]
        step = wandered(step, 1, step.game.version)
    (score,) = ending(overtaken(step)).scores
    assert score == ending(resigned(step)).scores[0] != 0


@EVERY
@pytest.mark.parametrize("lots", range(3))
def test_the_score_of_a_finished_game_is_that_of_its_result(key: str, lots: int) -> None:
    step = wandered(entered(key), 400, lots)
    if step.game.result is not None:
        assert step.game.result.scores == (GAME_TYPES[key].get(Score).count(step.game.state),)


def test_an_attempt_that_its_contest_overtakes_is_lost_and_none_without_a_move() -> None:
    over = ending(overtaken(begun("klondike")))
    assert (over.ending, over.reason, over.contest) == ("lost", "contest_over", CONTEST)
    assert ending(overtaken(entered("klondike"))).ending == "abandoned"


# What is kept back, and what is not


@EVERY
def test_neither_end_reveals_the_secrets_the_closing_does_once(key: str) -> None:
    for over in (resigned(begun(key)), overtaken(begun(key))):
        assert not over.game.revealed
        told = revealed(over)
        assert told.records[-1].event == ev.Revealed(SEED, sha256(b"key").digest())
        assert refusal(revealed, told) == "revealed"


def test_the_closing_neither_ends_nor_reveals_what_it_must_not() -> None:
    assert refusal(revealed, begun("golf")) == "revealed"
    assert refusal(overtaken, resigned(begun("golf"))) == "game_finished"
    own = wandered(entered("golf", contest=None), 5)
    assert refusal(overtaken, own) == "game_finished"


def test_a_voided_attempt_keeps_its_secrets_until_the_closing() -> None:
    step = then(begun("golf"), void(begun("golf").game, "abuse", Act(None, None, START + HOUR)))
    assert step.game.status == "voided"
    assert not step.game.revealed
    assert refusal(overtaken, step) == "game_finished"
    assert revealed(step).game.revealed


def test_a_withheld_game_has_no_rematch_that_would_tell_of_it() -> None:
    over = resigned(begun("golf"))
    assert refusal(rematch, over.game, player(0), ()) == "contest_game"
    assert rematch(revealed(over).game, player(0), ()).contest is None


# Verifying


@EVERY
def test_attempts_verify_before_and_after_they_are_revealed(key: str) -> None:
    for over in (resigned(begun(key)), overtaken(begun(key)), overtaken(entered(key))):
        assert verify(over.records) == []
        assert verify(revealed(over).records) == []


def test_an_attempt_that_was_left_by_abandoning_verifies() -> None:
    step = begun("golf")
    assert verify(then(step, abandon(step.game, ev.Abandon(), act(0, 900))).records) == []


@pytest.mark.parametrize("change", [{"scores": (1,)}, {"ending": "won", "winners": (0,)}, {"moves": 1}])
def test_an_ending_that_the_contest_did_not_make_is_a_fault(change: dict[str, object]) -> None:
    records = list(overtaken(begun("golf")).records)
    last = replace(records[-1].event, **change)
    told = verify(rechained(changed(records, len(records) - 1, event=last)))
    assert [fault.what for fault in told] == ["The ending is not what the contest's end makes."]


def test_no_contest_ends_a_game_of_its_own() -> None:
    step = wandered(entered("golf", contest=None), 5)
    ours: Game = replace(step.game, opening=replace(step.game.opening, contest=CONTEST))
    forged = end_with_contest(ours, Act(None, None, START + HOUR)).records
    records = rechained([*step.records, *(replace(one, event=_own(one.event)) for one in forged)])
    assert [fault.what for fault in verify(records)] == [
        "A contest has ended a game that is over, or that is not its own."
    ]


def _own(event: Struct) -> Struct:
    return replace(event, contest=None) if isinstance(event, ev.Finished) else event


def test_a_deal_of_boards_is_the_board_of_its_utc_day() -> None:
    kind, day = GAME_TYPES["bridge_solitaire"], 24 * HOUR
    wanted = Announcement(
        game_type=kind.key, options=kind.options(), rules=DAYS_BOARDS, opens=START, closes=START + HOUR, seed=SEED
    )
    for days in range(5):
        opens = START // day * day + days * day
        said = ct.announce(CONTEST, replace(wanted, opens=opens, closes=opens + day))[0]
        assert isinstance(said, ce.Announced)
        assert (said.options["length"], said.options["board"]) == ("hand", 1 + opens // day % 4)
    said = ct.announce(CONTEST, replace(wanted, rules=DAYS_IMPS))[0]
    assert isinstance(said, ce.Announced)
    assert (said.options["length"], said.options["board"]) == ("rubber", 0)
