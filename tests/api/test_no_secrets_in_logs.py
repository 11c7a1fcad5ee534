"""What the server writes to its log: neither token nor body nor card, in a whole evening with faults and outages."""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from . import truth
from .browsing import Browser, signed_in
from .bursts import Durable
from .playing import Game, of, opened, say, seated
from .problems import told
from .serving import KEYS, Service, raw, registered, serving
from .sockets import connected, everything

CARD = re.compile(r"(?<!\w)([A2-9TJQK][SHDC]|\*[1-4])(?!\w)")
DRAW = {"type": "klondike/draw"}
PASSWORD, SEED, CLIENT_SEED, REASON = "Hunter2-of-Tor", "Xanthippe given seed", "Yggdrasil client seed", "Quetzalcoatl"
NAMES = ("Zebulon Quirke", "Wilhelmina Pfister", "Ignatius Blythe")
KEY = "Popocatepetl-idempotency"


class Evening:
    """What happens, and what of it is secret."""

    def __init__(self, service: Service, durable: Durable) -> None:
        self.service, self.durable = service, durable
        texts = (PASSWORD, SEED, CLIENT_SEED, REASON, KEY, *NAMES)
        self.secrets = {text: text for text in texts}
        self.secrets |= {f"a part of {text}": max(re.split(r"\W+", text), key=len) for text in texts}
        self.ada, self.bob = (registered(service, name) for name in NAMES[:2])
        self.secrets |= {f"token of {one.id}": one.token.removeprefix("kbz_") for one in (self.ada, self.bob)}

        self.games = [self.alone(), self.together()]
        self.browsing()
        self.refusals()
        self.rubbish()
        self.fault()
        self.outage()
        for game in self.games:
            self.sealed(game)

    def alone(self) -> Game:
        """A game with a given seed, one with the service's own, with keys and versions, undo and the end."""
        opened(self.ada, seed=SEED, visibility="private")
        game = opened(self.ada)
        say(self.ada, game, [DRAW] * 5, headers={"idempotency-key": KEY})
        say(self.ada, game, {"type": "game/undo"}, headers={"if-match": '"8"'})
        for path in ("", "/frames", "/frames/1", "/events?max_frames=2", "/legal-commands", "/moments", "/proof"):
            self.ada.get(of(game, path))
        return game

    def together(self) -> Game:
        """Two players with seeds of their own, who hide cards from each other."""
        game = opened(self.ada, "spite_and_malice", await_seeds=True)
        seated(game, self.bob)
        for player in (self.ada, self.bob):
            player.post(of(game, "/seed"), {"seed": CLIENT_SEED})
        for player in (self.ada, self.bob):
            player.get(of(game, "/events?max_seconds=0"))
            player.get("/v1/inbox")
            player.get(of(game, "/frames"), headers={"accept": "application/x-ndjson"})
        return game

    def browsing(self) -> None:
        """A session of an old player, and one of a new one."""
        with signed_in(self.service, self.ada) as browser:
            self.secrets["cookie"] = str(browser.secret).removeprefix("kbz_")
            for path in ("/", of(self.games[0]).removeprefix("/v1"), f"/players/{self.ada.id}", "/v1/players/me"):
                browser.get(path)
        with Browser(self.service) as browser:
            page = browser.http.post("/register", data={"name": NAMES[2]}, headers={"sec-fetch-site": "same-origin"})
            self.secrets["token on a page"] = re.findall(r"kbz_([\w-]{40,})", page.text)[0]
            self.secrets["its cookie"] = str(browser.secret).removeprefix("kbz_")

    def refusals(self) -> None:
        """One of nearly every kind."""
        made_up = {"authorization": "Bearer kbz_made-up-Chimborazo", "cookie": "kibitz_session=kbz_made-up-Chimborazo"}
        self.secrets["made-up token"] = "Chimborazo"
        game, http = self.games[0], self.service.http
        http.get("/v1/players/me", headers=made_up)
        http.get(f"/v1/games?cursor={self.ada.token}&{SEED}={PASSWORD}")
        http.get(f"/nowhere/{self.ada.token}/{SEED}")
        http.request("BREW", "/v1/games")
        say(self.ada, game, DRAW, headers={"if-match": '"1"'})
        say(self.ada, game, {"type": "klondike/move", "source": "waste", "target": "foundation_spades"})
        say(self.ada, game, {"type": "klondike/recycle"})  # never allowed so early; the move is with luck
        say(self.ada, game, {"type": SEED}, headers={"idempotency-key": KEY})
        raw(self.ada, of(game, "/commands"), b'{"type":"klondike/move","source":"' + SEED.encode() + b'"')
        raw(self.ada, of(game, "/commands"), b"[" * 90_000)
        raw(self.ada, of(game, "/commands"), b'{"AS": "KH"}')
        self.ada.get(of(game), params={SEED: "AS"})
        raw(self.ada, "/v1/records", SEED.encode() * 100, **{"content-type": "application/vnd.kibitz.record+ndjson"})
        self.ada.post("/v1/move-lists/klondike", {"moves": SEED})
        self.bob.post(of(game, "/void"), {"reason": REASON})
        self.bob.get(of(self.games[1]), params={"seat": 0})

    def rubbish(self) -> None:
        """What is no HTTP, with a token in it."""
        for text in (f"GET /{self.ada.token} HTTP/9.9", f"authorization: Bearer {self.ada.token}", "\x16\x03\x01"):
            with connected(self.service) as (one,):
                one.sendall(text.encode() + b"\r\n\r\n")
                everything(one)

    def fault(self) -> None:
        """A stored event that cannot be read, or is missing: every way to the game crashes and shows no card."""
        broken, gap = opened(self.ada), opened(self.ada, options={"draw": 1})
        for game in (broken, gap):
            say(self.ada, game, [DRAW] * 3)
        opened(self.ada)  # the others leave the memory
        cut = "UPDATE events SET state = substr(state, 1, length(state) / 2) WHERE stream = %s AND version = 4"
        assert truth.done(self.service, cut, broken["id"]) == 1
        assert truth.done(self.service, "DELETE FROM events WHERE stream = %s AND version = 3", gap["id"]) == 1
        answers = [self.ada.get(of(broken, path)) for path in ("", "/frames", "/events", "/replay", "/record")]
        for answer in (*answers, say(self.ada, broken, DRAW)):
            told(answer, 500, "broken")
        page = self.ada.get(of(broken).removeprefix("/v1"))
        assert page.status_code == 500
        wrong = [self.ada.get(of(gap)), say(self.ada, gap, DRAW), self.ada.get(of(gap, "/frames/1"))]
        for answer in (*answers, page, *(one for one in wrong if one.status_code != 200)):
            assert not CARD.findall(answer.text)

    def outage(self) -> None:
        """The database goes away, with streams open, and comes back."""
        with self.ada.http.stream("GET", of(self.games[1], "/events")) as streaming:
            self.durable.stop()
            asked = [
                self.ada.get("/v1/games"), say(self.ada, self.games[0], DRAW), self.ada.get("/"),
                self.service.http.post("/v1/players", json={"name": NAMES[1]}),
                self.service.http.get("/v1/players/me", headers={"authorization": "Bearer kbz_made-up-Chimborazo"}),
            ]  # fmt: skip
            assert 503 in {answer.status_code for answer in asked}
            self.durable.start()
            streaming.close()
        while self.service.http.get("/readyz").status_code != 200:
            sleep(0.01)

    def sealed(self, game: Game) -> None:
        """What the service alone knew of this game."""
        for record in truth.records(self.service, game):
            for name in ("seed", "digest_key", "secret"):
                value = getattr(record.event, name, None)
                if isinstance(value, bytes) and value:
                    texts = value.hex(), b64encode(value).decode().rstrip("="), repr(value)[2:-1]
                    texts += (urlsafe_b64encode(value).decode().rstrip("="),)
                    self.secrets |= {f"{name} of {game['id']}, {number}": text for number, text in enumerate(texts)}


