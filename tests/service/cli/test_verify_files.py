"""`kibitz verify FILE...`: records checked without a service, a store or a network."""

import json
from base64 import b64encode
from pathlib import Path

import msgspec
import pytest

from domain.play.open_record import OpenRecord, last_message, record_lines
from service.keys.signing import Ring
from tests import forking
from tests.domain.whole_records import records, text

from .programs import KIBITZ, environment, kibitz

NOWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nothing"}
"""A database that cannot be reached: nothing here may ask for one."""


class Files:
    """A signed record, an unsigned one, one with a changed card, and the keys."""

    def __init__(self, folder: Path) -> None:
        ring = Ring(folder / "keys")
        ring.open()
        game = records("klondike")
        self.keys, self.signed, self.bare, self.changed, self.key = (
            folder / "keys.json", folder / "signed.kibitz", folder / "bare.kibitz", folder / "changed.kibitz",
            ring.sign(b"").key,
        )  # fmt: skip
        self.keys.write_bytes(msgspec.json.encode(ring.public()))
        self.signed.write_bytes(b"".join(record_lines(OpenRecord(game, ring.sign(last_message(game))))))
        self.bare.write_bytes(b"".join(record_lines(OpenRecord(game, None))))
        lines = self.signed.read_bytes().splitlines(keepends=True)
        cards = json.loads(lines[1])["events"][0]["cards"]
        first, last = json.dumps(cards[0]).encode(), json.dumps(cards[-1]).encode()
        lines[1] = lines[1].replace(first, b'"XX"').replace(last, first).replace(b'"XX"', last)
        self.changed.write_bytes(b"".join(lines))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("records"))


def test_a_sound_record_is_consistent_and_with_the_keys_signed(files: Files) -> None:
    ran = kibitz("verify", files.signed, **NOWHERE)
    line = (
        f"OK    {files.signed} klondike, 9 steps; consistent, signed by the key {files.key}, which was not checked "
        "(--keys says whose signatures count)\n"
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, line, "Games verified: 1; with faults: 0.\n")
    ran = kibitz("verify", files.signed, "--keys", files.keys, "--signed", **NOWHERE)
    assert ran.stdout == f"OK    {files.signed} klondike, 9 steps; consistent, signed by the key {files.key}\n"
    assert ran.returncode == 0
    command = [*KIBITZ, "verify", "-"]
    with files.signed.open("rb") as given:
        ran = forking.run(command, stdin=given, timeout=60, env=environment())
    assert (ran.returncode, ran.stdout[:20]) == (0, "OK    standard input")


def test_an_unsigned_record_is_sound_but_will_not_do_where_signatures_are_asked_for(files: Files) -> None:
    ran = kibitz("verify", files.bare, "--keys", files.keys, **NOWHERE)
    never = "never signed: nothing shows that it was played anywhere"
    assert (ran.returncode, ran.stdout) == (5, f"OK    {files.bare} klondike, 9 steps; consistent, {never}\n")
    assert kibitz("verify", files.signed, files.bare, "--keys", files.keys, "--signed", **NOWHERE).returncode == 3


def test_a_signature_that_was_cut_off_is_told_by_the_key_that_the_opening_names(files: Files, tmp_path: Path) -> None:
    """Three outcomes: signed, unsigned although a service that signs had it, and never signed."""
    game, key = records("klondike", signer=files.key), files.key
    whole, cut = tmp_path / "whole.kibitz", tmp_path / "cut.kibitz"
    ring = Ring(files.keys.parent / "keys")
    ring.open()
    whole.write_bytes(b"".join(record_lines(OpenRecord(game, ring.sign(last_message(game))))))
    cut.write_bytes(b"".join(record_lines(OpenRecord(game, None))))
    ran = kibitz("verify", cut, "--keys", files.keys, **NOWHERE)
    assert ran.stdout == (
        f"UNSIGNED {cut} klondike, 9 steps; consistent, but unsigned: its opening names the key {key} of a service "
        "that signs, and the signature is missing\n"
    )
    codes = {one: kibitz("verify", one, "--keys", files.keys, **NOWHERE).returncode for one in (whole, cut, files.bare)}
    assert codes == {whole: 0, cut: 4, files.bare: 5}
    assert kibitz("verify", files.bare, cut, whole, **NOWHERE).returncode == 4
    assert kibitz("verify", cut, files.changed, **NOWHERE).returncode == 1
    told = " ".join(kibitz("verify", "--help").stdout.split())
    assert "4 all is sound, but a signature is missing where the opening names the key" in told


