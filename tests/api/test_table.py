"""Before the first card: seats taken and given back, seeds awaited, and who may see a game."""

from hashlib import sha256
from time import sleep
from typing import Any
from uuid import UUID

import httpx
import pytest

from domain.chance import deal_seed, shuffle
from domain.kit.cards import PACK

from . import truth
from .playing import Game, legal, look, moves, of, opened, say, seated
from .problems import told
from .serving import Player, Service, parts

NOBODY = {"id": str(UUID("01890000-0000-7000-8000-000000000000"))}


def test_the_last_seat_taken_starts_the_game(service: Service, ada: Player, bob: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice")
    assert (game["status"], game["view"], game["your_seats"], game["viewer"]) == ("waiting", None, [0], 0)
    told(say(ada, game, {"type": "spite_and_malice/end_turn"}), 409, "illegal", "game_not_started")
    told(say(ada, game, {"type": "game/resign"}), 409, "illegal", "game_not_started")
    joined = bob.post(of(game, "/join"), {}).json()
    assert (joined["status"], joined["your_seats"], joined["viewer"]) == ("playing", [1], 1)
    assert [seat["player"]["id"] for seat in joined["seats"]] == [ada.id, bob.id]
    for refused in ("/join", "/leave"):
        answer = eve.post(of(game, refused), {} if refused == "/join" else None)
        told(answer, 409, "illegal", "game_started")


def test_a_seat_is_chosen_and_taken_once(ada: Player, bob: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice", seat=1)
    assert game["your_seats"] == [1]
    told(ada.post(of(game, "/join"), {}), 409, "illegal", "already_seated")
    told(bob.post(of(game, "/join"), {"seat": 1}), 409, "illegal", "seat_taken")
    told(bob.post(of(game, "/join"), {"seat": 7}), 409, "illegal", "seat_taken")
    assert bob.post(of(game, "/join"), {"seat": 0}).json()["your_seats"] == [0]


def test_a_seat_given_back_is_free_for_another(ada: Player, bob: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice", await_seeds=True)
    assert bob.post(of(game, "/join"), {}).json()["status"] == "waiting"
    left = bob.post(of(game, "/leave"))
    assert left.json()["your_seats"] == []
    told(bob.post(of(game, "/leave")), 403, "forbidden", "not_seated")
    told(bob.post(of(game, "/seed"), {"client_seed": "b"}), 403, "forbidden", "not_seated")
    assert eve.post(of(game, "/join"), {}).json()["your_seats"] == [1]


def test_the_deal_waits_for_every_seed_and_mixes_them_in(service: Service, ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice", await_seeds=True)
    assert bob.post(of(game, "/join"), {"client_seed": "of bob"}).json()["status"] == "waiting"
    told(bob.post(of(game, "/seed"), {"client_seed": "again"}), 409, "illegal", "seeded")
    dealt = ada.post(of(game, "/seed"), {"client_seed": "of ada"}).json()
    assert dealt["status"] == "playing"
    assert dealt["commitment"] == game["commitment"]
    assert ada.get(of(game, "/proof")).json()["client_seeds"] == ["of ada", "of bob"]


def test_a_player_who_gave_a_seed_can_check_the_deal(service: Service, ada: Player) -> None:
    game = opened(ada, await_seeds=True)
    assert (game["status"], game["view"]) == ("waiting", None)
    assert ada.post(of(game, "/seed"), {"client_seed": "of ada"}).json()["status"] == "playing"
    say(ada, game, {"type": "game/resign"})
    proof = ada.get(of(game, "/proof")).json()
    seed = deal_seed(bytes.fromhex(proof["server_seed"]), proof["client_seeds"])
    shown = ada.get(of(game, "/frames/1"), params={"known": "now"}).json()
    dealt = next(event["cards"] for event in shown["events"] if event["type"] == "klondike/dealt")
    assert tuple(dealt) == shuffle(PACK, seed, 0)
    text = proof["bound"].encode()
    committed = b"kibitz/commitment/1\0" + len(text).to_bytes(8, "big") + text + bytes.fromhex(proof["server_seed"])
    assert sha256(committed).hexdigest() == game["commitment"]


def test_at_a_hot_seat_one_player_holds_every_seat_and_sees_the_one_to_act(ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice", hot_seat=True)
    assert (game["your_seats"], game["rated"], game["status"]) == ([0, 1], False, "playing")
    turn = game["view"]["to_act"][0]
    assert game["viewer"] == turn
    assert moves(ada, game) == moves(ada, game, turn) != []
    assert moves(ada, game, 1 - turn) == []
    assert say(ada, game, moves(ada, game, turn)[0]).json()["frames"][0]["seat"] == turn
    told(bob.post(of(game, "/join"), {}), 409, "illegal", "game_started")


def test_a_private_game_has_no_empty_seats(ada: Player) -> None:
    refused = ada.post("/v1/games", {"game_type": "spite_and_malice", "visibility": "private"})
    told(refused, 409, "illegal", "private_company")


def every_request(player: Player, game: Game) -> dict[str, httpx.Response]:
    """Every operation on a game, asked by this player, with what could tell a hidden game from a missing one."""
    command, stale = {"type": "klondike/draw"}, {"if-match": '"1"', "idempotency-key": "a key"}
    return {
        "look": player.get(of(game)),
        "look from a seat": player.get(of(game), params={"seat": 0}),
        "legal commands": player.get(of(game, "/legal-commands")),
        "legal commands of a seat": player.get(of(game, "/legal-commands"), params={"seat": 0}),
        "play": say(player, game, command),
        "play on a stale version": say(player, game, command, headers=stale),
        "play for a seat": say(player, game, command, params={"seat": 0}),
        "play a list": say(player, game, [command, command]),
        "dry run": say(player, game, command, params={"dry_run": "true"}),
        "dry run on a stale version": say(player, game, command, params={"dry_run": "true"}, headers=stale),
        "a list for a seat": say(player, game, [command], params={"seat": 0}),
        "another game's command": say(player, game, {"type": "bridge_solitaire/pass"}),
        "join": player.post(of(game, "/join"), {}),
        "leave": player.post(of(game, "/leave")),
        "seed": player.post(of(game, "/seed"), {"client_seed": "s"}),
        "proof": player.get(of(game, "/proof")),
        "frames": player.get(of(game, "/frames")),
        "frames far away": player.get(of(game, "/frames"), params={"first": 5000}),
        "frames as known now": player.get(of(game, "/frames"), params={"known": "now"}),
        "a frame": player.get(of(game, "/frames/0")),
        "a frame far away": player.get(of(game, "/frames/5000")),
        "stream": player.get(of(game, "/events"), params={"max_seconds": 0}),
        "moments": player.get(of(game, "/moments")),
        "fork": player.post(of(game, "/fork"), {"step": 0}),
    }


def seen(answers: dict[str, httpx.Response]) -> dict[str, Any]:
    """Everything that can be seen of the answers."""
    return {name: parts(answer) for name, answer in answers.items()}


def test_a_hidden_game_and_a_missing_game_look_the_same(ada: Player, eve: Player) -> None:
    hidden = opened(ada, visibility="private")
    missing = seen(every_request(eve, NOBODY))
    assert seen(every_request(eve, hidden)) == missing
    say(ada, hidden, {"type": "game/resign"})
    assert seen(every_request(eve, hidden)) == missing
    assert {status for status, _, _ in missing.values()} <= {404, 400}, {name: one[0] for name, one in missing.items()}


def test_a_hidden_game_looks_missing_to_who_has_no_token(service: Service, ada: Player) -> None:
    hidden = opened(ada, visibility="private")
    for path in ("", "/frames", "/frames/0", "/events", "/proof"):
        answers = [service.http.get(of(game, path)) for game in (hidden, NOBODY)]
        told(answers[0], 404, "no_such_thing")
        assert answers[0].content == answers[1].content


def test_a_private_game_is_seen_and_played_by_its_player_alone(ada: Player, eve: Player) -> None:
    game = opened(ada, visibility="private")
    assert look(ada, game)["your_seats"] == [0]
    assert say(ada, game, {"type": "klondike/draw"}).status_code == 200


def test_an_unlisted_game_is_seen_by_whoever_knows_its_id(service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada, visibility="unlisted")
    assert look(eve, game)["viewer"] is None
    assert service.http.get(of(game)).status_code == 200


@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
def test_lists_hold_what_the_one_who_asks_may_find(visibility: str, service: Service, ada: Player, eve: Player) -> None:
    game = opened(ada, visibility=visibility)
    reached(service, truth.head(service))
    own = listed(ada, player_id=ada.id)
    assert game["id"] in own
    for finder, query in ((eve, {"player_id": ada.id}), (eve, {}), (ada, {}), (eve, {"game_type": "klondike"})):
        assert (game["id"] in listed(finder, **query)) == (visibility == "public")


def reached(service: Service, position: int) -> None:
    """Wait until the lists stand at this position of the log."""
    while int(service.http.get("/v1/games", params={"limit": 1}).json()["log_position"]) < position:
        sleep(0.01)


def listed(finder: Player, **query: Any) -> list[str]:
    """The ids of every page of a list."""
    ids: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = finder.get("/v1/games", params={**query, "limit": 20, **({"cursor": cursor} if cursor else {})})
        assert answer.status_code == 200, answer.text
        ids += [game["id"] for game in answer.json()["games"]]
        cursor = answer.json()["next"]
    assert len(set(ids)) == len(ids)
    return ids


def test_a_spectator_has_no_commands(ada: Player, eve: Player) -> None:
    game = opened(ada)
    told(eve.get(of(game, "/legal-commands")), 403, "not_your_seat")
    told(say(eve, game, {"type": "klondike/draw"}), 403, "not_your_seat")
    told(say(ada, game, {"type": "klondike/draw"}, params={"seat": 1}), 403, "not_your_seat")
    assert legal(ada, game)


def test_nobody_looks_from_another_seat_before_the_end(ada: Player, bob: Player, eve: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    for path in ("", "/frames", "/frames/0", "/events"):
        told(ada.get(of(game, path), params={"seat": 1}), 403, "not_your_seat")
        told(eve.get(of(game, path), params={"seat": 0}), 403, "not_your_seat")
        told(ada.get(of(game, path), params={"seat": 9}), 403, "not_your_seat")
    say(ada, game, {"type": "game/resign"})
    assert look(eve, game, seat=0)["viewer"] == 0
