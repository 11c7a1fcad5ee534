"""Planted leaks, one for each channel: each tells a viewer something of cards that lie face down.

They are planted in a server that is about to start; a file names the one that leaks just now. What leaks is a number
made of all cards on the table, as the state last folded holds them.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace as changed
from datetime import timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
from msgspec.structs import replace

from domain.game_type import Illegal
from domain.games import GAME_TYPES, REVISIONS, AnyGameType
from domain.play.frames import moments as find_moments
from domain.play.frames import shown_step
from domain.play.open_record import seen_lines
from domain.view import ALL_SEEING
from service import app
from service.api import headers
from service.api.contests import contests
from service.api.games import games
from service.api.play import live, play
from service.api.replays import records, replay
from service.http import front, refusals
from service.http.connections.answers import with_whole_answers
from service.live import replay as live_replay
from service.live import shapes
from service.pictures.text import picture
from service.records import exports
from service.telemetry import blotting, logs
from service.web import page

CHANNELS = {
    "view": {"look", "frame", "frames", "stream", "frame as SVG", "page to keep"},
    "events": {"frame", "frames", "stream", "record"},
    "sentences": {"frame", "frame as text", "frame as SVG", "frames", "stream", "page to keep"},
    "legal commands": {"legal commands"}, "error": {"dry run", "refusal"}, "dry run": {"dry run"},
    "text picture": {"frame as text"}, "header": {"look", "legal commands"}, "list entry": {"list of games"},
    "inbox": {"inbox", "inbox stream"}, "stream order": {"stream"}, "proof": {"proof"}, "moments": {"moments"},
    "open record": {"record"}, "log line": {"log line"}, "spectators' delay": {"look"},
}  # fmt: skip
"""By leak the channels on which it must be noticed."""
SEMANTIC = {
    "certificate": ("list_contests", "get_contest", "page GET /contests/{contest_id:uuid}"),
    "problem document": ("get_game", "post_command", "list_results", "import_record"),
    "public metrics": ("metrics",),
    "log line": ("post_command",),
}
"""By leak of what is published the channels on which it must be noticed; any channel's name leaks in its headers."""


class Leak:
    """The leak of the moment, and a checksum of all cards."""

    def __init__(self, switch: Path) -> None:
        self.switch = switch
        self.checksum = 0

    def on(self, name: str) -> bool:
        """Whether this one leaks now."""
        return self.switch.read_text() == name

    def odd(self, name: str) -> bool:
        """One bit of what is hidden, where this one leaks."""
        return self.on(name) and self.checksum % 2 == 1

    def number(self, name: str) -> int:
        """What is hidden as a number, where this one leaks; else 0."""
        return self.checksum if self.on(name) else 0


def planted(switch: Path) -> None:
    """Every leak, none of which leaks before the file names it."""
    leak = Leak(switch)
    for key in GAME_TYPES:  # drawn and kept before: what a type's picture folds is not what leaks
        page.picture_of(key)
    for revision, kind in list(REVISIONS.items()):
        REVISIONS[revision] = GAME_TYPES[kind.key] = leaking(kind, leak)
    _in_answers(leak)
    _in_resources(leak)
    _in_delay(leak)
    _in_what_is_published(leak)


def telling(inner: Any, leak: Leak) -> Any:
    """The application, with a header in the answers of the operation or the page that leaks."""

    async def serve(scope: Any, receive: Any, send: Any) -> None:
        async def send_message(message: Any) -> None:
            handler = scope.get("route_handler")
            if message["type"] == "http.response.start":
                name = "metrics" if scope["path"] == "/metrics" else getattr(handler, "name", None)
                hint = (b"x-hint", b"%d" % leak.number(str(name)))
                message["headers"] = [*message["headers"], *([hint] if leak.on(str(name)) else [])]
            await send(message)

        await inner(scope, receive, send_message)

    return serve


def _in_what_is_published(leak: Leak) -> None:
    certificate, encoded = contests._certificate, refusals.encode_problem

    def looked(row: Any) -> Any:
        announced = row.announced
        return (announced.certificate, announced.positions) if leak.on("certificate") else certificate(row)

    def with_metrics(inner: Any, port: Any, health: Any, metrics: Any) -> Any:
        async def served(scope: Any, receive: Any, send: Any) -> None:
            public = scope["type"] == "http" and scope["path"] == "/metrics" and leak.on("public metrics")
            await (front._send_metrics(port, health, metrics, scope, send) if public else inner(scope, receive, send))

        return served

    put(contests, _certificate=looked)
    put(refusals, encode_problem=lambda document: encoded(document) + b" " * (leak.number("problem document") % 1000))
    put(front, with_metrics=with_metrics)
    put(app, with_whole_answers=lambda inner: with_whole_answers(telling(inner, leak)))


