"""Hints: opened with a game, asked for by whoever plays it, the same in deals that look the same; and no detour."""

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from uuid import UUID, uuid4

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games import GAME_TYPES
from domain.play.deciding import Act, Step, play
from domain.play.events import Resign
from domain.play.open_record import MEDIA_TYPE, OpenRecord, record_lines
from domain.play.table import Opening, open_game
from domain.view import FACE_DOWN
from service.event_store.ids import now, uuid7
from service.event_store.store import EventStore
from service.live.openings import fresh_secret
from service.postgres import Server
from tests.analysis.planted import planted

from .holding import announced, entered, resign, settled
from .playing import Game, legal, look, of, opened, say, version_of
from .problems import told
from .serving import Player, Service, database_of, registered, serving

MOVES = "text/vnd.kibitz.moves"
GOLF: dict[str, Any] = {"rated": False, "hints": True}


def hint(player: Player, game: Game) -> httpx.Response:
    return player.get(of(game, "/hint"), timeout=600)  # its process waits behind whatever else runs on this machine


def hinted(player: Player, game: Game) -> dict[str, Any]:
    answer = hint(player, game)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_everybody_is_told_that_hints_could_be_had_and_it_counts_for_nothing(
    service: Service, ada: Player, eve: Player
) -> None:
    before = ada.get(f"/v1/players/{ada.id}/scores").json()["rows"]
    game = opened(ada, "golf", **GOLF)
    plain = opened(ada, "golf", rated=False)
    assert [look(eve, one)["hints"] for one in (game, plain)] == [True, False]
    assert look(eve, game)["rated"] is False
    frame = eve.get(of(game, "/frames/0")).json()
    assert frame["events"][0]["hints"] is True
    for _ in range(3):
        say(ada, game, legal(ada, game)[0])
    resign(ada, game)
    settled(service)
    listed = {one["id"]: one for one in eve.get("/v1/games", params={"player_id": ada.id}).json()["games"]}
    assert [listed[one["id"]]["hints"] for one in (game, plain)] == [True, False]
    assert eve.get(of(game, "/record")).text.partition("\n")[0].count('"hints":true') == 1
    assert eve.get(of(game, "/verification")).json()["consistent"]
    assert ada.get(f"/v1/players/{ada.id}/scores").json()["rows"] == before


def test_what_counts_has_no_hints_and_cards_that_were_typed_in_have_none(ada: Player) -> None:
    cards = list(_dealt("golf", 1))
    for body, rule, pointer in (
        ({"hints": True}, "rated_hints", "/hints"),
        ({"hints": True, "rated": True}, "rated_hints", "/hints"),
        ({**GOLF, "deal": cards}, "hints_of_given_deal", "/deal"),
        ({"hints": True, "deal": cards}, "hints_of_given_deal", "/deal"),
    ):
        answer = ada.post("/v1/games", {"game_type": "golf", **body})
        assert told(answer, 409, "illegal", rule)["errors"][0]["pointer"] == pointer
    for key in ("forty_thieves", "bridge_solitaire", "spite_and_malice"):
        answer = ada.post("/v1/games", {"game_type": key, **GOLF})
        assert told(answer, 400, "malformed")["errors"][0]["pointer"] == "/hints"
    for more in ({"seed": "mine"}, {"visibility": "private"}, {"visibility": "unlisted"}):
        assert opened(ada, "golf", hints=True, **more)["hints"] is True
    assert opened(ada, "freecell", **GOLF, deal_number=7)["hints"] is True


def test_leagues_and_their_contests_take_no_hints(ada: Player) -> None:
    league = ada.post("/v1/leagues", {"name": "Helpers", "game_type": "golf", "rules": "same-deal-1"}).json()
    day = {"opens": "2030-01-01T00:00:00Z", "closes": "2030-01-02T00:00:00Z", "hints": True}
    answer = ada.post("/v1/leagues/{id}/contests".format(**league), day)
    assert "/hints" in {fault.get("pointer") for fault in told(answer, 400, "malformed")["errors"]}


def test_a_hint_is_a_command_that_may_be_said_and_following_it_wins(ada: Player) -> None:
    game = opened(ada, "black_hole", **GOLF, seed="planted 0")
    for _ in range(6):
        answer = hint(ada, game)
        found = answer.json()
        assert (found["outlook"], found["certain"], found["deals"]) == ("winnable", True, 1)
        assert found["sentence"] == "This can be won."
        assert found["command"] in legal(ada, game)
        assert hint(ada, game).content == answer.content
        said = say(ada, game, found["command"])
        assert said.json()["version"] == found["version"] + 1
        assert version_of(answer) == found["version"]


