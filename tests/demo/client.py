"""The demonstration's client: plays each game type to its end, follows, replays, compares, and proves the deals."""

import json
import sys
from collections.abc import Iterator
from random import Random
from threading import Thread
from time import sleep
from typing import Any

from kibitz_client import Refused
from kibitz_client.sync import Kibitz

from tests.demo import bots, leagues, proof

Frames = dict[int, Any]
_LONG_ENOUGH = 1500
"""Turns after which a game by lot is given up: some go on for hours."""
_SINGLE_FRAMES = 20
"""The most frames of a replay that are asked for by themselves as well; all of them come by pages."""


def main(address: str) -> None:
    """Everything, one game type after the other."""
    people = [register_player(address, name) for name in ("Ada", "Bob", "Cyd", "Dan", "Eve")]
    bridge = play_every_type(people)["bridge_solitaire"]
    _scoresheet(people[0], bridge)
    leagues.main(people)


def play_every_type(people: list[Kibitz]) -> dict[str, str]:
    """A game of every type played to its end, replayed and proved; their ids by type."""
    games: dict[str, str] = {}
    types = people[0].request("list_game_types")["game_types"]
    for key, seats in sorted(((one["key"], one["min_seats"]) for one in types), key=lambda one: one[1]):
        if seats == 1:
            games[key] = _solo(people[0], key, bots.SOLO.get(key, bots.Patience)())
        else:
            games[key] = _company(people, key, seats)
    return games


def register_player(address: str, name: str) -> Kibitz:
    """A client of this service, and its player."""
    player = Kibitz(address)
    player.register(name)
    return player


def _solo(player: Kibitz, key: str, choice: Any) -> str:
    game = player.request("open_game", {"game_type": key})["id"]
    seen = _played({0: player}, game, {0: choice})
    _replayed(player, game, 0, seen[0])
    _proved(player, game, proof.PACKS.get(key), lambda dealt: dealt["cards"])
    return str(game)


def _company(people: list[Kibitz], key: str, seats: int) -> str:
    """As many players as the table has seats, and a spectator who follows the stream."""
    options = {"preset": "snm_a_short"} if key == "spite_and_malice" else {}
    game = people[0].request("open_game", {"game_type": key, "seats": seats, "options": options})["id"]
    streamed: Frames = {}
    spectator = Kibitz(people[0].address)
    following = Thread(target=_follow, args=(spectator, game, streamed))
    following.start()
    for guest in people[1:seats]:
        guest.request("join_game", {}, game_id=game)
    table = dict(enumerate(people[:seats]))
    choice = bots.COMPANY.get(key, bots.anything)
    seen = _played(table, game, dict.fromkeys(table, choice), race=key == "screaming_yoda")
    for seat, player in table.items():
        _replayed(player, game, seat, seen[seat])
    following.join(30)
    _replayed(spectator, game, None, streamed)
    print(f"  the spectator's stream brought {len(streamed)} frames, the same as the replay gives")
    _proved(people[0], game, proof.PACK * 2 if key == "spite_and_malice" else None, _stocks_then_deck)
    return str(game)


def _stocks_then_deck(dealt: dict[str, Any]) -> list[str]:
    """The stocks were dealt alternately, then came the draw deck."""
    alternately = [card for pair in zip(*dealt["stocks"], strict=True) for card in pair]
    return [*alternately, *dealt["draw"]]


def _follow(spectator: Kibitz, game: str, streamed: Frames) -> None:
    for event in spectator.events("stream_game", game_id=game):
        if event.name == "frame":
            frame = json.loads(event.data)
            assert frame.pop("log_position") > 0  # which a frame of the replay does not name
            streamed[frame["step"]] = frame


