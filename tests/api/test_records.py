"""Records as the API gives and takes them, back to the byte; what an import is; notations of others."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.games import GAME_TYPES
from domain.play.aggregate import AnyRecord
from domain.play.deciding import Act, play
from domain.play.events import Resign
from domain.play.open_record import OpenRecord, read_record, record_lines
from domain.play.table import Opening, open_game
from domain.play.verify_text import verify_text
from service.api.replays.records import READERS
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.live.openings import fresh_secret
from tests.domain import whole_records
from tests.domain.changes import rechained

from . import truth
from .holding import settled
from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told
from .recording import RECORD, alone, brought, given_up, imported, taken, with_company
from .serving import Player, Service, moderating, registered, serving
from .watching import until


@pytest.fixture(scope="module")
def elsewhere(conninfo: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another service with keys of its own over another database, where two imports are many."""
    own: dict[str, Any] = {"max_imports": 2, "signing_keys": str(tmp_path_factory.mktemp("keys"))}
    with serving(conninfo, **own) as service:
        yield service


@pytest.fixture
def zoe(elsewhere: Service) -> Player:
    return registered(elsewhere, "Zoe")


@pytest.fixture
def yan(elsewhere: Service) -> Player:
    return registered(elsewhere, "Yan")


def over(player: Player, key: str = "klondike", **body: Any) -> Game:
    """A short game that is over."""
    game = opened(player, key, **body)
    assert list(play_on([player], game, Random(1), 3))
    return given_up([player], game)


def duel(ada: Player, bob: Player, **body: Any) -> Game:
    """A game of two that goes on."""
    game = seated(opened(ada, "spite_and_malice", **body), bob)
    assert len(list(play_on([ada, bob], game, Random(4), 12))) == 12
    return look(ada, game)


def lines(text: bytes) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_live_games_record_is_its_askers_view(ada: Player, bob: Player, eve: Player) -> None:
    game = duel(ada, bob)
    for player in (eve, bob):
        told(player.get(of(game, "/record"), params={"seat": 0}), 403, "not_your_seat")
    for player, seat, query in ((ada, 0, {}), (bob, 1, {}), (eve, None, {}), (ada, None, {"spectator": "true"})):
        head, *steps, ending = lines(taken(player, game, **query))
        frames = player.get(of(game, "/frames"), params=query).json()["frames"]
        assert (head["complete"], head["seen_by"], head["sealed"]) == (False, seat, None)
        assert (ending["status"], ending["version"], ending["signature"]) == ("playing", game["version"], None)
        events = [[event for event in frame["events"] if event["type"] != "game/opened"] for frame in frames]
        assert [step["events"] for step in steps] == events
        assert [step["command"] for step in steps] == [frame["command"] for frame in frames]
        assert not any(step["digests"] or step["actor"] for step in steps)


def test_a_spectators_delay_holds_in_the_record(ada: Player, bob: Player, eve: Player) -> None:
    game = duel(ada, bob, spectator_delay=5)
    steps, shown = lines(taken(eve, game))[1:-1], look(eve, game)
    assert steps[-1]["step"] == shown["step"] == game["step"] - 5
    assert lines(taken(eve, game))[-1]["version"] == shown["version"]
    assert len(lines(taken(bob, game))) == game["step"] + 3


def test_a_complete_record_is_what_the_log_holds(service: Service, ada: Player, eve: Player) -> None:
    game = over(ada)
    text = taken(eve, game)
    assert list(read_record(text).records) == truth.records(service, game)
    assert read_record(text).signature is not None
    assert taken(ada, game, seat=0) == taken(ada, game, spectator="true") == text
    plain = ada.get(of(game, "/record"), headers={"accept": "application/x-ndjson"})
    assert (plain.headers["content-type"], plain.content) == ("application/x-ndjson", text)
    told(ada.get(of(game, "/record"), headers={"accept": "image/png"}), 406, "not_acceptable")


def test_a_contests_record_hides_cards_until_revealed(service: Service, ada: Player, eve: Player) -> None:
    records = _resigned(UUID(ada.id), contest=uuid7())
    asyncio.run(_stored(service, records))
    game = {"id": str(records[0].stream)}
    told(eve.get(of(game, "/record")), 404, "no_such_thing")
    text = taken(ada, game)
    assert (lines(text)[0]["complete"], lines(text)[-1]["status"]) == (False, "finished")
    assert lines(text)[1]["events"][0]["cards"].count("#") == 21 + 24  # face down in the columns, and in the stock
    assert "game/revealed" not in text.decode()


