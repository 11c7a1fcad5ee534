"""Verifying over HTTP: games of the service, and records from anywhere; keys, and who may ask."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from domain.play.open_record import MEDIA_TYPE, read_record, record_lines
from service.keys.signing import Ring, check_signature, read_key_set, rotate_signing_keys
from tests.domain.whole_records import text

from . import truth
from .playing import Game, of, opened, say
from .problems import told
from .recording import taken
from .serving import KEYS, Player, Service, moderating, raw

POSTED = "/v1/records/verify"
EXAMPLE = Path(__file__).parents[2] / "openapi" / "examples" / "verify_record.py"


@pytest.fixture(scope="module")
def ended(ada: Player) -> Game:
    """A public game of Klondike that was given up after two draws."""
    game = opened(ada)
    say(ada, game, [{"type": "klondike/draw"}, {"type": "klondike/draw"}, {"type": "game/resign"}])
    return game


def verified(player: Player, game: Game) -> Any:
    answer = player.get(of(game, "/verification"))
    assert answer.status_code == 200, answer.text
    return answer.json()


def posted(player: Player, content: bytes) -> Any:
    answer = raw(player, POSTED, content, **{"content-type": MEDIA_TYPE})
    assert answer.status_code == 200, answer.text
    return answer.json()


def chained(content: bytes) -> bytes:
    """This record with every `previous` made anew, as a forger would."""
    return b"".join(record_lines(read_record(content)))


def signed_versions(service: Service, game: Game) -> list[int]:
    with psycopg.connect(service.conninfo) as connection:
        found = connection.execute("SELECT version FROM signatures WHERE game = %s ORDER BY version", [game["id"]])
        return [version for (version,) in found]


def test_a_game_that_is_over_is_consistent_and_signed(ada: Player, eve: Player, ended: Game) -> None:
    found = verified(ada, ended)
    assert verified(eve, ended) == found
    key = found.pop("key")
    assert found == {
        "game_id": ended["id"], "game_type": "klondike", "revision": ended["revision"], "steps": 4, "version": 8,
        "consistent": True, "deal_fair": True, "signed": "yes", "faults": [], "imported_from_game_id": None,
        "vouched_for_by": "this service",
    }  # fmt: skip
    assert key in [one["kid"] for one in ada.get("/v1/keys").json()["keys"]]


def test_a_live_game_is_not_verified_signed_or_unsealed(service: Service, ada: Player) -> None:
    game = opened(ada)
    told(ada.get(of(game, "/verification")), 409, "illegal", "game_not_revealed")
    assert signed_versions(service, game) == []
    proof = ada.get(of(game, "/proof")).json()
    assert (proof["server_seed"], proof["shuffles"]) == (None, None)


def test_void_games_are_signed_again_and_given_seeds_unfair(service: Service, ada: Player) -> None:
    game = opened(ada)
    say(ada, game, {"type": "game/resign"})
    assert signed_versions(service, game) == [6]
    answer = moderating(service).post(of(game, "/void"), {"reason": "a test"})
    assert answer.status_code == 200, answer.text
    assert signed_versions(service, game) == [6, 7]
    assert (verified(ada, game)["version"], verified(ada, game)["signed"]) == (7, "yes")
    given = opened(ada, seed="lucky")
    say(ada, given, {"type": "game/resign"})
    found = verified(ada, given)
    assert (found["consistent"], found["deal_fair"], found["signed"]) == (True, False, "yes")


def test_a_record_is_verified_with_the_service_and_without_it(ada: Player, ended: Game, tmp_path: Path) -> None:
    content, keys = taken(ada, ended), ada.get("/v1/keys").content
    assert check_signature(read_record(content), read_key_set(keys)) == "yes"
    assert posted(ada, content) == verified(ada, ended)
    (tmp_path / "game").write_bytes(content)
    (tmp_path / "keys").write_bytes(keys)
    program = [sys.executable, "-I", EXAMPLE, tmp_path / "keys", tmp_path / "game"]  # it knows nothing of Kibitz
    ran = subprocess.run(program, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout[:5]) == (0, "OK   "), ran.stdout


def test_nothing_of_a_verified_record_is_kept(service: Service, ada: Player, ended: Game) -> None:
    tables = ("events", "imports", "importers", "signatures")
    rows = [sorted(row for row in truth.everything(service) if row[0] in tables)]
    found = posted(ada, text("freecell"))
    assert (found["consistent"], found["signed"]) == (True, "unknown_key")
    assert [sorted(row for row in truth.everything(service) if row[0] in tables)] == rows
    told(ada.get(f"/v1/games/{found['game_id']}"), 404, "no_such_thing")


def test_a_changed_digest_is_told_with_its_step(ada: Player, ended: Game) -> None:
    for step in (0, 1, 2):
        lines = taken(ada, ended).splitlines(keepends=True)
        digest = json.loads(lines[step + 1])["digests"][0].encode()
        lines[step + 1] = lines[step + 1].replace(digest, b"%04x" % (int(digest[:4], 16) ^ 1) + digest[4:], 1)
        found = posted(ada, b"".join(lines))
        assert (found["consistent"], found["faults"][0]["step"]) == (False, step)
        assert "digest" in found["faults"][0]["what"]


def test_a_changed_signature_is_wrong_and_one_cut_off_missing(ada: Player, ended: Game) -> None:
    content = chained(taken(ada, ended))
    for which in ("signature", "seal"):
        value = next(part[which]["value"] for part in map(json.loads, content.splitlines()) if which in part)
        other = value[:10] + ("A" if value[10] != "A" else "B") + value[11:]
        found = posted(ada, chained(content.replace(value.encode(), other.encode())))
        assert (found["consistent"], found["signed"]) == (True, "wrong")
    signature = json.loads(content.splitlines()[-2])["signature"]
    found = posted(ada, chained(content.replace(json.dumps(signature, separators=(",", ":")).encode(), b"null")))
    assert (found["consistent"], found["signed"], found["key"]) == (True, "missing", None)
    assert not found["deal_fair"]


def test_what_is_no_record_is_refused_with_its_line(ada: Player, ended: Game) -> None:
    for content in (b"", b"x", b"{}\n{}\n{}\n", b"[" * 10_000, b"\xff\n\n\n"):
        answer = raw(ada, POSTED, content, **{"content-type": MEDIA_TYPE})
        assert "Line " in str(told(answer, 400, "malformed")["detail"])
    told(raw(ada, POSTED, taken(ada, ended)), 415, "unsupported_media_type")


def test_keys_are_published_without_their_private_parts(service: Service) -> None:
    answer = service.http.get("/v1/keys")
    for key in answer.json()["keys"]:
        assert set(key) == {"kty", "crv", "use", "alg", "kid", "x", "from", "until"}
        assert (key["kty"], key["crv"], key["alg"]) == ("OKP", "Ed25519", "EdDSA")
    assert answer.headers["cache-control"] == "public, max-age=300"


def test_a_rotation_is_noticed_and_old_signatures_stay_good(ada: Player, ended: Game) -> None:
    before = verified(ada, ended)["key"]
    rotate_signing_keys(KEYS)
    game = opened(ada)
    say(ada, game, {"type": "game/resign"})
    after = verified(ada, game)
    assert (after["signed"], verified(ada, ended)["signed"]) == ("yes", "yes")
    assert before != after["key"] == ada.get("/v1/keys").json()["keys"][-1]["kid"]


def test_the_service_signs_what_it_recorded(service: Service, ada: Player, ended: Game) -> None:
    """Its own keys say the same of the records as they lie in the database."""
    records, ring = tuple(truth.records(service, ended)), Ring(KEYS)
    ring.open()
    assert check_signature(read_record(taken(ada, ended))._replace(records=records), ring.public()) == "yes"
    assert records[-1].stream == UUID(ended["id"])
    (shuffle,) = ada.get(of(ended, "/proof")).json()["shuffles"]
    assert (shuffle["number"], sorted(shuffle["before"])) == (0, sorted(shuffle["after"]))
    assert json.loads(taken(ada, ended).splitlines()[1])["events"][0]["cards"] == shuffle["after"]
