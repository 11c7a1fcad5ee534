"""Rulings on games in the feed and in a game's own stream: void, and valid again, each told once and in order."""

import json
from typing import Any

import pytest

from .boxes import at, done, running, won
from .lining import line
from .playing import Game, look, of, opened
from .problems import told
from .serving import Player, Service, moderating, registered
from .streaming import Told, ending, events
from .test_feed import Line, ended, fed, here, ids, lines


@pytest.fixture(scope="module")
def mo(service: Service) -> Player:
    """A moderator."""
    return moderating(service)


def rule(mo: Player, kind: str, *games: Game, path: str = "/v1/rulings") -> Any:
    body = {"type": kind, "game_ids": [game["id"] for game in games], "reason": "Both seats were one person."}
    return done(mo.post(path, body), 201)


def kinds(found: list[Line]) -> list[str]:
    return [line["kind"] for line in found]


def ruling_of(stream: list[Told]) -> list[Told]:
    return [one for one in stream if one.name == "ruling"]


def test_a_ruling_is_a_line_for_each_game_and_its_withdrawal_another(ada: Player, mo: Player) -> None:
    games = [ended(ada) for _ in range(3)]
    cursor = here(ada)
    made = rule(mo, "void_games", *games)
    voided = fed(ada, cursor)
    assert (kinds(voided), ids(voided)) == (["voided"] * 3, [game["id"] for game in games])
    assert voided[0]["ruling"] == {
        "league_id": None, "version": made["version"], "at": made["at"], "reason": made["reason"],
    }  # fmt: skip
    assert voided[0]["game"]["summary"] == "Klondike with Ada was declared void."
    assert voided[0]["game"]["result"] == games[0]["result"]
    rule(mo, "withdraw_voids", games[1])
    (restored,) = fed(ada, voided[-1]["cursor"])
    assert (restored["kind"], restored["game"]["id"]) == ("restored", games[1]["id"])
    assert restored["game"]["summary"] == "Ada lost Klondike after 0 moves (resigned), which counts again."
    assert fed(ada, cursor) == [*voided, restored]


def test_the_feed_goes_on_from_any_line_of_a_ruling(ada: Player, mo: Player) -> None:
    games, hidden = [ended(ada) for _ in range(4)], ended(ada, visibility="private")
    cursor = here(ada)
    rule(mo, "void_games", games[0], hidden, *games[1:])
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


def test_what_changes_nothing_is_no_line(service: Service, mo: Player) -> None:
    olga, ann, ben = (registered(service, name) for name in ("Olga", "Ann", "Ben"))
    league = running(olga, ann, ben)
    game = won(service, league, ann, ben)
    cursor = here(ann)
    rule(olga, "void_games", game, path=at(league, "/rulings"))
    rule(mo, "void_games", game)
    rule(mo, "withdraw_voids", game)
    rule(olga, "withdraw_voids", game, path=at(league, "/rulings"))
    rule(mo, "withdraw_voids", game)
    first, last = fed(ann, cursor)
    assert (first["kind"], first["ruling"]["league_id"]) == ("voided", league["id"])
    assert (last["kind"], last["ruling"]["league_id"]) == ("restored", league["id"])


def test_a_game_that_was_void_before_its_end_enters_the_feed_void(ada: Player, mo: Player) -> None:
    game, cursor = opened(ada), here(ada)
    rule(mo, "void_games", game)
    assert fed(ada, cursor) == []
    ada.post(of(game, "/commands"), {"type": "game/resign"})
    (line,) = fed(ada, cursor)
    assert (line["kind"], line["ruling"]["reason"]) == ("voided", "Both seats were one person.")
    mo.post(of(game, "/void"), {"reason": "no good"})
    rule(mo, "withdraw_voids", game)
    assert kinds(fed(ada, cursor)) == ["voided", "voided"]


def test_a_games_own_stream_tells_a_ruling_and_each_change_of_it_once(
    service: Service, ada: Player, mo: Player
) -> None:
    game = ended(ada)
    version = look(ada, game)["version"]
    resume = {"headers": {"last-event-id": str(version)}}
    assert ruling_of(list(events(ada, game))) == []
    assert ada.get(of(game, "/events"), **resume).status_code == 204
    made = rule(mo, "void_games", game)
    for stream in (list(events(ada, game)), list(events(ada, game, **resume))):
        (told_,) = ruling_of(stream)
        assert (told_.data["status"], told_.data["ruling"]["version"]) == ("voided", made["version"])
        assert [stream[-2], ending(stream)] == [told_, "finished"]
    known = {"headers": {"last-event-id": told_.id}}
    assert ada.get(of(game, "/events"), **known).status_code == 204
    assert resumed_by_line(service, ada, game, told_.id) == []
    rule(mo, "withdraw_voids", game)
    assert resumed_by_line(service, ada, game, told_.id) == [("ruling", "finished")]
    (restored,) = ruling_of(list(events(ada, game, **known)))
    assert restored.data["status"] == "finished"
    assert ada.get(of(game, "/events"), headers={"last-event-id": restored.id}).status_code == 204
    assert ada.get(of(game, "/events"), **resume).status_code == 204
    assert ruling_of(list(events(ada, game))) == []


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
        rule(mo, "void_games", game)
        assert '"voided"' in next(answer.iter_lines())


@pytest.mark.parametrize("cursor", ["1.", ".1", "1.2.3", "1.12345", "1.x"])
def test_bad_places_are_refused(ada: Player, cursor: str) -> None:
    told(ada.get("/v1/feed", params={"cursor": cursor}), 400, "malformed")
    told(ada.get(of(ended(ada), "/events"), headers={"last-event-id": f"{cursor}x"}), 400, "malformed")