async def _stored(service: Service, records: Sequence[AnyRecord]) -> None:
    async with EventStore(service.conninfo) as store:
        await store.append(records)


def _resigned(player: UUID, **more: Any) -> Sequence[AnyRecord]:
    """A game of Klondike that no service has heard of, given up at once."""
    found, act = GAME_TYPES["klondike"], Act(player, None, now())
    opening = Opening(type=found, options=found.options(), players=(player,), **more)
    step = open_game(uuid7(), opening, fresh_secret(), act)
    return [*step.records, *play(step.game, Resign(), act._replace(seat=0)).records]


def test_a_record_is_taken_once_another_of_its_game_too(ada: Player, zoe: Player) -> None:
    text = taken(ada, over(ada))
    game = imported(zoe, text)
    again = brought(zoe, text)
    assert (again.status_code, again.json()) == (200, game)
    unsigned = b"".join(record_lines(OpenRecord(read_record(text).records, None)))
    other = imported(zoe, unsigned)
    assert other["imported_from_game_id"] == game["imported_from_game_id"]
    assert (taken(zoe, other), taken(zoe, game)) == (unsigned, text)


def test_a_game_of_this_service_is_here_already_unless_hidden(ada: Player, bob: Player) -> None:
    game = over(ada)
    for player in (ada, bob):
        answer = brought(player, taken(ada, game))
        assert (answer.status_code, answer.json()["imported"]) == (200, False)
        assert answer.json()["seats"] == game["seats"]
        assert game["id"] not in player.get("/v1/records").text
    hidden = over(ada, visibility="private")
    game = imported(bob, taken(ada, hidden))  # as it would be if there were no such game
    assert (game["imported"], game["imported_from_game_id"], game["id"] != hidden["id"]) == (True, hidden["id"], True)
    told(bob.get(of(hidden)), 404, "no_such_thing")
    told(ada.get(of(game)), 404, "no_such_thing")


FAULTS = [
    (0, b'"draw":1', b'"draw":3', "Step 0:"), (1, b"KH", b"KX", "Step 0:"), (3, b"Z", b"1Z", "Step 2:"),
    (2, b'"events":[', b'"events": [', "Step 1: Line 3 is not written as records are"),
    (-2, b'"lost"', b'"won"', "the ending, does not tell the game"),
]  # fmt: skip


def test_a_faulty_or_incomplete_record_is_refused_with_its_place(service: Service, ada: Player, zoe: Player) -> None:
    whole, going_on = taken(ada, over(ada)), opened(ada)
    for line, old, new, what in FAULTS:
        parts = whole.splitlines(keepends=True)
        assert old in parts[line]
        parts[line] = parts[line].replace(old, new, 1)
        assert what in str(told(brought(zoe, b"".join(parts)), 422, "not_verified")["detail"])
    live = b"".join(record_lines(OpenRecord(tuple(truth.records(service, going_on)), None)))
    assert "not over" in str(told(brought(zoe, live), 422, "not_verified")["detail"])
    for text, what in (
        (b"{}", "Line 2: The text ends too soon"),
        (taken(ada, going_on), "Line 1: The record is not compl"),
    ):
        assert what in str(told(brought(zoe, text), 400, "malformed")["detail"])
    assert zoe.get("/v1/records").json()["games"] == []


def test_a_body_of_another_kind_or_too_long_is_refused(database: str, ada: Player) -> None:
    with serving(database, max_record_bytes=2000) as service:
        zoe, text = registered(service, "Zoe"), taken(ada, over(ada))
        told(brought(zoe, text), 413, "body_too_large")
        chunks = zoe.http.post("/v1/records", content=iter([text[:1500], text[1500:]]), headers=RECORD)
        told(chunks, 413, "body_too_large")
        html = zoe.http.post("/v1/records", content=b"{}", headers={"content-type": "text/html"})
        told(html, 415, "unsupported_media_type")
        told(httpx.post(f"{service.url}/v1/records", content=text, headers=RECORD, timeout=60), 401, "unauthenticated")


