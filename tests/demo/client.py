"""The demonstration's client: plays each game type to its end, follows, replays, compares, and proves the deals."""

import sys
from collections.abc import Iterator
from random import Random
from threading import Thread
from time import sleep
from typing import Any

from tests.demo import bots, proof
from tests.demo.api import Api

Frames = dict[int, Any]


def main(address: str) -> None:
    """Everything, one game type after the other."""
    ada, bob = _player(address, "Ada"), _player(address, "Bob")
    found = ada.call("list_game_types")["game_types"]
    for key in [one["key"] for one in found if one["max_seats"] == 1]:
        game = _solo(ada, key, bots.SOLO.get(key, bots.Patience)())
        if key == "bridge_solitaire":
            _scoresheet(ada, game)
    _company(ada, bob)


def _player(address: str, name: str) -> Api:
    token = Api(address).call("register_player", {"name": name})["token"]["secret"]
    return Api(address, token)


def _solo(player: Api, key: str, choice: Any) -> str:
    game = player.call("open_game", {"game_type": key})["id"]
    seen = _played({0: player}, game, {0: choice})
    _replayed(player, game, 0, seen[0])
    _proved(player, game, proof.PACKS.get(key), lambda dealt: dealt["cards"])
    return str(game)


def _company(ada: Api, bob: Api) -> None:
    """Two players and a spectator who follows the stream."""
    opening = {"game_type": "spite_and_malice", "options": {"preset": "snm_a_short"}}
    game = ada.call("open_game", opening)["id"]
    streamed: Frames = {}
    spectator = Api(str(ada.http.base_url))
    following = Thread(target=_follow, args=(spectator, game, streamed))
    following.start()
    bob.call("join_game", {}, game_id=game)
    seen = _played({0: ada, 1: bob}, game, {0: bots.spite_and_malice, 1: bots.spite_and_malice})
    for seat, player in enumerate((ada, bob)):
        _replayed(player, game, seat, seen[seat])
    following.join(30)
    _replayed(spectator, game, None, streamed)
    print(f"  the spectator's stream brought {len(streamed)} frames, the same as the replay gives")
    _proved(ada, game, proof.PACK * 2, _stocks_then_deck)


def _stocks_then_deck(dealt: dict[str, Any]) -> list[str]:
    """The stocks were dealt alternately, then came the draw deck."""
    alternately = [card for pair in zip(*dealt["stocks"], strict=True) for card in pair]
    return [*alternately, *dealt["draw"]]


def _follow(spectator: Api, game: str, streamed: Frames) -> None:
    for name, data in spectator.follow("stream_game", game_id=game):
        if name == "frame":
            streamed[data["step"]] = data


def _played(players: dict[int, Api], game: str, choices: dict[int, Any]) -> dict[int, Frames]:
    """The game played to its end; by seat the frames that the answers showed."""
    seen: dict[int, Frames] = {seat: {} for seat in players}
    random = Random(game)
    for seat, look in _turns(players, game):
        legal = players[seat].call("list_legal_commands", game_id=game, seat=seat)
        command = choices[seat](legal["commands"], look, random)
        for frame in players[seat].call("play", command, game_id=game, seat=seat)["frames"]:
            seen[seat][frame["step"]] = frame
    return seen


def _turns(players: dict[int, Api], game: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Whose turn it is and what that seat sees, until the game is over."""
    while True:
        look = players[0].call("look_at_game", game_id=game)
        if look["status"] == "finished":
            result = look["result"]
            print(f"{look['game_type']}: {result['ending']} ({result['reason']}) after {look['step']} steps")
            return
        seat = look["view"]["to_act"][0] if look["view"]["to_act"] else 0
        yield seat, look if seat == 0 else players[seat].call("look_at_game", game_id=game)


def _replayed(viewer: Api, game: str, seat: int | None, seen: Frames) -> None:
    """Every frame that was seen while playing is the frame that the replay gives."""
    looking = {} if seat is None else {"seat": seat}
    frames = {frame["step"]: frame for frame in _all_frames(viewer, game, looking)}
    assert seen, "nothing was seen"
    for step, frame in seen.items():
        assert frames[step] == frame, f"step {step} is not what was seen"
        assert viewer.call("get_frame", game_id=game, step=step, **looking) == frame, f"step {step} differs by itself"
    print(f"  replayed {len(frames)} steps; {len(seen)} frames compared{'' if seat is None else f' for seat {seat}'}")


def _all_frames(viewer: Api, game: str, looking: dict[str, int]) -> Iterator[dict[str, Any]]:
    first: int | None = 0
    while first is not None:
        page = viewer.call("list_frames", game_id=game, first=first, limit=100, **looking)
        yield from page["frames"]
        first = page["next"]


def _proved(player: Api, game: str, pack: list[str] | None, order: Any) -> None:
    """The cards of the first deal, as known now, are the ones that the committed seed makes of the pack."""
    told = player.call("deal_proof", game_id=game)
    proof.committed(told)
    if pack is None:
        print("  the committed seed is proved offline; its deal is in several parts and left to `kibitz verify`")
        return
    opening = player.call("list_frames", game_id=game, first=0, limit=5, known="now")["frames"]
    dealt = next(event for frame in opening for event in frame["events"] if event["type"].endswith("/dealt"))
    proof.check(told, pack, order(dealt))
    print(f"  the deal is proved offline: {len(pack)} cards from the committed seed")


def _scoresheet(player: Api, rubber: str) -> None:
    while player.call("get_rubber", game_id=rubber)["status"] == "open":
        sleep(0.05)  # a read model follows the log a moment behind it
    print("\nThe rubber's scoresheet:\n")
    print(player.call("get_rubber", game_id=rubber, accept="text/plain"))


if __name__ == "__main__":
    main(sys.argv[1])
