"""Verify open records of format 3 with nothing but Python: no rules of a game, no other library.

python verify_record.py keys.json game.ndjson ...     keys.json: the answer of GET /v1/keys
"""

import json
import sys
from base64 import b64decode, b64encode, urlsafe_b64decode
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

# Ed25519 as RFC 8032, section 5.1, has it: points are (x, y) modulo P
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)
Point = tuple[int, int]


def point(encoded: bytes) -> Point | None:
    """The point that these 32 bytes encode, None if they encode none."""
    number = int.from_bytes(encoded, "little")
    y, odd = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    if y >= P or x * x % P != square or (x == 0 and odd):
        return None
    return (x if x % 2 == odd else P - x), y


def add(one: Point, other: Point) -> Point:
    (a, b), (c, d) = one, other
    e = D * a * b * c * d
    return (a * d + b * c) * pow(1 + e, -1, P) % P, (b * d + a * c) * pow(1 - e, -1, P) % P


def times(factor: int, base: Point) -> Point:
    made = (0, 1)
    for bit in bin(factor)[2:]:
        made = add(made, made)
        made = add(made, base) if bit == "1" else made
    return made


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature of the message is by this key."""
    public, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if public is None or r is None or BASE is None or len(signature) != 64 or s >= ORDER:
        return False
    factor = int.from_bytes(sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return times(s, BASE) == add(r, times(factor, public))


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def shuffle(cards: list[str], seed: bytes, number: int) -> list[str]:
    """The cards in the order that shuffle `number` of this seed makes: algorithm kibitz-shuffle-1."""
    cards, words, block = list(cards), list[int](), 0
    for place in range(len(cards) - 1, 0, -1):
        while True:
            if not words:
                stem = b"kibitz/shuffle/1\0" + seed + number.to_bytes(8, "big")
                digest = sha256(stem + block.to_bytes(8, "big")).digest()
                words, block = [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)], block + 1
            word = words.pop(0)
            if word < 2**32 // (place + 1) * (place + 1):
                break
        other = word % (place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return cards


def deal_fault(header: dict[str, Any], events: list[dict[str, Any]]) -> str | None:
    """What is wrong with the secrets or the deal: they are what was committed to before anybody saw a card."""
    opened, sealed = header["opened"], header["sealed"]
    seed = b64decode(sealed["seed"])
    bound = canonical(["kibitz-shuffle-1", header["game_id"], opened["game_type"], opened["options"]])
    committed = sha256(b"kibitz/commitment/1\0" + len(bound).to_bytes(8, "big") + bound + seed).hexdigest()
    if committed != opened["commitment"]:
        return "the seed is not the one that was committed to"
    secrets = (sealed["seed"], sealed["digest_key"])
    if any((e["seed"], e["digest_key"]) != secrets for e in events if e["type"] == "game/revealed"):
        return "the secrets that are revealed are not the sealed ones"
    dealt = next((event for event in events if not event["type"].startswith("game/")), {})
    seeds = sealed.get("client_seeds") or client_seeds(opened["seats"], events)
    deal_seed = sha256(b"kibitz/deal-seed/1\0" + seed + canonical(seeds)).digest()
    if dealt and not header["packs"] and sealed.get("given") is None:
        return "the packs of the deal are missing"
    for number, pack in enumerate(header["packs"]):
        made = shuffle(pack, deal_seed, number)
        for cards in (dealt.get("patterns", ()), dealt.get("cards", ())):  # dealt in piles: only the rules tell
            if len(cards) == len(pack) and cards != made:
                return f"shuffle {number} does not make the cards that were dealt"
    return None


def client_seeds(seats: int, events: list[dict[str, Any]]) -> list[str | None]:
    seeds: list[str | None] = [None] * seats
    for event in events:
        if event["type"] in ("game/seeded", "game/left"):
            seeds[event["seat"]] = event.get("client_seed")
    return seeds


def fault(text: bytes, keys: list[dict[str, Any]]) -> str | None:
    """What is wrong with this record, by its line; None: it is whole, and sealed by one of these keys."""
    lines = text.splitlines(keepends=True)
    while lines and lines[-1].startswith(b'{"annotates":'):  # what was said of the game later: nothing vouches for it
        lines.pop()
    parts = [json.loads(line) for line in lines]
    if not parts or parts[0].get("kibitz_record") != 3 or not parts[0]["complete"] or "seal" not in parts[-1]:
        return "this is no whole record of format 3"
    for number, (before, part) in enumerate(zip(lines, parts[1:], strict=False), 1):
        if part.get("previous") != sha256(before).hexdigest():
            return f"line {number} is not the one that line {number + 1} names"
    seal = parts[-1]["seal"]
    public = next((key["x"] for key in keys if seal and key["kid"] == seal["key"]), None)
    if public is None:
        return "it is not sealed by one of these keys"
    message = b"kibitz/lines/1\0" + bytes.fromhex(parts[-1]["previous"])
    value = b64decode(seal["value"])
    written = {"seal": {"key": seal["key"], "value": b64encode(value).decode()}, "previous": parts[-1]["previous"]}
    if lines[-1] != json.dumps(written, separators=(",", ":")).encode() + b"\n":
        return "the seal is not written as seals are"
    if not is_signed(urlsafe_b64decode(public + "="), message, value):
        return "the seal is not by its key"
    return deal_fault(parts[0], [event for part in parts[1:-2] for event in part["events"]])


def verdict(path: str, keys: list[dict[str, Any]]) -> str:
    try:
        found = fault(Path(path).read_bytes(), keys)
    except (KeyError, ValueError, TypeError, IndexError, AttributeError) as error:
        found = f"it cannot be read: {error!r}"
    return f"FAULT {path}: {found}" if found else f"OK    {path}: whole, sealed, no fault of seed or shuffle"


if __name__ == "__main__":
    known = json.loads(Path(sys.argv[1]).read_bytes())["keys"]
    verdicts = [verdict(path, known) for path in sys.argv[2:]]
    print("\n".join(verdicts))
    sys.exit(any(line.startswith("FAULT") for line in verdicts))