def _played(players: dict[int, Kibitz], game: str, choices: dict[int, Any], race: bool = False) -> dict[int, Frames]:
    """The game played to its end; by seat the frames that the answers showed."""
    seen: dict[int, Frames] = {seat: {} for seat in players}
    random = Random(game)
    for number, (seats, look) in enumerate(_turns(players, game)):
        if race and len(seats) > 1 and not _raced(players, game, seats, seen):
            race = False
            continue
        seat = random.choice(seats)
        legal = bots.listed_commands(players[seat], game, seat)
        if not legal:
            continue
        seen_now = look if seat == 0 else players[seat].request("get_game", game_id=game)
        command = bots.RESIGN if number > _LONG_ENOUGH else choices[seat](legal, seen_now, random)
        for frame in players[seat].request("post_command", command, game_id=game, seat=seat)["frames"]:
            seen[seat][frame["step"]] = frame
    return seen


def _raced(players: dict[int, Kibitz], game: str, seats: list[int], seen: dict[int, Frames]) -> list[int]:
    """Two seats speak at the same moment; the log says who was first, and the other is judged against what is then."""
    spoken: dict[int, str] = {}

    def speak(seat: int) -> None:
        legal = bots.listed_commands(players[seat], game, seat)
        meant = [command for command in legal if command["type"] != "game/resign"]
        try:
            for frame in players[seat].request("post_command", meant[0], game_id=game, seat=seat)["frames"]:
                seen[seat][frame["step"]] = frame
            spoken[seat] = f"{meant[0]['type']} accepted"
        except Refused as refused:
            spoken[seat] = f"{meant[0]['type']} refused ({refused})"

    racers = [Thread(target=speak, args=(seat,)) for seat in seats[:2]]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    print("  two seats spoke at once: " + "; ".join(f"seat {seat}: {what}" for seat, what in spoken.items()))
    return []


def _turns(players: dict[int, Kibitz], game: str) -> Iterator[tuple[list[int], dict[str, Any]]]:
    """Who may act and what seat 0 sees, until the game is over."""
    while True:
        look = players[0].request("get_game", game_id=game)
        if look["status"] == "finished":
            result = look["result"]
            print(f"{look['game_type']}: {result['ending']} ({result['reason']}) after {look['step']} steps")
            return
        yield look["view"]["to_act"] or [0], look


def _replayed(viewer: Kibitz, game: str, seat: int | None, seen: Frames) -> None:
    """Every frame that was seen while playing is the frame that the replay gives."""
    looking = {} if seat is None else {"seat": seat}
    frames = {frame["step"]: frame for frame in _all_frames(viewer, game, looking)}
    assert seen, "nothing was seen"
    for step, frame in seen.items():
        assert frames[step] == frame, f"step {step} is not what was seen"
    for step in sorted(seen)[:: len(seen) // _SINGLE_FRAMES + 1]:
        alone = viewer.request("get_frame", game_id=game, step=step, **looking)
        assert alone == seen[step], f"step {step} differs by itself"
    print(f"  replayed {len(frames)} steps; {len(seen)} frames compared{'' if seat is None else f' for seat {seat}'}")


def _all_frames(viewer: Kibitz, game: str, looking: dict[str, int]) -> Iterator[Any]:
    return viewer.pages("list_frames", "frames", game_id=game, limit=100, **looking)


def _proved(player: Kibitz, game: str, pack: list[str] | None, order: Any) -> None:
    """The cards of the first deal, as known now, are the ones that the committed seed makes of the pack."""
    told = player.request("get_deal_proof", game_id=game)
    proof.committed(told)
    if pack is None:
        print("  the committed seed is proved offline; its deal is in several parts and left to `kibitz verify`")
        return
    opening = player.request("list_frames", game_id=game, first=0, limit=5, known="now")["frames"]
    dealt = next(event for frame in opening for event in frame["events"] if event["type"].endswith("/dealt"))
    proof.check(told, pack, order(dealt))
    print(f"  the deal is proved offline: {len(pack)} cards from the committed seed")


def _scoresheet(player: Kibitz, rubber: str) -> None:
    while player.request("get_rubber", game_id=rubber)["status"] == "open":
        sleep(0.05)  # a read model follows the log a moment behind it
    print("\nThe rubber's scoresheet:\n")
    print(player.request("get_rubber", game_id=rubber, accept="text/plain"))


if __name__ == "__main__":
    main(sys.argv[1])
