"""Private company: invitations, rematches, leaving unfinished by agreement, and a moderator's voiding, over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import httpx
import pytest

from domain.play.verify import verify
from domain.player import MODERATOR_SCOPES

from . import truth
from .playing import DRAW, RESIGN, Game, in_turn, look, moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, done, moderating, registered
from .streaming import ending, events
from .test_table import NOBODY, listed, reached
from .test_withheld import OF_A_GAME, bodies, said

NO_ONE = str(UUID("01890000-0000-7000-8000-000000000001"))
DUEL = "spite_and_malice"


def private(opener: Player, *guests: Player, **more: object) -> Game:
    """A private game of two that waits for one of these."""
    return opened(opener, DUEL, visibility="private", player_ids=[guest.id for guest in guests], **more)


def invite(opener: Player, game: Game, player: str) -> httpx.Response:
    return opener.post(of(game, "/invitations"), {"player_id": player})


def uninvite(who: Player, game: Game, player: Player) -> httpx.Response:
    return who.http.delete(of(game, f"/invitations/{player.id}"))


def missing(player: Player, game: Game) -> None:
    """Every answer about this game is that about one that does not exist."""
    for operation, (_, _, described) in OF_A_GAME.items():
        body = bodies(described, game)[-1]
        hidden, nothing = (said(operation, player.http, table["id"], body, {}) for table in (game, NOBODY))
        assert hidden == nothing, operation
    told(uninvite(player, game, player), 404, "no_such_thing")
    told(invite(player, game, player.id), 404, "no_such_thing")


def in_own_list(service: Service, player: Player, game: Game) -> bool:
    reached(service, truth.head(service))
    return game["id"] in listed(player, player_id=player.id)


def sound(service: Service, game: Game) -> bool:
    """Whether the game verifies as it is stored."""
    return verify(truth.records(service, game)) == []


def test_the_invited_see_list_and_join_a_private_game(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = private(ada, bob)
    assert game["invited"] == [{"player": {"id": bob.id, "name": "Bob"}, "seat": None}]
    assert look(bob, game)["your_seats"] == []
    assert in_own_list(service, bob, game)
    assert not in_own_list(service, eve, game)
    assert game["id"] not in [*listed(bob), *listed(eve, player_id=bob.id), *listed(ada, player_id=bob.id)]
    missing(eve, game)
    joined = seated(game, bob)
    assert (joined["status"], joined["invited"], joined["your_seats"]) == ("playing", [], [1])
    missing(eve, game)
    assert in_own_list(service, bob, game)
    assert sound(service, game)


def test_private_games_without_company_and_wrong_guests_are_refused(ada: Player, bob: Player) -> None:
    body = {"game_type": DUEL, "visibility": "private"}
    for more, rule in (
        ({}, "private_company"),
        ({"player_ids": [NO_ONE]}, "unknown_player"),
        ({"player_ids": [ada.id]}, "already_seated"),
        ({"player_ids": [bob.id], "hot_seat": True}, "no_empty_seat"),
    ):
        told(ada.post("/v1/games", {**body, **more}), 409, "illegal", rule)
    told(ada.post("/v1/games", {**body, "player_ids": ["bob"]}), 400, "malformed")


def test_the_opener_invites_more_and_nobody_else_does(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = private(ada, bob)
    told(invite(bob, game, eve.id), 403, "forbidden", "not_the_opener")
    told(invite(ada, game, NO_ONE), 409, "illegal", "unknown_player")
    told(invite(ada, game, ada.id), 409, "illegal", "already_seated")
    missing(eve, game)
    assert len(done(invite(ada, game, eve.id))["invited"]) == 2
    told(invite(ada, game, eve.id), 409, "illegal", "already_invited")
    assert look(eve, game)["viewer"] is None
    assert in_own_list(service, eve, game)
    assert seated(game, eve)["status"] == "playing"
    told(bob.get(of(game)), 404, "no_such_thing")
    assert not in_own_list(service, bob, game)
    assert sound(service, game)


def test_a_withdrawn_invitation_leaves_no_trace(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = private(ada, bob)
    following = events(bob.on(service), game)
    assert next(following).data["events"][-1] == {"type": "game/invited", "player": bob.id}
    told(uninvite(eve, game, bob), 404, "no_such_thing")
    assert uninvite(ada, game, bob).status_code == 204
    assert ending(list(following)) == "access"
    missing(bob, game)
    assert not in_own_list(service, bob, game)
    told(uninvite(ada, game, bob), 404, "no_such_thing", "not_invited")
    assert sound(service, game)
    game = private(ada, bob, eve)
    told(uninvite(eve, game, bob), 403, "forbidden", "not_the_opener")
    assert uninvite(bob, game, bob).status_code == 204
    missing(bob, game)
    assert [guest["player"]["id"] for guest in look(ada, game)["invited"]] == [eve.id]
    game = private(ada, bob, await_seeds=True)
    assert seated(game, bob)["your_seats"] == [1]
    told(uninvite(ada, game, bob), 409, "illegal", "already_seated")
    assert bob.post(of(game, "/leave")).json()["your_seats"] == []
    assert seated(game, bob)["your_seats"] == [1], "who left may come back"


def abandoned(game: Game, *players: Player) -> Game:
    for player in players:
        game = done(player.post(of(game, "/abandon")))
    return game


def test_a_rematch_is_one_game_with_seats_rotated(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(private(ada, bob, options={"preset": "snm_pz"}), bob)
    told(ada.post(of(game, "/rematch")), 409, "illegal", "game_not_finished")
    say(ada, game, RESIGN)
    told(eve.post(of(game, "/rematch")), 404, "no_such_thing")
    first = bob.post(of(game, "/rematch"))
    again = first.json()
    assert (first.status_code, first.headers["location"]) == (201, of(again))
    assert (again["rematch_of_game_id"], again["visibility"], again["your_seats"]) == (game["id"], "private", [0])
    assert again["invited"] == [{"player": {"id": ada.id, "name": "Ada"}, "seat": 1}]
    assert again["options"] == game["options"]
    second = done(ada.post(of(game, "/rematch")))
    assert (second["id"], second["your_seats"]) == (again["id"], [])
    assert done(bob.post(of(game, "/rematch")))["id"] == again["id"]
    missing(eve, again)
    assert in_own_list(service, ada, again)
    assert seated(again, ada)["status"] == "playing"
    assert moves(ada, again) or moves(bob, again)
    assert sound(service, again)


def test_who_ask_at_the_same_time_get_one_rematch(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, DUEL), bob)
    say(bob, game, RESIGN)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda who: who.post(of(game, "/rematch")), [ada, bob] * 4))
    assert {answer.json()["id"] for answer in answers} == {answers[0].json()["id"]}
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]


def test_a_seat_of_a_rematch_is_kept_until_declined(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, DUEL), bob)
    told(eve.post(of(game, "/rematch")), 409, "illegal", "game_not_finished")
    say(bob, game, RESIGN)
    told(eve.post(of(game, "/rematch")), 403, "forbidden", "not_seated")
    again = ada.post(of(game, "/rematch")).json()
    assert again["your_seats"] == [1]
    told(eve.post(of(again, "/join"), {}), 409, "illegal", "seat_kept")
    told(eve.post(of(again, "/join"), {"seat": 0}), 409, "illegal", "seat_kept")
    assert uninvite(bob, again, bob).status_code == 204
    assert seated(again, eve)["status"] == "playing"
    gone = registered(service, "Gone")
    say(ada, game := seated(opened(ada, DUEL), gone), RESIGN)
    assert gone.http.delete("/v1/players/me").status_code == 204
    again = ada.post(of(game, "/rematch")).json()
    assert again["invited"] == []
    assert seated(again, eve)["status"] == "playing"


def test_a_rematch_alone_is_dealt_at_once(ada: Player) -> None:
    for game in (opened(ada), opened(ada, DUEL, hot_seat=True)):
        say(ada, game, RESIGN, params={"seat": 0})
        again = ada.post(of(game, "/rematch")).json()
        assert (again["status"], again["rematch_of_game_id"]) == ("playing", game["id"])
        assert again["rated"] == game["rated"]


def test_a_game_is_left_unfinished_when_all_agree(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, DUEL), bob)
    told(eve.post(of(game, "/abandon")), 403, "forbidden", "not_seated")
    assert abandoned(game, ada)["status"] == "playing"
    told(ada.post(of(game, "/abandon")), 409, "illegal", "nothing_to_agree")
    mover, _ = in_turn((ada, bob), game)
    done(say(mover, game, moves(mover, game)[0]))
    assert abandoned(game, bob)["status"] == "playing"
    over = abandoned(game, ada)
    assert (over["status"], over["result"]) == ("finished", {"ending": "abandoned", "reason": "agreed"})
    told(bob.post(of(game, "/abandon")), 409, "illegal", "game_finished")
    assert ada.get(of(game, "/proof")).json()["server_seed"]
    assert sound(service, game)
    alone = opened(ada)
    assert abandoned(alone, ada)["result"] == {"ending": "lost", "reason": "resigned"}
    told(ada.post(of(opened(ada, DUEL), "/abandon")), 409, "illegal", "game_not_started")
    assert sound(service, alone)


@pytest.fixture(scope="module")
def moderator(service: Service) -> Player:
    return moderating(service)


@pytest.mark.parametrize("visibility", ["public", "private"])
@pytest.mark.parametrize("over", [False, True])
def test_a_moderator_voids_a_game_with_a_reason(
    visibility: str, over: bool, service: Service, ada: Player, moderator: Player
) -> None:
    game = opened(ada, visibility=visibility)
    version = say(ada, game, [DRAW, RESIGN]).json()["version"] if over else game["version"] + 1
    answer = moderator.post(of(game, "/void"), {"reason": "a fault of the server"})
    assert answer.json() == {"game_id": game["id"], "status": "voided", "version": version + 1}
    assert look(ada, game)["status"] == "voided"
    told(say(ada, game, DRAW), 409, "illegal", "game_finished")
    told(moderator.post(of(game, "/void"), {"reason": "again"}), 409, "illegal", "voided")
    frames = ada.get(of(game, "/frames")).json()["frames"]
    assert frames[-1]["sentences"][0] == "The game is void: a fault of the server."
    assert ada.get(of(game, "/proof")).json()["server_seed"]
    assert (moderator.get(of(game)).status_code == 200) == (visibility == "public")
    reached(service, truth.head(service))
    assert game["id"] in listed(ada, player_id=ada.id, status="voided")
    assert game["id"] not in listed(ada, player_id=ada.id, status="finished")
    assert sound(service, game)


def test_only_moderators_void_with_a_reason_and_they_do_not_play(ada: Player, moderator: Player) -> None:
    game = opened(ada)
    told(ada.post(of(game, "/void"), {"reason": "mine"}), 403, "scope_missing")
    for who in (ada, moderator):
        told(who.post("/v1/tokens", {"label": "more", "scopes": ["moderate"]}), 400, "malformed")
    for reason in ("", " ", "two\nlines", "x" * 201, None):
        told(moderator.post(of(game, "/void"), {"reason": reason}), 400, "malformed")
    told(moderator.post(of(NOBODY, "/void"), {"reason": "none"}), 404, "no_such_thing")
    assert look(ada, game)["status"] == "playing"
    assert moderator.get("/v1/players/me").json()["name"] == "Mo"
    told(moderator.post("/v1/games", {"game_type": "klondike"}), 403, "scope_missing")
    assert [token["scopes"] for token in moderator.get("/v1/tokens").json()["tokens"]] == [[*MODERATOR_SCOPES]]