def test_an_imported_game_is_shown_like_any_that_is_over(ada: Player, zoe: Player) -> None:
    here = over(ada)
    game = imported(zoe, taken(ada, here))
    for query in ({}, {"seat": 0}, {"known": "now"}):
        pairs = ((zoe, game), (ada, here))
        there, played = (who.get(of(one, "/frames"), params=query).json()["frames"] for who, one in pairs)
        assert [frame["view"] for frame in there] == [frame["view"] for frame in played]
        assert [frame["sentences"] for frame in there[1:]] == [frame["sentences"] for frame in played[1:]]
    proof, own = zoe.get(of(game, "/proof")).json(), ada.get(of(here, "/proof")).json()
    assert (proof["fair"], proof["bound"], proof["shuffles"]) == (False, own["bound"], own["shuffles"])
    assert taken(zoe, game) == taken(ada, here)
    assert zoe.get(of(game, "/moments")).json()["moments"] == ada.get(of(here, "/moments")).json()["moments"]
    with zoe.http.stream("GET", of(game, "/events")) as stream:
        assert 'data: {"reason":"finished"}' in stream.read().decode()


def test_nobody_is_named_or_seated_in_an_imported_game(ada: Player, zoe: Player, yan: Player) -> None:
    text = taken(ada, over(ada))
    game = imported(zoe, _of_player(text, ada.id, yan.id))
    seen = look(yan, game)
    assert (seen["seats"], seen["creator"], seen["your_seats"]) == ([{"seat": 0, "player": None}], None, [])
    told(yan.post(of(game, "/rematch")), 403, "forbidden", "not_seated")
    private = _of_player(taken(ada, over(ada, visibility="private")), ada.id, yan.id)
    told(yan.get(of(imported(zoe, private))), 404, "no_such_thing")


def _of_player(text: bytes, old: str, new: str) -> bytes:
    """A record without fault that tells of another player: its digests are made anew, for their key is in it."""
    claimed = read_record(text.replace(old.encode(), new.encode())).records
    made = rechained(list(claimed), claimed[1].event.digest_key)
    return b"".join(record_lines(OpenRecord(tuple(made), None)))


def test_an_imported_game_is_forked_and_never_changed(elsewhere: Service, ada: Player, zoe: Player) -> None:
    game = imported(zoe, taken(ada, over(ada)))
    before = taken(zoe, game)
    told(say(zoe, game, {"type": "game/resign"}), 403, "not_your_seat")
    for path, body in (("/join", {}), ("/leave", None), ("/abandon", None), ("/rematch", None)):
        assert zoe.post(of(game, path), body).status_code in (403, 409)
    told(moderating(elsewhere).post(of(game, "/void"), {"reason": "abuse"}), 409, "illegal", "imported")
    fork = zoe.post(of(game, "/fork"), {"step": 2})
    assert (fork.status_code, fork.json()["forked_from"]) == (201, {"game_id": game["id"], "step": 2})
    assert say(zoe, fork.json(), {"type": "game/resign"}).status_code == 200
    assert taken(zoe, game) == before


def test_an_imported_game_is_in_no_list_table_or_log(elsewhere: Service, ada: Player, zoe: Player) -> None:
    head = truth.head(elsewhere)
    game = imported(zoe, taken(ada, over(ada, "freecell")))
    assert truth.head(elsewhere) == head
    for path in ("games", f"games?player_id={zoe.id}", f"players/{ada.id}/scores", "scoreboards/freecell"):
        assert game["id"] not in zoe.get(f"/v1/{path}").text
    listed = zoe.get("/v1/records").json()
    assert [(row["game_id"], row["game_type"]) for row in listed["games"]] == [(game["id"], "freecell")]


def test_an_import_is_kept_for_its_importers(elsewhere: Service, ada: Player, zoe: Player, yan: Player) -> None:
    public = imported(zoe, taken(ada, over(ada)))
    assert yan.get(of(public)).status_code == elsewhere.http.get(of(public)).status_code == 200
    text = taken(ada, over(ada, visibility="private"))
    game = imported(zoe, text)
    for path in ("", "/record", "/frames", "/proof"):
        assert zoe.get(of(game, path)).status_code == 200
        told(yan.get(of(game, path)), 404, "no_such_thing")
    told(yan.http.delete(f"/v1/records/{game['id']}"), 404, "no_such_thing")
    assert brought(yan, text).status_code == 200
    assert taken(yan, game) == text
    assert zoe.http.delete(f"/v1/records/{game['id']}").status_code == 204
    told(zoe.get(of(game)), 404, "no_such_thing")
    assert yan.get(of(game)).status_code == 200
    assert yan.http.delete(f"/v1/records/{game['id']}").status_code == 204
    told(yan.get(of(game)), 404, "no_such_thing")
    told(zoe.http.delete(f"/v1/records/{game['id']}"), 404, "no_such_thing")
    assert imported(zoe, text) == game | {"updated_at": game["updated_at"]}


