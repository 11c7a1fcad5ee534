"""Opening and playing games over HTTP."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import httpx

from .serving import Player, done

Game = dict[str, Any]
Frame = dict[str, Any]
DRAW, RECYCLE = {"type": "klondike/draw"}, {"type": "klondike/recycle"}
UNDO, RESIGN = {"type": "game/undo"}, {"type": "game/resign"}


def opened(player: Player, game_type: str = "klondike", **body: Any) -> Game:
    """A game that this player has opened, as the answer told it."""
    return done(player.post("/v1/games", {"game_type": game_type, **body}), 201)


def of(game: Game, rest: str = "") -> str:
    """A path of this game."""
    return f"/v1/games/{game['id']}{rest}"


def seated(game: Game, *others: Player) -> Game:
    """The game with these players at its empty seats."""
    for player in others:
        game = done(player.post(of(game, "/join"), {}))
    return game


def say(player: Player, game: Game, command: Any, **more: Any) -> httpx.Response:
    """A command or a list of them."""
    if isinstance(command, list):
        return player.post(of(game, "/commands/batch"), {"commands": command}, **more)
    return player.post(of(game, "/commands"), command, **more)


def ended(player: Player, game_type: str = "klondike", **body: Any) -> Game:
    """A game that this player has opened and given up."""
    game = opened(player, game_type, **body)
    done(say(player, game, RESIGN))
    return look(player, game)


def version_of(answer: httpx.Response) -> int:
    """The version in the ETag of an answer that was read."""
    return int(answer.headers["etag"].removeprefix("W/").strip('"').partition(".")[0])


def look(player: Player, game: Game, **query: Any) -> Game:
    """The game as this player sees it."""
    answer = player.get(of(game), params=query)
    assert version_of(answer) == done(answer)["version"]
    return answer.json()


def in_turn(players: Sequence[Player], game: Game) -> tuple[Player, Player]:
    """Who is to act in a game of two, and the other."""
    seat = look(players[0], game)["view"]["to_act"][0]
    return players[seat], players[1 - seat]


def legal(player: Player, game: Game, seat: int | None = None) -> list[Any]:
    """What this player may say now: moves, then what else it may do."""
    answer = player.get(of(game, "/legal-commands"), params={} if seat is None else {"seat": seat})
    assert version_of(answer) == done(answer)["version"]
    return [*answer.json()["commands"], *answer.json()["other_commands"]]


def moves(player: Player, game: Game, seat: int | None = None) -> list[Any]:
    """The same without undo and resign."""
    return [command for command in legal(player, game, seat) if command not in (UNDO, RESIGN)]


def play_on(players: Sequence[Player], game: Game, rng: Random, most: int = 60) -> Iterator[tuple[int, Frame]]:
    """Random legal commands, each with If-Match; who spoke and the frame answered. `players` are by seat.

    It ends with the game, or where a patience that waits for an undo has no move.
    """
    for _ in range(most):
        now = look(players[0], game)
        if now["status"] != "playing":
            return
        seat = now["view"]["to_act"][0]
        if not (listed := moves(players[seat], game, seat)):
            return
        version = {"if-match": f'"{now["version"]}"'}
        answer = say(players[seat], game, rng.choice(listed), params={"seat": seat}, headers=version)
        body = done(answer)
        (frame,) = body["frames"]
        assert (body["accepted"], answer.headers["etag"]) == (1, f'"{body["version"]}"')
        assert frame["version"] == body["version"]
        yield seat, frame