def test_a_key_that_is_not_in_the_set_is_told(files: Files, tmp_path: Path) -> None:
    none = tmp_path / "none.json"
    none.write_text('{"keys":[]}')
    ran = kibitz("verify", files.signed, "--keys", none, "--signed", **NOWHERE)
    assert ran.returncode == 3
    assert ran.stdout.endswith(f"consistent, signed by the key {files.key}, which nobody here knows\n")


def test_a_changed_card_is_told_with_its_step_beside_a_sound_record(files: Files) -> None:
    ran = kibitz("verify", files.changed, files.signed, **NOWHERE)
    assert ran.returncode == 1
    first, second = ran.stdout.splitlines()
    assert first.startswith(f"FAULT {files.changed} Step 0: ")
    assert "The deal is not what the seeds and the options make." in first
    assert second.startswith("OK ")
    assert ran.stderr == "Games verified: 2; with faults: 1.\n"


def test_a_signature_of_another_record_is_a_fault(files: Files, tmp_path: Path) -> None:
    ending = files.signed.read_bytes().splitlines(keepends=True)[-1]
    other = tmp_path / "other.kibitz"
    signature = msgspec.json.encode(json.loads(ending)["signature"])
    lines = text("golf").splitlines(keepends=True)
    own = msgspec.json.encode(json.loads(lines[-1])["signature"])
    other.write_bytes(b"".join([*lines[:-1], lines[-1].replace(own, signature)]))
    ran = kibitz("verify", other, "--keys", files.keys, **NOWHERE)
    assert ran.returncode == 1
    assert "The signature is not one of this record" in ran.stdout


@pytest.mark.parametrize(
    ("signature", "fault"),
    [
        ({"value": b64encode(bytes(45)).decode()}, "The signature has 45 bytes, and one of Ed25519 has 64."),
        ({"value": ""}, "The signature has 0 bytes"),
        ({"value": b64encode(bytes(65)).decode()}, "The signature has 65 bytes"),
        ({"value": b64encode(bytes([255] * 64)).decode()}, "The signature is not one of Ed25519"),
        ({"value": "no base64"}, "Invalid base64"),
        ({"key": "none"}, "The signature names 'none', and a key's name has 16 hex digits."),
        ({"alg": "none"}, "the ending, does not tell the game as the steps make it"),
    ],
    ids=["cut", "empty", "long", "out of range", "no base64", "no key", "algorithm"],
)
def test_text_that_cannot_be_a_signature_is_a_fault_without_any_key(
    files: Files, tmp_path: Path, signature: dict[str, str], fault: str
) -> None:
    lines = files.signed.read_bytes().splitlines(keepends=True)
    ending = json.loads(lines[-1])
    ending["signature"] |= signature
    changed = tmp_path / "changed.kibitz"
    changed.write_bytes(b"".join([*lines[:-1], msgspec.json.encode(ending) + b"\n"]))
    ran = kibitz("verify", changed, **NOWHERE)
    assert (ran.returncode, ran.stdout[:6]) == (1, "FAULT ")
    assert fault in ran.stdout


def test_files_that_cannot_be_read_and_keys_that_are_none_are_told(files: Files, tmp_path: Path) -> None:
    lines = files.signed.read_bytes().splitlines(keepends=True)
    short = tmp_path / "short.kibitz"
    short.write_bytes(b"".join([*lines[:3], *lines[4:]]))
    ran = kibitz("verify", short, **NOWHERE)
    assert (ran.returncode, ran.stdout) == (1, f"FAULT {short} Line 4: Here should be step 2, and it is step 3.\n")
    ran = kibitz("verify", tmp_path / "none", **NOWHERE)
    assert (ran.returncode, ran.stdout) == (
        1,
        f"FAULT {tmp_path / 'none'} The file cannot be read: No such file or directory.\n",
    )
    ran = kibitz("verify", files.signed, "--keys", files.signed, **NOWHERE)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "No keys could be had from" in ran.stderr
    assert kibitz("verify", files.signed, "--signed", **NOWHERE).returncode == 2
