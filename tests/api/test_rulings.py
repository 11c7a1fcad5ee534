"""Rulings over HTTP: who may make them, of what, and that they hit every table alike and can be taken back."""

from typing import Any
from uuid import uuid4

import pytest

from .boxes import at, begun, done, points, running, until_both_have_moved, won
from .holding import settled
from .playing import Game, look, moves, opened, say, seated
from .problems import told
from .serving import Player, Service, moderating, registered


@pytest.fixture(scope="module")
def mo(service: Service) -> Player:
    """A moderator."""
    return moderating(service)


def void(*games: Game) -> dict[str, Any]:
    return {"type": "void_games", "game_ids": [game["id"] for game in games], "reason": "Both seats were one person."}


def withdrawn(*games: Game) -> dict[str, Any]:
    return {**void(*games), "type": "withdraw_voids", "reason": "They were two."}


def correction(game: Game, **said: Any) -> dict[str, Any]:
    return {"type": "correct_result", "game_id": game["id"], "ending": "won", "winners": [0], "reason": "Typo.", **said}


def rubber(player: Player) -> Game:
    """A rubber that was begun and given up."""
    game = opened(player, "bridge_solitaire")
    done(say(player, game, moves(player, game)[0]))
    done(say(player, game, {"type": "game/resign"}))
    return game


def shown(*people: Player) -> list[Any]:
    """Everything that boards, ladders, reliability and rubbers say of these players, without the log position."""
    return [_of(player, path) for player in people for path in _PATHS]


_PATHS = (
    "scores", "scores/spite_and_malice/games", "ladders", "ladders/spite_and_malice/games", "reliability",
    "back-score", "rubbers",
)  # fmt: skip


def _of(player: Player, path: str) -> Any:
    told_ = done(player.get(f"/v1/players/{player.id}/{path}"))
    return {name: value for name, value in told_.items() if name != "log_position"}


def test_a_void_hits_every_table_alike_and_its_withdrawal_gives_all_back(service: Service, mo: Player) -> None:
    olga, ada, bob = (registered(service, name) for name in ("Olga", "Ada", "Bob"))
    league = running(olga, ada, bob)
    settled(service)
    nothing = shown(ada, bob)
    games = [won(service, league, ada, bob), rubber(ada)]
    settled(service)
    before, table = shown(ada, bob), points(ada, league)
    assert table == {ada.id: 24, bob.id: 0}
    assert all(one != none for _, one, none in zip(_PATHS, before, nothing, strict=False)), "all that is said of Ada"
    done(mo.post("/v1/rulings", void(*games)), 201)
    settled(service)
    assert shown(ada, bob) == nothing
    assert done(ada.get(f"/v1/rubbers/{games[1]['id']}"))["voided"]
    assert points(ada, league) == {ada.id: 0, bob.id: 0}
    done(mo.post("/v1/rulings", withdrawn(*games)), 201)
    settled(service)
    assert (shown(ada, bob), points(ada, league)) == (before, table)


def test_a_correction_counts_in_every_table_and_is_taken_back(service: Service, mo: Player) -> None:
    olga, ada, bob = (registered(service, name) for name in ("Olga", "Ada", "Bob"))
    league = running(olga, ada, bob)
    game = won(service, league, ada, bob)
    seat = next(one["seat"] for one in look(ada, game)["seats"] if one["player"]["id"] == bob.id)
    said = correction(game, winners=[seat], places=[int(other != seat) for other in range(2)])
    done(mo.post("/v1/rulings", said), 201)
    settled(service)
    assert points(ada, league) == {ada.id: 0, bob.id: 24}
    assert [row["wins"] for row in _of(bob, "scores")["rows"]] == [1]
    assert _of(bob, "ladders/spite_and_malice/games")["games"][0]["place"] == 1
    done(mo.post("/v1/rulings", {"type": "withdraw_correction", "game_id": game["id"], "reason": "No."}), 201)
    settled(service)
    assert points(ada, league) == {ada.id: 24, bob.id: 0}


def test_a_leagues_ruling_holds_in_the_league_alone(service: Service, mo: Player) -> None:
    olga, ada, bob = (registered(service, name) for name in ("Olga", "Ada", "Bob"))
    league = running(olga, ada, bob)
    game = won(service, league, ada, bob)
    before = shown(ada, bob)
    told(ada.post(at(league, "/rulings"), void(game)), 403, "forbidden", "organisers_only")
    done(olga.post(at(league, "/rulings"), void(game)), 201)
    settled(service)
    assert points(ada, league) == {ada.id: 0, bob.id: 0}
    assert shown(ada, bob) == before
    done(mo.post("/v1/rulings", void(game)), 201)
    done(olga.post(at(league, "/rulings"), withdrawn(game)), 201)
    settled(service)
    assert points(ada, league) == {ada.id: 0, bob.id: 0}, "a moderator's void is not an organiser's to lift"
    done(mo.post("/v1/rulings", withdrawn(game)), 201)
    settled(service)
    assert points(ada, league) == {ada.id: 24, bob.id: 0}


