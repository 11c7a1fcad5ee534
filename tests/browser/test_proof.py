"""The second implementation of the proof, in TypeScript, in a real browser: every published vector."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from .client import MODULES, give_modules

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[2] / "openapi" / "vectors.json").read_text("utf-8"))
SECURE, PLAIN = "http://localhost", "http://kibitz.test"
"""A browser has crypto.subtle on localhost and over https; over plain http from another host it has none."""

_RUN = """async ([modules, kind, vectors]) => {
    const proof = await import(modules), { hexBytes, bytesHex } = proof;
    const made = {
        shuffles: (v) => proof.shuffledCards(v.cards, hexBytes(v.seed), v.number),
        deal_seeds: (v) => bytesHex(proof.dealSeed(hexBytes(v.server_seed), v.client_seeds)),
        commitments: (v) => proof.commitmentOf(v.bound, hexBytes(v.server_seed)),
        digests: (v) => bytesHex(proof.chainedDigest(hexBytes(v.key), hexBytes(v.previous), v.envelope, v.state)),
        messages: (v) => [bytesHex(proof.signedMessage(v.game_id, v.version, hexBytes(v.digest))), proof.keyName(v.x)],
        signatures: (v) => proof.signatureHolds(v.x, hexBytes(v.message), hexBytes(v.signature)),
    };
    return Promise.all(vectors.map(made[kind]));
}"""


def said(page: Page, kind: str, vectors: list[Any]) -> list[Any]:
    """What the scripts make of these vectors."""
    made: list[Any] = page.evaluate(_RUN, [MODULES, kind, vectors])
    return made


@pytest.fixture(params=[SECURE, PLAIN])
def scripted(page: Page, request: pytest.FixtureRequest) -> Page:
    """A page that has the scripts, of a host with crypto.subtle and of one without."""
    _serve(page, request.param)
    return page


def _serve(page: Page, host: str) -> None:
    page.route(f"{host}/", _answer)
    give_modules(page)
    page.goto(f"{host}/")


def _answer(route: Route) -> None:
    route.fulfill(content_type="text/html", body="<!doctype html><title>proof</title>")


@pytest.mark.parametrize(
    ("kind", "told"),
    [("shuffles", "shuffled"), ("deal_seeds", "deal_seed"), ("commitments", "commitment"), ("digests", "digest")],
)
def test_the_scripts_make_every_vector(scripted: Page, kind: str, told: str) -> None:
    assert said(scripted, kind, VECTORS[kind]) == [vector[told] for vector in VECTORS[kind]]


def test_the_scripts_make_every_signed_message_and_key_name(scripted: Page) -> None:
    signed = VECTORS["signatures"]
    assert said(scripted, "messages", signed) == [[vector["message"], vector["kid"]] for vector in signed]


def test_every_signature_holds_and_no_changed_one_does(page: Page) -> None:
    _serve(page, SECURE)
    signed = VECTORS["signatures"]
    assert said(page, "signatures", signed) == [True] * len(signed)
    for part in ("message", "signature"):
        changed = [vector | {part: vector[part][:-2] + _other(vector[part][-2:])} for vector in signed]
        assert said(page, "signatures", changed) == [False] * len(signed)


def _other(byte: str) -> str:
    return f"{int(byte, 16) ^ 1:02x}"


def test_where_a_browser_cannot_check_a_signature_it_says_so(page: Page) -> None:
    _serve(page, PLAIN)
    assert page.evaluate("crypto.subtle === undefined")
    assert said(page, "signatures", VECTORS["signatures"]) == [None] * len(VECTORS["signatures"])


_BOTH = """async ([modules, sizes]) => {
    const { sha256 } = await import(modules);
    const differ = [];
    for (const size of sizes) {
        const bytes = Uint8Array.from({ length: size }, (_, place) => (place * 37 + size) % 256);
        const theirs = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
        if (theirs.join() !== sha256(bytes).join()) differ.push(size);
    }
    return differ;
}"""


def test_sha_256_without_crypto_subtle_is_the_browsers_at_every_length_around_a_block(page: Page) -> None:
    _serve(page, SECURE)
    assert page.evaluate(_BOTH, [MODULES, [*range(200), 1000, 4096, 65_537]]) == []


_BLAKE = """async ([modules, key, sizes]) => {
    const { blake2b } = await import(modules);
    const bytes = (size) => Uint8Array.from({ length: size }, (_, at) => at % 251);
    const how = { key: key.length ? Uint8Array.from(key) : undefined, dkLen: 32 };
    return sizes.map((size) => [...blake2b(bytes(size), how)]);
}"""


@pytest.mark.parametrize("key", [b"", b"k", bytes(range(32)), bytes(range(64))])
def test_blake2b_is_pythons_at_every_length_around_a_block(page: Page, key: bytes) -> None:
    from hashlib import blake2b

    _serve(page, PLAIN)
    sizes = [*range(0, 260, 1), 1000]
    made = page.evaluate(_BLAKE, [MODULES, list(key), sizes])
    texts = [bytes(at % 251 for at in range(size)) for size in sizes]
    assert made == [list(blake2b(text, key=key, digest_size=32).digest()) for text in texts]
