"""What a set of keys says of a record, and which steps are signed: those that leave a game over and revealed."""

from pathlib import Path
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.play import events as ev
from domain.play.deciding import Act, Step, play, record_events, revealed_event
from domain.play.endings import void
from domain.play.open_record import SEAL_TAG, OpenRecord, Signature, last_message, message, read_record, record_lines
from domain.play.table import Opening, open_game
from service.keys.signing import JwkSet, Ring, check_signature, public_key
from service.live.signatures import Signatures
from tests.domain.played import SECRET, START, act, player
from tests.domain.whole_records import records

GAME = records("klondike")


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Ring:
    made = Ring(tmp_path_factory.mktemp("keys"))
    made.open()
    return made


@pytest.fixture
def record(ring: Ring) -> OpenRecord:
    return OpenRecord(GAME, ring.sign(last_message(GAME)))


def test_the_message_is_tag_game_version_and_digest() -> None:
    last = GAME[-1]
    assert (
        last_message(GAME) == b"kibitz/record/1\0" + last.stream.bytes + bytes([0] * 7 + [last.version]) + last.digest
    )
    assert len(message(last.stream, 2**63, last.digest)) == 16 + 16 + 8 + 32


def test_a_record_is_signed_by_a_key_of_the_set_or_not(ring: Ring, record: OpenRecord, tmp_path: Path) -> None:
    assert check_signature(record, ring.public()) == "yes"
    assert check_signature(OpenRecord(GAME, None), ring.public()) == "no"
    other = Ring(tmp_path)
    other.open()
    assert check_signature(record, other.public()) == check_signature(record, JwkSet(())) == "unknown_key"


def test_another_signature_or_another_games_id_is_noticed(ring: Ring, record: OpenRecord) -> None:
    assert record.signature is not None
    key, value = record.signature.key, record.signature.value
    changed = [value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :] for at in range(len(value))]
    for other in (*changed, b"", bytes(63), bytes(64), bytes(65)):
        assert check_signature(record._replace(signature=Signature(key, other)), ring.public()) == "wrong"
    moved = tuple(replace(one, stream=UUID(int=9)) for one in GAME)
    assert check_signature(OpenRecord(moved, record.signature), ring.public()) == "wrong"


def test_the_signature_of_an_earlier_digest_is_wrong_for_the_whole_game(ring: Ring) -> None:
    earlier = ring.sign(last_message(GAME[:-1]))
    assert check_signature(OpenRecord(GAME, earlier), ring.public()) == "wrong"
    assert check_signature(OpenRecord(GAME[:-1], earlier), ring.public()) == "yes"


def test_a_genuine_record_is_sealed_and_its_seal_is_the_keys(ring: Ring, record: OpenRecord) -> None:
    sealed = read_record(b"".join(record_lines(ring.seal(record))))
    assert sealed.seal is not None
    assert sealed.seal.seal is not None
    message = SEAL_TAG + bytes.fromhex(sealed.seal.previous)
    public_key(ring.public().keys[-1].x).verify(sealed.seal.seal.value, message)
    assert check_signature(sealed, ring.public()) == "yes"


@pytest.mark.parametrize("change", ["event", "unsigned", "foreign"])
def test_a_record_that_is_not_genuine_gets_an_empty_seal(
    ring: Ring, record: OpenRecord, change: str, tmp_path: Path
) -> None:
    """Whoever changes the log gets no seal for it: of the changed event the digests do not fit."""
    if change == "event":
        record = record._replace(records=(*GAME[:4], replace(GAME[4], time=GAME[4].time + 1), *GAME[5:]))
    elif change == "unsigned":
        record = record._replace(signature=None)
    else:
        other = Ring(tmp_path)
        other.open()
        record = record._replace(signature=other.sign(last_message(GAME)))
    sealed = ring.seal(record).seal
    assert sealed is not None
    assert sealed.seal is None


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
