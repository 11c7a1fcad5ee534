"""A day of Bridge Solitaire is a board: duplicate scoring, compared in IMPs, told in words on every way out."""

import csv
from collections.abc import Iterator
from datetime import date
from io import StringIO

import pytest

from domain.league.rules import DAYS_BOARDS
from projections.contests.results import datum, imps
from service.postgres import Server

from .holding import announced, entered, moves, resign, settled, text_of
from .playing import Game, look, say
from .serving import Player, Service, database_of, registered, serving


@pytest.fixture(scope="module")
def service(postgres: Server, template_database: str) -> Iterator[Service]:
    with database_of(postgres, template_database) as made, serving(made) as running:
        yield running


def played_out(player: Player, game: Game) -> Game:
    """The attempt at its end, by the first move listed each time."""
    while (found := look(player, game))["status"] == "playing":
        assert say(player, game, moves(player, game)[0]).status_code == 200
    return found


def test_a_board_is_announced_played_and_compared(service: Service) -> None:
    contest = announced(service.conninfo, "bridge_solitaire", DAYS_BOARDS)
    shown = service.http.get(f"/v1/contests/{contest}")
    while shown.status_code == 404:
        settled(service)
        shown = service.http.get(f"/v1/contests/{contest}")
    told = shown.json()
    day = (date.fromisoformat(told["opens"][:10]) - date(1970, 1, 1)).days
    assert told["rules"]["id"] == "same-deal-imps-2"
    assert told["options"]["length"] == "hand"
    assert told["options"]["board"] == 1 + day % 4
    ada, bob, cyd = (registered(service, name) for name in ("Ada", "Bob", "Cyd"))
    games = {one.id: entered(one, contest) for one in (ada, bob, cyd)}
    facts = games[ada.id]["view"]["facts"]
    vulnerable = [[], ["me"], ["it"], ["me", "it"]][told["options"]["board"] - 1]
    assert (facts["board"], facts["vulnerable"]) == (told["options"]["board"], vulnerable)
    ended = [played_out(one, games[one.id]) for one in (ada, bob)]
    assert say(cyd, games[cyd.id], moves(cyd, games[cyd.id])[0]).status_code == 200
    resign(cyd, games[cyd.id])
    assert ended[0]["result"]["outcome"] == ended[1]["result"]["outcome"]
    settled(service)
    found = ada.get(f"/v1/contests/{contest}/results").json()["results"]
    assert [one["outcome"] for one in found if one["player"]["id"] != cyd.id] == [
        ended[0]["result"]["outcome"], ended[1]["result"]["outcome"],
    ]  # fmt: skip
    points = ended[0]["result"]["scores"][0]
    (given_up,) = [one for one in found if one["player"]["id"] == cyd.id]
    average = datum([points, points, min(points, given_up["score"])])
    assert {one["imps"] for one in found if one["completed"]} == {imps(points - average)}
    words = ended[0]["result"]["outcome"]
    assert words in text_of(ada, f"/v1/contests/{contest}/results", "text/plain")
    rows = list(csv.DictReader(StringIO(text_of(ada, f"/v1/contests/{contest}/results", "text/csv"))))
    assert words in {row["outcome"] for row in rows}
    page = ada.get(f"/contests/{contest}", headers={"accept": "text/html"})
    assert f"<td>{words}</td>" in page.text
    sheet = service.http.get(f"/v1/rubbers/{games[ada.id]['id']}")
    assert sheet.status_code == 404, "a contest's game is withheld from others"