def test_whoever_is_erased_gives_every_import_up(ada: Player, zoe: Player, yan: Player, elsewhere: Service) -> None:
    text, shared = taken(ada, over(ada)), taken(ada, over(ada, "golf"))
    own, both = imported(zoe, text), imported(zoe, shared)
    assert brought(yan, shared).status_code == 200
    assert yan.get(of(own)).status_code == 200
    assert zoe.http.delete("/v1/players/me").status_code == 204
    told(yan.get(of(own)), 404, "no_such_thing")
    assert yan.get(of(both)).status_code == 200


def test_a_signature_of_another_key_is_a_fault(ada: Player, bob: Player) -> None:
    signature = read_record(taken(ada, over(ada))).signature
    elsewhere = tuple(_resigned(UUID(ada.id)))
    signed, unsigned = (b"".join(record_lines(OpenRecord(elsewhere, value))) for value in (signature, None))
    assert "signature" in str(told(brought(bob, signed), 422, "not_verified")["detail"])
    assert brought(bob, unsigned).status_code == 201


def test_imports_are_listed_newest_first_and_not_too_many(ada: Player, zoe: Player) -> None:
    made = [imported(zoe, taken(ada, over(ada, key)))["id"] for key in ("golf", "pyramid")]
    told(brought(zoe, taken(ada, over(ada))), 409, "illegal", "too_many_imports")
    first = zoe.get("/v1/records", params={"limit": 1}).json()
    second = zoe.get("/v1/records", params={"limit": 1, "cursor": first["next"]}).json()
    assert [page["games"][0]["game_id"] for page in (first, second)] == made[::-1]
    assert second["next"] is None
    told(zoe.get("/v1/records", params={"cursor": "x"}), 400, "malformed")


def there_and_back(player: Player, zoe: Player, game: Game) -> list[Any]:
    """The lines of the game's record, which comes out of the other service as it went in."""
    text = taken(player, game)
    assert verify_text(text).faults == ()
    there = imported(zoe, text)
    assert (there["imported"], there["imported_from_game_id"], there["vouched_for_by"]) == (True, game["id"], None)
    assert (there["origin"], there["rated"], there["id"] != game["id"]) == ("import", False, True)
    assert taken(zoe, there) == text
    lines: list[Any] = [json.loads(line) for line in text.splitlines()]
    assert lines[-2]["signature"] is not None
    assert lines[-1]["seal"] is not None
    return lines


@pytest.mark.parametrize("key", GAME_TYPES)
def test_games_come_back_to_the_byte(key: str, ada: Player, bob: Player, cyd: Player, zoe: Player) -> None:
    told = _kinds(there_and_back(ada, zoe, with_company((ada, bob, cyd), key)))
    assert {"game/seeded", "game/finished", "game/revealed"} <= told
    assert ("game/joined" in told) == (GAME_TYPES[key].seats[0] > 1)
    assert there_and_back(ada, zoe, alone(ada, key))[0]["opened"]["origin"] == "given_seed"


def _kinds(lines: list[Any]) -> set[str]:
    return {event["type"] for line in lines[1:-2] for event in line["events"]}


def test_other_endings_come_back_too(service: Service, ada: Player, bob: Player, zoe: Player, yan: Player) -> None:
    timed, voided = opened(ada, "klondike", move_seconds=5), opened(ada, "pyramid")
    say(ada, timed, {"type": "klondike/draw"})
    assert moderating(service).post(of(voided, "/void"), {"reason": "a fault of the server"}).status_code == 200
    lines = there_and_back(ada, zoe, voided)
    assert (lines[-2]["status"], lines[-2]["result"]) == ("voided", None)
    game = seated(opened(ada, "spite_and_malice"), bob)
    for player in (ada, bob):
        assert player.post(of(game, "/abandon")).status_code == 200
    assert "game/abandoned" in _kinds(there_and_back(ada, zoe, game))
    hidden: dict[str, Any] = {"visibility": "private", "player_ids": [bob.id], "spectator_delay": 3}
    game = seated(opened(ada, "spite_and_malice", options={"preset": "snm_pz"}, **hidden), bob)
    say(ada, game, {"type": "game/resign"})
    told = there_and_back(ada, yan, game)[0]["opened"]
    assert (told["visibility"], told["spectator_delay"]) == ("private", 3)
    until(lambda: look(ada, timed)["status"] != "playing")
    assert "game/timed_out" in _kinds(there_and_back(ada, yan, timed))


