"""The two verifiers among the examples: honest records pass, and each kind of tampering is a fault for both."""

import json
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.kit.cards import PACK
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act
from domain.play.open_record import SEAL_TAG, OpenRecord, Unreadable, record_lines
from domain.play.table import Opening, open_game
from domain.play.verify_text import verify_text
from service.keys.signing import public_set, stored_key
from tests.debian import program
from tests.domain.played import SECRET, START, duel, player
from tests.domain.whole_records import records

from .vectors import KEY, sealed_text

EXAMPLES = Path(__file__).parents[2] / "openapi" / "examples"
VERIFIERS = ("verify_record.py", "verify_record.mjs")
GENUINE = sealed_text(records("klondike"))
Part = dict[str, Any]
Change = Callable[[list[Part]], Any]


def exchange(one: Part, other: Part, name: str) -> None:
    assert one[name] != other[name]
    one[name], other[name] = other[name], one[name]


def win(parts: list[Part]) -> None:
    finished = next(event for event in parts[-3]["events"] if event["type"] == "game/finished")
    finished["ending"] = parts[-2]["result"]["ending"] = "won"


def swap_cards(parts: list[Part]) -> None:
    cards = parts[1]["events"][0]["cards"]
    cards[0], cards[1] = cards[1], cards[0]


CONTENT: dict[str, Change] = {
    "dealt cards swapped": swap_cards,
    "time": lambda parts: parts[3].update(time="2024-01-01T00:00:00Z"),
    "actor": lambda parts: parts[3].update(actor=str(player(5))),
    "seat": lambda parts: parts[3].update(seat=None),
    "ending with its event": win,
    "owner": lambda parts: parts[0]["opened"].update(creator=str(player(5))),
    "a middle digest": lambda parts: parts[4].update(digests=["0" * 64] * len(parts[4]["digests"])),
    "revision": lambda parts: parts[0]["opened"].update(revision=1),
    "rated": lambda parts: parts[0]["opened"].update(rated=False),
    "commands exchanged": lambda parts: exchange(parts[2], parts[-3], "command"),
    "game": lambda parts: parts[0].update(game_id=str(UUID(int=8))),
    "seed": lambda parts: parts[0]["sealed"].update(seed=b64encode(bytes(32)).decode()),
    "pack": lambda parts: parts[0]["packs"][0].reverse(),
    "step dropped": lambda parts: parts.pop(4),
    "step doubled": lambda parts: parts.insert(4, dict(parts[4])),
    "steps exchanged": lambda parts: parts.insert(3, parts.pop(4)),
}
"""What is done to the lines; each also with the chain made anew."""
SIGNED: dict[str, Change] = {
    "dealt cards swapped": swap_cards,
    "seed": lambda parts: parts[0]["sealed"].update(seed=b64encode(bytes(32)).decode()),
    "packs left out": lambda parts: parts[0].update(packs=[]),
    "other secrets revealed": lambda parts: parts[-3]["events"][-1].update(digest_key=b64encode(bytes(32)).decode()),
}
"""What a service that cheats may do and seal."""


def changed(change: Change, *, chained: bool = False, key: Ed25519PrivateKey | None = None) -> bytes:
    """The genuine record with this change, perhaps with its chain made anew and sealed by a key."""
    parts = [json.loads(line) for line in GENUINE.splitlines()]
    change(parts)
    lines = list[bytes]()
    for part in parts:
        if chained and lines:
            part["previous"] = sha256(lines[-1]).hexdigest()
        if key is not None and "seal" in part:
            part["seal"]["value"] = b64encode(key.sign(SEAL_TAG + bytes.fromhex(part["previous"]))).decode()
        lines.append(msgspec.json.encode(part) + b"\n")
    return b"".join(lines)


def given_deal() -> tuple[AnyRecord, ...]:
    klondike = GAME_TYPES["klondike"]
    opening = Opening(type=klondike, options=klondike.options(), players=(player(0),), rated=False)
    return open_game(UUID(int=7), opening, replace(SECRET, given=PACK), Act(player(0), None, START)).records


