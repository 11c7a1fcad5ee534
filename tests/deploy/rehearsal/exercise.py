"""What every way of running must do, asked for over HTTP from another machine, and by the program in its place."""

import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Protocol

import httpx
import psutil

from tests.api.receiving import Receiver
from tests.demo import bots, client
from tests.deploy.test_system_calls import is_ready
from tests.faults.world import until

RECORD = "application/vnd.kibitz.record+ndjson"
GOLF = {"game_type": "golf", "options": {"undo": False}, "rated": False, "hints": True}


class Way(Protocol):
    """A started installation; `outside`: our address there; `elsewhere`: the flags of an empty database."""

    url: str
    outside: str
    elsewhere: tuple[str, ...]

    def kibitz(self, *words: str) -> str: ...  # a command in its place, with its settings

    def processes(self) -> dict[str, list[psutil.Process]]: ...  # those of each part


class Exercise:
    """The steps, in their order, and what came of each."""

    def __init__(self, way: Way, folder: Path, minutes: float) -> None:
        self._way, self._folder, self._minutes = way, folder, minutes
        self._games: dict[str, str] = {}

    def run(self) -> Iterator[tuple[str, str]]:
        """Each step's name and its outcome, which begins with NO where it failed."""
        until(lambda: is_ready(httpx.Client(base_url=self._way.url)), "the service is ready")
        self._people = [client.register_player(self._way.url, name) for name in ("Ada", "Bob", "Cyd", "Dan", "Eve")]
        self._ada, start = self._people[0], self._weigh()
        steps: dict[str, Callable[[], str]] = {
            "games, replayed": self._play, "records, verification": self._verify, "hint": self._hint,
            "analysis": self._analyse, "webhook": self._receive, "PNG": self._draw, "bot": self._meet_bot,
            "backup, restored": self._restore,
        }  # fmt: skip
        for name, step in steps.items():
            try:
                yield name, step()
            except Exception as failure:  # noqa: BLE001 what fails is a line of the table
                yield name, f"NO: {failure!r} {getattr(failure, 'stderr', None) or ''}"
        end = time.monotonic() + self._minutes * 60
        while time.monotonic() < end:
            self._meet_bot()
            self._hint()
        for part, weight in self._weigh().items():
            yield f"{part}: MiB, descriptors", f"{start[part]} to {weight}"

    def _play(self) -> str:
        with (self._folder / "games.log").open("w") as log, redirect_stdout(log):
            self._games = client.play_every_type(self._people)
        return f"{len(self._games)} types"

    def _verify(self) -> str:
        for game in self._games.values():
            record = self._ada.request("get_record", accept=RECORD, game_id=game)
            told = self._ada.request("verify_record", record, content_type=RECORD)
            assert (told["consistent"], told["signed"]) == (True, "yes"), told
            told = self._ada.request("verify_game", game_id=game)
            assert told["consistent"], told
            assert told["deal_fair"] is not False, told
        return "signed, consistent"

    def _hint(self) -> str:
        told = self._ada.request("get_hint", game_id=self._ada.request("open_game", GOLF)["id"])
        assert told["deals"], told
        return "given"

    def _analyse(self) -> str:
        game = self._games["golf"]
        self._ada.request("analyse_game", {}, game_id=game)
        asked = lambda: self._ada.request("get_analysis", game_id=game)["status"]  # noqa: E731
        until(lambda: asked() not in ("queued", "running"), "the analysis is done")
        assert asked() == "done"
        return "done"

    def _receive(self) -> str:
        receiver = Receiver(self._folder, host=self._way.outside, port=443)
        try:
            self._ada.request("add_webhook", {"url": receiver.url("204"), "types": ["finished"]})
            until(lambda: self._ada.request("list_webhooks")["webhooks"][-1]["verification"] == "verified", "verified")
            game = self._ada.request("open_game", GOLF)["id"]
            self._ada.request("post_command", bots.RESIGN, game_id=game, seat=0)
            until(lambda: any(game in entry["body"] for entry in receiver.received("204")), "the game's end is told")
        finally:
            receiver.kill()
        return "delivered"

    def _draw(self) -> str:
        for game in self._games.values():
            assert self._ada.request("get_frame", accept="image/png", game_id=game, step=1)[:4] == b"\x89PNG"
        return "drawn"

    def _meet_bot(self) -> str:
        opening = {"game_type": "spite_and_malice", "options": {"preset": "snm_a_short"}, "rated": False}
        game, random = self._ada.request("open_game", opening)["id"], Random(1)
        self._ada.request("seat_bot", {"level": "greedy"}, game_id=game)
        end = time.monotonic() + 300
        while (look := self._ada.request("get_game", game_id=game))["status"] != "finished":
            assert time.monotonic() < end, "the bot does not move"
            if 0 in look["view"]["to_act"]:
                move = bots.spite_and_malice(bots.listed_commands(self._ada, game, 0), look, random)
                self._ada.request("post_command", move, game_id=game, seat=0)
        return "played out"

    def _restore(self) -> str:
        self._way.kibitz("backup", "/tmp/rehearsed.kibitz")
        self._way.kibitz("restore", "/tmp/rehearsed.kibitz", *self._way.elsewhere)
        self._way.kibitz("verify", "--all", "--quiet", *self._way.elsewhere)
        return "verified"

    def _weigh(self) -> dict[str, str]:
        """MiB (what is shared by several is divided) and descriptors of each part."""
        return {
            part: f"{sum(one.memory_full_info().pss for one in of) >> 20}, {sum(one.num_fds() for one in of)}"
            for part, of in self._way.processes().items()
        }