def test_only_a_moderator_rules_for_every_table_and_only_of_games_that_there_are(
    service: Service, mo: Player, ada: Player, bob: Player
) -> None:
    game = opened(ada)
    told(ada.post("/v1/rulings", void(game)), 403, "scope_missing")
    told(service.http.post("/v1/rulings", json=void(game)), 401, "unauthenticated")
    told(mo.post("/v1/rulings", {**void(game), "game_ids": [str(uuid4())]}), 409, "illegal", "unknown_game")
    told(mo.post("/v1/rulings", {**void(), "game_ids": []}), 400, "malformed")
    olga = registered(service, "Olga")
    league = running(olga, ada, bob)
    told(olga.post(at(league, "/rulings"), void(game)), 409, "illegal", "unknown_game")
    told(mo.post("/v1/rulings", correction(game)), 409, "illegal", "game_not_finished")


@pytest.mark.parametrize("said", [
    {"winners": [2]}, {"winners": [0, 0]}, {"winners": []}, {"scores": [1]}, {"places": [0]}, {"places": []},
    {"places": [1, 1]}, {"places": [1, 0]}, {"places": [0, 2]}, {"ending": "lost"},
    {"ending": "abandoned", "winners": [], "places": [0, 0]}, {"ending": "drawn", "winners": [], "places": [0, 1]},
])  # fmt: skip
def test_a_result_that_the_game_cannot_have_had_is_refused(
    service: Service, mo: Player, ended: Game, said: dict[str, Any]
) -> None:
    told(mo.post("/v1/rulings", correction(ended, **said)), 409, "illegal", "impossible_result")


@pytest.fixture(scope="module")
def ended(service: Service, ada: Player, bob: Player) -> Game:
    """A game of two that is over."""
    game = seated(opened(ada, "spite_and_malice"), bob)
    done(say(ada, game, {"type": "game/resign"}))
    return game


def test_a_game_not_finished_may_be_voided_before_it_is(service: Service, mo: Player) -> None:
    olga, ada, bob = (registered(service, name) for name in ("Olga", "Ada", "Bob"))
    league = running(olga, ada, bob)
    game = begun(league, ada, bob)
    done(mo.post("/v1/rulings", void(game)), 201)
    until_both_have_moved(game, ada, bob)
    done(say(bob, game, {"type": "game/resign"}))
    settled(service)
    assert points(ada, league) == {ada.id: 0, bob.id: 0}


def test_rulings_are_listed_page_by_page_oldest_first(service: Service, ada: Player, bob: Player) -> None:
    olga, mo = registered(service, "Olga"), moderating(service)
    league = running(olga, ada, bob)
    game = won(service, league, ada, bob)
    for who, path in ((olga, at(league, "/rulings")), (mo, "/v1/rulings")):
        made = [done(who.post(path, body(game)), 201) for body in (void, withdrawn, void)]
        pages = [done(ada.get(path, params={"limit": 2}))]
        while (cursor := pages[-1]["next"]) is not None:
            pages.append(done(ada.get(path, params={"limit": 2, "cursor": cursor})))
        assert [one for page in pages for one in page["rulings"]][-3:] == made
        assert [one["kind"] for one in made] == ["void_games", "withdraw_voids", "void_games"]


def test_a_voided_game_says_so_wherever_it_is_shown_until_the_void_is_withdrawn(service: Service, mo: Player) -> None:
    ada = registered(service, "Ada")
    game = rubber(ada)
    ruling = done(mo.post("/v1/rulings", void(game)), 201)
    settled(service)
    expected = {"league_id": None, **{name: ruling[name] for name in ("version", "at", "reason")}}
    seen = look(ada, game)
    assert (seen["status"], seen["voided_by"]) == ("voided", expected)
    assert seen["result"] is not None
    for status, ids in (("finished", []), ("voided", [game["id"]])):
        listed = done(ada.get("/v1/games", params={"player_id": ada.id, "status": status}))["games"]
        assert [one["id"] for one in listed] == ids
        assert all((one["status"], one["voided_by"]) == ("voided", expected) for one in listed)
    assert "Voided: it counts for nothing. Both seats were one person." in service.http.get(f"/games/{game['id']}").text
    done(mo.post("/v1/rulings", withdrawn(game)), 201)
    settled(service)
    assert (look(ada, game)["status"], look(ada, game)["voided_by"]) == ("finished", None)
    assert done(ada.get("/v1/games", params={"player_id": ada.id, "status": "voided"}))["games"] == []


def test_a_games_own_league_voids_it_too_and_a_moderators_withdrawal_leaves_that(service: Service, mo: Player) -> None:
    olga, ada, bob = (registered(service, name) for name in ("Olga", "Ada", "Bob"))
    league = running(olga, ada, bob)
    settled(service)
    game = won(service, league, ada, bob)
    done(olga.post(at(league, "/rulings"), void(game)), 201)
    done(mo.post("/v1/rulings", void(game)), 201)
    done(mo.post("/v1/rulings", withdrawn(game)), 201)
    settled(service)
    assert look(ada, game)["voided_by"]["league_id"] == league["id"]
