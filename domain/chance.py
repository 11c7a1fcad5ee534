"""Fair chance: a committed seed, a named and versioned byte stream, our own Fisher-Yates, and the proof.

Algorithm `kibitz-shuffle-1`: block i of shuffle n is SHA-256(tag || seed || n as 8 bytes || i as 8 bytes), read as
big-endian 32-bit words; Fisher-Yates from the last place down, each index drawn by rejection (D. E. Knuth,
The Art of Computer Programming 2, 3.4.2, algorithm P).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

import msgspec

from domain.view import Card, Concealed, Illegal

ALGORITHM = "kibitz-shuffle-1"
_WORDS = 2**32


class Shuffle(NamedTuple):
    """The cards in their new order, and the chance that remains for the next shuffle."""

    cards: tuple[Card, ...]
    chance: "Chance"


class Chance(Concealed, frozen=True, omit_defaults=True):
    """The secret of one game's shuffles: a 32-byte seed, the number of the next shuffle, a given deal if any."""

    seed: bytes
    number: int = 0
    given: tuple[Card, ...] | None = None

    def shuffle(self, cards: Sequence[Card]) -> Shuffle:
        """These cards in the order of shuffle `number`, or as given; raises Illegal if given other cards."""
        if self.given is None:
            return Shuffle(shuffle(cards, self.seed, self.number), Chance(self.seed, self.number + 1))
        missing, extra = Counter(cards) - Counter(self.given), Counter(self.given) - Counter(cards)
        if missing or extra:
            wrong = [f"missing {' '.join(sorted(missing.elements()))}"] if missing else []
            wrong += [f"too many {' '.join(sorted(extra.elements()))}"] if extra else []
            raise Illegal("given_deal", f"The given deal is not the pack: {'; '.join(wrong)}.", "/deal")
        return Shuffle(self.given, Chance(self.seed, self.number + 1))


def shuffle(cards: Sequence[Card], seed: bytes, number: int) -> tuple[Card, ...]:
    """The permutation of `cards` that shuffle `number` of `seed` makes."""
    deck, words = list(cards), _words(seed, number)
    for place in range(len(deck) - 1, 0, -1):
        fair = _WORDS - _WORDS % (place + 1)
        other = next(word for word in words if word < fair) % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return tuple(deck)


def _words(seed: bytes, number: int) -> Iterator[int]:
    stem = b"kibitz/shuffle/1\0" + seed + number.to_bytes(8, "big")
    block = 0
    while True:
        digest = sha256(stem + block.to_bytes(8, "big")).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def deal_seed(server_seed: bytes, client_seeds: Sequence[str | None]) -> bytes:
    """The seed of the shuffles: the committed server seed with the client seeds, one per seat, mixed in."""
    parts = msgspec.json.encode(list(client_seeds))
    return sha256(b"kibitz/deal-seed/1\0" + server_seed + parts).digest()


def bound(game_id: UUID, game_type: str, options: msgspec.Struct) -> bytes:
    """The part of the commitment besides the seed: algorithm, game id, type and options, as canonical JSON."""
    return msgspec.json.encode([ALGORITHM, str(game_id), game_type, options], order="sorted")


def commitment(game_id: UUID, game_type: str, options: msgspec.Struct, server_seed: bytes) -> str:
    """What is published before the deal: SHA-256, in hex, over tag, length and text of what is bound, and the seed."""
    text = bound(game_id, game_type, options)
    return sha256(b"kibitz/commitment/1\0" + len(text).to_bytes(8, "big") + text + server_seed).hexdigest()
