"""Replay: one frame of a long game, against a plain look at it, and the whole game at once."""

from functools import partial
from statistics import median
from time import sleep
from typing import Any

from service.live.snapshots import EVERY
from service.postgres import Server

from .asking import Asking, Table, registered, request
from .measures import REPEATS, in_turns, ratio, say, spread
from .running import database, kibitz
from .scripts import Script, long_script

GAME_TYPE = "klondike"
STEPS = 1000
SHORT = 500  # events of the game that is looked at cold
BEHIND = EVERY // 2  # events since its newest snapshot, as at the middle of games of any length
_ASKED = 100
_COLD = 8  # games of each place: a game is cold only once


def measured(postgres: Server) -> dict[str, Any]:
    """The section of the document; times in milliseconds, one client."""
    say(f"frames of a game of {STEPS} steps")
    found = long_script(GAME_TYPE, STEPS)
    with database(postgres) as conninfo:
        with kibitz(conninfo) as served:
            table = registered(served.port)
            games = [_prepared(table, found) for _ in range(_COLD * len(_places("")) + 1)]
            shorter = _half_way(table, long_script(GAME_TYPE, SHORT - 3))
            warm, bulk = _warm(Asking(served.port), table, games[0]), _bulk(Asking(served.port), table, games[0])
        with kibitz(conninfo) as served:
            cold = _cold(Asking(served.port), table, games)
            looked = _cold_looks(Asking(served.port), table, shorter)
    return {"game_type": GAME_TYPE, "steps": STEPS, "warm": warm, "cold": cold, f"cold_{SHORT}": looked, "bulk": bulk}


def _prepared(table: Table, found: Script) -> str:
    game = table.opened(found)
    table.play(game, found)
    return game


def _half_way(table: Table, found: Script) -> list[str]:
    """Games whose newest snapshot was written half of the way to the next ago."""
    games = [table.opened(found) for _ in range(REPEATS + 1)]
    for game in games:
        table.play(game, found._replace(said=found.said[:-BEHIND]))
    sleep(7)  # snapshots are written every five seconds
    for game in games:
        for one in found.said[-BEHIND:]:
            table.play(game, found._replace(said=(one,)))
    return games


def _places(game: str) -> dict[str, str]:
    """What is asked for: a look, and frames at the start, further on and at the end."""
    frames = {name: f"/v1/games/{game}/frames/{step}" for name, step in _STEPS.items()}
    return {"look": f"/v1/games/{game}", **frames}


_STEPS = {f"step_{step}": step for step in (1, 100, STEPS)}


def _warm(asking: Asking, table: Table, game: str) -> dict[str, Any]:
    """Medians of many answers, place by place in turns."""
    requests = {name: table.get(path) for name, path in _places(game).items()}
    return _told(in_turns({name: partial(_median, asking, asked) for name, asked in requests.items()}))


def _median(asking: Asking, asked: bytes) -> float:
    return 1e3 * median(asking.ask(asked).seconds for _ in range(_ASKED))


def _bulk(asking: Asking, table: Table, game: str) -> dict[str, Any]:
    """All frames, one a line."""
    path, lines = f"/v1/games/{game}/frames?limit=1000", {"accept": "application/x-ndjson"}
    answers = [asking.ask(request("GET", path, table.token, more=lines)) for _ in range(REPEATS)]
    counts = [answer.body.count(b"\n") / answer.seconds for answer in answers]
    return {
        "frames_per_second": spread(counts),
        "bytes_per_frame": len(answers[0].body) // answers[0].body.count(b"\n"),
    }


def _cold(asking: Asking, table: Table, games: list[str]) -> dict[str, Any]:
    """A process that has never seen the games; one of them is used up for what only a process's first answer pays."""
    for path in _places(games[0]).values():
        asking.ask(table.get(path))
    names, took = list(_places("")), dict[str, list[float]]()
    for number, game in enumerate(games[1:]):
        name = names[number % len(names)]
        took.setdefault(name, []).append(1e3 * asking.ask(table.get(_places(game)[name])).seconds)
    return _told(took)


def _cold_looks(asking: Asking, table: Table, games: list[str]) -> dict[str, Any]:
    """The first look at a game of so many events, and then the median of many; the first game warms the process up."""
    cold, warm = list[float](), list[float]()
    for game in games:
        asked = table.get(_places(game)["look"])
        cold.append(1e3 * asking.ask(asked).seconds)
        warm.append(_median(asking, asked))
    return {"cold_ms": spread(cold[1:]), "warm_ms": spread(warm[1:]), "cold_to_warm": ratio(cold[1:], warm[1:])}


def _told(took: dict[str, list[float]]) -> dict[str, Any]:
    times = {f"{name}_ms": spread(numbers) for name, numbers in took.items()}
    looks = took.pop("look")
    return times | {f"{name}_to_look": ratio(numbers, looks) for name, numbers in took.items()}
