"""Rulings over HTTP: who may make them, that they hit every table, feed and stream alike and can be taken back."""

import json
from typing import Any, NamedTuple
from uuid import uuid4

import pytest

from .boxes import League, at, begun, done, points, running, until_both_have_moved, won
from .holding import settled
from .lining import line
from .playing import Game, look, moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, moderating, registered
from .streaming import ending, events
from .test_feed import Line, ended, fed, here, ids, lines


@pytest.fixture(scope="module")
def mo(service: Service) -> Player:
    """A moderator."""
    return moderating(service)


class Pair(NamedTuple):
    """Ada and Bob in the only fixture of Olga's league."""

    olga: Player
    ada: Player
    bob: Player
    league: League


@pytest.fixture
def pair(service: Service) -> Pair:
    olga, ada, bob = (registered(service, name) for name in ("Olga", "Ada", "Bob"))
    return Pair(olga, ada, bob, running(olga, ada, bob))


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
    return [_of(player, path) for player in people for path in PATHS]


PATHS = (
    "scores", "scores/spite_and_malice/games", "ladders", "ladders/spite_and_malice/games", "reliability",
    "back-score", "rubbers",
)  # fmt: skip


def _of(player: Player, path: str) -> Any:
    told_ = done(player.get(f"/v1/players/{player.id}/{path}"))
    return {name: value for name, value in told_.items() if name != "log_position"}


def test_a_void_hits_every_table_until_it_is_withdrawn(service: Service, mo: Player, pair: Pair) -> None:
    _, ada, bob, league = pair
    settled(service)
    nothing = shown(ada, bob)
    games = [won(service, league, ada, bob), rubber(ada)]
    settled(service)
    before, table = shown(ada, bob), points(ada, league)
    assert table == {ada.id: 24, bob.id: 0}
    assert all(one != none for _, one, none in zip(PATHS, before, nothing, strict=False)), "all that is said of Ada"
    done(mo.post("/v1/rulings", void(*games)), 201)
    settled(service)
    assert shown(ada, bob) == nothing
    assert done(ada.get(f"/v1/rubbers/{games[1]['id']}"))["voided"]
    assert points(ada, league) == {ada.id: 0, bob.id: 0}
    done(mo.post("/v1/rulings", withdrawn(*games)), 201)
    settled(service)
    assert (shown(ada, bob), points(ada, league)) == (before, table)


def test_a_correction_counts_in_every_table_and_is_taken_back(service: Service, mo: Player, pair: Pair) -> None:
    _, ada, bob, league = pair
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


def test_a_leagues_ruling_holds_in_the_league_alone(service: Service, mo: Player, pair: Pair) -> None:
    olga, ada, bob, league = pair
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


def test_only_a_moderator_rules_and_only_of_known_games(service: Service, mo: Player, ada: Player, pair: Pair) -> None:
    game = opened(ada)
    told(ada.post("/v1/rulings", void(game)), 403, "scope_missing")
    told(service.http.post("/v1/rulings", json=void(game)), 401, "unauthenticated")
    told(mo.post("/v1/rulings", void({"id": str(uuid4())})), 409, "illegal", "unknown_game")
    told(mo.post("/v1/rulings", void()), 400, "malformed")
    told(pair.olga.post(at(pair.league, "/rulings"), void(game)), 409, "illegal", "unknown_game")
    told(mo.post("/v1/rulings", correction(game)), 409, "illegal", "game_not_finished")


