"""Ladders, boards and reliability over HTTP: why somebody stands there, CSV and text, the bar from rated tables."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

import pytest

from domain.league.rules import LADDER, RELIABILITY

from .boxes import BOX, SEASON, at, done, ending_turn, fixture, founded
from .holding import settled, text_of
from .playing import Game, look, of, opened, say, seated
from .problems import told
from .rated_games import met
from .serving import Player, Service, registered, serving
from .watching import until

KIND = "spite_and_malice"


@pytest.fixture(scope="module")
def quick(conninfo: str) -> Iterator[Service]:
    """A server of its own, whose clock looks ten times a second."""
    chosen = {"clock_seconds": 0.1, "bar_from_tables": True}
    with serving(conninfo, **chosen) as service:
        yield service


@pytest.fixture(scope="module")
def rivals(quick: Service) -> tuple[Player, Player]:
    """The first and the last of six who have met often, the first always the better."""
    ann, sly = registered(quick, "Ann"), registered(quick, '=Sly, "the fox"')
    met(quick, KIND, [ann, *(registered(quick, f"Number {number}") for number in range(2, 6)), sly], 5)
    return ann, sly


def test_every_rating_of_the_ladder_explains_itself(rivals: tuple[Player, Player]) -> None:
    ann, sly = rivals
    ladder = done(ann.get(f"/v1/ladders/{KIND}"))
    assert (ladder["rules"], ladder["listed"]) == (LADDER.id, 6)
    shown = [(row["rank"], row["player"]["id"], row["games"]) for row in ladder["rows"]]
    assert (shown[0], shown[-1]) == ((1, ann.id, 25), (6, sly.id, 25))
    games = done(sly.get(f"/v1/players/{sly.id}/ladders/{KIND}/games"))
    assert games["rules"] == LADDER.id
    assert [game["number"] for game in games["games"]] == list(range(25, 0, -1))
    assert games["games"][0]["after"] == ladder["rows"][-1]["rating"]
    assert sum(game["weight"] for game in games["games"]) == pytest.approx(ladder["rows"][-1]["weight"])
    assert all(0 < game["weight"] <= 1 for game in games["games"])
    assert all(one["before"] == other["after"] for one, other in zip(games["games"], games["games"][1:], strict=False))
    own = done(sly.get(f"/v1/players/{sly.id}/ladders"))
    assert (own["rules"], [row["rank"] for row in own["rows"]]) == (LADDER.id, [6])
    first = done(ann.get(f"/v1/ladders/{KIND}", params={"limit": 1}))
    rest = done(ann.get(f"/v1/ladders/{KIND}", params={"limit": 1, "cursor": first["next"]}))
    assert [*first["rows"], *rest["rows"]] == ladder["rows"][:2]
    told(ann.get("/v1/ladders/klondike"), 404, "no_such_thing")
    board = done(ann.get(f"/v1/scoreboards/{KIND}"))
    assert (board["listed"], board["rows"]) == (0, []), "where several play the board ranks nobody"
    (row,) = done(ann.get(f"/v1/players/{ann.id}/scores"))["rows"]
    assert (row["rank"], row["wins"]) == (None, 25)


def test_games_hidden_from_some_are_unrated(quick: Service) -> None:
    ann, ben = registered(quick, "Ann"), registered(quick, "Ben")
    for visibility, rated in (("public", True), ("unlisted", False), ("private", False)):
        made = opened(ann, KIND, visibility=visibility, player_ids=[ben.id], rated=True)
        assert (made["visibility"], made["rated"]) == (visibility, rated)


@pytest.mark.parametrize("path", [f"/v1/ladders/{KIND}", f"/v1/scoreboards/{KIND}"])
def test_ladders_and_boards_as_csv_and_text(quick: Service, rivals: tuple[Player, Player], path: str) -> None:
    settled(quick)  # three answers of one log
    shown = done(rivals[0].get(path))
    lines = list(csv.DictReader(StringIO(text_of(quick.http, path, "text/csv"))))
    assert len(lines) == shown["listed"]
    assert all((line["rules"], line["log_position"]) == (shown["rules"], shown["log_position"]) for line in lines)
    text = text_of(quick.http, path, "text/plain")
    assert f"As of event {shown['log_position']}." in text
    told(quick.http.get(path, headers={"accept": "image/png"}), 406, "not_acceptable")
    assert "ladders" not in path or lines[-1]["name"] == '\'=Sly, "the fox"', "a name is no formula"


def test_no_rating_comes_of_both_seats_of_one_player(quick: Service) -> None:
    ann = registered(quick, "Ann")
    game = opened(ann, KIND, hot_seat=True)
    spoken = set[int]()
    while len(spoken) < 2:
        seat = look(ann, game)["view"]["to_act"][0]
        done(say(ann, game, ending_turn(ann, game, seat), params={"seat": seat}))
        spoken.add(seat)
    done(say(ann, game, {"type": "game/resign"}))
    settled(quick)
    for path in ("ladders", "scores"):
        assert done(ann.get(f"/v1/players/{ann.id}/{path}"))["rows"] == []


class Late(NamedTuple):
    """Who let the time of these games with another run out."""

    player: Player
    other: Player
    games: list[Game]


@pytest.fixture(scope="module")
def often_and_in_private(quick: Service) -> tuple[Late, Late]:
    """In as many public games as bar from tables, and in as many private ones; all are waited for at once."""
    often, in_private = (Late(registered(quick, "Late"), registered(quick, "Ann"), []) for _ in range(2))
    private = {"visibility": "private", "player_ids": [in_private.player.id]}
    for late, more in ((often, {}), (in_private, private)):
        late.games.extend(_on_turn(late.player, late.other, **more) for _ in range(RELIABILITY.failures))
    for late in (often, in_private):
        until(lambda late=late: not any(look(late.other, game)["status"] == "playing" for game in late.games))  # type: ignore[misc]
    settled(quick)
    return often, in_private


def test_three_timeouts_bar_from_rated_tables(quick: Service, often_and_in_private: tuple[Late, Late]) -> None:
    (late, ann, games), ben = often_and_in_private[0], registered(quick, "Ben")
    shown = done(late.get(f"/v1/players/{late.id}/reliability"))
    assert (shown["rules"], shown["games"], shown["kept"]) == (RELIABILITY.id, 3, 0)
    assert [one["kind"] for one in shown["failures"]] == ["timed_out"] * 3
    assert {one["game_id"] for one in shown["failures"]} == {game["id"] for game in games}
    assert shown["barred_until"] > look(ann, games[0])["updated_at"]
    told(late.post("/v1/games", {"game_type": KIND}), 403, "forbidden", "barred")
    waiting = opened(ann, KIND)
    told(late.post(of(waiting, "/join"), {}), 403, "forbidden", "barred")
    assert opened(late, "klondike")["status"] == "playing", "alone one may play"
    assert done(ann.get(f"/v1/players/{ann.id}/reliability"))["kept"] == 3
    league = founded(ben, ann, late, **BOX)
    league = done(ben.post(at(league, "/seasons"), SEASON))
    told(late.post(at(league, f"/fixtures/{fixture(ann, league, ann, late)}/open")), 403, "forbidden", "barred")
    found = done(quick.http.get(f"/v1/players/{often_and_in_private[1].player.id}/reliability"))
    assert (found["games"], found["failures"]) == (0, []), "games that are not public count against nobody"


def _on_turn(late: Player, other: Player, **more: Any) -> Game:
    """A game in which the one who will be late is on turn and has not moved; the other must have time to."""
    game = seated(opened(other, KIND, move_seconds=15, **more), late)
    while (seen := look(other, game))["seats"][seen["view"]["to_act"][0]]["player"]["id"] != late.id:
        done(say(other, game, ending_turn(other, game)))
    return game
