"""The test vectors of the proof: `python -m tests.openapi.vectors` writes openapi/vectors.json.

Everything comes from fixed inputs, so the file is the same on every machine; `openapi/vectors.md` says it in words.
"""

import json
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.capabilities import OptionRules
from domain.chance import ALGORITHM, bound, commitment, deal_seed, shuffle
from domain.games import GAME_TYPES
from domain.kit.cards import PACK
from domain.play.aggregate import START, AnyRecord, evolve
from domain.play.open_record import SEAL_TAG, TAG, OpenRecord, Signature, last_message, record_lines, sealed_record
from service.keys.signing import key_name, stored_key
from tests.domain.played import SECRET
from tests.domain.whole_records import records

PATH = Path(__file__).parents[2] / "openapi" / "vectors.json"
GAMES = ("klondike", "spider", "spite_and_malice", "bridge_solitaire", "the_clock")
CHAINED = GAMES[:3]
SEALED = ("klondike", "spite_and_malice")
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
"""A key for tests alone: everybody knows its private part."""
REJECTING = ((104, 2_040_639), (52, 5_428_762))
"""Pack sizes and numbers of shuffles of the seed of zeros that throw a word away: about one in a million does."""
_CLIENT_SEEDS: tuple[tuple[str | None, ...], ...] = (
    (), (None,), ("mine",), (None, "mine", None), ('with "quotes" and \\', "tab\tand\x7f"),
    ("Füße, 日本, 🂡", None), ("",),
)  # fmt: skip
_SORTED = msgspec.json.Encoder(order="sorted")


def vectors() -> dict[str, Any]:
    """All of them, as the file has them."""
    return {
        "kibitz_vectors": 1, "algorithm": ALGORITHM, "shuffles": list(_shuffles()),
        "deal_seeds": [_deal_seed(bytes([number] * 32), seeds) for number, seeds in enumerate(_CLIENT_SEEDS)],
        "commitments": [_commitment(key) for key in GAMES],
        "digests": [vector for key in CHAINED for vector in _digests(records(key))],
        "signatures": [_signature(key) for key in GAMES], "seals": [_seal(key) for key in SEALED],
    }  # fmt: skip


def text() -> str:
    """The file: one vector a line, so that a change shows where it is."""
    parts = [f'"{name}": {_listed(value)}' for name, value in vectors().items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _listed(value: Any) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "[\n" + ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in value) + "\n]"


def _shuffles() -> Iterator[dict[str, Any]]:
    few = [f"card {number}" for number in range(7)]
    packs: tuple[Sequence[str], ...] = ((), few[:1], few[:2], few[:3], few, PACK, PACK * 2)
    for seed in (bytes(range(32)), b"\xff" * 32):
        yield from (_shuffle(seed, number, cards) for cards in packs for number in (0, 1))
    yield _shuffle(bytes(range(32)), 2**32 + 5, PACK)
    for size, number in REJECTING:
        yield _shuffle(bytes(32), number, (PACK * 2)[:size]) | {"throws_a_word_away": True}


def _shuffle(seed: bytes, number: int, cards: Sequence[str]) -> dict[str, Any]:
    return {"seed": seed.hex(), "number": number, "cards": list(cards), "shuffled": list(shuffle(cards, seed, number))}


def _deal_seed(seed: bytes, client_seeds: Sequence[str | None]) -> dict[str, Any]:
    made_seed = deal_seed(seed, client_seeds).hex()
    return {"server_seed": seed.hex(), "client_seeds": list(client_seeds), "deal_seed": made_seed}


def _commitment(key: str) -> dict[str, Any]:
    found, game = GAME_TYPES[key], UUID(int=7)
    options = found.get(OptionRules).settle(found.options(), found.seats[0])
    return {
        "bound": bound(game, key, options).decode(), "server_seed": SECRET.seed.hex(),
        "commitment": commitment(game, key, options, SECRET.seed),
    }  # fmt: skip


def _digests(game: Iterable[AnyRecord]) -> Iterator[dict[str, Any]]:
    """The whole chain of one game, from the 32 zero bytes on."""
    before, folded = START, None
    for record in game:
        folded = evolve(folded, record)
        yield {
            "key": SECRET.digest_key.hex(), "previous": before.hex(), "envelope": _envelope(record),
            "state": _SORTED.encode(folded.state).decode(), "digest": record.digest.hex(),
        }  # fmt: skip
        before = record.digest


def _envelope(record: AnyRecord) -> str:
    """All of the record but its digest, as an array."""
    return _SORTED.encode([getattr(record, name) for name in record.__struct_fields__ if name != "digest"]).decode()


def _signature(key: str) -> dict[str, Any]:
    last, message = records(key)[-1], last_message(records(key))
    x = stored_key(KEY, datetime.now(UTC)).x
    return {
        "x": x, "kid": key_name(x), "tag": TAG.hex(), "game_id": str(last.stream), "version": last.version,
        "digest": last.digest.hex(), "message": message.hex(), "signature": KEY.sign(message).hex(),
    }  # fmt: skip


def _seal(key: str) -> dict[str, Any]:
    text = sealed_text(records(key))
    *_, before, last = text.splitlines(keepends=True)
    found = json.loads(last)
    return {
        "x": stored_key(KEY, datetime.now(UTC)).x, "tag": SEAL_TAG.hex(), "line": before.decode(),
        "previous": found["previous"], "signature": b64decode(found["seal"]["value"]).hex(), "record": text.decode(),
    }  # fmt: skip


def sealed_text(game: Sequence[AnyRecord]) -> bytes:
    """The record in format 3, signed and sealed by the vectors' key."""
    record = OpenRecord(tuple(game), signed(last_message(game)))
    return b"".join(record_lines(sealed_record(record, signed)))


def signed(message: bytes) -> Signature:
    return Signature(key_name(stored_key(KEY, datetime.now(UTC)).x), KEY.sign(message))


if __name__ == "__main__":
    PATH.write_text(text(), "utf-8")
