"""Seals: what one key has sealed in one place is had back there and nowhere else."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.event_store.codec import place
from service.keys.key_files import KeysUnusable
from service.keys.sealing import BrokenSeal, SealingKeyMissing, Seals, is_sealed, make_sealing_key, sealing_key_files

STREAM = UUID(int=7)
HERE = place(STREAM, 3, "klondike/dealt")


@dataclass
class Clock:
    """A clock that stands until it is set."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("service.keys.sealing.monotonic", made)
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "keys"


@pytest.fixture
def seals(path: Path) -> Seals:
    return Seals(path).open()


def test_the_first_start_makes_a_private_key_and_the_next_has_it(seals: Seals, path: Path) -> None:
    (name,) = sealing_key_files(path)
    assert stat.S_IMODE(os.stat(path / name).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o700
    assert name == f"{seals.newest.hex()}.seal"
    assert Seals(path).open().unseal(HERE, seals.seal(HERE, b"cards")) == b"cards"
    key = make_sealing_key(path)
    assert key.k not in repr(key)


def test_a_process_that_was_forked_does_not_repeat_the_nonces_of_its_parent(seals: Seals) -> None:
    seals.seal(HERE, b"cards")
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.write(write, seals.seal(HERE, b"cards")[6:18])
        os._exit(0)
    os.waitpid(child, 0)
    theirs, ours = os.read(read, 12), seals.seal(HERE, b"cards")[6:18]
    assert (len(theirs), theirs == ours) == (12, False)


def test_a_sealed_text_names_its_key_and_is_never_alike(seals: Seals) -> None:
    text = seals.seal(HERE, b"cards")
    assert (is_sealed(text), is_sealed(b"\x9bcards")) == (True, False)
    assert text[2:6] == seals.newest
    assert len(text) == len(b"cards") + 34
    assert len({seals.seal(HERE, b"cards") for _ in range(100)}) == 100


@pytest.mark.parametrize(
    "there",
    [place(uuid4(), 3, "klondike/dealt"), place(STREAM, 4, "klondike/dealt"), place(STREAM, 3, "klondike/moved")],
    ids=["another stream", "another version", "another topic"],
)
def test_a_text_that_was_moved_is_not_unsealed(seals: Seals, there: bytes) -> None:
    with pytest.raises(BrokenSeal):
        seals.unseal(there, seals.seal(HERE, b"cards"))


def test_a_text_that_was_changed_or_cut_off_is_not_unsealed(seals: Seals) -> None:
    text = seals.seal(HERE, b"cards")
    for at in range(8 * len(text)):
        changed = bytearray(text)
        changed[at // 8] ^= 1 << at % 8
        with pytest.raises((BrokenSeal, SealingKeyMissing)):
            seals.unseal(HERE, bytes(changed))
    for length in range(len(text)):
        with pytest.raises(BrokenSeal):
            seals.unseal(HERE, text[:length])


def test_another_key_does_not_unseal_it_and_is_named_what_is_missing(seals: Seals, tmp_path: Path) -> None:
    other = Seals(tmp_path / "other").open()
    with pytest.raises(SealingKeyMissing, match=seals.newest.hex()) as missing:
        other.unseal(HERE, seals.seal(HERE, b"cards"))
    assert (missing.value.stream, missing.value.key) == (STREAM, seals.newest)


def test_after_a_rotation_the_new_key_seals_and_both_unseal(seals: Seals, path: Path, clock: Clock) -> None:
    before = seals.seal(HERE, b"before")
    new = make_sealing_key(path)
    clock.now += 2
    after = seals.seal(HERE, b"after")
    assert (before[2:6] == new.id, after[2:6] == new.id) == (False, True)
    assert [seals.unseal(HERE, text) for text in (before, after)] == [b"before", b"after"]
    make_sealing_key(path)
    clock.now += 2
    assert seals.unseal(HERE, Seals(path).open().seal(HERE, b"cards")) == b"cards"


def test_a_stream_that_is_revealed_is_unsealed_without_the_service_key(seals: Seals) -> None:
    other = Seals()
    assert other.learn((STREAM, *key) for key in seals.stream_keys(STREAM))
    assert other.unseal(HERE, seals.seal(HERE, b"cards")) == b"cards"
    there = place(UUID(int=8), 3, "klondike/dealt")
    with pytest.raises(SealingKeyMissing):
        other.unseal(there, seals.seal(there, b"cards"))


def test_nothing_is_sealed_while_a_release_is_rolled_out_or_without_a_key(
    seals: Seals, clock: Clock, path: Path
) -> None:
    seals.postpone(60)
    assert not seals.sealing
    clock.now += 61
    assert seals.sealing
    assert not Seals().open().sealing
    assert not Seals(path.with_name("none")).read().sealing


def test_a_folder_that_holds_what_is_no_key_is_refused(seals: Seals, path: Path) -> None:
    (path / "00000000.seal").write_bytes((path / f"{seals.newest.hex()}.seal").read_bytes())
    with pytest.raises(KeysUnusable, match="holds the key"):
        Seals(path).open()
    (path / "00000000.seal").write_text("{}")
    with pytest.raises(KeysUnusable, match="no sealing key"):
        Seals(path).open()
