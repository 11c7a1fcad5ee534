"""Comments at the steps of a game: who reads, who writes, when, how many, and what an erasure leaves.

Those on a contest's game are in `test_contests`.
"""

from typing import Any

import httpx

from service.records.comments import MOST_IN_GAME, MOST_OF_GAME
from tests.service.sealing.dumps import dump

from . import truth
from .holding import resign
from .playing import DRAW, Game, of, opened, say, seated
from .problems import told
from .recording import imported
from .serving import Player, Service, done, moderating, pages, registered
from .test_forged_records import forged


def over(player: Player, **more: Any) -> Game:
    """A game of three steps after the deal, given up."""
    game = opened(player, **more)
    say(player, game, [DRAW, DRAW])
    resign(player, game)
    return game


def commented(player: Player, game: Game, version: int, text: str) -> httpx.Response:
    return player.post(of(game, "/comments"), {"version": version, "text": text})


def texts(player: Player, game: Game) -> list[str]:
    return [comment["text"] for comment in player.get(of(game, "/comments")).raise_for_status().json()["comments"]]


def test_comments_stand_at_their_steps_for_everybody(service: Service, ada: Player, bob: Player) -> None:
    game = over(ada)
    frames = ada.get(of(game, "/frames")).json()["frames"]
    for step in (2, 0, 2):
        made = done(commented(bob, game, frames[step]["version"], f"Step {step}"), 201)
        assert (made["step"], made["by"]["name"]) == (step, "Bob")
    assert texts(ada, game) == ["Step 0", "Step 2", "Step 2"]
    assert service.http.get(of(game, "/comments")).json() == ada.get(of(game, "/comments")).json()
    told(commented(bob, game, frames[-1]["version"] + 1, "Later"), 400, "malformed")
    for text in ("", "x" * 501, "two\nlines"):
        told(commented(bob, game, 1, text), 400, "malformed")


def test_pages_follow_one_another(ada: Player, bob: Player) -> None:
    game = over(ada)
    for number in range(5):
        done(commented((ada, bob)[number % 2], game, 1 + number // 2, str(number)), 201)
    seen = [[comment["text"] for comment in page["comments"]] for page in pages(ada, of(game, "/comments"), limit=2)]
    assert seen == [["0", "1"], ["2", "3"], ["4"]]


def test_nobody_comments_on_what_goes_on_or_is_withheld(ada: Player, eve: Player) -> None:
    live = seated(opened(ada, "spite_and_malice"), eve)
    for player in (ada, eve):
        told(commented(player, live, 1, "I hold a king."), 409, "illegal", "game_not_finished")
    assert texts(eve, live) == []
    private = over(ada, visibility="private")
    told(commented(eve, private, 1, "Here?"), 404, "no_such_thing")
    told(eve.get(of(private, "/comments")), 404, "no_such_thing")
    assert commented(ada, private, 1, "Mine.").status_code == 201


def test_writer_opener_and_moderator_alone_delete(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game, mo = over(ada), moderating(service)
    for deleter in (bob, ada, mo):
        path = of(game, f"/comments/{commented(bob, game, 1, 'Hm.').json()['id']}")
        told(eve.http.delete(path), 403, "forbidden", "writer_only")
        told(bob.http.delete(path.replace(game["id"], over(ada)["id"])), 404, "no_such_thing")
        assert deleter.http.delete(path).status_code == 204
        told(deleter.http.delete(path), 404, "no_such_thing")
    assert texts(ada, game) == []


def test_a_game_and_a_player_have_only_so_many(service: Service, ada: Player, bob: Player) -> None:
    game = over(ada)
    copy = (
        "INSERT INTO comments SELECT gen_random_uuid(), game, version, step, {}, written_at, sealed FROM comments, "
        "generate_series(1, %s) WHERE comment = %s"
    )
    first = commented(ada, game, 1, "0").json()["id"]
    truth.done(service, copy.format("player"), MOST_IN_GAME - 2, first)
    assert commented(ada, game, 1, "The last").status_code == 201
    told(commented(ada, game, 1, "One more"), 409, "illegal", "too_many_comments")
    truth.done(service, copy.format("gen_random_uuid()"), MOST_OF_GAME - MOST_IN_GAME - 1, first)
    assert commented(bob, game, 1, "The last").status_code == 201
    told(commented(bob, game, 1, "One more"), 409, "illegal", "too_many_comments")
    assert commented(ada, over(ada), 1, "Elsewhere").status_code == 201


def test_comments_are_sealed_and_go_with_their_writer(service: Service, ada: Player) -> None:
    gone, game = registered(service, "Gone"), over(ada)
    done(commented(gone, game, 1, "Zebulon was here."), 201)
    done(commented(ada, game, 1, "So was I."), 201)
    assert b"Zebulon" not in dump(service.conninfo)
    assert truth.done(service, "SELECT FROM comments WHERE player = %s", gone.id) == 1
    assert gone.http.delete("/v1/players/me").status_code == 204
    assert truth.done(service, "SELECT FROM comments WHERE player = %s", gone.id) == 0
    assert texts(ada, game) == ["So was I."]
    one, other = (commented(ada, game, 1, text).json()["id"] for text in ("One", "Other"))
    change = "UPDATE comments SET sealed = (SELECT sealed FROM comments WHERE comment = %s) WHERE comment = %s"
    assert truth.done(service, change, one, other) == 1
    assert texts(ada, game) == ["So was I.", "One"], "a text in another's row is not read"


def test_comments_on_an_import_go_with_it(bob: Player) -> None:
    record = forged(bob.id)
    game = imported(bob, record)
    assert commented(bob, game, 1, "Brought here.").status_code == 201
    assert bob.http.delete(f"/v1/records/{game['id']}").status_code == 204
    assert texts(bob, imported(bob, record)) == []
