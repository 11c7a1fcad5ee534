"""One script played in both worlds over HTTP, while the viewer and a spectator ask for all they can."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import msgspec

from .listening import Stream
from .pair import Pair, Person, Stranger
from .script import INTERVAL, Script

_ID = re.compile(rb"^id: (\d+)$", re.MULTILINE)


class Showing:
    """A game in both worlds: players by seat, a spectator, a stranger, and who of them watches."""

    def __init__(self, pair: Pair, key: str, script: Script) -> None:
        self.pair, self.script, self.key = pair, script, key
        (pair.worlds[1].folder / "twists.json").write_bytes(msgspec.json.encode(script.twists))
        self.players = [Person(pair, f"Seat {seat}") for seat in range(script.plan.seats)]
        self.guest, self.stranger = Person(pair, "Guest"), Stranger(pair)
        self.watching: list[tuple[Person, int | None]] = [(self.guest, None)]
        if script.viewer is not None:
            self.watching.append((self.players[script.viewer], script.viewer))
        self.path = self._opened()
        self.streams = list(self._streams())
        self.versions = [json.loads(pair.request(self.players[0], "GET", self.path)[0].body)["version"]]

    def play(self) -> None:
        """From the deal to the last line, then the streams' end."""
        self._inbox()
        self._everything(0)
        for number, line in enumerate(self.script.lines, 1):
            last = self.script.shown and number == len(self.script.lines)
            self._play_line(number, line.seat, line.bodies, compared=not last)
            if last:
                self._differs_to_watchers()
                self._inbox(compared=False)
                break
            self._glance(number)
            if number % INTERVAL == 0:
                self._everything(number)
        self._lists()
        self._really_differs()
        self._end()

    def _differs_to_watchers(self) -> None:
        """A changed card has been shown, so the worlds are no longer the same to somebody who watches."""
        frames = [self.pair.request(person, "GET", f"{self.path}/frames") for person, _ in self.watching]
        assert any(first.body != second.body for first, second in frames)

    def _really_differs(self) -> None:
        """The records of the two worlds are not the same, or nothing was compared."""
        game = UUID(self.path.rpartition("/")[2])
        first, second = (world.events(game) for world in self.pair.worlds)
        assert (first != second) == bool(self.script.exchanged)

    def _opened(self) -> str:
        plan = self.script.plan
        body: dict[str, Any] = {"game_type": self.key, "seats": plan.seats, "seed": f"deal {plan.deal}"}
        body |= {"options": msgspec.to_builtins(plan.options), "spectator_delay": self.script.delay}
        answers = self.pair.request(self.players[0], "POST", "/v1/games", body)
        assert [answer.status for answer in answers] == [201, 201], answers
        self._for_viewer("opened", 0, answers)
        path = f"/v1/games/{json.loads(answers[0].body)['id']}"
        for seat, player in enumerate(self.players[1:], 1):
            self._for_viewer("joined", seat, self.pair.request(player, "POST", f"{path}/join", {}))
        return path

    def _for_viewer(self, channel: str, seat: int, answers: list[Any]) -> None:
        """Answers to a seat are compared if it is the viewer's; else they may tell what that seat holds."""
        if seat == self.script.viewer:
            self.pair.compare(channel, f"seat {seat}", *answers)
        assert answers[0].status in (200, 201), answers

    def _streams(self) -> Iterator[tuple[str, Stream]]:
        for person, seat in self.watching:
            yield "stream", Stream(self.pair, person, f"{self.path}/events")
            if seat is not None:
                yield "inbox stream", Stream(self.pair, person, "/v1/inbox/events")
                yield "stream", Stream(self.pair, person, f"{self.path}/events?spectator=true")

    def _play_line(self, number: int, seat: int, bodies: tuple[bytes, bytes], compared: bool) -> None:
        """One command; the viewer's own answers are compared, and now and then the answer to saying it again."""
        path, key = f"{self.path}/commands", {"Idempotency_Key": f"line {number}"}
        answers = self.pair.request(self.players[seat], "POST", path, bodies=bodies, **key)
        assert {answer.status for answer in answers} == {200}, (number, bodies, answers)
        if not compared:
            return
        self.versions.append(json.loads(answers[0].body)["version"])
        self._for_viewer("played", seat, answers)
        if number % INTERVAL == 0:
            again = self.pair.request(self.players[seat], "POST", path, bodies=bodies, **key)
            self._for_viewer("played again", seat, again)

    def _inbox(self, compared: bool = True) -> None:
        """Where the viewer is awaited. The inbox's stream is waited for, so that it tells step by step."""
        for person, seat in self.watching:
            if seat is None:
                continue
            answers = self.pair.request(person, "GET", "/v1/inbox")
            if compared:
                self.pair.compare("inbox", "GET /v1/inbox", *answers)
            for channel, stream in self.streams:
                if channel == "inbox stream":
                    stream.until([_since(answer.body) for answer in answers])

    def _glance(self, number: int) -> None:
        step = self._step(number)
        self._inbox()
        for person, seat in self.watching:
            self._get("look", person)
            self._get("frame", person, f"/frames/{step}")
            self._get("frame as text", person, f"/frames/{step}", Accept="text/plain")
            self._get("frame as SVG", person, f"/frames/{step}", Accept="image/svg+xml")
            if seat is not None:
                self._get("legal commands", person, "/legal-commands")

    def _get(self, channel: str, who: Stranger, rest: str = "", **headers: str) -> None:
        self.pair.ask(channel, who, "GET", self.path + rest, **headers)

    def _step(self, number: int) -> int:
        """The step of this line: each that joined took one."""
        return number + len(self.players) - 1

    def _everything(self, number: int) -> None:
        step = self._step(number)
        for person, seat in self.watching:
            other = next(place for place in range(len(self.players)) if place != seat)
            for rest in ("?spectator=true", f"?seat={other}"):
                self._get("look", person, rest)
            self._get("frames", person, f"/frames?first={max(0, step - INTERVAL)}")
            self._get("frames", person, f"/frames?last={step}", Accept="application/x-ndjson")
            self._get("frame", person, f"/frames/{step}?spectator=true")
            self._get("frame as text", person, f"/frames/{step // 2}", Accept="text/plain")
            self._get("page to keep", person, "/replay")
            self._get("refused look", person, f"/frames/{step}?known=now")
            self._get("refused look", person, f"/frames/{step}?seat={other}")
            self._get("refused look", person, f"/events?seat={other}")
            self._get("refused look", person, f"/legal-commands?seat={other}")
            self._get("proof", person, "/proof")
            self._get("moments", person, "/moments")
            self._get("moments", person, "/moments?spectator=true")
            self.pair.ask("refusal", person, "POST", f"{self.path}/fork", {"step": step // 2})
            for rest in ("", "?spectator=true"):
                self._get("record", person, f"/record{rest}")
            self._get("refused look", person, f"/record?seat={other}")
            self.pair.ask("page", person, "GET", self.path.removeprefix("/v1"))
        for rest in ("", f"/frames?first={max(0, step - INTERVAL)}", "/proof", "/record", "/legal-commands"):
            self._get("without a token", self.stranger, rest)
        self.pair.ask("page", self.stranger, "GET", self.path.removeprefix("/v1"))
        self._guesses(number)

    def _guesses(self, number: int) -> None:
        """What the viewer tries: asked without saying it, and said if it is refused."""
        viewer, path = self.script.viewer, f"{self.path}/commands"
        for guess in self.script.guesses.get(number, []) if viewer is not None else []:
            both: dict[str, Any] = {"bodies": (guess, guess)}
            tried = self.pair.ask("dry run", self.players[viewer or 0], "POST", f"{path}?dry_run=true", **both)
            if tried.status != 200:
                self.pair.ask("refusal", self.players[viewer or 0], "POST", path, **both)
                several = (b"[%b,%b]" % (guess, guess),) * 2
                self.pair.ask("refusal", self.players[viewer or 0], "POST", path, bodies=several)
            self.pair.ask("refusal", self.players[viewer or 0], "POST", path, **both, If_Match='"1"')
            self.pair.ask("refusal", self.guest, "POST", path, **both)

    def _lists(self) -> None:
        """Lists, read models and streams that go on from the middle, while the game goes on."""
        self.pair.catch_up()
        for person, _ in self.watching:
            resumed = Stream(self.pair, person, f"{self.path}/events", **{"Last-Event-ID": str(self.versions[-1] // 2)})
            resumed.until([b"retry:"] * 2)
            self.streams.append(("resumed stream", resumed))
        if self.script.shown:
            return
        self.pair.ask("without a token", self.stranger, "GET", "/v1/games")
        for person, _ in self.watching:
            for query in ("", f"?player_id={person.id}", f"?game_type={self.key}&status=playing"):
                self.pair.ask("list of games", person, "GET", f"/v1/games{query}")
            self.pair.ask("inbox", person, "GET", "/v1/inbox")
            for rest in ("", "/scores"):
                self.pair.ask("player", person, "GET", f"/v1/players/{self.players[0].id}{rest}")

    def _end(self) -> None:
        """The watchers' tokens end, another seat resigns, and the streams say that they may look no more."""
        for person, _ in self.watching:
            gone = self.pair.request(person, "DELETE", f"/v1/tokens/{person.token_id}")
            assert [answer.status for answer in gone] == [204, 204], gone
        other = next(seat for seat in range(len(self.players)) if seat != self.script.viewer)
        resigned = self.pair.request(self.players[other], "POST", f"{self.path}/commands", {"type": "game/resign"})
        assert [answer.status for answer in resigned] == [200, 200], resigned
        for channel, stream in self.streams:
            (head, blocks), (other_head, other_blocks) = stream.ended()
            self.pair.compare(f"{channel}: head", self.path, head, other_head)
            self._blocks(channel, blocks, other_blocks)
        for person in (*self.players, self.guest, self.stranger):
            person.close()

    def _blocks(self, channel: str, first: list[bytes], second: list[bytes]) -> None:
        ours, theirs = self._before_the_end(first), self._before_the_end(second)
        for number, (mine, yours) in enumerate(zip(ours, theirs, strict=False)):
            self.pair.compare(channel, f"event {number} of {self.path}", mine, yours)
        self.pair.compare(channel, f"number of events of {self.path}", len(ours), len(theirs))

    def _before_the_end(self, blocks: list[bytes]) -> list[bytes]:
        """The events up to the last line that both worlds were compared on."""
        last = self.versions[self.script.alike]
        ids = [_ID.search(block) for block in blocks]
        return [block for block, match in zip(blocks, ids, strict=True) if match is None or int(match[1]) <= last]


def _since(inbox: bytes) -> bytes:
    """What its stream sends of the game that waits; nothing where none does."""
    waits = json.loads(inbox)["games"]
    return f'"since":"{waits[0]["since"]}"'.encode() if waits else b""
