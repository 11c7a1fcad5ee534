"""Deals by wish: what one gets, what is refused, who fills the stock, and that no deal is handed out twice."""

import re
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from domain.games import GAME_TYPES
from domain.play.events import DealLevel
from domain.play.open_record import OpenRecord, read_record
from domain.record import DAY
from service import solving, winnable_deals
from service.event_store.ids import now
from service.keys.sealing import Seals
from service.solving.levels import QUARTERS, level_of
from service.winnable_deals import DealPool, Proven, Turns, pool_of

from . import truth
from .browsing import Browser, said, signed_in
from .holding import resign
from .playing import look, of, opened
from .problems import told
from .serving import KEYS, Player, Service, registered, serving

KIND = GAME_TYPES["golf"]
EFFORT = dict(zip(("easy", "medium", "hard", "expert"), (1, *(one + 1 for one in QUARTERS["golf"])), strict=True))
"""Positions that make a deal of Golf one of this level."""
STOCKING: dict[str, Any] = {"run_worker": False, "worker_patience": 0, "certified_deals": 1}


def wish(player: Player, game_type: str = "golf", level: str | None = None, **more: Any) -> httpx.Response:
    key = more.pop("key", None)
    deal = {"winnable": True} if level is None else {"winnable": True, "level": level}
    headers = {} if key is None else {"idempotency-key": key}
    return player.post("/v1/games", {"game_type": game_type, "deal": deal, **more}, headers=headers)


def stocked(conninfo: str, *proven: Proven, game_type: str = "golf", **options: Any) -> None:
    """Put these deals into the winnable_deals."""
    kind = GAME_TYPES[game_type]
    with psycopg.connect(conninfo, autocommit=True) as connection:
        for one in proven:
            winnable_deals.put_deal(connection, Seals(KEYS).open(), pool_of(kind, kind.options(**options)), one)


def seeds(count: int, level: DealLevel = "easy", first: int = 1) -> list[Proven]:
    return [Proven(bytes([number]) * 32, EFFORT[level]) for number in range(first, first + count)]


def count(conninfo: str) -> int:
    with psycopg.connect(conninfo) as connection:
        return int(connection.execute("SELECT count(*) FROM certified_deals").fetchone()[0])  # type: ignore[index]


def record(player: Player, game: dict[str, Any]) -> OpenRecord:
    return read_record(player.get(of(game, "/record")).raise_for_status().content)


def seed_of(player: Player, game: dict[str, Any]) -> bytes:
    """The seed, once the game is over."""
    resign(player, game)
    sealed: Any = record(player, game).records[1].event
    return bytes(sealed.seed)


@pytest.fixture(scope="module")
def running(conninfo: str) -> Iterator[Service]:
    with serving(conninfo, **STOCKING) as service:
        yield service


@pytest.fixture
def stocking(running: Service) -> Service:
    """A service with a stock that only the test fills; it is empty, and nobody has wished for anything."""
    for table in ("certified_deals", "player_wishes"):
        truth.done(running, f"DELETE FROM {table}")
    return running


@pytest.fixture
def ada(stocking: Service) -> Player:
    return registered(stocking, "Ada")


@pytest.fixture
def eve(stocking: Service) -> Player:
    return registered(stocking, "Eve")


def test_a_wish_waits_for_a_worker_to_fill_the_stock(stocking: Service, ada: Player) -> None:
    refused = wish(ada, options={"wrap": True})
    told(refused, 503, "busy")
    assert int(refused.headers["retry-after"]) > 0
    with serving(stocking.conninfo, certified_deals=1) as service:
        ada = ada.on(service)
        while (answer := wish(ada, options={"wrap": True})).status_code == 503:
            time.sleep(0.2)
        game = answer.json()
        assert (answer.status_code, game["origin"], game["rated"]) == (201, "wished", False)
        resign(ada, game)
        proof = ada.get(of(game, "/verification")).raise_for_status().json()
        assert proof["consistent"], proof
        seed: Any = record(ada, game).records[1].event
        options = KIND.options(wrap=True)  # type: ignore[call-arg]
        found = solving.verdict("golf", options, solving.seeded(KIND, options, seed.seed))
        assert (found.verdict, level_of("golf", found.positions)) == ("won", game["deal_level"])


