"""Hints: opened with a game, asked for by whoever plays it, the same in deals that look the same; and no detour."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from uuid import UUID, uuid4

import httpx
import msgspec
from msgspec.structs import replace

from domain.chance import Chance
from domain.games import GAME_TYPES
from domain.play.deciding import Act, Step, play
from domain.play.events import Resign
from domain.play.table import Opening, open_game
from domain.view import FACE_DOWN
from service.event_store.ids import now, uuid7
from service.live.openings import fresh_secret
from tests.analysis.planted import planted

from . import truth
from .analysing import imported
from .boxes import at
from .furnished import WHEN
from .holding import announced, entered, resign, settled
from .playing import UNDO, Game, legal, look, of, opened, say, version_of
from .problems import told
from .serving import Player, Service, done, raw, registered, server_fixture

GOLF: dict[str, Any] = {"rated": False, "hints": True}


def hint(player: Player, game: Game) -> httpx.Response:
    return player.get(of(game, "/hint"), timeout=600)  # its process waits behind whatever else runs on this machine


def hinted(player: Player, game: Game) -> dict[str, Any]:
    return done(hint(player, game))


def test_a_game_with_hints_says_so_and_counts_for_nothing(service: Service, ada: Player, eve: Player) -> None:
    before = ada.get(f"/v1/players/{ada.id}/scores").json()["rows"]
    game = opened(ada, "golf", **GOLF)
    plain = opened(ada, "golf", rated=False)
    assert [look(eve, table)["hints"] for table in (game, plain)] == [True, False]
    assert look(eve, game)["rated"] is False
    frame = eve.get(of(game, "/frames/0")).json()
    assert frame["events"][0]["hints"] is True
    for _ in range(3):
        say(ada, game, legal(ada, game)[0])
    resign(ada, game)
    settled(service)
    listed = {row["id"]: row for row in eve.get("/v1/games", params={"player_id": ada.id}).json()["games"]}
    assert [listed[table["id"]]["hints"] for table in (game, plain)] == [True, False]
    assert eve.get(of(game, "/record")).text.partition("\n")[0].count('"hints":true') == 1
    assert eve.get(of(game, "/verification")).json()["consistent"]
    assert ada.get(f"/v1/players/{ada.id}/scores").json()["rows"] == before


def test_rated_games_contests_and_typed_cards_have_no_hints(ada: Player) -> None:
    cards = list(_dealt("golf", 1))
    for body, rule, pointer in (
        ({}, "rated_hints", "/hints"),
        ({"rated": True}, "rated_hints", "/hints"),
        ({"rated": False, "deal": cards}, "hints_of_given_deal", "/deal"),
        ({"deal": cards}, "hints_of_given_deal", "/deal"),
    ):
        answer = ada.post("/v1/games", {"game_type": "golf", "hints": True, **body})
        assert told(answer, 409, "illegal", rule)["errors"][0]["pointer"] == pointer
    for key in ("bridge_solitaire", "spite_and_malice"):
        answer = ada.post("/v1/games", {"game_type": key, **GOLF})
        assert told(answer, 400, "malformed")["errors"][0]["pointer"] == "/hints"
    for more in ({"seed": "mine"}, {"visibility": "private"}, {"visibility": "unlisted"}):
        assert opened(ada, "golf", hints=True, **more)["hints"] is True
    assert opened(ada, "freecell", **GOLF, deal_number=7)["hints"] is True
    league = ada.post("/v1/leagues", {"name": "Helpers", "game_type": "golf", "rules": "same-deal-1"}).json()
    answer = ada.post(at(league, "/contests"), {**WHEN, "hints": True})
    assert "/hints" in {fault.get("pointer") for fault in told(answer, 400, "malformed")["errors"]}


def test_a_hint_is_a_legal_command_that_wins(ada: Player) -> None:
    game = opened(ada, "black_hole", **GOLF, seed="planted 0")
    for _ in range(6):
        answer = hint(ada, game)
        body = answer.json()
        assert (body["outlook"], body["certain"], body["deals"]) == ("winnable", True, 1)
        assert body["sentence"] == "This can be won."
        assert body["command"] in legal(ada, game)
        assert hint(ada, game).content == answer.content
        assert say(ada, game, body["command"]).json()["version"] == body["version"] + 1
        assert version_of(answer) == body["version"]


def test_it_says_when_the_game_cannot_be_won_any_more(ada: Player) -> None:
    plan = planted("black_hole", "planted 0", 44)
    game = opened(ada, "black_hole", **GOLF, seed=plan.seed)
    say(ada, game, [*map(msgspec.to_builtins, plan.commands[: plan.lost_step])])
    answer = hinted(ada, game)
    assert (answer["outlook"], answer["certain"], answer["command"]) == ("impossible", True, None)
    assert answer["sentence"] == "This cannot be won any more. It could before the last move."
    assert answer["undos"] == 1
    say(ada, game, UNDO)
    assert hinted(ada, game)["outlook"] == "winnable"


def test_only_who_plays_a_game_with_hints_may_ask(ada: Player, eve: Player) -> None:
    game, plain = opened(ada, "golf", **GOLF), opened(ada, "golf", rated=False)
    hidden = opened(ada, "golf", **GOLF, visibility="private")
    told(hint(eve, game), 403, "not_your_seat")
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
    return kind.deal(kind.options(), Chance(number.to_bytes(32)), 1)[0].cards


def _worlds(key: str, number: int) -> list[tuple[str, ...]]:
    """The cards of two deals that look the same, with the hidden ones in another order."""
    kind, cards = GAME_TYPES[key], list(_dealt(key, number))
    visible = kind.redact(
        kind.initial(kind.options(), 1), kind.deal(kind.options(), Chance(number.to_bytes(32)), 1)[0], 0
    )
    places = [place for place, card in enumerate(visible.cards) if card == FACE_DOWN]
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


def test_hidden_cards_make_no_difference_to_hints(service: Service, ada: Player, bob: Player) -> None:
    """Of one game type: `tests/hints/test_two_worlds` proves it of all, without a service."""
    hints = []
    for player, cards in zip((ada, bob), _worlds("golf", 3), strict=True):
        step = _with_hints("golf", cards, UUID(player.id))
        truth.append(service, step.records)
        answer = hint(player, {"id": str(step.game.id)})
        assert answer.status_code == 200, answer.text
        hints.append(answer.content.replace(str(step.game.id).encode(), b""))
    assert hints[0] == hints[1]


# Detours


def test_a_rated_games_cards_get_no_hints_elsewhere(ada: Player, bob: Player) -> None:
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


def test_a_days_deal_gets_no_hints_before_it_is_revealed(service: Service, ada: Player, bob: Player) -> None:
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
    moves = raw(ada, "/v1/move-lists/freecell", b"#1\n\n6a 6b\n", **{"content-type": "text/vnd.kibitz.moves"})
    told(hint(ada, done(moves, 201)), 409, "illegal", "no_hints")
    step = _with_hints("golf", _dealt("golf", 5), UUID(ada.id))
    made = [*step.records, *play(step.game, Resign(), Act(UUID(ada.id), 0, now())).records]
    game = imported(ada, made)
    told(hint(ada, game), 403, "not_your_seat")
    fork = ada.post(of(game, "/fork"), {"step": 0}).json()
    told(hint(ada, fork), 409, "illegal", "no_hints")


def test_forks_and_rematches_keep_their_games_hints(ada: Player, bob: Player) -> None:
    game = opened(ada, "golf", **GOLF)
    resign(ada, game)
    fork = bob.post(of(game, "/fork"), {"step": 0}).json()
    rematch = ada.post(of(game, "/rematch")).json()
    assert (fork["hints"], fork["rated"], rematch["hints"], rematch["rated"]) == (True, False, True, False)
    assert hinted(bob, fork)["version"] == fork["version"]


# Bounds


small = server_fixture(hint_queue=2, heavy_per_minute=4, run_worker=False)


def test_only_so_many_ask_at_once_and_each_once(small: Service) -> None:
    players = [registered(small, name) for name in ("Ada", "Bob", "Cyd", "Eve")]
    games = [(player, opened(player, "spider", **GOLF)) for player in players]
    others = [(players[0], opened(players[0], "spider", **GOLF)) for _ in range(2)]
    with ThreadPoolExecutor(len(games)) as pool:  # the first hint of a process takes longer than all that is sent
        answers = list(pool.map(lambda request: hint(*request), games))
        refused = [answer for answer in answers if answer.status_code == 503]
        assert [answer.status_code for answer in answers].count(200) == 2
        for answer in refused:
            told(answer, 503, "busy")
            assert int(answer.headers["retry-after"]) > 0
        answers = list(pool.map(lambda request: hint(*request), others))
        assert sorted(answer.status_code for answer in answers) == [200, 503]
        assert say(players[1], games[1][1], legal(*games[1])[0]).status_code == 200


def test_hints_take_from_the_quota_of_heavy_requests(small: Service) -> None:
    ada = registered(small, "Ada")
    game = opened(ada, "the_clock", **GOLF)
    assert [hint(ada, game).status_code for _ in range(5)] == [200] * 4 + [429]
