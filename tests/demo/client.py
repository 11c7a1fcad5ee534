"""The demonstration's client: plays each game type to its end, follows, replays, compares, and proves the deals."""

import sys
from collections.abc import Iterator
from random import Random
from threading import Thread
from time import sleep
from typing import Any

from tests.demo import bots, leagues, proof
from tests.demo.api import Api

Frames = dict[int, Any]
_LONG_ENOUGH = 1500
"""Turns after which a game by lot is given up: some go on for hours."""


def main(address: str) -> None:
    """Everything, one game type after the other."""
    people = [_player(address, name) for name in ("Ada", "Bob", "Cyd", "Dan", "Eve")]
    ada = people[0]
    found = ada.call("list_game_types")["game_types"]
    for key in [one["key"] for one in found if one["max_seats"] == 1]:
        game = _solo(ada, key, bots.SOLO.get(key, bots.Patience)())
        if key == "bridge_solitaire":
            _scoresheet(ada, game)
    for one in found:
        if one["max_seats"] > 1:
            _company(people, one["key"], one["min_seats"])
    leagues.main(people)


def _player(address: str, name: str) -> Api:
    token = Api(address).call("register_player", {"name": name})["token"]["secret"]
    return Api(address, token)


def _solo(player: Api, key: str, choice: Any) -> str:
    game = player.call("open_game", {"game_type": key})["id"]
    seen = _played({0: player}, game, {0: choice})
    _replayed(player, game, 0, seen[0])
    _proved(player, game, proof.PACKS.get(key), lambda dealt: dealt["cards"])
    return str(game)


def _company(people: list[Api], key: str, seats: int) -> None:
    """As many players as the table has seats, and a spectator who follows the stream."""
    options = {"preset": "snm_a_short"} if key == "spite_and_malice" else {}
    game = people[0].call("open_game", {"game_type": key, "seats": seats, "options": options})["id"]
    streamed: Frames = {}
    spectator = Api(str(people[0].http.base_url))
    following = Thread(target=_follow, args=(spectator, game, streamed))
    following.start()
    for guest in people[1:seats]:
        guest.call("join_game", {}, game_id=game)
    table = dict(enumerate(people[:seats]))
    choice = bots.COMPANY.get(key, bots.anything)
    seen = _played(table, game, dict.fromkeys(table, choice), race=key == "screaming_yoda")
    for seat, player in table.items():
        _replayed(player, game, seat, seen[seat])
    following.join(30)
    _replayed(spectator, game, None, streamed)
    print(f"  the spectator's stream brought {len(streamed)} frames, the same as the replay gives")
    _proved(people[0], game, proof.PACK * 2 if key == "spite_and_malice" else None, _stocks_then_deck)


def _stocks_then_deck(dealt: dict[str, Any]) -> list[str]:
    """The stocks were dealt alternately, then came the draw deck."""
    alternately = [card for pair in zip(*dealt["stocks"], strict=True) for card in pair]
    return [*alternately, *dealt["draw"]]


def _follow(spectator: Api, game: str, streamed: Frames) -> None:
    for name, data in spectator.follow("stream_game", game_id=game):
        if name == "frame":
            streamed[data["step"]] = data


def _played(players: dict[int, Api], game: str, choices: dict[int, Any], race: bool = False) -> dict[int, Frames]:
    """The game played to its end; by seat the frames that the answers showed."""
    seen: dict[int, Frames] = {seat: {} for seat in players}
    random = Random(game)
    for number, (seats, look) in enumerate(_turns(players, game)):
        if race and len(seats) > 1 and not _raced(players, game, seats, seen):
            race = False
            continue
        seat = random.choice(seats)
        legal = players[seat].call("list_legal_commands", game_id=game, seat=seat)["commands"]
        if not legal:
            continue
        seen_now = look if seat == 0 else players[seat].call("look_at_game", game_id=game)
        command = bots.RESIGN if number > _LONG_ENOUGH else choices[seat](legal, seen_now, random)
        for frame in players[seat].call("play", command, game_id=game, seat=seat)["frames"]:
            seen[seat][frame["step"]] = frame
    return seen


def _raced(players: dict[int, Api], game: str, seats: list[int], seen: dict[int, Frames]) -> list[int]:
    """Two seats speak at the same moment; the log says who was first, and the other is judged against what is then."""
    spoken: dict[int, str] = {}

    def speak(seat: int) -> None:
        legal = players[seat].call("list_legal_commands", game_id=game, seat=seat)["commands"]
        meant = [command for command in legal if command["type"] != "game/resign"]
        try:
            for frame in players[seat].call("play", meant[0], game_id=game, seat=seat)["frames"]:
                seen[seat][frame["step"]] = frame
            spoken[seat] = f"{meant[0]['type']} accepted"
        except RuntimeError as refused:
            spoken[seat] = f"{meant[0]['type']} refused ({refused})"

    racers = [Thread(target=speak, args=(seat,)) for seat in seats[:2]]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    print("  two seats spoke at once: " + "; ".join(f"seat {seat}: {what}" for seat, what in spoken.items()))
    return []


def _turns(players: dict[int, Api], game: str) -> Iterator[tuple[list[int], dict[str, Any]]]:
    """Who may act and what seat 0 sees, until the game is over."""
    while True:
        look = players[0].call("look_at_game", game_id=game)
        if look["status"] == "finished":
            result = look["result"]
            print(f"{look['game_type']}: {result['ending']} ({result['reason']}) after {look['step']} steps")
            return
        yield look["view"]["to_act"] or [0], look


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
