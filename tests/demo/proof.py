"""The deal's proof, checked offline with nothing but SHA-256: written from the API's description of it alone."""

from collections.abc import Iterator
from hashlib import sha256
from json import dumps
from typing import Any

PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def check(proof: dict[str, Any], pack: list[str], dealt: list[str]) -> None:
    """Raises AssertionError unless the committed seed makes this deal of this pack."""
    seed, bound = bytes.fromhex(proof["server_seed"]), proof["bound"].encode()
    committed = sha256(b"kibitz/commitment/1\0" + len(bound).to_bytes(8, "big") + bound + seed).hexdigest()
    assert committed == proof["commitment"], "the seed is not the one that was committed"
    seeds = dumps(proof["client_seeds"], separators=(",", ":"), ensure_ascii=False).encode()
    assert shuffled(pack, sha256(b"kibitz/deal-seed/1\0" + seed + seeds).digest()) == dealt, "another deal"


def shuffled(pack: list[str], seed: bytes) -> list[str]:
    """The first shuffle of this seed."""
    cards, words = list(pack), _words(seed)
    for place in range(len(cards) - 1, 0, -1):
        limit = 2**32 - 2**32 % (place + 1)
        other = next(word for word in words if word < limit) % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(b"kibitz/shuffle/1\0" + seed + bytes(8) + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1
