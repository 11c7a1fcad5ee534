"""The published test vectors: the committed file is the one the code gives, and the words beside it are enough."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from hashlib import blake2b, sha256
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .vectors import PATH, text

VECTORS: dict[str, Any] = json.loads(PATH.read_text("utf-8"))


def test_the_committed_vectors_are_the_ones_the_code_gives() -> None:
    assert PATH.read_text("utf-8") == text(), "run `python -m tests.openapi.vectors`"
    assert all(VECTORS[kind] for kind in ("shuffles", "deal_seeds", "commitments", "digests", "signatures", "seals"))


@pytest.mark.parametrize("vector", VECTORS["shuffles"])
def test_a_shuffle_is_made_as_the_words_say(vector: dict[str, Any]) -> None:
    words = _Words(bytes.fromhex(vector["seed"]), vector["number"])
    cards = list(vector["cards"])
    for place in range(len(cards) - 1, 0, -1):
        other = words.below(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    assert cards == vector["shuffled"]
    assert (words.thrown_away > 0) == vector.get("throws_a_word_away", False)


class _Words:
    """The numbers of one shuffle, written from openapi/vectors.md."""

    def __init__(self, seed: bytes, number: int) -> None:
        self._words = self._made(b"kibitz/shuffle/1\x00" + seed + number.to_bytes(8, "big"))
        self.thrown_away = 0

    def _made(self, stem: bytes) -> Iterator[int]:
        for block in range(2**64):
            digest = sha256(stem + block.to_bytes(8, "big")).digest()
            yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))

    def below(self, limit: int) -> int:
        for word in self._words:
            if word < 2**32 // limit * limit:
                return word % limit
            self.thrown_away += 1
        raise AssertionError


@pytest.mark.parametrize("vector", VECTORS["deal_seeds"])
def test_a_deal_seed_is_made_as_the_words_say(vector: dict[str, Any]) -> None:
    seeds = json.dumps(vector["client_seeds"], separators=(",", ":"), ensure_ascii=False).encode()
    # RFC 8259 leaves DEL open: it stands as it is, as Python's json too has it
    made = sha256(b"kibitz/deal-seed/1\x00" + bytes.fromhex(vector["server_seed"]) + seeds).hexdigest()
    assert made == vector["deal_seed"]


@pytest.mark.parametrize("vector", VECTORS["commitments"])
def test_a_commitment_is_made_as_the_words_say(vector: dict[str, Any]) -> None:
    bound = vector["bound"].encode()
    told = b"kibitz/commitment/1\x00" + len(bound).to_bytes(8, "big") + bound + bytes.fromhex(vector["server_seed"])
    assert sha256(told).hexdigest() == vector["commitment"]


def test_digests_are_made_as_the_words_say_and_chain() -> None:
    for vector in VECTORS["digests"]:
        chain = blake2b(bytes.fromhex(vector["previous"]), key=bytes.fromhex(vector["key"]), digest_size=32)
        chain.update(vector["envelope"].encode() + b"\n" + vector["state"].encode())
        assert chain.hexdigest() == vector["digest"]
    firsts = [vector for vector in VECTORS["digests"] if vector["previous"] == "00" * 32]
    assert len(firsts) == 3


@pytest.mark.parametrize("vector", VECTORS["signatures"])
def test_a_signature_is_made_as_the_words_say(vector: dict[str, Any]) -> None:
    message = b"kibitz/record/1\x00" + UUID(vector["game_id"]).bytes + vector["version"].to_bytes(8, "big")
    message += bytes.fromhex(vector["digest"])
    public = urlsafe_b64decode(vector["x"] + "=")
    assert message.hex() == vector["message"]
    assert sha256(public).hexdigest()[:16] == vector["kid"]
    Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(vector["signature"]), message)


@pytest.mark.parametrize("vector", VECTORS["seals"])
def test_a_seal_is_made_as_the_words_say(vector: dict[str, Any]) -> None:
    lines = vector["record"].encode().splitlines(keepends=True)
    for before, line in pairwise(lines):
        assert json.loads(line)["previous"] == sha256(before).hexdigest()
    assert sha256(vector["line"].encode()).hexdigest() == vector["previous"]
    public = Ed25519PublicKey.from_public_bytes(urlsafe_b64decode(vector["x"] + "="))
    public.verify(bytes.fromhex(vector["signature"]), b"kibitz/lines/1\x00" + bytes.fromhex(vector["previous"]))