def test_the_wished_level_is_dealt_and_told_to_everybody(stocking: Service, ada: Player, eve: Player) -> None:
    stocked(stocking.conninfo, *seeds(1, "easy", 1), *seeds(1, "hard", 2), *seeds(1, "expert", 3))
    told(wish(ada, level="medium"), 503, "busy")
    games = [wish(ada, level="hard").json(), wish(ada).json(), wish(ada).json()]
    assert [look(eve, game)["deal_level"] for game in games] == ["hard", "easy", "expert"]
    assert [seed_of(ada, game) for game in games] == [bytes([number]) * 32 for number in (2, 1, 3)]
    assert count(stocking.conninfo) == 0


def test_the_form_of_a_page_wishes_too(stocking: Service, ada: Player) -> None:
    stocked(stocking.conninfo, *seeds(1, "easy", 1), *seeds(1, "hard", 2))
    usual = {"options.undo": "on", "visibility": "public"}
    with signed_in(stocking, ada) as browser:
        assert 'name="wish"' in browser.shown("/games/new/golf")
        assert 'name="wish"' not in browser.shown("/games/new/megiddo")
        for wished, level in (("hard", "hard"), ("any", "easy")):
            answer = browser.post("/games/new/golf", usual | {"wish": wished})
            assert answer.status_code == 303, said(answer.text.partition("<main")[2])
            assert ada.get("/v1" + answer.headers["location"]).json()["deal_level"] == level
        answer = browser.post("/games/new/golf", usual | {"wish": "hard"})
        assert (answer.status_code, "No such deal lies ready now" in said(answer.text)) == (409, True)


def test_deals_of_other_options_than_undo_are_not_dealt(stocking: Service, ada: Player) -> None:
    stocked(stocking.conninfo, *seeds(1), wrap=True)
    told(wish(ada), 503, "busy")
    assert wish(ada, options={"wrap": True}).status_code == 201
    stocked(stocking.conninfo, *seeds(1))
    game = wish(ada, options={"undo": False}).json()
    assert look(ada, game)["options"]["undo"] is False
    assert seed_of(ada, game) == bytes([1]) * 32


def test_two_processes_never_hand_out_one_deal_twice(stocking: Service, ada: Player) -> None:
    stocked(stocking.conninfo, *seeds(20))
    with serving(stocking.conninfo, **STOCKING) as other:
        players = [ada, ada.on(other)]
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda number: wish(players[number % 2]), range(24)))
        assert Counter(answer.status_code for answer in answers) == {201: 20, 503: 4}
        dealt = {seed_of(ada, answer.json()) for answer in answers if answer.status_code == 201}
        assert dealt == {one.seed for one in seeds(20)}


def test_a_deal_being_taken_is_passed_over(stocking: Service, ada: Player) -> None:
    stocked(stocking.conninfo, *seeds(2))
    with psycopg.connect(stocking.conninfo) as taking:
        taking.execute("SELECT id FROM certified_deals ORDER BY id LIMIT 1 FOR UPDATE")
        game = wish(ada).json()
        told(wish(ada), 503, "busy")
    assert seed_of(ada, game) == bytes([2]) * 32


def test_a_repeat_is_answered_alike_and_takes_no_deal(stocking: Service, ada: Player) -> None:
    stocked(stocking.conninfo, *seeds(2))
    first, again = (wish(ada, key="once") for _ in range(2))
    assert (first.status_code, again.json()["id"], count(stocking.conninfo)) == (201, first.json()["id"], 1)
    wish(ada)
    assert wish(ada, key="once").json()["id"] == first.json()["id"]