HONEST = {key: sealed_text(records(key)) for key in GAME_TYPES} | {
    "client seeds": sealed_text(duel()),
    "given deal": sealed_text(given_deal()),
    "annotated": GENUINE + b'{"annotates":1,"verdict":"impossible","positions":9,"line":[]}\n',
}
TAMPERED = (
    {name: changed(change) for name, change in CONTENT.items()}
    | {f"{name}, chain made anew": changed(change, chained=True) for name, change in CONTENT.items()}
    | {f"{name}, by the service": changed(change, chained=True, key=KEY) for name, change in SIGNED.items()}
    | {
        "signature": GENUINE[:-90] + (b"A" if GENUINE[-90:-89] != b"A" else b"B") + GENUINE[-89:],
        "seal emptied": changed(lambda parts: parts[-1].update(seal=None)),
        "seal of another key": changed(lambda parts: None, key=Ed25519PrivateKey.from_private_bytes(bytes(32))),
        "seal of another record": GENUINE.replace(
            json.dumps(json.loads(GENUINE.splitlines()[-1])["seal"]).replace(" ", "").encode(),
            json.dumps(json.loads(HONEST["spider"].splitlines()[-1])["seal"]).replace(" ", "").encode(),
        ),
        "end cut off": b"".join(GENUINE.splitlines(keepends=True)[:-1]),
        "blank": GENUINE.replace(b',"step', b', "step', 1).replace(b',"seat', b', "seat', 1),
        "blank in the seal": GENUINE[:-1] + b" \n",
        "last line feed": GENUINE[:-1],
        "format 1": b"".join(record_lines(OpenRecord(records("klondike"), None))),
        "nothing": b"",
        "no record": b"[]\n{}\n",
    }
)


@pytest.fixture(scope="module", params=VERIFIERS)
def verdicts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What one of the verifiers says of every record, in one run."""
    folder = tmp_path_factory.mktemp("records")
    keys = folder / "keys.json"
    keys.write_bytes(msgspec.json.encode(public_set([stored_key(KEY, datetime.now(UTC))])))
    texts = HONEST | TAMPERED
    paths = [folder / f"{number}.ndjson" for number in range(len(texts))]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_bytes(text)
    runs = [sys.executable, "-I"] if request.param.endswith(".py") else [program("nodejs", ("node",))]
    command = [*runs, str(EXAMPLES / request.param), str(keys), *map(str, paths)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stderr) == (1, "")
    return dict(zip(texts, ran.stdout.splitlines(), strict=True))


def test_honest_records_of_every_game_type_pass(verdicts: dict[str, str]) -> None:
    assert [verdicts[name] for name in HONEST if not verdicts[name].startswith("OK ")] == []


def test_every_kind_of_tampering_is_a_fault(verdicts: dict[str, str]) -> None:
    assert len(CONTENT) == 16
    assert [name for name in TAMPERED if not verdicts[name].startswith("FAULT ")] == []


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("time", "line 4 is not the one that line 5 names"),
        ("time, chain made anew", "the seal is not by its key"),
        ("signature", "the seal is not by its key"),
        ("seal emptied", "it is not sealed by one of these keys"),
        ("dealt cards swapped, by the service", "shuffle 0 does not make the cards that were dealt"),
        ("seed, by the service", "the seed is not the one that was committed to"),
        ("packs left out, by the service", "the packs of the deal are missing"),
        ("other secrets revealed, by the service", "the secrets that are revealed are not the sealed ones"),
        ("end cut off", "this is no whole record of format 3"),
    ],
)
def test_the_fault_says_what_is_wrong(verdicts: dict[str, str], name: str, what: str) -> None:
    assert verdicts[name].endswith(what)


@pytest.mark.parametrize("name", CONTENT)
def test_kibitz_finds_the_same_tampering(name: str) -> None:
    with suppress(Unreadable):
        assert verify_text(TAMPERED[f"{name}, chain made anew"]).faults != ()


def test_each_verifier_is_short_and_knows_nothing_of_kibitz() -> None:
    for name in VERIFIERS:
        text = (EXAMPLES / name).read_text()
        assert len(text.splitlines()) <= 150
        assert not any(f"{word} domain" in text or f"{word} service" in text for word in ("from", "import"))