def test_it_says_when_the_game_cannot_be_won_any_more(ada: Player) -> None:
    found = planted("black_hole", "planted 0", 44)
    game = opened(ada, "black_hole", **GOLF, seed=found.seed)
    say(ada, game, [*map(msgspec.to_builtins, found.commands[: found.lost_step])])
    answer = hinted(ada, game)
    assert (answer["outlook"], answer["certain"], answer["command"]) == ("impossible", True, None)
    assert answer["sentence"] == "This cannot be won any more. It could before the last move."
    assert answer["undos"] == 1
    say(ada, game, {"type": "game/undo"})
    assert hinted(ada, game)["outlook"] == "winnable"


def test_only_who_plays_may_ask_while_the_game_goes_on_and_only_where_it_was_opened_so(
    service: Service, ada: Player, eve: Player
) -> None:
    game, plain = opened(ada, "golf", **GOLF), opened(ada, "golf", rated=False)
    hidden = opened(ada, "golf", **GOLF, visibility="private")
    told(hint(eve, game), 403, "not_your_seat")
    told(service.http.get(of(game, "/hint")), 401, "unauthenticated")
    told(ada.get(of(game, "/hint"), params={"seat": 1}), 403, "not_your_seat")
    told(hint(ada, plain), 409, "illegal", "no_hints")
    told(hint(ada, opened(ada, "golf")), 409, "illegal", "no_hints")
    assert hint(eve, hidden).content == hint(eve, {"id": str(uuid4())}).content
    told(hint(eve, hidden), 404, "no_such_thing")
    waiting = opened(ada, "golf", **GOLF, await_seeds=True)
    told(hint(ada, waiting), 409, "illegal", "game_not_started")
    resign(ada, game)
    told(hint(ada, game), 409, "illegal", "game_finished")
    told(hint(eve, game), 403, "not_your_seat")


# In two worlds


def _dealt(key: str, number: int) -> tuple[str, ...]:
    kind = GAME_TYPES[key]
    found: tuple[str, ...] = kind.deal(kind.options(), Chance(number.to_bytes(32)), 1)[0].cards
    return found


def _worlds(key: str, number: int) -> list[tuple[str, ...]]:
    """The cards of two deals that look the same, with the hidden ones in another order."""
    kind, cards = GAME_TYPES[key], list(_dealt(key, number))
    shown = kind.redact(
        kind.initial(kind.options(), 1), kind.deal(kind.options(), Chance(number.to_bytes(32)), 1)[0], 0
    )
    places = [place for place, card in enumerate(shown.cards) if card == FACE_DOWN]
    other = list(cards)
    for place, card in zip(places, Random(number).sample([cards[place] for place in places], len(places)), strict=True):
        other[place] = card
    assert other != cards
    return [tuple(cards), tuple(other)]


def _with_hints(key: str, cards: Sequence[str], player: UUID) -> Step:
    """A game with hints and these cards: the service itself opens none."""
    kind, secret = GAME_TYPES[key], fresh_secret()
    opening = Opening(
        type=kind, options=kind.options(), players=(player,), rated=False, origin="given_deal", hints=True
    )
    return open_game(uuid7(), opening, replace(secret, given=tuple(cards)), Act(player, None, now()))


def _put(service: Service, step: Step) -> Game:
    """The game, put into the log."""

    async def store() -> None:
        async with EventStore(service.conninfo) as events:
            await events.append(step.records)

    asyncio.run(store())
    return {"id": str(step.game.id)}


@pytest.mark.parametrize("key", ["golf", "klondike", "pyramid"])
def test_in_two_worlds_that_differ_in_hidden_cards_alone_the_hints_are_the_same(
    key: str, service: Service, ada: Player, bob: Player
) -> None:
    players = (ada, bob)
    games = [
        _put(service, _with_hints(key, cards, UUID(player.id)))
        for player, cards in zip(players, _worlds(key, 3), strict=True)
    ]
    found = []
    for player, game in zip(players, games, strict=True):
        answer = hint(player, game)
        assert answer.status_code == 200, answer.text
        found.append(answer.content.replace(game["id"].encode(), b""))
    assert found[0] == found[1]


# Detours


def test_a_rated_game_cannot_be_asked_about_by_its_cards_in_another_game(ada: Player, bob: Player) -> None:
    """FreeCell shows every card: whoever looks on could type them in."""
    rated = opened(ada, "freecell")
    cards = look(bob, rated)["view"]["zones"]
    assert sum(len(zone.get("cards", ())) for zone in cards) == 52
    dealt = bob.get(of(rated, "/frames/0")).json()["events"][-1]["cards"]
    for player in (ada, bob):
        answer = player.post("/v1/games", {"game_type": "freecell", **GOLF, "deal": dealt})
        told(answer, 409, "illegal", "hints_of_given_deal")
    typed = opened(bob, "freecell", rated=False, deal=dealt)
    told(hint(bob, typed), 409, "illegal", "no_hints")
    resign(bob, typed)
    fork = bob.post(of(typed, "/fork"), {"step": 0}).json()
    told(hint(bob, fork), 409, "illegal", "no_hints")
    told(bob.post(of(rated, "/fork"), {"step": 0}), 409, "illegal", "game_not_finished")
    again = bob.post(of(typed, "/rematch"))
    assert (again.status_code, again.json().get("hints")) == (201, False), again.text


