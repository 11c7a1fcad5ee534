"""The keys of a service: made at first start, told to nobody, replaced while it runs."""

import os
import stat
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature

from service.keys.key_files import KeysUnusable
from service.keys.signing import (
    NoKeySet,
    Ring,
    key_name,
    make_signing_key,
    public_key,
    public_set,
    read_key_set,
    rotate_signing_keys,
    signing_key_files,
    signing_keys,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "new" / "keys"


@pytest.fixture
def ring(folder: Path) -> Ring:
    opened = Ring(folder)
    opened.open()
    return opened


def test_the_first_start_makes_a_private_key_and_the_next_has_it(ring: Ring, folder: Path) -> None:
    (name,) = signing_key_files(folder)
    assert stat.S_IMODE(os.stat(folder / name).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    assert len(ring.public().keys) == 1
    again = Ring(folder)
    again.open()
    assert again.public() == ring.public()
    (key,) = ring.public().keys
    assert key.kid == sha256(public_key(key.x).public_bytes_raw()).hexdigest()[:16] == ring.sign(b"").key
    told = msgspec.json.decode(msgspec.json.encode(ring.public()))["keys"]
    assert [set(key) for key in told] == [{"kty", "crv", "use", "alg", "kid", "x", "from", "until"}]


def test_a_signature_is_good_for_its_message_and_no_other(ring: Ring) -> None:
    signature = ring.sign(b"message")
    (key,) = ring.public().keys
    public_key(key.x).verify(signature.value, b"message")
    with pytest.raises(InvalidSignature):
        public_key(key.x).verify(signature.value, b"another")


def test_a_rotation_is_noticed_by_a_ring_in_use_and_the_old_key_stays_published(ring: Ring, folder: Path) -> None:
    old = ring.sign(b"").key
    new = key_name(rotate_signing_keys(folder).x)
    assert ring.sign(b"").key == new != old
    first, second = ring.public().keys
    assert (first.kid, first.until, second.kid, second.until) == (old, second.from_, new, None)


def test_a_folder_that_is_lost_while_the_service_runs_does_not_stop_it(ring: Ring, folder: Path) -> None:
    before = ring.sign(b"").key
    for name in signing_key_files(folder):
        (folder / name).unlink()
    folder.rmdir()
    assert ring.sign(b"").key == before


def test_a_folder_that_cannot_be_read_or_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeysUnusable, match="cannot be read: Not a directory"):
        Ring(tmp_path / "file").open()
    with pytest.raises(KeysUnusable, match="No signing key can be made"):
        Ring(tmp_path / "file" / "keys").open()


def test_a_file_that_is_no_key_is_told_by_its_name(ring: Ring, folder: Path) -> None:
    (folder / "0000000000000000.jwk").write_text("{}")
    with pytest.raises(KeysUnusable, match=r"0000000000000000\.jwk is no signing key"):
        Ring(folder).open()
    assert ring.sign(b"").value


def test_a_key_under_the_name_of_another_is_told(ring: Ring, folder: Path) -> None:
    (name,) = signing_key_files(folder)
    (folder / name).rename(folder / "0000000000000000.jwk")
    with pytest.raises(KeysUnusable, match="holds the key"):
        Ring(folder).open()


def test_a_replaced_key_forgets_its_private_part_and_a_published_set_is_read_back(folder: Path) -> None:
    key = make_signing_key(folder)
    assert key.d is not None
    assert key.d not in repr(key)
    rotate_signing_keys(folder)
    assert [key.d is None for key in signing_keys(folder)] == [True, False]
    told = public_set(signing_keys(folder))
    assert read_key_set(msgspec.json.encode(told)) == told


def test_a_set_in_which_a_key_bears_a_wrong_name_is_not_believed(folder: Path) -> None:
    name = key_name(make_signing_key(folder).x)
    other = f"{int(name[0], 16) ^ 1:x}{name[1:]}"
    told = msgspec.json.encode(public_set(signing_keys(folder)))
    with pytest.raises(NoKeySet, match="its own name is"):
        read_key_set(told.replace(name.encode(), other.encode()))


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b'{"keys":[{"kty":"RSA"}]}', b"[" * 100_000])
def test_what_is_no_key_set_is_told(text: bytes) -> None:
    with pytest.raises(NoKeySet):
        read_key_set(text)
