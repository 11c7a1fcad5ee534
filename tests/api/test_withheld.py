"""A contest's game before the closing: to all but its player it is not there, whatever is asked, and in no list."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from domain.play import events as ev
from service.event_store.ids import uuid7
from tests.openapi.described import DOCUMENT

from . import truth
from .holding import announced, close_all, entered, move, resign, settled
from .playing import Game, look, of
from .serving import Player, Service, moderating, parts, registered, serving

OF_A_GAME = {
    told["operationId"]: (method, path, told)
    for path, item in DOCUMENT["paths"].items()
    for method, told in item.items()
    if "{game_id}" in path
}
"""Every operation on a game that the service has."""
VARIANTS: list[dict[str, Any]] = [
    {}, {"params": {"seat": 0}}, {"params": {"spectator": "true"}}, {"params": {"known": "now"}},
    {"params": {"dry_run": "true"}}, {"headers": {"if-match": '"1"'}}, {"headers": {"accept": "text/plain"}},
    {"headers": {"accept": "text/csv"}}, {"headers": {"last-event-id": "3"}}, {"params": {"max_seconds": 0}},
]  # fmt: skip
NAMED = {"step": "0", "seat": "0", "version": "1", "comment_id": "00000000-0000-0000-0000-000000000002"}
TYPES = ("golf", "bridge_solitaire", "klondike")


class Withheld:
    """Ada has finished an attempt of each of some contests and goes on with none; Bob plays on in each."""

    def __init__(self, service: Service) -> None:
        self.service, self.conninfo = service, service.conninfo
        self.ada, self.bob, self.eve = (registered(service, name) for name in ("Ada", "Bob", "Eve"))
        self.contests = {key: announced(self.conninfo, key) for key in TYPES}
        self.over = [self._begun(self.ada, contest) for contest in self.contests.values()]
        self.going_on = [self._begun(self.bob, contest) for contest in self.contests.values()]
        for game in self.over:
            resign(self.ada, game)
        settled(service)

    def _begun(self, player: Player, contest: str) -> Game:
        game = entered(player, contest)
        for _ in range(2):
            move(player, game)
        return game

    @property
    def games(self) -> list[Game]:
        return [*self.over, *self.going_on]


@pytest.fixture(scope="module")
def withheld(conninfo: str) -> Iterator[Withheld]:
    with serving(conninfo) as service:
        yield Withheld(service)


def others(withheld: Withheld, game: Game) -> dict[str, httpx.Client]:
    """Everybody but its player: one who plays the same deal, one who does not, and nobody known."""
    rival = withheld.bob if game in withheld.over else withheld.ada
    return {"rival": rival.http, "stranger": withheld.eve.http, "nobody": withheld.service.http}


def said(operation: str, http: httpx.Client, game: str, body: Any, variant: dict[str, Any]) -> Any:
    method, path, _ = OF_A_GAME[operation]
    filled = path.format_map({**{name: str(uuid7()) for name in ("player_id", "token_id")}, **NAMED, "game_id": game})
    more = variant if body is None else {**variant, "json": body}
    status, content, headers = parts(http.request(method, filled, **more))
    return status, content.replace(game.encode(), b""), headers


def bodies(told: dict[str, Any], game: Game) -> list[Any]:
    """The examples of this operation, and a command that could be said."""
    if "requestBody" not in told:
        return [None]
    examples = told["requestBody"]["content"]["application/json"]["examples"].values()
    own = [{"type": f"{game['game_type']}/draw"}] if told["operationId"] == "post_command" else []
    return [*(example["value"] for example in examples), *own, {"type": "game/resign"}]


def questions(operation: str, game: Game, at: int) -> list[tuple[Any, dict[str, Any]]]:
    """What this operation is asked: of one game type's games each body and each variant of the first, of others one.

    Each operation has all its questions for another game type than the one before; `at`: the game's place among all.
    """
    first, *further = bodies(OF_A_GAME[operation][2], game)
    if (list(OF_A_GAME).index(operation) - at) % len(TYPES):
        return [(first, {})]
    return [*((first, variant) for variant in VARIANTS), *((body, {}) for body in further)]


@pytest.mark.parametrize("operation", OF_A_GAME)
def test_a_withheld_game_answers_like_none_to_the_byte(operation: str, withheld: Withheld) -> None:
    before = [truth.folded(withheld.service, game).version for game in withheld.games]
    requests = {
        (game["id"], http, repr(question)): question
        for at, game in enumerate(withheld.games)
        for http in others(withheld, game).values()
        for question in questions(operation, game, at)
    }
    of_nothing = {(http, name): question for (_, http, name), question in requests.items()}
    with ThreadPoolExecutor(18) as pool:  # each answer takes 50 ms, whatever is asked
        answers = pool.map(lambda item: said(operation, item[0][0], str(uuid7()), *item[1]), of_nothing.items())
        missing = dict(zip(of_nothing, answers, strict=True))
        answers = pool.map(lambda item: said(operation, item[0][1], item[0][0], *item[1]), requests.items())
        differing = [key for key, answer in zip(requests, answers, strict=True) if answer != missing[key[1:]]]
    assert differing == []
    assert [truth.folded(withheld.service, game).version for game in withheld.games] == before


def test_its_page_is_not_there_for_others(withheld: Withheld) -> None:
    for game in withheld.games:
        for page in ("games", "rubbers"):
            for http in others(withheld, game).values():
                missing, there = (http.get(f"/{page}/{number}") for number in (uuid7(), game["id"]))
                assert (there.status_code, there.text.replace(game["id"], "")) == (404, there.text)
                assert len(missing.text) == len(there.text)


def test_a_moderator_sees_no_more_and_can_only_void_it(withheld: Withheld) -> None:
    moderator = moderating(withheld.service)
    for operation in OF_A_GAME.keys() - {"void_game"}:
        for body in bodies(OF_A_GAME[operation][2], withheld.over[0]):
            missing = said(operation, moderator.http, str(uuid7()), body, {})
            assert said(operation, moderator.http, withheld.over[0]["id"], body, {}) == missing, operation


def test_an_organiser_cannot_find_it_by_ruling_on_it(withheld: Withheld) -> None:
    founded = withheld.eve.post("/v1/leagues", {"name": "Snoops", "game_type": "golf", "rules": "same-deal-1"}).json()

    def ruled(kind: str, game: str) -> tuple[int, str]:
        body: dict[str, Any] = {"type": kind, "reason": "why"}
        body |= {"game_ids": [game]} if "void" in kind else {"game_id": game}
        body |= {"ending": "lost", "winners": []} if kind == "correct_result" else {}
        answer = withheld.eve.post(f"/v1/leagues/{founded['id']}/rulings", body)
        assert answer.status_code != 400, answer.text
        return answer.status_code, answer.text.replace(game, "")

    for game in withheld.games:
        for kind in ("void_games", "withdraw_voids", "correct_result", "withdraw_correction"):
            assert ruled(kind, game["id"]) == ruled(kind, str(uuid7()))


LISTS = {
    told["operationId"]: (path, told["parameters"])
    for path, item in DOCUMENT["paths"].items()
    for method, told in item.items()
    if method == "get" and "{game_id}" not in path
}
"""Everything that can be read and is not one game."""
PAGES = ("/", "/scoreboards", "/scoreboards/{key}", "/players/{player_id}", "/game-types/{key}")


def everything_told(http: httpx.Client, withheld: Withheld, player: str) -> Iterator[str]:
    """What can be read without naming a game: every list and table, of each game type and of this player, once."""
    known, asked = Known({"player_id": player}), set[tuple[str, str]]()
    for path, parameters in [*LISTS.values(), *((page, []) for page in PAGES)]:
        named = {one["name"] for one in parameters}
        query = {"max_seconds": 0} if "max_seconds" in named else {"limit": 200} if "limit" in named else {}
        for key, contest in withheld.contests.items():
            known |= {"key": key, "contest_id": contest}
            filled = path.format_map(known)
            own = {"player_id": player} if "player_id" in named else {}
            for more in ({}, own, {"game_type": key} if "game_type" in named else {}):
                if (filled, str(more)) in asked:
                    continue
                asked.add((filled, str(more)))
                answer = http.get(filled, params={**query, **more})
                assert answer.status_code in (200, 400, 401, 403, 404, 409), answer.text
                yield answer.text


class Known(dict[str, str]):
    """What a path may name; every other number is of nothing."""

    def __missing__(self, name: str) -> str:
        return self.setdefault(name, "1" if name == "season" else str(uuid7()))


def test_no_list_and_no_table_names_it_to_others(withheld: Withheld) -> None:
    hidden = {
        withheld.ada.http: withheld.going_on, withheld.bob.http: withheld.over, withheld.eve.http: withheld.games,
        withheld.service.http: withheld.games,
    }  # fmt: skip
    for game, owner in ((withheld.over[0], withheld.ada), (withheld.going_on[0], withheld.bob)):
        for http in others(withheld, game).values():
            for told in everything_told(http, withheld, owner.id):
                assert not [each["id"] for each in hidden[http] if each["id"] in told]
    assert withheld.eve.get(f"/v1/players/{withheld.ada.id}/scores").json()["rows"] == []


def test_its_player_has_it_listed_with_its_result(withheld: Withheld) -> None:
    listed = withheld.ada.get("/v1/games", params={"player_id": withheld.ada.id}).json()["games"]
    assert {one["id"]: one["status"] for one in listed} == {game["id"]: "finished" for game in withheld.over}
    assert all(one["result"]["reason"] for one in listed)
    assert withheld.ada.get(f"/v1/rubbers/{withheld.over[1]['id']}").status_code == 200


def secrets(withheld: Withheld, game: Game) -> tuple[str, str]:
    sealed = truth.folded(withheld.service, game).sealed
    assert sealed is not None
    return sealed.seed.hex(), sealed.digest_key.hex()


def test_its_player_too_learns_nothing_hidden_and_cannot_play_again(withheld: Withheld) -> None:
    for game in withheld.over:
        seed, key = secrets(withheld, game)
        assert withheld.ada.post(of(game, "/fork"), {"step": 0}).status_code == 409
        assert withheld.ada.post(of(game, "/rematch")).json()["rule"] == "contest_game"
        for operation, (method, path, _) in OF_A_GAME.items():
            if method == "get":
                asked = {"max_seconds": 0} if operation == "stream_game" else {}
                filled = path.format_map({**NAMED, "game_id": game["id"]})
                for query in ({}, {"known": "now"}, {"seat": 0}, {"spectator": "true"}):
                    answer = withheld.ada.get(filled, params={**asked, **query})
                    assert answer.status_code in (200, 400, 404, 409), (operation, answer.text)
                    assert (seed in answer.text, key in answer.text) == (False, False)


def test_the_log_of_the_service_names_neither_game_nor_seed(withheld: Withheld) -> None:
    log = withheld.service.log()
    for game in withheld.games:
        assert not [secret for secret in secrets(withheld, game) if secret in log]


def test_a_closed_contest_is_there_for_everybody(withheld: Withheld, conninfo: str) -> None:
    withheld.service.end()
    close_all(conninfo)
    with serving(conninfo) as service:
        settled(service)
        listed = service.http.get("/v1/games", params={"limit": 200}).json()["games"]
        assert {one["id"] for one in listed} == {game["id"] for game in withheld.games}
        for game in withheld.games:
            assert look(withheld.eve.on(service), game)["status"] == "finished"
            events = [type(record.event) for record in truth.records(service, game)]
            assert (events.count(ev.Finished), events.count(ev.Revealed)) == (1, 1)
        assert service.http.get(f"/v1/rubbers/{withheld.over[1]['id']}").status_code == 200
        assert service.http.get(f"/v1/players/{withheld.ada.id}/scores").json()["rows"] != []
