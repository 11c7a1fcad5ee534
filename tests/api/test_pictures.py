"""Pictures over HTTP: a frame as SVG, a game as one page; both show what whoever asks may see, and no more."""

import json
import re
import xml.etree.ElementTree as Xml
from collections import Counter
from random import Random
from typing import Any

import httpx

from .playing import Game, look, of, opened, play_on, say, seated
from .problems import told
from .serving import Player, Service
from .test_spectator_delay import DELAY, delayed

SVG = "image/svg+xml"


def svg(player: Player, game: Game, step: int, **query: Any) -> httpx.Response:
    return player.get(of(game, f"/frames/{step}"), params=query, headers={"accept": SVG})


def shown(answer: httpx.Response) -> Counter[str]:
    """The cards of a drawing."""
    assert (answer.status_code, answer.headers["content-type"]) == (200, SVG), answer.text
    groups = Xml.fromstring(answer.text).iter("{http://www.w3.org/2000/svg}g")
    return Counter(card for group in groups if (card := group.get("data-card")))


def page(player: Player, game: Game) -> str:
    answer = player.get(of(game, "/replay"))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["content-security-policy"].startswith("sandbox allow-scripts")
    return answer.text


def kept(player: Player, game: Game) -> Any:
    """What is embedded in the page."""
    found = re.search(r'id="kibitz-game">(.*?)</script>', page(player, game), re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def frames(player: Player, game: Game, **query: Any) -> Any:
    return player.get(of(game, "/frames"), params={"limit": 1000, **query}).json()["frames"]


def name(player: Player) -> str:
    return str(player.get(f"/v1/players/{player.id}").json()["name"])


def keys(data: Any) -> list[str]:
    return [viewer["key"] for viewer in data["viewers"]]


def test_a_frame_is_drawn_for_whoever_wants_an_image(ada: Player) -> None:
    game = opened(ada)
    drawn = svg(ada, game, 0)
    assert "script" not in drawn.text
    assert drawn.headers["content-security-policy"].endswith("sandbox")
    view = frames(ada, game)[0]["view"]
    told_cards = Counter(card for zone in view["zones"] for card in zone.get("cards", ()))
    assert shown(drawn) - Counter({"#": 99}) == told_cards
    image = ada.get(of(game, "/frames/0"), headers={"accept": "image/*,*/*;q=0.8"})
    assert image.headers["content-type"] == SVG


def test_a_drawing_shows_a_seat_its_own_hand_and_others_none(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    step = look(ada, game)["step"]
    own = shown(svg(ada, game, step)), shown(svg(bob, game, step))
    assert own[0] != own[1]
    hidden = sorted(drawn["#"] for drawn in own)
    assert hidden[0] < hidden[1] == shown(svg(eve, game, step))["#"], "only one seat has a hand yet"
    told(svg(eve, game, step, seat=0), 403, "not_your_seat")
    told(svg(ada, game, step, known="now"), 409, "illegal", "game_not_finished")


def test_games_without_playing_cards_are_drawn_and_written_by_their_marks(ada: Player) -> None:
    game = opened(ada, "megiddo", hot_seat=True)
    for _ in play_on((ada, ada), game, Random(1), most=3):
        pass
    step = look(ada, game)["step"]
    drawn, text = svg(ada, game, step), ada.get(of(game, f"/frames/{step}"), headers={"accept": "text/plain"})
    assert "a black stone" in drawn.text
    assert "AS" not in text.text


def test_a_game_that_is_over_is_kept_with_everybodys_frames(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    for _ in play_on((ada, bob), game, Random(5), most=20):
        pass
    say(ada, game, {"type": "game/resign"})
    data = kept(bob, game)
    assert keys(data) == ["seat-1", "seat-0", "spectator", "all"]
    assert keys(kept(eve, game)) == ["seat-0", "seat-1", "spectator", "all"]
    assert data["game"]["players"] == [name(ada), name(bob)]
    eyes: list[dict[str, Any]] = [{"seat": 1}, {"seat": 0}, {"spectator": True}, {"known": "now"}]
    for viewer, query in zip(data["viewers"], eyes, strict=True):
        listed = frames(eve, game, **query)
        assert [frame["sentences"] for frame in viewer["frames"]] == [frame["sentences"] for frame in listed]
        assert viewer["frames"][0]["view"] == listed[0]["view"]
    assert "Not over yet" not in page(ada, game)


def test_a_game_that_goes_on_is_kept_as_the_asker_sees_it_and_says_so(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    assert keys(kept(ada, game)) == ["seat-0"]
    assert keys(kept(eve, game)) == ["spectator"]
    assert kept(eve, game)["viewers"][0]["frames"][-1]["view"] == frames(eve, game)[-1]["view"]
    assert "Not over yet: the game up to step 1. Seen by: Player 1" in page(ada, game)


def test_a_spectators_delay_holds_in_pictures_too(ada: Player, bob: Player, eve: Player) -> None:
    game = delayed(ada, bob)
    for _ in play_on((ada, bob), game, Random(3), most=8):
        pass
    newest = look(ada, game)["step"]
    assert len(kept(eve, game)["viewers"][0]["frames"]) == newest + 1 - DELAY
    told(svg(eve, game, newest), 404, "no_such_thing")
    assert kept(ada, game)["viewers"][0]["frames"][-1]["step"] == newest


def test_a_private_game_looks_missing(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada, visibility="private")
    told(eve.get(of(game, "/replay")), 404, "no_such_thing")
    told(svg(eve, game, 0), 404, "no_such_thing")
    assert page(ada, game)
