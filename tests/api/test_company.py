"""Private company: invitations, rematches, leaving unfinished by agreement, and a moderator's voiding, over HTTP."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.play.verify import verify
from domain.player import MODERATOR_SCOPES

from . import truth
from .playing import Game, look, moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, moderating, parts, registered
from .streaming import ending, events
from .test_table import NOBODY, every_request, listed, reached

NO_ONE = str(UUID("01890000-0000-7000-8000-000000000001"))


def private(opener: Player, *guests: Player, **more: Any) -> Game:
    """A private game of two that waits for one of these."""
    invite = [guest.id for guest in guests]
    return opened(opener, "spite_and_malice", visibility="private", player_ids=invite, **more)


def invite(opener: Player, game: Game, player: str) -> httpx.Response:
    return opener.post(of(game, "/invitations"), {"player_id": player})


def uninvite(who: Player, game: Game, player: Player) -> httpx.Response:
    return who.http.delete(of(game, f"/invitations/{player.id}"))


def missing(player: Player, game: Game) -> None:
    """Every answer about this game is that about one that does not exist."""
    for answers in (every_request, company_requests):
        assert bodies(answers(player, game)) == bodies(answers(player, NOBODY))


def company_requests(player: Player, game: Game) -> dict[str, httpx.Response]:
    return {
        "invite": invite(player, game, player.id),
        "invite no one": invite(player, game, NO_ONE),
        "uninvite": uninvite(player, game, player),
        "rematch": player.post(of(game, "/rematch")),
        "abandon": player.post(of(game, "/abandon")),
        "void": player.post(of(game, "/void"), {"reason": "no"}),
    }


def bodies(answers: dict[str, httpx.Response]) -> dict[str, Any]:
    return {name: parts(answer) for name, answer in answers.items()}


def in_own_list(service: Service, player: Player, game: Game) -> bool:
    reached(service, truth.head(service))
    return game["id"] in listed(player, player_id=player.id)


def sound(service: Service, game: Game) -> bool:
    """Whether the game verifies as it is stored."""
    return verify(truth.records(service, game)) == []


def test_an_invited_player_sees_lists_and_joins_a_private_game(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    game = private(ada, bob)
    assert game["invited"] == [{"player": {"id": bob.id, "name": "Bob"}, "seat": None}]
    assert look(bob, game)["your_seats"] == []
    assert in_own_list(service, bob, game)
    assert not in_own_list(service, eve, game)
    assert game["id"] not in [*listed(bob), *listed(eve, player_id=bob.id), *listed(ada, player_id=bob.id)]
    missing(eve, game)
    joined = bob.post(of(game, "/join"), {}).json()
    assert (joined["status"], joined["invited"], joined["your_seats"]) == ("playing", [], [1])
    missing(eve, game)
    assert in_own_list(service, bob, game)
    assert sound(service, game)


def test_a_private_game_without_company_is_refused_and_so_are_wrong_guests(ada: Player, bob: Player) -> None:
    body = {"game_type": "spite_and_malice", "visibility": "private"}
    told(ada.post("/v1/games", body), 409, "illegal", "private_company")
    told(ada.post("/v1/games", {**body, "player_ids": [NO_ONE]}), 409, "illegal", "unknown_player")
    told(ada.post("/v1/games", {**body, "player_ids": [ada.id]}), 409, "illegal", "already_seated")
    told(ada.post("/v1/games", {**body, "player_ids": [bob.id], "hot_seat": True}), 409, "illegal", "no_empty_seat")
    told(ada.post("/v1/games", {**body, "player_ids": ["bob"]}), 400, "malformed")


def test_the_opener_invites_more_and_nobody_else_does(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = private(ada, bob)
    told(invite(bob, game, eve.id), 403, "forbidden", "not_the_opener")
    told(invite(ada, game, NO_ONE), 409, "illegal", "unknown_player")
    told(invite(ada, game, ada.id), 409, "illegal", "already_seated")
    missing(eve, game)
    answer = invite(ada, game, eve.id)
    assert (answer.status_code, len(answer.json()["invited"])) == (200, 2)
    told(invite(ada, game, eve.id), 409, "illegal", "already_invited")
    assert look(eve, game)["viewer"] is None
    assert in_own_list(service, eve, game)
    assert eve.post(of(game, "/join"), {}).json()["status"] == "playing"
    told(bob.get(of(game)), 404, "no_such_thing")
    assert not in_own_list(service, bob, game)
    assert sound(service, game)


def test_a_keyed_invitation_is_answered_as_the_first_time(ada: Player, bob: Player, eve: Player) -> None:
    game = private(ada, bob)
    key = {"idempotency-key": "once"}
    first = ada.post(of(game, "/invitations"), {"player_id": eve.id}, headers=key)
    uninvite(ada, game, eve)
    again = ada.post(of(game, "/invitations"), {"player_id": eve.id}, headers=key)
    assert parts(again) == parts(first)
    assert len(again.json()["invited"]) == 2
    assert len(look(ada, game)["invited"]) == 1
    told(ada.post(of(game, "/invitations"), {"player_id": bob.id}, headers=key), 422, "key_reused")


def test_a_revoked_invitation_leaves_no_trace_for_the_one_it_was_for(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
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


def test_an_invitation_is_declined_by_the_player_it_is_for(ada: Player, bob: Player, eve: Player) -> None:
    game = private(ada, bob, eve)
    told(uninvite(eve, game, bob), 403, "forbidden", "not_the_opener")
    assert uninvite(bob, game, bob).status_code == 204
    missing(bob, game)
    assert [guest["player"]["id"] for guest in look(ada, game)["invited"]] == [eve.id]


def test_an_invited_player_who_sat_down_and_left_may_come_back(ada: Player, bob: Player) -> None:
    game = private(ada, bob, await_seeds=True)
    assert bob.post(of(game, "/join"), {}).json()["your_seats"] == [1]
    told(uninvite(ada, game, bob), 409, "illegal", "already_seated")
    assert bob.post(of(game, "/leave")).json()["your_seats"] == []
    assert bob.post(of(game, "/join"), {}).json()["your_seats"] == [1]


def abandoned(game: Game, *players: Player) -> Game:
    for player in players:
        answer = player.post(of(game, "/abandon"))
        assert answer.status_code == 200, answer.text
        game = answer.json()
    return game


def test_a_rematch_is_one_game_for_all_who_ask_with_the_seats_rotated(
    service: Service, ada: Player, bob: Player, eve: Player
) -> None:
    options = {"preset": "snm_pz"}
    game = seated(private(ada, bob, options=options), bob)
    told(ada.post(of(game, "/rematch")), 409, "illegal", "game_not_finished")
    say(ada, game, {"type": "game/resign"})
    told(eve.post(of(game, "/rematch")), 404, "no_such_thing")
    first = bob.post(of(game, "/rematch"))
    again = first.json()
    assert (first.status_code, first.headers["location"]) == (201, of(again))
    assert (again["rematch_of_game_id"], again["visibility"], again["your_seats"]) == (game["id"], "private", [0])
    assert again["invited"] == [{"player": {"id": ada.id, "name": "Ada"}, "seat": 1}]
    assert again["options"] == game["options"]
    second = ada.post(of(game, "/rematch"))
    assert (second.status_code, second.json()["id"], second.json()["your_seats"]) == (200, again["id"], [])
    assert bob.post(of(game, "/rematch")).json()["id"] == again["id"]
    missing(eve, again)
    assert in_own_list(service, ada, again)
    assert ada.post(of(again, "/join"), {}).json()["status"] == "playing"
    assert moves(ada, again) or moves(bob, again)
    assert sound(service, again)


def test_players_who_ask_at_the_same_time_get_the_same_rematch(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    say(bob, game, {"type": "game/resign"})
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda who: who.post(of(game, "/rematch")), [ada, bob] * 4))
    assert {answer.json()["id"] for answer in answers} == {answers[0].json()["id"]}
    assert sorted(answer.status_code for answer in answers) == [200] * 7 + [201]


def test_a_seat_of_a_public_rematch_is_kept_until_it_is_declined(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    told(eve.post(of(game, "/rematch")), 409, "illegal", "game_not_finished")
    say(bob, game, {"type": "game/resign"})
    told(eve.post(of(game, "/rematch")), 403, "forbidden", "not_seated")
    again = ada.post(of(game, "/rematch")).json()
    assert again["your_seats"] == [1]
    told(eve.post(of(again, "/join"), {}), 409, "illegal", "seat_kept")
    told(eve.post(of(again, "/join"), {"seat": 0}), 409, "illegal", "seat_kept")
    assert uninvite(bob, again, bob).status_code == 204
    assert eve.post(of(again, "/join"), {}).json()["status"] == "playing"


def test_a_rematch_alone_or_at_a_hot_seat_is_dealt_at_once(ada: Player) -> None:
    for game in (opened(ada), opened(ada, "spite_and_malice", hot_seat=True)):
        say(ada, game, {"type": "game/resign"}, params={"seat": 0})
        again = ada.post(of(game, "/rematch")).json()
        assert (again["status"], again["rematch_of_game_id"]) == ("playing", game["id"])
        assert again["rated"] == game["rated"]


def test_the_seat_of_an_erased_player_is_open_in_a_rematch(service: Service, ada: Player, eve: Player) -> None:
    gone = registered(service, "Gone")
    game = seated(opened(ada, "spite_and_malice"), gone)
    say(ada, game, {"type": "game/resign"})
    assert gone.http.delete("/v1/players/me").status_code == 204
    again = ada.post(of(game, "/rematch")).json()
    assert again["invited"] == []
    assert eve.post(of(again, "/join"), {}).json()["status"] == "playing"


def test_a_game_is_left_unfinished_when_all_agree(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    told(eve.post(of(game, "/abandon")), 403, "forbidden", "not_seated")
    assert abandoned(game, ada)["status"] == "playing"
    told(ada.post(of(game, "/abandon")), 409, "illegal", "nothing_to_agree")
    over = abandoned(game, bob)
    assert (over["status"], over["result"]) == ("finished", {"ending": "abandoned", "reason": "agreed"})
    told(bob.post(of(game, "/abandon")), 409, "illegal", "game_finished")
    assert ada.get(of(game, "/proof")).json()["server_seed"]
    assert sound(service, game)


def test_a_move_withdraws_what_was_agreed(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    abandoned(game, ada)
    players = (ada, bob)
    mover = look(ada, game)["view"]["to_act"][0]
    assert say(players[mover], game, moves(players[mover], game)[0]).status_code == 200
    assert abandoned(game, bob)["status"] == "playing"
    assert abandoned(game, ada)["status"] == "finished"


def test_whoever_plays_alone_resigns_by_abandoning(service: Service, ada: Player) -> None:
    game = opened(ada)
    assert abandoned(game, ada)["result"] == {"ending": "lost", "reason": "resigned"}
    told(ada.post(of(opened(ada, "spite_and_malice"), "/abandon")), 409, "illegal", "game_not_started")
    assert sound(service, game)


@pytest.fixture(scope="module")
def moderator(service: Service) -> Player:
    return moderating(service)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_a_moderator_voids_a_game_with_a_reason_that_all_may_read(
    visibility: str, service: Service, ada: Player, moderator: Player
) -> None:
    game = opened(ada, visibility=visibility)
    answer = moderator.post(of(game, "/void"), {"reason": "a fault of the server"})
    assert answer.json() == {"game_id": game["id"], "status": "voided", "version": game["version"] + 2}
    assert look(ada, game)["status"] == "voided"
    told(say(ada, game, {"type": "klondike/draw"}), 409, "illegal", "game_finished")
    told(moderator.post(of(game, "/void"), {"reason": "again"}), 409, "illegal", "voided")
    frames = ada.get(of(game, "/frames")).json()["frames"]
    assert frames[-1]["sentences"][0] == "The game is void: a fault of the server."
    assert ada.get(of(game, "/proof")).json()["server_seed"]
    assert (moderator.get(of(game)).status_code == 200) == (visibility == "public")
    assert sound(service, game)


def test_a_finished_game_that_is_voided_is_listed_as_void(service: Service, ada: Player, moderator: Player) -> None:
    game = opened(ada)
    say(ada, game, [{"type": "klondike/draw"}, {"type": "game/resign"}])
    assert moderator.post(of(game, "/void"), {"reason": "abuse"}).status_code == 200
    reached(service, truth.head(service))
    assert game["id"] in listed(ada, player_id=ada.id, status="voided")
    assert game["id"] not in listed(ada, player_id=ada.id, status="finished")
    assert sound(service, game)


def test_no_player_voids_or_gets_the_scope(service: Service, ada: Player, moderator: Player) -> None:
    game = opened(ada)
    told(ada.post(of(game, "/void"), {"reason": "mine"}), 403, "scope_missing")
    told(service.http.post(of(game, "/void"), json={"reason": "mine"}), 401, "unauthenticated")
    for who in (ada, moderator):
        told(who.post("/v1/tokens", {"label": "more", "scopes": ["moderate"]}), 400, "malformed")
    assert look(ada, game)["status"] == "playing"


def test_a_moderator_may_look_and_revoke_the_token_but_not_play(service: Service, moderator: Player) -> None:
    assert moderator.get("/v1/players/me").json()["name"] == "Mo"
    told(moderator.post("/v1/games", {"game_type": "klondike"}), 403, "scope_missing")
    assert [token["scopes"] for token in moderator.get("/v1/tokens").json()["tokens"]] == [[*MODERATOR_SCOPES]]


@pytest.mark.parametrize("reason", ["", " ", "two\nlines", "x" * 201, None])
def test_a_void_needs_a_reason_of_one_line(reason: str | None, ada: Player, moderator: Player) -> None:
    game = opened(ada)
    told(moderator.post(of(game, "/void"), {"reason": reason}), 400, "malformed")
    told(moderator.post(of(NOBODY, "/void"), {"reason": "none"}), 404, "no_such_thing")
    assert look(ada, game)["status"] == "playing"