def keys(folder: Path) -> Iterator[tuple[str, str]]:
    """The private parts of the keys that lie in this folder, whatever they are for."""
    for file in folder.rglob("*"):
        if not file.is_file():
            continue
        try:
            private = json.loads(file.read_text()).get("d") or json.loads(file.read_text()).get("k")
        except (ValueError, AttributeError):
            private = file.read_text(errors="ignore").strip()
        if private and len(private) >= 16:
            yield file.name, private


@pytest.fixture(scope="module")
def evening(durable: Durable) -> Iterator[Evening]:
    """It is over; the service still runs."""
    conninfo = f"{durable.fresh()} password={PASSWORD}"
    with serving(conninfo, cached_games=1, max_imports=1) as service:
        yield Evening(service, durable)


def test_neither_log_nor_metrics_nor_readiness_hold_a_secret(evening: Evening) -> None:
    service = evening.service
    text = service.log() + service.metrics() + service.http.get("/readyz").text
    assert len(evening.secrets) > 25
    told = {name for name, secret in [*evening.secrets.items(), *keys(KEYS)] if secret.lower() in text.lower()}
    assert told == set()
    assert CARD.findall('{"cards":["AS","TD"],"*1"}') == ["AS", "TD", "*1"]
    assert not CARD.findall(text)
    for word in ("kbz_", "Bearer", "kibitz_session", "password", "postgresql://"):
        assert word not in text, word


def test_the_log_tells_what_happened_all_the_same(evening: Evening) -> None:
    """An empty log would hold no secret either."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in evening.service.log().splitlines()]
    operations = {"open_game", "get_game", "post_command", "stream_game", "register_player", "import_record"}
    assert operations <= {line.get("operation") for line in lines}
    assert {200, 201, 400, 401, 403, 404, 409, 412, 500, 503} <= {line.get("status") for line in lines}
    crashed = [line for line in lines if "Traceback" in str(line.get("exception"))]
    assert {"request failed", "page failed"} <= {line["event"] for line in crashed}
    assert len([line for line in crashed if line["event"] == "request failed"]) >= 6
    assert {line["level"] for line in lines} >= {"debug", "info", "error"}