def test_a_days_deal_cannot_be_asked_about_before_it_is_revealed(service: Service, ada: Player, bob: Player) -> None:
    contest = announced(service.conninfo, "freecell")
    attempt = entered(ada, contest)
    told(hint(ada, attempt), 409, "illegal", "no_hints")
    told(hint(bob, attempt), 404, "no_such_thing")
    dealt = ada.get(of(attempt, "/frames/0")).json()["events"][-1]["cards"]
    near = dealt[1::-1] + dealt[2:]
    for player in (ada, bob):
        for cards in (dealt, near):
            answer = player.post("/v1/games", {"game_type": "freecell", **GOLF, "deal": cards})
            told(answer, 409, "illegal", "hints_of_given_deal")
    resign(ada, attempt)
    told(hint(ada, attempt), 409, "illegal", "no_hints")
    told(ada.post(of(attempt, "/fork"), {"step": 0}), 409, "illegal", "game_not_finished")
    told(ada.post(of(attempt, "/rematch")), 409, "illegal", "contest_game")


def test_what_is_brought_here_has_no_hints(ada: Player) -> None:
    moves = ada.http.post("/v1/move-lists/freecell", content=b"#1\n\n6a 6b\n", headers={"content-type": MOVES})
    assert moves.status_code == 201, moves.text
    told(hint(ada, moves.json()), 409, "illegal", "no_hints")
    step = _with_hints("golf", _dealt("golf", 5), UUID(ada.id))
    made = [*step.records, *play(step.game, Resign(), Act(UUID(ada.id), 0, now())).records]
    text = b"".join(record_lines(OpenRecord(tuple(made), None)))
    brought = ada.http.post("/v1/records", content=text, headers={"content-type": MEDIA_TYPE})
    assert brought.status_code == 201, brought.text
    told(hint(ada, brought.json()), 403, "not_your_seat")
    fork = ada.post(of(brought.json(), "/fork"), {"step": 0}).json()
    told(hint(ada, fork), 409, "illegal", "no_hints")


def test_a_fork_and_a_rematch_keep_the_hints_of_their_game(ada: Player, bob: Player) -> None:
    game = opened(ada, "golf", **GOLF)
    resign(ada, game)
    fork = bob.post(of(game, "/fork"), {"step": 0}).json()
    rematch = ada.post(of(game, "/rematch")).json()
    assert (fork["hints"], fork["rated"], rematch["hints"], rematch["rated"]) == (True, False, True, False)
    assert hinted(bob, fork)["version"] == fork["version"]


# Bounds


@pytest.fixture
def small(postgres: Server, template_database: str) -> Iterator[Service]:
    with database_of(postgres, template_database) as made, serving(made, hint_queue=2, run_worker=False) as service:
        yield service


def test_so_many_are_asked_for_at_once_and_one_by_each_player(small: Service) -> None:
    players = [registered(small, name) for name in ("Ada", "Bob", "Cyd", "Eve")]
    games = [(player, opened(player, "spider", **GOLF)) for player in players]
    second = opened(players[0], "spider", **GOLF)
    with ThreadPoolExecutor(len(games)) as pool:  # the first hint of a process takes longer than all that is sent
        answers = list(pool.map(lambda asked: hint(*asked), games))
        refused = [answer for answer in answers if answer.status_code == 503]
        assert [answer.status_code for answer in answers].count(200) == 2
        for answer in refused:
            told(answer, 503, "busy")
            assert int(answer.headers["retry-after"]) > 0
        answers = list(pool.map(lambda asked: hint(*asked), [(players[0], second), (players[0], other(players[0]))]))
        assert sorted(answer.status_code for answer in answers) == [200, 503]
        assert say(players[1], games[1][1], legal(*games[1])[0]).status_code == 200


def other(player: Player) -> Game:
    return opened(player, "spider", **GOLF)


def test_hints_take_from_the_quota_of_heavy_requests(postgres: Server, template_database: str) -> None:
    with database_of(postgres, template_database) as made, serving(made, heavy_per_minute=2) as service:
        ada = registered(service, "Ada")
        game = opened(ada, "the_clock", **GOLF)
        assert [hint(ada, game).status_code for _ in range(3)] == [200, 200, 429]
