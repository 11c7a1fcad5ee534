"""Which steps are signed: those that leave a game over and revealed, and no others."""

from uuid import UUID

import pytest

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.deciding import Act, Step, play, record_events, revealed_event
from domain.play.endings import void
from domain.play.open_record import OpenRecord, Signature
from domain.play.table import Opening, open_game
from service.keys.signing import Ring, check_signature
from service.live.signatures import Signatures
from tests.domain.played import SECRET, START, act, player


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Ring:
    made = Ring(tmp_path_factory.mktemp("keys"))
    made.open()
    return made


def started(contest: UUID | None = None, seats: int = 1) -> Step:
    """Klondike, or a Spite & Malice that waits for its second player."""
    found = GAME_TYPES["klondike" if seats == 1 else "spite_and_malice"]
    players = (player(0), *[None] * (seats - 1))
    opening = Opening(type=found, options=found.options(), players=players, contest=contest)
    return open_game(UUID(int=7), opening, SECRET, Act(player(0), None, START))


def test_a_game_that_is_opened_or_played_is_not_signed(ring: Ring) -> None:
    assert Signatures(ring).companions(started()) == []
    moved = play(started().game, GAME_TYPES["klondike"].legal_commands(started().game.state, 0)[0], act(0, 1))
    assert Signatures(ring).companions(moved) == []


def test_the_step_that_ends_a_game_is_signed_at_its_last_digest(ring: Ring) -> None:
    before = started()
    step = play(before.game, ev.Resign(), act(0, 1))
    (companion,) = Signatures(ring).companions(step)
    game, version, key, value = companion.params
    assert (game, version) == (step.game.id, step.game.version)
    record = OpenRecord((*before.records, *step.records), Signature(str(key), bytes(value)))
    assert check_signature(record, ring.public()) == "yes"


def test_a_void_is_signed_before_the_deal_and_anew_after_the_end_and_a_step_without_records_never(ring: Ring) -> None:
    signatures = Signatures(ring)
    assert len(signatures.companions(void(started(seats=2).game, "a test", act(None, 1)))) == 1
    ended = play(started().game, ev.Resign(), act(0, 1))
    (first,), (second,) = (signatures.companions(one) for one in (ended, void(ended.game, "a test", act(None, 2))))
    assert second.params[1] == first.params[1] + 1
    assert signatures.companions(Step((), ended.game)) == []


def test_a_contests_game_is_signed_when_it_is_revealed_and_not_before(ring: Ring) -> None:
    ended = play(started(contest=UUID(int=3)).game, ev.Resign(), act(0, 1))
    assert (ended.game.status, Signatures(ring).companions(ended)) == ("finished", [])
    told = record_events(Step((), ended.game), [revealed_event(ended.game)], act(None, 2))
    assert len(Signatures(ring).companions(told)) == 1
