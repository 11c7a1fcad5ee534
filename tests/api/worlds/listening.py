"""Event streams of both worlds, byte by byte."""

import re
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPResponse
from threading import Thread
from time import monotonic, sleep
from typing import Any

from .pair import Pair, Stranger

PATIENCE = 240.0
_POSITION = re.compile(rb',"log_position":\d+')
"""How far the log has come is as it was when an event left; every change tells it, whoever makes it."""
_SILENCE = 1800.0
"""Seconds that a stream may tell nothing: as long as a game."""


class Stream:
    """An event stream of both worlds, read in the background from now on."""

    def __init__(self, pair: Pair, who: Stranger, path: str, **more: str) -> None:
        self.heads: list[tuple[Any, ...]] = []
        self.texts = [bytearray(), bytearray()]
        self._links = [HTTPConnection("127.0.0.1", world.port, timeout=_SILENCE) for world in pair.worlds]
        for link in self._links:
            link.request("GET", path, headers={**who.headers, **more})
        answers = [link.getresponse() for link in self._links]
        self.heads = [(answer.status, _headers(answer)) for answer in answers]
        self._threads = [
            Thread(target=_drain, args=pair_of, daemon=True) for pair_of in zip(answers, self.texts, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def until(self, parts: Sequence[bytes]) -> None:
        """Wait until each world has sent its part; for an empty one, until the last game that waited is done."""
        give_up = monotonic() + PATIENCE
        while not all(map(_has, self.texts, parts)):
            assert monotonic() < give_up, f"a stream does not send {parts!r}: {self.texts[0][-300:]!r}"
            sleep(0.005)

    def ended(self) -> list[tuple[Any, list[bytes]]]:
        """Head and blocks of either stream, once both have ended."""
        for thread in self._threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), f"a stream does not end: {self.texts[0][-300:]!r}"
        for link in self._links:
            link.close()
        return [
            (head, _POSITION.sub(b"", text).split(b"\n\n")) for head, text in zip(self.heads, self.texts, strict=True)
        ]


def _has(text: bytearray, part: bytes) -> bool:
    if part or b"event: snapshot" not in text:
        return bool(part) and part in text
    return text.rfind(b"event: done") >= text.rfind(b'"since"')


def _headers(answer: HTTPResponse) -> list[tuple[str, str]]:
    """All but Date."""
    return [(name, value) for name, value in answer.getheaders() if name.lower() != "date"]


def _drain(answer: HTTPResponse, text: bytearray) -> None:
    while part := answer.read1(65536):
        text.extend(part)
