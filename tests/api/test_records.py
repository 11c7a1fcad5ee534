"""Records as the API gives and takes them: who may have what, what is refused, and what an import is and is not."""

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
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.live.openings import fresh_secret
from service.postgres import Server
from tests.domain.changes import rechained

from . import truth
from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told
from .recording import RECORD, brought, given_up, imported, taken
from .serving import Player, Service, database_of, moderating, registered, serving


@pytest.fixture(scope="module")
def elsewhere(postgres: Server, template_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Another service with keys of its own over another database, where two imports are many."""
    own: dict[str, Any] = {"max_imports": 2, "signing_keys": str(tmp_path_factory.mktemp("keys"))}
    with database_of(postgres, template_database) as conninfo, serving(conninfo, **own) as service:
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


def test_a_game_that_goes_on_is_told_as_its_asker_sees_it_and_says_so(ada: Player, bob: Player, eve: Player) -> None:
    game = duel(ada, bob)
    for player, seat, query in ((ada, 0, {}), (bob, 1, {}), (eve, None, {}), (ada, None, {"spectator": "true"})):
        head, *steps, ending = lines(taken(player, game, **query))
        frames = player.get(of(game, "/frames"), params=query).json()["frames"]
        assert (head["complete"], head["seen_by"], head["sealed"]) == (False, seat, None)
        assert (ending["status"], ending["version"], ending["signature"]) == ("playing", game["version"], None)
        assert [step["events"] for step in steps] == [_told(frame) for frame in frames]
        assert [step["command"] for step in steps] == [frame["command"] for frame in frames]
        assert not any(step["digests"] or step["actor"] for step in steps)


def _told(frame: Any) -> list[Any]:
    return [event for event in frame["events"] if event["type"] != "game/opened"]


def test_no_seat_but_ones_own_is_looked_through_before_the_end(ada: Player, bob: Player, eve: Player) -> None:
    game = duel(ada, bob)
    for player in (eve, bob):
        told(player.get(of(game, "/record"), params={"seat": 0}), 403, "not_your_seat")


def test_a_spectators_delay_holds_in_the_record(ada: Player, bob: Player, eve: Player) -> None:
    game = duel(ada, bob, spectator_delay=5)
    steps, shown = lines(taken(eve, game))[1:-1], look(eve, game)
    assert steps[-1]["step"] == shown["step"] == game["step"] - 5
    assert lines(taken(eve, game))[-1]["version"] == shown["version"]
    assert len(lines(taken(bob, game))) == game["step"] + 3


def test_a_private_game_is_not_there_for_others(ada: Player, eve: Player) -> None:
    for game in (opened(ada, visibility="private"), over(ada, visibility="private")):
        told(eve.get(of(game, "/record")), 404, "no_such_thing")
        assert taken(ada, game)


def test_a_complete_record_is_what_the_log_holds(service: Service, ada: Player, eve: Player) -> None:
    game = over(ada)
    text = taken(eve, game)
    assert list(read_record(text).records) == truth.records(service, game)
    assert read_record(text).signature is not None
    assert taken(ada, game, seat=0) == taken(ada, game, spectator="true") == text


def test_a_contests_game_that_is_over_is_told_to_its_player_as_it_was_seen_until_it_is_revealed(
    service: Service, ada: Player, eve: Player
) -> None:
    game = {"id": str(asyncio.run(_contest(service, UUID(ada.id)))[0].stream)}
    told(eve.get(of(game, "/record")), 404, "no_such_thing")
    text = taken(ada, game)
    assert (lines(text)[0]["complete"], lines(text)[-1]["status"]) == (False, "finished")
    assert lines(text)[1]["events"][0]["cards"].count("#") == 21 + 24  # face down in the columns, and in the stock
    assert "game/revealed" not in text.decode()


async def _contest(service: Service, player: UUID) -> Sequence[AnyRecord]:
    """A contest's game of Klondike that is over and not revealed, put into the log."""
    records = _resigned(player, contest=uuid7())
    async with EventStore(service.conninfo) as store:
        await store.append(records)
    return records


def _resigned(player: UUID, **more: Any) -> Sequence[AnyRecord]:
    """A game of Klondike that no service has heard of, given up at once."""
    found, act = GAME_TYPES["klondike"], Act(player, None, now())
    opening = Opening(type=found, options=found.options(), players=(player,), **more)
    step = open_game(uuid7(), opening, fresh_secret(), act)
    return [*step.records, *play(step.game, Resign(), act._replace(seat=0)).records]


def test_a_record_is_had_as_lines_of_json_too_and_as_nothing_else(ada: Player) -> None:
    game = over(ada)
    plain = ada.get(of(game, "/record"), headers={"accept": "application/x-ndjson"})
    assert (plain.headers["content-type"], plain.content) == ("application/x-ndjson", taken(ada, game))
    told(ada.get(of(game, "/record"), headers={"accept": "image/png"}), 406, "not_acceptable")


def test_the_same_record_is_taken_once_and_another_of_the_same_game_is_another_game(ada: Player, zoe: Player) -> None:
    text = taken(ada, over(ada))
    game = imported(zoe, text)
    again = brought(zoe, text)
    assert (again.status_code, again.json()) == (200, game)
    unsigned = b"".join(record_lines(OpenRecord(read_record(text).records, None)))
    other = imported(zoe, unsigned)
    assert other["imported_from_game_id"] == game["imported_from_game_id"]
    assert (taken(zoe, other), taken(zoe, game)) == (unsigned, text)


def test_a_game_that_was_played_here_is_here_already(ada: Player, bob: Player) -> None:
    game = over(ada)
    for player in (ada, bob):
        answer = brought(player, taken(ada, game))
        assert (answer.status_code, answer.json()["imported"]) == (200, False)
        assert answer.json()["seats"] == game["seats"]
        assert game["id"] not in player.get("/v1/records").text


def test_a_record_of_a_game_that_one_may_not_see_is_a_game_of_its_own(ada: Player, bob: Player) -> None:
    """As it would be if there were no such game."""
    hidden = over(ada, visibility="private")
    game = imported(bob, taken(ada, hidden))
    assert (game["imported"], game["imported_from_game_id"], game["id"] != hidden["id"]) == (True, hidden["id"], True)
    told(bob.get(of(hidden)), 404, "no_such_thing")
    told(ada.get(of(game)), 404, "no_such_thing")


@pytest.mark.parametrize(
    ("line", "old", "new", "what"),
    [
        (0, b'"draw":1', b'"draw":3', "Step 0:"),
        (1, b"KH", b"KX", "Step 0:"),
        (2, b'"events":[', b'"events": [', "Step 1: Line 3 is not written as records are"),
        (3, b"Z", b"1Z", "Step 2:"),
        (-2, b'"lost"', b'"won"', "the ending, does not tell the game"),
    ],
)  # fmt: skip
def test_a_record_that_does_not_hold_what_it_says_is_refused_with_step_and_fault(
    line: int, old: bytes, new: bytes, what: str, ada: Player, zoe: Player
) -> None:
    parts = taken(ada, over(ada)).splitlines(keepends=True)
    assert old in parts[line]
    parts[line] = parts[line].replace(old, new, 1)
    refused = told(brought(zoe, b"".join(parts)), 422, "not_verified")
    assert what in str(refused["detail"])
    assert zoe.get("/v1/records").json()["games"] == []


def test_what_is_no_record_or_not_a_complete_one_is_refused_with_its_line(ada: Player, zoe: Player) -> None:
    game = opened(ada)
    for text, what in (
        (b"{}", "Line 2: The text ends too soon"),
        (taken(ada, game), "Line 1: The record is not compl"),
    ):
        assert what in told(brought(zoe, text), 400, "malformed")["detail"]


def test_a_record_of_a_game_that_goes_on_is_not_taken(service: Service, ada: Player, zoe: Player) -> None:
    records = truth.records(service, opened(ada))
    text = b"".join(record_lines(OpenRecord(tuple(records), None)))
    assert "not over" in str(told(brought(zoe, text), 422, "not_verified")["detail"])


def test_a_body_of_another_kind_or_a_longer_one_than_is_read_is_refused(
    postgres: Server, template_database: str, ada: Player
) -> None:
    with database_of(postgres, template_database) as conninfo, serving(conninfo, max_record_bytes=2000) as service:
        zoe, text = registered(service, "Zoe"), taken(ada, over(ada))
        told(brought(zoe, text), 413, "body_too_large")
        chunks = zoe.http.post("/v1/records", content=iter([text[:1500], text[1500:]]), headers=RECORD)
        told(chunks, 413, "body_too_large")
        told(
            zoe.http.post("/v1/records", content=b"{}", headers={"content-type": "text/html"}),
            415,
            "unsupported_media_type",
        )
        told(httpx.post(f"{service.url}/v1/records", content=text, headers=RECORD, timeout=60), 401, "unauthenticated")


def test_an_imported_game_is_looked_at_replayed_and_proved_like_any_that_is_over(ada: Player, zoe: Player) -> None:
    here = over(ada)
    game = imported(zoe, taken(ada, here))
    for query in ({}, {"seat": 0}, {"known": "now"}):
        there, played = (
            player.get(of(one, "/frames"), params=query).json() for player, one in ((zoe, game), (ada, here))
        )
        assert [frame["view"] for frame in there["frames"]] == [frame["view"] for frame in played["frames"]]
        assert [one["sentences"] for one in there["frames"][1:]] == [one["sentences"] for one in played["frames"][1:]]
    proof, own = zoe.get(of(game, "/proof")).json(), ada.get(of(here, "/proof")).json()
    assert (proof["fair"], proof["bound"], proof["shuffles"]) == (False, own["bound"], own["shuffles"])
    assert taken(zoe, game) == taken(ada, here)
    assert zoe.get(of(game, "/moments")).json()["moments"] == ada.get(of(here, "/moments")).json()["moments"]
    with zoe.http.stream("GET", of(game, "/events")) as stream:
        assert 'data: {"reason":"finished"}' in stream.read().decode()


def test_nobody_is_named_and_nobody_has_a_seat_in_an_imported_game(ada: Player, zoe: Player, yan: Player) -> None:
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


def test_an_imported_game_is_changed_by_nobody(elsewhere: Service, ada: Player, zoe: Player) -> None:
    game = imported(zoe, taken(ada, over(ada)))
    before = taken(zoe, game)
    told(say(zoe, game, {"type": "game/resign"}), 403, "not_your_seat")
    for path, body in (("/join", {}), ("/leave", None), ("/abandon", None), ("/rematch", None)):
        assert zoe.post(of(game, path), body).status_code in (403, 409)
    told(moderating(elsewhere).post(of(game, "/void"), {"reason": "abuse"}), 409, "illegal", "imported")
    assert taken(zoe, game) == before


def test_an_imported_game_stands_in_no_list_and_in_no_table_and_not_in_the_log(
    elsewhere: Service, ada: Player, zoe: Player
) -> None:
    head = truth.head(elsewhere)
    game = imported(zoe, taken(ada, over(ada, "freecell")))
    assert truth.head(elsewhere) == head
    for path in (
        "/v1/games",
        f"/v1/games?player_id={zoe.id}",
        f"/v1/players/{ada.id}/scores",
        "/v1/scoreboards/freecell",
    ):
        answer = zoe.get(path)
        assert game["id"] not in answer.text
    listed = zoe.get("/v1/records").json()
    assert [(row["game_id"], row["game_type"]) for row in listed["games"]] == [(game["id"], "freecell")]


def test_an_imported_game_is_seen_as_its_record_says_and_by_its_importers(
    elsewhere: Service, ada: Player, zoe: Player, yan: Player
) -> None:
    text = taken(ada, over(ada, visibility="private"))
    game = imported(zoe, text)
    for path in ("", "/record", "/frames", "/proof"):
        assert zoe.get(of(game, path)).status_code == 200
        told(yan.get(of(game, path)), 404, "no_such_thing")
    assert brought(yan, text).status_code == 200
    assert taken(yan, game) == text
    public = imported(zoe, taken(ada, over(ada)))
    assert yan.get(of(public)).status_code == elsewhere.http.get(of(public)).status_code == 200


def test_an_import_goes_with_the_last_who_gives_it_up(ada: Player, zoe: Player, yan: Player) -> None:
    text = taken(ada, over(ada, visibility="private"))
    game = imported(zoe, text)
    told(yan.http.delete(f"/v1/records/{game['id']}"), 404, "no_such_thing")
    assert brought(yan, text).status_code == 200
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


def test_a_signature_that_the_services_own_key_has_not_made_is_a_fault(ada: Player, bob: Player) -> None:
    signature = read_record(taken(ada, over(ada))).signature
    elsewhere = tuple(_resigned(UUID(ada.id)))
    signed, unsigned = (b"".join(record_lines(OpenRecord(elsewhere, value))) for value in (signature, None))
    assert "signature" in str(told(brought(bob, signed), 422, "not_verified")["detail"])
    assert brought(bob, unsigned).status_code == 201


def test_ones_imports_are_listed_newest_first_page_by_page_and_are_not_too_many(ada: Player, zoe: Player) -> None:
    made = [imported(zoe, taken(ada, over(ada, key)))["id"] for key in ("golf", "pyramid")]
    told(brought(zoe, taken(ada, over(ada))), 409, "illegal", "too_many_imports")
    first = zoe.get("/v1/records", params={"limit": 1}).json()
    second = zoe.get("/v1/records", params={"limit": 1, "cursor": first["next"]}).json()
    assert [page["games"][0]["game_id"] for page in (first, second)] == made[::-1]
    assert second["next"] is None
    told(zoe.get("/v1/records", params={"cursor": "x"}), 400, "malformed")


def test_an_imported_game_can_be_played_on_as_a_fork(ada: Player, zoe: Player) -> None:
    game = imported(zoe, taken(ada, over(ada)))
    fork = zoe.post(of(game, "/fork"), {"step": 2})
    assert fork.status_code == 201, fork.text
    assert fork.json()["forked_from"] == {"game_id": game["id"], "step": 2}
    assert say(zoe, fork.json(), {"type": "game/resign"}).status_code == 200