def test_a_result_that_the_game_cannot_have_had_is_refused(mo: Player, ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    done(say(ada, game, {"type": "game/resign"}))
    impossible: list[dict[str, Any]] = [
        {"winners": [2]}, {"winners": [0, 0]}, {"winners": []}, {"scores": [1]}, {"places": [0]}, {"places": []},
        {"places": [1, 1]}, {"places": [1, 0]}, {"places": [0, 2]}, {"ending": "lost"},
        {"ending": "abandoned", "winners": [], "places": [0, 0]}, {"ending": "drawn", "winners": [], "places": [0, 1]},
    ]  # fmt: skip
    for said in impossible:
        told(mo.post("/v1/rulings", correction(game, **said)), 409, "illegal", "impossible_result")


def test_a_game_not_finished_may_be_voided_before_it_is(service: Service, mo: Player, pair: Pair) -> None:
    _, ada, bob, league = pair
    game = begun(league, ada, bob)
    done(mo.post("/v1/rulings", void(game)), 201)
    until_both_have_moved(game, ada, bob)
    done(say(bob, game, {"type": "game/resign"}))
    settled(service)
    assert points(ada, league) == {ada.id: 0, bob.id: 0}


def test_rulings_are_listed_page_by_page_oldest_first(service: Service, mo: Player, pair: Pair) -> None:
    olga, ada, bob, league = pair
    game = won(service, league, ada, bob)
    for who, path in ((olga, at(league, "/rulings")), (mo, "/v1/rulings")):
        made = [done(who.post(path, body(game)), 201) for body in (void, withdrawn, void)]
        pages = [done(ada.get(path, params={"limit": 2}))]
        while (cursor := pages[-1]["next"]) is not None:
            pages.append(done(ada.get(path, params={"limit": 2, "cursor": cursor})))
        assert [one for page in pages for one in page["rulings"]][-3:] == made
        assert [one["kind"] for one in made] == ["void_games", "withdraw_voids", "void_games"]


def test_a_voided_game_says_so_until_the_void_is_withdrawn(service: Service, mo: Player) -> None:
    ada = registered(service, "Ada")
    game = rubber(ada)
    ruling = done(mo.post("/v1/rulings", void(game)), 201)
    settled(service)
    expected = {"league_id": None, **{name: ruling[name] for name in ("version", "at", "reason")}}
    seen = look(ada, game)
    assert (seen["status"], seen["voided_by"]) == ("voided", expected)
    assert seen["result"] is not None
    for status, expected_ids in (("finished", []), ("voided", [game["id"]])):
        listed = done(ada.get("/v1/games", params={"player_id": ada.id, "status": status}))["games"]
        assert [one["id"] for one in listed] == expected_ids
        assert all((one["status"], one["voided_by"]) == ("voided", expected) for one in listed)
    assert "Voided: it counts for nothing. Both seats were one person." in service.http.get(f"/games/{game['id']}").text
    done(mo.post("/v1/rulings", withdrawn(game)), 201)
    settled(service)
    assert (look(ada, game)["status"], look(ada, game)["voided_by"]) == ("finished", None)
    assert done(ada.get("/v1/games", params={"player_id": ada.id, "status": "voided"}))["games"] == []


def test_a_moderators_withdrawal_leaves_a_leagues_void(service: Service, mo: Player, pair: Pair) -> None:
    olga, ada, bob, league = pair
    settled(service)
    game = won(service, league, ada, bob)
    done(olga.post(at(league, "/rulings"), void(game)), 201)
    done(mo.post("/v1/rulings", void(game)), 201)
    done(mo.post("/v1/rulings", withdrawn(game)), 201)
    settled(service)
    assert look(ada, game)["voided_by"]["league_id"] == league["id"]


def rule(mo: Player, ruling: dict[str, Any], path: str = "/v1/rulings") -> Any:
    return done(mo.post(path, ruling), 201)


def test_rulings_and_withdrawals_are_lines_for_each_game(ada: Player, mo: Player) -> None:
    games = [ended(ada) for _ in range(3)]
    cursor = here(ada)
    made = rule(mo, void(*games))
    voided = fed(ada, cursor)
    assert ([one["kind"] for one in voided], ids(voided)) == (["voided"] * 3, [game["id"] for game in games])
    assert voided[0]["ruling"] == {
        "league_id": None, "version": made["version"], "at": made["at"], "reason": made["reason"],
    }  # fmt: skip
    assert voided[0]["game"]["summary"] == "Klondike with Ada was declared void."
    assert voided[0]["game"]["result"] == games[0]["result"]
    rule(mo, withdrawn(games[1]))
    (restored,) = fed(ada, voided[-1]["cursor"])
    assert (restored["kind"], restored["game"]["id"]) == ("restored", games[1]["id"])
    assert restored["game"]["summary"] == "Ada lost Klondike after 0 moves (resigned), which counts again."
    assert fed(ada, cursor) == [*voided, restored]


def test_the_feed_goes_on_from_any_line_of_a_ruling(ada: Player, mo: Player) -> None:
    games, hidden = [ended(ada) for _ in range(4)], ended(ada, visibility="private")
    cursor = here(ada)
    rule(mo, void(games[0], hidden, *games[1:]))
    later = ended(ada)
    whole = fed(ada, cursor)
    assert ids(whole) == [*(game["id"] for game in games), later["id"]]
    for number, one in enumerate(whole):
        assert fed(ada, one["cursor"]) == whole[number + 1 :]
    one_by_one, place = list[Line](), cursor
    while found := lines(ada, cursor=place, limit=1)[:-1]:
        one_by_one += found
        place = found[0]["cursor"]
    assert one_by_one == whole
    assert fed(ada, cursor, game_type="golf") == []


def test_what_changes_nothing_is_no_line(service: Service, mo: Player, pair: Pair) -> None:
    olga, ann, ben, league = pair
    game = won(service, league, ann, ben)
    cursor = here(ann)
    rule(olga, void(game), path=at(league, "/rulings"))
    rule(mo, void(game))
    rule(mo, withdrawn(game))
    rule(olga, withdrawn(game), path=at(league, "/rulings"))
    rule(mo, withdrawn(game))
    first, last = fed(ann, cursor)
    assert (first["kind"], first["ruling"]["league_id"]) == ("voided", league["id"])
    assert (last["kind"], last["ruling"]["league_id"]) == ("restored", league["id"])


def test_a_game_void_before_its_end_is_fed_void(ada: Player, mo: Player) -> None:
    game, cursor = opened(ada), here(ada)
    rule(mo, void(game))
    assert fed(ada, cursor) == []
    ada.post(of(game, "/commands"), {"type": "game/resign"})
    (line,) = fed(ada, cursor)
    assert (line["kind"], line["ruling"]["reason"]) == ("voided", "Both seats were one person.")
    mo.post(of(game, "/void"), {"reason": "no good"})
    rule(mo, withdrawn(game))
    assert [one["kind"] for one in fed(ada, cursor)] == ["voided", "voided"]


def test_a_games_own_stream_tells_each_ruling_once(service: Service, ada: Player, mo: Player) -> None:
    game = ended(ada)
    version = look(ada, game)["version"]
    resume = {"headers": {"last-event-id": str(version)}}
    assert [one for one in events(ada, game) if one.name == "ruling"] == []
    assert ada.get(of(game, "/events"), **resume).status_code == 204
    made = rule(mo, void(game))
    for stream in (list(events(ada, game)), list(events(ada, game, **resume))):
        (told_,) = (one for one in stream if one.name == "ruling")
        assert (told_.data["status"], told_.data["ruling"]["version"]) == ("voided", made["version"])
        assert [stream[-2], ending(stream)] == [told_, "finished"]
    known = {"headers": {"last-event-id": told_.id}}
    assert ada.get(of(game, "/events"), **known).status_code == 204
    assert resumed_by_line(service, ada, game, told_.id) == []
    rule(mo, withdrawn(game))
    assert resumed_by_line(service, ada, game, told_.id) == [("ruling", "finished")]
    (restored,) = (one for one in events(ada, game, **known) if one.name == "ruling")
    assert restored.data["status"] == "finished"
    assert ada.get(of(game, "/events"), headers={"last-event-id": restored.id}).status_code == 204
    assert ada.get(of(game, "/events"), **resume).status_code == 204
    assert [one for one in events(ada, game) if one.name == "ruling"] == []


def resumed_by_line(service: Service, player: Player, game: Game, after: str) -> list[tuple[str, str | None]]:
    """What a line's subscription tells after this event, but for its end: names and statuses."""
    with line(service, player) as open_line:
        assert open_line.ask("subscribe_game", game_id=game["id"], after=after)["type"] == "ended"
        heard = [json.loads(text) for text in open_line.texts[:-1]]
    return [(one["event"], one["data"].get("status")) for one in heard if one["event"] != "end"]


def test_a_waiting_feed_hears_of_a_ruling(service: Service, ada: Player, mo: Player) -> None:
    game = ended(ada)
    cursor = here(ada)
    with service.http.stream("GET", "/v1/feed", params={"cursor": cursor, "wait": 30}) as answer:
        rule(mo, void(game))
        assert '"voided"' in next(answer.iter_lines())


def test_bad_places_are_refused(ada: Player) -> None:
    path = of(ended(ada), "/events")
    for cursor in ("1.", ".1", "1.2.3", "1.12345", "1.x"):
        told(ada.get("/v1/feed", params={"cursor": cursor}), 400, "malformed")
        told(ada.get(path, headers={"last-event-id": f"{cursor}x"}), 400, "malformed")