FREECELL, SEAHAVEN = "text/vnd.kibitz.freecell", "text/vnd.kibitz.seahaven-towers"

PUBLISHED = """\
#1

6a 6b 6h bh 6h 7b 76 4c 7d 7h
3h 86
"""
"""The beginning of a solution of Microsoft's first deal, after macroxue's FreeCell, a card at a time."""


def with_moves(player: Player, text: str, key: str = "freecell") -> httpx.Response:
    said = {"content-type": "text/vnd.kibitz.moves; charset=utf-8"}
    return player.http.post(f"/v1/move-lists/{key}", content=text.encode(), headers=said)


def noted(player: Player, game: Game, key: str = "standard") -> str:
    answer = player.get(of(game, "/record"), params={"notation": key})
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_move_list_becomes_an_unrated_game_to_play_on(ada: Player) -> None:
    record = whole_records.text("klondike")
    assert [brought(ada, text).status_code for text in (b"\xef\xbb\xbf" + record, record)] == [201, 200]
    answer = with_moves(ada, "\ufeff" + PUBLISHED)  # a byte order mark says nothing
    assert answer.status_code == 201, answer.text
    game = answer.json()
    assert answer.headers["location"] == of(game)
    assert (game["status"], game["step"], game["rated"], game["imported"]) == ("playing", 12, False, False)
    assert (game["origin"], game["visibility"], game["your_seats"]) == ("import", "unlisted", [0])
    assert noted(ada, game) == PUBLISHED
    assert say(ada, game, {"type": "game/undo"}).status_code == 200
    assert noted(ada, game) == PUBLISHED.replace(" 86\n", "\n")


def test_a_game_in_notation_comes_back_as_left(ada: Player) -> None:
    game = opened(ada, "seahaven_towers", options={"undo": True, "any_card": True}, seed="towers")
    for word in ("1a", "1d"):
        assert say(ada, game, {"type": "seahaven_towers/standard", "move": word}).status_code == 200
    text = noted(ada, game)
    assert "options: any_card=true\n" in text
    again = with_moves(ada, text, "seahaven_towers").json()
    assert noted(ada, again) == text
    assert look(ada, again)["view"] == look(ada, game)["view"]
    moves = "5a 45 48 1b 2c 35 12 27 56 25 75 8c 26 45 8b 62 38 6d"  # of deal 3 by macroxue's FreeCell
    won = with_moves(ada, f"#3\nautoplay: all\n{moves}\n").json()
    assert (won["status"], won["result"]["ending"]) == ("finished", "won"), "the moves home are made for the program"
    told(with_moves(ada, f"#3\nautoplay: yes\n{moves}\n"), 409, "illegal", "unreadable_notation")


@pytest.mark.parametrize(
    ("key", "right", "wrong", "place"),
    [
        ("klondike", None, "5S F5 17", "Move 2 (line 3, `17`): "), ("golf", "1", "2", "Move 2 (line 13): "),
        ("black_hole", "16", "0", "Move 1 (line 20): "), ("pyramid", None, "Remove Th", "Move 3 (line 6): "),
    ],
)  # fmt: skip
def test_a_solvers_text_is_brought(key: str, right: str | None, wrong: str, place: str, ada: Player) -> None:
    text = READERS[key].example
    game = with_moves(ada, text, key).json()
    assert (game["game_type"], game["origin"], game["status"]) == (key, "import", "playing")
    if key == "black_hole":
        assert with_moves(ada, noted(ada, game, "solver"), key).json()["view"] == game["view"]
    else:
        hidden = ada.get(of(game, "/record"), params={"notation": "solver"})
        told(hidden, 409, "illegal", "not_in_notation")
        assert say(ada, game, {"type": "game/resign"}).status_code == 200
        assert with_moves(ada, noted(ada, game, "solver"), key).json()["view"]["zones"] == game["view"]["zones"]
    last = text.splitlines()[-1]
    refused = with_moves(ada, text.replace(last, last.replace(right or last, wrong)), key)
    assert (refused.status_code, refused.json()["detail"].startswith(place)) == (409, True), refused.text


