"""A hidden game and one that does not exist: the same bytes, after the same questions to the database, at one time.

How many questions a server asks its pools of connections for, it counts itself (`kibitz_pool_requests_total`).
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from domain.game_type import Illegal
from service.event_store.ids import uuid7
from service.live import seats
from service.live.seats import PERIOD, NoSuchGame, delay_refusal, seconds_to_period
from service.problems import Refused

from .playing import DRAW, Game, moves, of, opened, say
from .serving import Service, parts, registered
from .test_withheld import NAMED, OF_A_GAME, bodies

_POOLS = re.compile(r'^kibitz_pool_requests_total\{[^}]*pool="(?:store|reads)"[^}]*\} (\S+)$', re.MULTILINE)
NO_PLAYER = str(uuid7())
VARIANTS: list[dict[str, Any]] = [{}, {"headers": {"if-match": '"1"'}}, {"params": {"dry_run": "true"}}]


class Hidden:
    """Ada plays private games of her own; Eve has a token and no part in them."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.ada, self.eve = registered(service, "Ada"), registered(service, "Eve")
        self.game: Game = opened(self.ada, "bridge_solitaire", visibility="private")
        say(self.ada, self.game, moves(self.ada, self.game)[0])
        for player in (self.ada, self.eve):  # game and tokens are in memory from here on
            player.get(of(self.game))
        once, again = self.count_questions(), self.count_questions()
        self.itself = again - once

    def count_questions(self) -> float:
        """Questions so far; to tell them takes some, too."""
        return sum(map(float, _POOLS.findall(self.service.metrics())))

    def cost(self, http: httpx.Client, method: str, path: str, game: str, **more: Any) -> tuple[float, Any]:
        """Questions that this request took, and all of its answer but the game's id."""
        before = self.count_questions()
        status, body, headers = parts(http.request(method, path.replace("{}", game), **more))
        return self.count_questions() - before - self.itself, (status, body.replace(game.encode(), b""), headers)


@pytest.fixture(scope="module")
def hidden(serve: Callable[..., Service]) -> Hidden:
    return Hidden(serve(run_worker=False, clock_seconds=100_000, heartbeat=3600))


def test_lists_of_rubbers_do_not_tell_of_private_ones(service: Service) -> None:
    ada, eve = registered(service, "Ada"), registered(service, "Eve")
    for visibility in "private", "public", "private":
        answer = ada.post("/v1/games", {"game_type": "bridge_solitaire", "visibility": visibility})
    written = {"min-log-position": answer.headers["log-position"]}
    address = f"/v1/players/{ada.id}/rubbers"
    for limit in 1, 2, 3:
        page = eve.get(address, params={"limit": limit}, headers=written).json()
        assert (len(page["rubbers"]), page["next"]) == (1, None)
    assert ada.get(address, params={"limit": 1}, headers=written).json()["next"] is not None


def alike(hidden: Hidden, http: httpx.Client, method: str, path: str, **more: Any) -> tuple[float, int]:
    """The cost of a request, which must be the same for the game of Ada's and for none; and its status."""
    missing = hidden.cost(http, method, path, str(uuid7()), **more)
    assert hidden.cost(http, method, path, hidden.game["id"], **more) == missing, (method, path, more)
    return missing[0], missing[1][0]


@pytest.mark.parametrize("operation", OF_A_GAME)
def test_every_operation_asks_as_much_for_a_missing_game(operation: str, hidden: Hidden) -> None:
    method, path, described = OF_A_GAME[operation]
    path = path.format_map({**dict.fromkeys(("player_id", "token_id"), NO_PLAYER), **NAMED, "game_id": "{}"})
    body = bodies(described, hidden.game)[-1]
    content = {} if body is None else {"json": body}
    alike(hidden, hidden.service.http, method, path, **content)
    for more in VARIANTS if operation == "post_command" else VARIANTS[:1]:
        alike(hidden, hidden.eve.http, method, path, **more, **content)


def test_a_look_is_really_counted(hidden: Hidden) -> None:
    """Else all costs would be alike for nothing."""
    cost, status = alike(hidden, hidden.eve.http, "GET", "/v1/games/{}")
    assert (cost > 1, status) == (True, 404)
    assert hidden.cost(hidden.ada.http, "GET", "/v1/games/{}", hidden.game["id"])[0] == 0


@pytest.mark.parametrize("page", ["/games/{}", "/rubbers/{}", "/games/{}/replay"])
def test_so_does_every_page(page: str, hidden: Hidden) -> None:
    for http in (hidden.eve.http, hidden.service.http):
        alike(hidden, http, "GET", page)


def test_a_strangers_command_counts_under_no_game_type(hidden: Hidden) -> None:
    game, before = hidden.game, commands_refused(hidden)
    assert say(hidden.eve, game, DRAW).status_code == 404
    assert say(hidden.eve, game, DRAW, headers={"if-match": '"1"'}).status_code == 404
    more = commands_refused(hidden) - before
    assert more.total() == 2
    assert all('game_type=""' in labels for labels in more), more


def commands_refused(hidden: Hidden) -> Counter[str]:
    """How many, by labels; others' of this server are among them."""
    samples = re.findall(r"kibitz_commands_total\{([^}]*refused[^}]*)\} (\S+)", hidden.service.metrics())
    return Counter({labels: int(float(count)) for labels, count in samples})


def test_an_organiser_who_rules_on_a_game_learns_as_little(hidden: Hidden) -> None:
    founded = hidden.eve.post("/v1/leagues", {"name": "Snoops", "game_type": "golf", "rules": "same-deal-1"}).json()
    path = f"/v1/leagues/{founded['id']}/rulings"

    def cost(game: str) -> tuple[float, int]:
        ruling = {"type": "void_games", "game_ids": [game], "reason": "why"}
        questions, (status, _, _) = hidden.cost(hidden.eve.http, "POST", path, game, json=ruling)
        return questions, status

    assert cost(hidden.game["id"]) == cost(str(uuid7()))


# The time


class Slow:
    """A room whose searches take so long, by a clock of its own."""

    def __init__(self, began: float, seconds: float) -> None:
        self.now, self.seconds, self.searches = began, seconds, 0

    async def query_missing_game(self) -> None:
        self.searches += 1
        self.now += self.seconds

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize("passed", [0.0, 0.0004, 0.03, 0.049])
@pytest.mark.parametrize("hidden_", [True, False])
def test_a_refusal_comes_a_period_later(passed: float, hidden_: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    room = Slow(7.0, 0.0009)
    monkeypatch.setattr(seats, "monotonic", lambda: room.now)
    monkeypatch.setattr(seats, "asyncio", SimpleNamespace(sleep=room.sleep))
    room.now += passed
    asyncio.run(delay_refusal(room.query_missing_game, NoSuchGame(hidden=hidden_), 7.0))
    assert room.now == pytest.approx(7.0 + PERIOD)
    assert room.searches == hidden_


def test_what_took_longer_comes_whole_periods_later() -> None:
    left = [seconds_to_period(passed) for passed in (0.0, PERIOD, 2.5 * PERIOD)]
    assert left == pytest.approx([PERIOD, PERIOD, PERIOD / 2])


def test_other_refusals_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Slow(7.0, 1.0)
    monkeypatch.setattr(seats, "asyncio", SimpleNamespace(sleep=room.sleep))
    for refusal in (Refused("not_your_seat", "no"), Illegal("no_move", "no")):
        asyncio.run(delay_refusal(room.query_missing_game, refusal, 7.0))
    assert (room.now, room.searches) == (7.0, 0)
