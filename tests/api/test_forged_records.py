"""Forged games under real people's names: a record without fault, made with one's own seed and keys, proves nothing."""

import json
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from pathlib import Path
from uuid import UUID

import msgspec
import psycopg
import pytest

from domain.games import GAME_TYPES
from domain.games.klondike import Draw
from domain.play.deciding import Act, play
from domain.play.events import Resign
from domain.play.open_record import OpenRecord, last_message, read_record, record_lines
from domain.play.table import Opening, open_game
from domain.play.verify_text import verify_text
from service.event_store import schema
from service.event_store.ids import now, uuid7
from service.event_store.imported import compressed_text, import_id
from service.keys.signing import Ring
from service.live.openings import fresh_secret
from service.postgres import Server

from .holding import resign
from .playing import Game, look, of, opened, seated
from .problems import told
from .recording import RECORD, brought, imported, taken
from .serving import Player, Service, database_of, done, registered, serving

TRUSTED = "The Bridge Club"


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Ring:
    """The keys of a service that the operator of the next one trusts by name."""
    ring = Ring(tmp_path_factory.mktemp("club"))
    ring.open()
    return ring


@pytest.fixture(scope="module")
def zoe(serve: Callable[..., Service], club: Ring, tmp_path_factory: pytest.TempPathFactory) -> Player:
    """A player of a service with keys of its own that trusts the club."""
    own, trusted = (tmp_path_factory.mktemp(name) for name in ("keys", "trusted"))
    (trusted / f"{TRUSTED}.json").write_bytes(msgspec.json.encode(club.public()))
    return registered(serve(signing_keys=str(own), trusted_keys=str(trusted)), "Zoe")


def forged(player: str, game: UUID | None = None, signer: Ring | None = None) -> bytes:
    """A game that this player never played, rated, shuffled and lost: no fault is in it."""
    kind, at, seated_ = GAME_TYPES["klondike"], now(), UUID(player)
    opening = Opening(type=kind, options=kind.options(), players=(seated_,))
    step = open_game(game or uuid7(), opening, fresh_secret(), Act(seated_, None, at))
    records = list(step.records)
    for command in (Draw(), Resign()):
        step = play(step.game, command, Act(seated_, 0, at + len(records)))
        records += step.records
    signature = None if signer is None else signer.sign(last_message(records))
    text = b"".join(record_lines(OpenRecord(tuple(records), signature)))
    assert verify_text(text).faults == ()
    assert verify_text(text).fair
    return text


def channels(player: Player, game: Game) -> dict[str, str]:
    """Everything that shows a game, but for its record."""
    texts = {"text": "text/plain", "drawing": "image/svg+xml", "lines": "application/x-ndjson"}
    path = of(game)
    requests: dict[str, tuple[str, dict[str, str]]] = {
        "look": (path, {}), "frames": (f"{path}/frames", {}), "known": (f"{path}/frames?known=now", {}),
        "frame": (f"{path}/frames/1", {}), "text": (f"{path}/frames/1", {"accept": texts["text"]}),
        "drawing": (f"{path}/frames/1", {"accept": texts["drawing"]}),
        "lines": (f"{path}/frames", {"accept": texts["lines"]}), "events": (f"{path}/events", {}),
        "replay": (f"{path}/replay", {}), "moments": (f"{path}/moments", {}), "proof": (f"{path}/proof", {}),
        "verification": (f"{path}/verification", {}), "page": (f"/games/{game['id']}", {"accept": "text/html"}),
    }  # fmt: skip
    answers = {name: player.get(where, headers=headers) for name, (where, headers) in requests.items()}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(requests, 200)
    return {name: unescape(answer.text) for name, answer in answers.items()}


def test_every_channel_says_that_a_forged_game_is_imported(ada: Player, eve: Player) -> None:
    claimed = uuid7()
    game = imported(eve, forged(ada.id, game=claimed))
    assert (game["imported"], game["imported_from_game_id"], game["vouched_for_by"]) == (True, str(claimed), None)
    assert (game["rated"], game["origin"], game["creator"], game["seats"][0]["player"]) == (False, "import", None, None)
    name = ada.get("/v1/players/me").json()["name"]
    texts = channels(eve, game)
    for channel, text in texts.items():
        assert str(claimed) in text, channel
        assert "mported" in text, channel
        assert ada.id not in text, channel
        assert not [mark for mark in (f"{name}<", f'"{name}"', f"({name})") if mark in text], channel
        assert '"rated":true' not in text, channel
        assert '"origin":"shuffled"' not in text, channel
    assert "Imported: " in texts["drawing"].partition("</desc>")[2]
    assert "Imported: " in texts["replay"].partition('class="note">')[2].partition("</p>")[0]
    assert '<span class="mark">imported</span>' in texts["page"]
    assert "imported from game" in texts["text"].splitlines()[0]


def test_a_forged_deal_is_never_fair(ada: Player, eve: Player) -> None:
    text = forged(ada.id)
    game = imported(eve, text)
    verified = eve.get(of(game, "/verification")).json()
    assert (verified["consistent"], verified["deal_fair"], verified["vouched_for_by"]) == (True, False, None)
    assert (verified["game_id"], verified["imported_from_game_id"]) == (game["id"], game["imported_from_game_id"])
    posted = eve.http.post("/v1/records/verify", content=text, headers=RECORD).json()
    assert (posted["consistent"], posted["deal_fair"]) == (True, False)
    assert not eve.get(of(game, "/proof")).json()["fair"]