def test_deal_numbers_end_where_the_generators_do(ada: Player) -> None:
    for number in (94_717_719, 2**31 - 1):
        game = opened(ada, "freecell", deal_number=number)
        again = with_moves(ada, noted(ada, game)).json()
        assert again["view"]["zones"] == game["view"]["zones"]
        assert with_moves(ada, f"#{number}\n").json()["view"]["zones"] == game["view"]["zones"]
    refused = ada.post("/v1/games", {"game_type": "freecell", "deal_number": 2**31})
    assert refused.status_code == 400, refused.text


def test_a_notation_has_its_own_media_type_and_its_games(ada: Player) -> None:
    game = opened(ada, "freecell", deal_number=164)
    answer = ada.get(of(game, "/record"), params={"notation": "standard"}, headers={"accept": FREECELL})
    assert (answer.headers["content-type"], answer.text) == (f"{FREECELL}; charset=utf-8", "#164\n")
    refused = ada.get(of(game, "/record"), params={"notation": "standard"}, headers={"accept": SEAHAVEN})
    told(refused, 406, "not_acceptable")
    for key in ("pbn", "none"):
        told(ada.get(of(game, "/record"), params={"notation": key}), 404, "no_such_thing")
    waiting = opened(ada, "freecell", await_seeds=True)
    told(ada.get(of(waiting, "/record"), params={"notation": "standard"}), 409, "illegal", "game_not_started")
    assert [line.get("status") for line in lines(taken(ada, waiting))] == [None, None, "waiting"]
    keys = ("freecell", "bridge_solitaire", "spider")
    rows = [row for key in keys for row in ada.get(f"/v1/game-types/{key}").json()["notations"]]
    assert [(row["key"], row["media_type"], row["read"]) for row in rows] == [
        ("standard", FREECELL, True), ("pbn", "application/x-pbn", True),
    ]  # fmt: skip


def test_a_move_against_the_rules_is_told_by_number(service: Service, ada: Player) -> None:
    settled(service)
    before = ada.get("/v1/games", params={"player_id": ada.id}).json()["games"]
    refused = told(with_moves(ada, "#1\n6a 6b 6h 5h\n"), 409, "illegal", "next_in_suit")
    assert str(refused["detail"]).startswith("Move 4: ")
    assert ada.get("/v1/games", params={"player_id": ada.id}).json()["games"] == before


NO_LISTS = [
    ("#1\n6a 9b\n", "freecell", "Line 2: `9b` is no move"), ("#0\n", "freecell", "a number from 1 to 2147483647"),
    ("6a\n", "freecell", "The deal has columns of 7 7 7 7 6 6 6 6 cards"),
    (": AS AS\n", "seahaven_towers", "a card lies in the second and the third tower"),
    ("#1\noptions: jokers=true\n", "freecell", "The options cannot be read"),
    ("#1\noptions: undo=maybe\n", "freecell", "Line 2: `undo=maybe` is no option"),
    ("#1\n" + "6a a6 " * 1001, "freecell", "more than 2000 moves"),
]  # fmt: skip


def test_what_is_no_move_list_or_no_pack_is_refused(ada: Player) -> None:
    for text, key, what in NO_LISTS:
        assert what in str(with_moves(ada, text, key).json()["detail"])
    text = noted(ada, opened(ada, "seahaven_towers"))
    one, other = text.split()[2:4]  # the cards in two of the towers
    told(with_moves(ada, text.replace(one, other), "seahaven_towers"), 409, "illegal", "given_deal")
    said = {"content-type": "text/vnd.kibitz.moves"}
    told(ada.http.post("/v1/move-lists/freecell", content=b"#1 \xff", headers=said), 400, "malformed")


def test_a_bridge_hand_is_brought_and_only_finished_ones_written(ada: Player) -> None:
    game = opened(ada, "bridge_solitaire")
    refused = ada.get(of(game, "/record"), params={"notation": "pbn"})
    told(refused, 409, "illegal", "no_hand_finished")
    told(with_moves(ada, "% PBN 2.1\n", "bridge_solitaire"), 409, "illegal", "unreadable_notation")
    hand = with_moves(ada, READERS["bridge_solitaire"].example, "bridge_solitaire").json()
    assert (hand["step"], hand["origin"], hand["rated"]) == (3, "import", False)
