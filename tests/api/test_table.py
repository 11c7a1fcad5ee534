"""Before the first card: seats taken and given back, seeds awaited, and who may see a game."""

from hashlib import sha256
from time import sleep
from typing import Any
from uuid import UUID

import httpx

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
    for path, body in (("/join", {}), ("/leave", None)):
        told(eve.post(of(game, path), body), 409, "illegal", "game_started")


def test_a_seat_is_chosen_taken_once_and_given_back(ada: Player, bob: Player, eve: Player) -> None:
    game = opened(ada, "spite_and_malice", seat=1, await_seeds=True)
    assert game["your_seats"] == [1]
    told(ada.post(of(game, "/join"), {}), 409, "illegal", "already_seated")
    for seat in (1, 7):
        told(bob.post(of(game, "/join"), {"seat": seat}), 409, "illegal", "seat_taken")
    joined = bob.post(of(game, "/join"), {"seat": 0}).json()
    assert (joined["your_seats"], joined["status"]) == ([0], "waiting")
    assert bob.post(of(game, "/leave")).json()["your_seats"] == []
    told(bob.post(of(game, "/leave")), 403, "forbidden", "not_seated")
    told(bob.post(of(game, "/seed"), {"client_seed": "b"}), 403, "forbidden", "not_seated")
    assert eve.post(of(game, "/join"), {}).json()["your_seats"] == [0]


def test_the_deal_waits_for_every_seed_and_can_be_checked(ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice", await_seeds=True)
    assert bob.post(of(game, "/join"), {"client_seed": "of bob"}).json()["status"] == "waiting"
    told(bob.post(of(game, "/seed"), {"client_seed": "again"}), 409, "illegal", "seeded")
    dealt = ada.post(of(game, "/seed"), {"client_seed": "of ada"}).json()
    assert (dealt["status"], dealt["commitment"]) == ("playing", game["commitment"])
    assert ada.get(of(game, "/proof")).json()["client_seeds"] == ["of ada", "of bob"]
    game = opened(ada, await_seeds=True)
    assert (game["status"], game["view"]) == ("waiting", None)
    assert ada.post(of(game, "/seed"), {"client_seed": "of ada"}).json()["status"] == "playing"
    say(ada, game, {"type": "game/resign"})
    proof = ada.get(of(game, "/proof")).json()
    seed = deal_seed(bytes.fromhex(proof["server_seed"]), proof["client_seeds"])
    shown = ada.get(of(game, "/frames/1"), params={"known": "now"}).json()
    cards = next(event["cards"] for event in shown["events"] if event["type"] == "klondike/dealt")
    assert tuple(cards) == shuffle(PACK, seed, 0)
    text = proof["bound"].encode()
    committed = b"kibitz/commitment/1\0" + len(text).to_bytes(8, "big") + text + bytes.fromhex(proof["server_seed"])
    assert sha256(committed).hexdigest() == game["commitment"]


def test_at_a_hot_seat_one_player_holds_every_seat(ada: Player, bob: Player) -> None:
    game = opened(ada, "spite_and_malice", hot_seat=True)
    assert (game["your_seats"], game["rated"], game["status"]) == ([0, 1], False, "playing")
    turn = game["view"]["to_act"][0]
    assert game["viewer"] == turn
    assert moves(ada, game) == moves(ada, game, turn) != []
    assert moves(ada, game, 1 - turn) == []
    assert say(ada, game, moves(ada, game, turn)[0]).json()["frames"][0]["seat"] == turn
    told(bob.post(of(game, "/join"), {}), 409, "illegal", "game_started")


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


def test_a_hidden_game_and_a_missing_game_look_the_same(ada: Player, eve: Player) -> None:
    refused = ada.post("/v1/games", {"game_type": "spite_and_malice", "visibility": "private"})
    told(refused, 409, "illegal", "private_company")
    hidden = opened(ada, visibility="private")
    missing, there = ({name: parts(one) for name, one in every_request(eve, game).items()} for game in (NOBODY, hidden))
    assert there == missing
    say(ada, hidden, {"type": "game/resign"})
    assert {name: parts(one) for name, one in every_request(eve, hidden).items()} == missing
    assert {status for status, _, _ in missing.values()} <= {404, 400}, {name: one[0] for name, one in missing.items()}


def test_lists_hold_what_the_one_who_asks_may_find(service: Service, ada: Player, eve: Player) -> None:
    games = {visibility: opened(ada, visibility=visibility) for visibility in ("public", "unlisted", "private")}
    reached(service, truth.head(service))
    own = listed(ada, player_id=ada.id)
    assert all(game["id"] in own for game in games.values())
    for finder, query in ((eve, {"player_id": ada.id}), (eve, {}), (ada, {}), (eve, {"game_type": "klondike"})):
        found = listed(finder, **query)
        assert [visibility for visibility, game in games.items() if game["id"] in found] == ["public"]
    assert look(eve, games["unlisted"])["viewer"] is None
    assert service.http.get(of(games["unlisted"])).status_code == 200


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
        for player, seat in ((ada, 1), (eve, 0), (ada, 9)):
            told(player.get(of(game, path), params={"seat": seat}), 403, "not_your_seat")
    say(ada, game, {"type": "game/resign"})
    assert look(eve, game, seat=0)["viewer"] == 0
