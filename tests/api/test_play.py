"""Games are opened, played and replayed over HTTP; every way to look at them says the same."""

import json
from random import Random
from typing import Any

import pytest

from domain.games import GAME_TYPES

from . import truth
from .playing import legal, look, moves, of, opened, play_on, say, seated
from .problems import told
from .serving import Player, Service
from .streaming import ending, frames, in_background


@pytest.mark.parametrize("key", sorted(GAME_TYPES))
def test_games_are_told_alike(key: str, service: Service, ada: Player, bob: Player, cyd: Player, eve: Player) -> None:
    game = opened(ada, key, seed="a lively deal")  # some deals are dead at once
    players = (ada, bob, cyd)[: len(game["seats"])]
    game = seated(game, *players[1:])
    now = {"known": "now"}
    told(eve.get(of(game, "/frames/0"), params=now), 409, "illegal", "game_not_finished")
    sealed_proof = eve.get(of(game, "/proof")).json()
    seat = look(ada, game)["view"]["to_act"][0]
    for command in legal(players[seat], game, seat)[:12]:
        asked = say(players[seat], game, command, params={"dry_run": "true", "seat": seat})
        assert (asked.status_code, asked.json()["accepted"], asked.json()["frames"]) == (200, 1, [])
    live = [in_background(player, game, seat=seat) for seat, player in enumerate(players)]
    answered: dict[int, list[Any]] = {seat: [] for seat in range(len(players))}
    for number, (seat, frame) in enumerate(play_on(players, game, Random(7))):
        answered[seat].append(frame)
        assert number > 15 or frame["version"] == look(ada, game)["version"] == len(truth.records(service, game))
    for player in players:  # everybody but one gives up, as far as it takes
        if look(ada, game)["status"] == "playing":
            assert say(player, game, {"type": "game/resign"}).status_code == 200

    for seat, player in enumerate(players):
        streamed = live[seat].result()
        assert ending(streamed) == "finished"
        by_step = {frame["step"]: frame for frame in frames(streamed)}
        assert answered[seat] == [by_step[frame["step"]] for frame in answered[seat]]
        for frame in answered[seat][::4]:
            assert frame == player.get(of(game, f"/frames/{frame['step']}"), params={"seat": seat}).json()
        listed = player.get(of(game, "/frames"), params={"seat": seat, "limit": 1000}).json()
        assert listed["frames"] == [by_step[step] for step in range(listed["steps"])]
        assert listed["next"] is None
    whole = ada.get(of(game, "/frames"), params={"limit": 1000}).json()["frames"]
    lines = ada.get(of(game, "/frames"), params={"limit": 1000}, headers={"accept": "application/x-ndjson"})
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    assert [json.loads(line) for line in lines.text.splitlines()] == whole
    paged, query = [], {"limit": 7}
    while query.get("cursor", "") is not None:
        page = ada.get(of(game, "/frames"), params=query).json()
        paged += page["frames"]
        query["cursor"] = page["next"]
    assert paged == whole
    part = ada.get(of(game, "/frames"), params={"first": 3, "last": 4}).json()
    assert (part["frames"], part["next"]) == (whole[3:5], None)
    text = ada.get(of(game, "/frames/0"), headers={"accept": "text/plain"})
    assert text.headers["content-type"].startswith("text/plain")
    assert text.text.strip()

    over = look(ada, game)
    assert over["view"]["to_act"] == []
    assert [legal(player, game) for player in players] == [[]] * len(players)
    told(say(ada, game, {"type": "game/resign"}), 409, "illegal", "game_finished")
    assert look(ada, game) == over
    shown = eve.get(of(game, f"/frames/{over['step']}"), params=now).json()
    assert all(zone.get("face_down", 0) == 0 and "#" not in zone.get("cards", ()) for zone in shown["view"]["zones"])
    sealed = truth.folded(service, game).sealed
    assert sealed is not None
    proof = eve.get(of(game, "/proof")).json()
    assert sealed_proof["commitment"] == game["commitment"]
    assert sealed_proof == proof | {"server_seed": None, "shuffles": None}
    assert (proof["server_seed"], bool(proof["shuffles"])) == (sealed.seed.hex(), True)


def test_frames_beyond_the_end_are_none(ada: Player) -> None:
    game = opened(ada)
    for first in (1, 31, 32, 1_000, 2**31 - 1):
        page = ada.get(of(game, "/frames"), params={"first": first})
        assert page.status_code == 200, page.text
        assert (page.json()["frames"], page.json()["next"]) == ([], None)
    for step in (1, 32, 1_000, 10**30, -1):
        told(ada.get(of(game, f"/frames/{step}")), 404, "no_such_thing")


def test_undo_is_a_step_that_takes_one_back(ada: Player) -> None:
    game = opened(ada, options={"undo": True})
    before = look(ada, game)["view"]
    first = say(ada, game, {"type": "klondike/draw"}).json()["frames"][0]
    undone = say(ada, game, {"type": "game/undo"}).json()["frames"][0]
    assert undone["view"] == before != first["view"]
    assert (undone["step"], undone["live_step"]) == (first["step"] + 1, first["step"] - 1)
    told(say(ada, game, {"type": "game/undo"}), 409, "illegal", "nothing_to_undo")
    game = opened(ada, options={"undo": False})
    say(ada, game, {"type": "klondike/draw"})
    assert {"type": "game/undo"} not in legal(ada, game)
    told(say(ada, game, {"type": "game/undo"}), 409, "illegal", "undo_not_offered")


def test_a_given_seed_deals_the_same_and_is_unrated(ada: Player) -> None:
    games = [opened(ada, seed="my lucky number") for _ in range(2)]
    assert games[0]["view"] == games[1]["view"]
    assert [(game["rated"], game["origin"]) for game in games] == [(False, "given_seed")] * 2


def test_nobody_speaks_out_of_turn_and_a_resigner_loses(ada: Player, bob: Player) -> None:
    game = seated(opened(ada, "spite_and_malice"), bob)
    turn = look(ada, game)["view"]["to_act"][0]
    on, off = (ada, bob) if turn == 0 else (bob, ada)
    command = moves(on, game)[0]
    assert moves(off, game) == []
    told(say(off, game, command, params={"seat": turn}), 403, "not_your_seat")
    assert say(off, game, command).status_code == 409
    ended = say(ada, game, {"type": "game/resign"}).json()["frames"][0]
    assert ended["result"] == look(bob, game)["result"] == {"ending": "won", "reason": "resigned", "winners": [1]}