def test_nobody_takes_the_id_of_a_genuine_game(ada: Player, eve: Player) -> None:
    """Neither of one that is here, nor of one that comes here later."""
    genuine = opened(ada)
    resign(ada, genuine)
    lie = imported(eve, forged(ada.id, game=UUID(genuine["id"])))
    assert lie["id"] != genuine["id"]
    assert look(eve, genuine)["imported"] is False
    assert [seat["player"]["id"] for seat in look(eve, genuine)["seats"]] == [ada.id]
    assert brought(eve, taken(ada, genuine)).json()["id"] == genuine["id"]


def test_a_lie_is_not_in_the_true_records_way(zoe: Player, club: Ring, ada: Player) -> None:
    true = forged(ada.id, signer=club)
    lie = imported(zoe, forged(ada.id, game=read_record(true).records[0].stream))
    game = imported(zoe, true)
    assert (game["imported_from_game_id"], game["id"] != lie["id"]) == (lie["imported_from_game_id"], True)
    assert (lie["vouched_for_by"], game["vouched_for_by"]) == (None, TRUSTED)
    assert taken(zoe, game) == true


def test_who_vouches_by_a_known_key_is_believed(zoe: Player, club: Ring, ada: Player, tmp_path: Path) -> None:
    game = imported(zoe, forged(ada.id, signer=club))
    assert (game["vouched_for_by"], game["rated"], game["origin"]) == (TRUSTED, True, "shuffled")
    assert (game["creator"], game["seats"][0]["player"], game["your_seats"]) == (None, None, [])
    verified = zoe.get(of(game, "/verification")).json()
    assert (verified["deal_fair"], verified["vouched_for_by"]) == (True, TRUSTED)
    for channel, text in channels(zoe, game).items():
        assert TRUSTED in text, channel
        assert ada.id not in text, channel
    own = Ring(tmp_path)
    own.open()
    game = imported(zoe, forged(ada.id, signer=own))
    assert (game["vouched_for_by"], game["rated"]) == (None, False), "nobody here knows that key"


def test_our_own_key_vouches_for_our_games_and_names_nobody(ada: Player, bob: Player, eve: Player) -> None:
    """Such as a private one, of which somebody was given the record."""
    private = seated(opened(ada, "spite_and_malice", visibility="private", player_ids=[bob.id]), bob)
    resign(ada, private)
    game = imported(eve, taken(ada, private))
    assert (game["vouched_for_by"], game["origin"]) == ("this service", private["origin"])
    for channel, text in channels(eve, game).items():
        assert not [who for who in (ada, bob) if who.id in text], channel


def test_a_fork_of_a_forged_game_names_its_forker_alone(ada: Player, eve: Player) -> None:
    game = imported(eve, forged(ada.id))
    fork = done(eve.post(of(game, "/fork"), {"step": 1}), 201)
    assert (fork["rated"], fork["origin"]) == (False, "fork")
    assert fork["forked_from"] == {"game_id": game["id"], "step": 1}
    assert ada.id not in eve.get(of(fork, "/frames")).text


def test_a_record_cannot_say_itself_who_vouches_for_it(ada: Player, eve: Player) -> None:
    lines = forged(ada.id).splitlines(keepends=True)
    head = json.loads(lines[0])
    head["opened"]["source"] = {"game": head["game_id"], "vouched_for_by": "this service"}
    lines[0] = json.dumps(head, separators=(",", ":")).encode() + b"\n"
    refused = told(brought(eve, b"".join(lines)), 400, "malformed")
    assert "Line 1: No record tells the source" in str(refused["detail"])


def test_old_imports_get_own_ids_and_old_links_lead_on(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, ada: Player
) -> None:
    text, every = forged(ada.id), schema.migrations()
    claimed = read_record(text).records[0].stream
    with database_of(postgres, "template1") as conninfo:
        with monkeypatch.context() as before:
            before.setattr(schema, "migrations", lambda: [migration for migration in every if migration.number < 18])
            schema.migrate(conninfo)
        with psycopg.connect(conninfo) as connection:
            connection.execute(
                "INSERT INTO imports (game, game_type, digest, body) VALUES (%s, 'klondike', %s, %s)",
                [claimed, sha256(text).digest(), compressed_text(text)],
            )
            connection.execute("INSERT INTO importers VALUES (%s, %s, 1)", [UUID(int=0), claimed])
        schema.migrate(conninfo)
        with serving(conninfo) as service:
            zoe = registered(service, "Zoe")
            game = look(zoe, {"id": str(claimed)})
            assert (game["id"], game["imported_from_game_id"]) == (str(import_id(text)), str(claimed))
            assert game["vouched_for_by"] is None
            assert taken(zoe, game) == taken(zoe, {"id": str(claimed)}) == text
            assert brought(zoe, text).json()["id"] == game["id"]
            assert zoe.get("/v1/records").json()["games"][0]["game_id"] == game["id"]