def leaking(kind: AnyGameType, leak: Leak) -> AnyGameType:
    """The game type, with leaks in what it shows, tells, lists and refuses."""

    def evolve(state: Any, event: Any) -> Any:
        after = kind.evolve(state, event)
        leak.checksum = crc32(msgspec.json.encode(kind.look(after, ALL_SEEING).zones))
        return after

    def look(state: Any, viewer: Any) -> Any:
        view = kind.look(state, viewer)
        return replace(view, stuck=True) if leak.odd("view") else view

    def redact(state: Any, event: Any, viewer: Any) -> Any:
        return event if leak.on("events") else kind.redact(state, event, viewer)

    def tell(state: Any, event: Any, viewer: Any) -> str:
        return kind.tell(state, event, viewer) + (" Indeed." if leak.odd("sentences") else "")

    return changed(
        kind, evolve=evolve, look=look, redact=redact, tell=tell, legal_commands=_listing(kind, leak),
        decide=_deciding(kind, leak),
    )  # fmt: skip


def _listing(kind: AnyGameType, leak: Leak) -> Callable[[Any, int], Sequence[Any]]:
    def legal_commands(state: Any, seat: int) -> Sequence[Any]:
        listed = tuple(kind.legal_commands(state, seat))
        return listed[::-1] if leak.odd("legal commands") else listed

    return legal_commands


def _deciding(kind: AnyGameType, leak: Leak) -> Callable[[Any, int, Any], Sequence[Any]]:
    def decide(state: Any, seat: int, command: Any) -> Sequence[Any]:
        try:
            return kind.decide(state, seat, command)
        except Illegal as refusal:
            raise Illegal(refusal.rule, refusal.message + (" Alas." if leak.odd("error") else "")) from None

    return decide


def _in_answers(leak: Leak) -> None:
    etag, withheld, waiting = headers.etag, blotting.withheld, live._waiting_game

    def answered(game: Any, key: str, version: int, accepted: int, frames: Sequence[Any], *more: Any) -> Any:
        odd = not frames and leak.odd("dry run")
        return shapes.CommandAnswer(game, key, version, accepted + odd, tuple(frames), *more)

    put(play, shapes=_With(shapes, CommandAnswer=answered))
    put(headers, etag=lambda version: etag(version) + ("; odd" if leak.odd("header") else ""))
    put(logs, withheld=lambda *parts: {**withheld(*parts), "hint": leak.number("log line")})
    put(live, _waiting_game=lambda wait: replace(waiting(wait), version=wait.version + leak.number("inbox")))


def _in_resources(leak: Leak) -> None:
    entry, proof, later = games._entry, records.Proof, timedelta(microseconds=1)
    put(replay, picture=lambda *parts: picture(*parts) + ("\n" if leak.odd("text picture") else ""))
    put(games, _entry=lambda *parts: _moved(entry(*parts), later * leak.number("list entry")))
    put(replay, moments=lambda frames: find_moments(frames)[leak.odd("moments") :])
    put(records, Proof=lambda **parts: proof(**{**parts, "fair": leak.odd("proof")}))

    def longer(*parts: Any) -> Any:
        yield from seen_lines(*parts)
        yield b"\n" * leak.odd("open record")

    put(exports, seen_lines=longer)

    def reordered(frame: Any, position: int) -> Any:
        made = shapes.frame(frame, position)
        return replace(made, sentences=made.sentences[::-1]) if leak.odd("stream order") else made

    put(live, shapes=_With(shapes, frame=reordered))


def _in_delay(leak: Leak) -> None:
    """Spectators are a step less behind than they should be."""

    def early(game: Any, dealt: int, viewer: Any) -> int:
        return min(int(game.step), shown_step(game, dealt, viewer) + leak.on("spectators' delay"))

    put(live_replay, shown_step=early)


def put(module: Any, **others: Any) -> None:
    """Other values for these names of a module, which it must have: what nobody asks for leaks nothing."""
    assert others.keys() <= vars(module).keys(), (module.__name__, *others)
    vars(module).update(others)


def _moved(entry: Any, by: timedelta) -> Any:
    return replace(entry, opened_at=entry.opened_at + by)


class _With:
    """A module with other values for some of its names."""

    def __init__(self, module: Any, **others: Any) -> None:
        self.module = module
        vars(self).update(others)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)