def test_no_account_empties_or_starves_the_pools_of_others(stocking: Service, ada: Player, eve: Player) -> None:
    kind = GAME_TYPES["klondike"]
    pool, usual = pool_of(KIND, KIND.options(wrap=True)), winnable_deals.usual_pools()  # type: ignore[call-arg]
    for options in {"wrap": True}, {}:
        wish(ada, options=options)
    for passes in range(1, 25):
        told(wish(eve, "klondike", options={"passes": passes}), 503, "busy")
    newest = [pool_of(kind, kind.options(passes=passes)) for passes in (24, 23)]  # type: ignore[call-arg]
    stocked(stocking.conninfo, *seeds(1), wrap=True)
    with psycopg.connect(stocking.conninfo, autocommit=True) as connection:
        assert list(winnable_deals.count_lacking(connection, 2)) == [*newest, pool, *usual]
        eve.http.delete("/v1/players/me").raise_for_status()
        assert list(winnable_deals.count_lacking(connection, 2)) == [pool, *usual]
        connection.execute("DELETE FROM player_wishes")  # more accounts than are served wish for other ones
        assert (list(winnable_deals.count_lacking(connection, 2)), count(stocking.conninfo)) == (usual, 1)
        connection.execute("UPDATE certified_deals SET id = %s", [UUID(int=(now() - 2 * DAY) // 1000 << 80)])
        assert (list(winnable_deals.count_lacking(connection, 2)), count(stocking.conninfo)) == (usual, 0)


def test_pools_are_filled_by_turns_and_a_new_one_last() -> None:
    turns, usual, wished = Turns(), winnable_deals.usual_pools()[:2], [DealPool("golf", one) for one in "abc"]
    filled = []
    for turn, new in enumerate("000de000"):
        pool = turns.next_of([DealPool("golf", new), *wished, *usual], turn) or usual[0]
        turns.wait_from(pool, turn + 0.5)
        filled.append(pool)
    assert filled == [DealPool("golf", "0"), usual[0], wished[0], usual[1], wished[1], usual[0], wished[2], usual[1]]
    turns.wait_from(wished[0], 99.0)
    assert turns.next_of(wished[:1], 98.0) is None


def test_the_stock_is_sealed_deal_by_deal(stocking: Service, ada: Player) -> None:
    (proven,) = seeds(1)
    stocked(stocking.conninfo, proven)
    with psycopg.connect(stocking.conninfo) as connection:
        whole = str(connection.execute("SELECT certified_deals::text FROM certified_deals").fetchall()).encode()
        (sealed,) = connection.execute("SELECT sealed FROM certified_deals").fetchone() or (b"",)
        for text in (proven.seed, b64encode(proven.seed), proven.seed.hex().encode(), b"positions"):
            assert text not in whole + sealed
        connection.execute("UPDATE certified_deals SET sealed = set_byte(sealed, 30, 255 - get_byte(sealed, 30))")
    stocked(stocking.conninfo, *seeds(1, first=9))
    assert seed_of(ada, wish(ada).json()) == bytes([9]) * 32


_PASSING = ("id", "commitment", "opened_at", "updated_at", "seats", "creator")


def test_two_worlds_that_differ_in_effort_look_the_same(stocking: Service, ada: Player, eve: Player) -> None:
    said = []
    for positions in (2, EFFORT["medium"] - 1):  # both easy
        stocked(stocking.conninfo, Proven(bytes([7]) * 32, positions))
        game = wish(ada).json()
        for viewer in (ada, eve):
            shown = {key: value for key, value in look(viewer, game).items() if key not in _PASSING}
            legal = viewer.get(of(game, "/legal-commands"))
            frames = viewer.get(of(game, "/frames")).json()["frames"]
            views = [(frame["view"], frame["sentences"]) for frame in frames]
            said.append((shown, legal.status_code, legal.json().get("commands"), views))
    assert said[:2] == said[2:]


def test_a_wished_deal_is_a_shuffle_of_its_seed(stocking: Service, ada: Player) -> None:
    """That it was wished is told, and nothing else is different."""
    plain = look(ada, opened(ada, "golf", seed="never seen"))
    stocked(stocking.conninfo, Proven(sha256(b"never seen").digest(), 1))
    wished = look(ada, wish(ada).json())
    different = {key for key in plain if plain[key] != wished[key]} - set(_PASSING)
    assert different == {"origin", "deal_level"}


def test_impossible_wishes_are_refused_and_take_no_deal(stocking: Service, ada: Player) -> None:
    stocked(stocking.conninfo, *seeds(1))
    for refused, rule in (
        (wish(ada, seed="mine"), "one_deal"),
        (wish(ada, await_seeds=True), "wished_seeds"),
        (wish(ada, "the_clock", level="hard"), "deal_level"),
    ):
        told(refused, 409, "illegal", rule)
    for game_type, deal in (
        ("golf", {"winnable": False}), ("golf", {"winnable": True, "level": "mild"}), ("golf", {"level": "easy"}),
        ("bridge_solitaire", {"winnable": True}), ("spite_and_malice", {"winnable": True}),
    ):  # fmt: skip
        answer = ada.post("/v1/games", {"game_type": game_type, "deal": deal})
        assert told(answer, 400, "malformed")["errors"][0]["pointer"].startswith("/deal"), answer.text
    assert count(stocking.conninfo) == 1
    game = wish(ada, rated=True).json()
    assert game["rated"] is False


def test_neither_stockless_services_nor_contests_take_wishes(service: Service) -> None:
    bob = registered(service, "Bob")
    told(wish(bob), 409, "illegal", "no_certified_deals")
    league = bob.post("/v1/leagues", {"name": "Wishers", "game_type": "golf", "rules": "same-deal-1"})
    assert league.status_code == 201, league.text
    day = {"opens": "2030-01-01T00:00:00Z", "closes": "2030-01-02T00:00:00Z", "deal": {"winnable": True}}
    answer = bob.post("/v1/leagues/{id}/contests".format(**league.json()), day)
    assert "/deal" in {fault.get("pointer") for fault in told(answer, 400, "malformed")["errors"]}


def test_a_page_offers_the_levels_that_lie_ready_and_says_when_none_does(stocking: Service) -> None:
    """By one click, with hints; the next deal is of that level again, and where none lies ready another is offered."""
    with Browser(stocking) as browser:
        stocked(stocking.conninfo, Proven(bytes([1]) * 32, 1), Proven(bytes([2]) * 32, 1), game_type="klondike")
        page = browser.shown("/game-types/klondike")
        assert re.findall(r'name="level" value="(\w*)"', page) == ["easy"]
        assert 'name="level"' not in browser.shown("/game-types/golf")
        address = browser.post("/games/new/klondike/as-guest", {"level": "easy"}).headers["location"]
        game = browser.get(f"/v1{address}").json()
        assert (game["origin"], game["deal_level"], game["hints"], game["rated"]) == ("wished", "easy", True, False)
        assert re.findall(r'name="level" value="(\w*)"', browser.shown("/game-types/klondike")) == ["easy", ""]
        again = browser.post(f"{address}/new-deal").headers["location"]
        assert browser.get(f"/v1{again}").json()["origin"] == "wished"
        lacking = browser.post("/games/new/klondike/deal").headers["location"]
        assert lacking == "/games/new/klondike?lacks=easy"
        assert browser.post(f"{again}/new-deal").headers["location"] == lacking
        assert "No such deal lies ready now" in said(browser.shown(lacking))
        assert "No such deal" not in said(browser.shown("/games/new/klondike?lacks=nonsense"))
        address = browser.post("/games/new/klondike/deal", {"level": ""}).headers["location"]
        assert browser.get(f"/v1{address}").json()["origin"] == "shuffled"
