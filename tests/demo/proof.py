"""The deal's proof, checked offline with nothing but SHA-256: written from the API's description of it alone."""

from collections.abc import Iterator
from hashlib import sha256
from json import dumps
from typing import Any

PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]
ONE_PACK = ("canfield", "freecell", "golf", "klondike", "pyramid", "seahaven_towers", "the_clock")
PACKS = dict.fromkeys(ONE_PACK, PACK) | {"spider": PACK * 2, "bridge_solitaire": [*PACK, "*1", "*2"]}
"""What is shuffled first in the game types that deal one whole shuffle; Black Hole lays an ace aside before."""


def committed(proof: dict[str, Any]) -> None:
    """Raises AssertionError unless the seed is the one that was committed before the deal."""
    seed, bound = bytes.fromhex(proof["server_seed"]), proof["bound"].encode()
    text = b"kibitz/commitment/1\0" + len(bound).to_bytes(8, "big") + bound + seed
    assert sha256(text).hexdigest() == proof["commitment"], "the seed is not the one that was committed"


def check(proof: dict[str, Any], pack: list[str], dealt: list[str]) -> None:
    """Raises AssertionError unless the committed seed makes this deal of this pack."""
    seed = bytes.fromhex(proof["server_seed"])
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
