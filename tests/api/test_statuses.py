"""Statuses: who may not is 403, what is not there or may not be seen 404, what a rule forbids 409."""

import re

import httpx
import pytest

from service.event_store.ids import uuid7
from tests.openapi.described import DOCUMENT

from .holding import announced
from .playing import Game, opened
from .problems import told
from .serving import Player, Service, registered

OPERATIONS = {
    found["operationId"]: (method, path, found)
    for path, item in DOCUMENT["paths"].items()
    for method, found in item.items()
}
OF_A_THING = [name for name, (_, path, _) in OPERATIONS.items() if "_id}" in path]


def asked(http: httpx.Client, operation: str, **path: str) -> httpx.Response:
    """The answer to this operation with its first example as its body, and any id for what is not named."""
    method, template, found = OPERATIONS[operation]
    plain = {"step": "0", "season": "1", "game_type": "golf", "kind": "illegal", "month": "2026-11"}
    ids = {name: str(uuid7()) for name in re.findall(r"\w+_id(?=})", template)}
    where = template.format_map(plain | ids | path)
    if "requestBody" not in found:
        return http.request(method, where)
    media_type, content = next(iter(found["requestBody"]["content"].items()))
    example = next(iter(content["examples"].values()))["value"]
    if media_type == "application/json":
        return http.request(method, where, json=example)
    return http.request(method, where, content=example, headers={"content-type": media_type})


class Table:
    """Ada opened a public game for two and founded a league; Eve has no part in either."""

    def __init__(self, service: Service) -> None:
        self.ada, self.eve = registered(service, "Ada"), registered(service, "Eve")
        self.game: Game = opened(self.ada, "spite_and_malice")
        founding = {"name": "Boxes", "game_type": "spite_and_malice", "rules": "box-units-3", "membership": "invite"}
        self.league: str = self.ada.post("/v1/leagues", founding).json()["id"]
        self.contest = announced(service.conninfo, "golf")
        self.ids = {"game_id": self.game["id"], "league_id": self.league, "contest_id": self.contest}


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    return Table(service)


@pytest.mark.parametrize("operation", OF_A_THING)
def test_what_is_not_there_is_404(operation: str, table: Table) -> None:
    answer = asked(table.eve.http, operation)
    if operation == "void_game":  # whether there is such a game is told to moderators
        told(answer, 403, "scope_missing")
    else:
        assert (answer.status_code, answer.json()["type"]) == (404, "/v1/problems/no_such_thing")


FORBIDDEN = {
    "invite_to_game": "not_the_opener", "leave_game": "not_seated", "seed_game": "not_seated",
    "withdraw_game_invitation": "not_the_opener", "abandon_game": "not_seated",
    "get_foreknowledge": "organisers_only", "rename_league": "organisers_only", "join_league": "not_invited",
    "leave_league": "not_a_member", "open_season": "organisers_only", "close_season": "organisers_only",
    "award_fixture": "organisers_only", "cancel_fixture": "organisers_only", "reopen_fixture": "organisers_only",
    "remove_member": "organisers_only", "invite_to_league": "organisers_only", "appoint_organiser": "organisers_only",
    "withdraw_league_invitation": "organisers_only", "dismiss_organiser": "organisers_only",
    "replace_player": "organisers_only", "dissolve_league": "organisers_only", "make_league_ruling": "organisers_only",
}  # fmt: skip


AGAINST = {
    "open_rematch": "game_not_finished", "fork_game": "game_not_finished", "join_game": "already_seated",
    "get_witness": "contest_open", "list_results": "contest_open", "verify_game": "game_not_revealed",
    "announce_league_contest": "box_league",
}  # fmt: skip


def test_who_may_not_is_403_what_a_rule_forbids_409(table: Table) -> None:
    for operation, rule in FORBIDDEN.items():
        told(asked(table.eve.http, operation, **table.ids), 403, "forbidden", rule)
    for operation in ("post_command", "list_legal_commands"):
        told(asked(table.eve.http, operation, **table.ids), 403, "not_your_seat")
    for operation, rule in AGAINST.items():
        told(asked(table.ada.http, operation, **table.ids), 409, "illegal", rule)


def test_faulty_commands_tell_no_hidden_game_from_a_missing_one(ada: Player, eve: Player) -> None:
    hidden = ada.post("/v1/games", {"game_type": "klondike", "visibility": "private"}).json()["id"]
    answers = [eve.post(f"/v1/games/{game}/commands", {"type": "x"}) for game in (hidden, str(uuid7()))]
    problems = [told(answer, 404, "no_such_thing") | {"request_id": ""} for answer in answers]
    assert problems[0] == problems[1]
    own = ada.post(f"/v1/games/{hidden}/commands", {"type": "x"})
    assert told(own, 400, "malformed")["errors"][0]["pointer"] == "/type"
