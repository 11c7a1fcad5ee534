"""Verifying: steps a second from an open record's text, by game type, and how long that text is."""

import zlib
from functools import partial
from typing import Any

from domain.games import GAME_TYPES
from domain.play.deciding import Act, play
from domain.play.open_record import OpenRecord, Signature, read_record, record_lines
from domain.play.verify import verify
from domain.play.verify_text import verify_text

from .measures import interleaved, ratio, say, short, spread
from .scripts import Script, script

_GAMES = 6
_MOST = 300
_SIGNATURE = Signature("0123456789abcdef", bytes(64))


def measured() -> dict[str, Any]:
    """The section of the document; every rate in steps a second of processor time."""
    return {key: _measured(key) for key in GAME_TYPES}


def _measured(key: str) -> dict[str, Any]:
    say(f"verifying {key}")
    played = [script(key, number, _MOST, True) for number in range(_GAMES)]
    texts = [_text(one) for one in played]
    count = sum(len(one.steps) for one in played)
    rates = interleaved({
        "verify_text": (partial(_verify_text, texts), count),
        "verify_records": (partial(_verify, played), count),
        "read_alone": (partial(_read, texts), count),
        "played_alone": (partial(_play, played), count),
    })  # fmt: skip
    return {
        "games": len(played), "steps": count,
        **{f"{name}_steps_per_second": spread(numbers) for name, numbers in rates.items()},
        "verify_text_to_played_alone": ratio(rates["verify_text"], rates["played_alone"]),
        "record_bytes_per_step": short(sum(map(len, texts)) / count),
        "record_bytes_per_step_compressed": short(sum(len(zlib.compress(text, 6)) for text in texts) / count),
        "record_bytes_of_a_game": spread([len(text) for text in texts]),
        "record_bytes_of_a_game_compressed": spread([len(zlib.compress(text, 6)) for text in texts]),
    }  # fmt: skip


def _text(found: Script) -> bytes:
    return b"".join(record_lines(OpenRecord(found.records, _SIGNATURE)))


def _verify_text(texts: list[bytes]) -> None:
    for text in texts:
        assert not verify_text(text).faults


def _verify(played: list[Script]) -> None:
    for found in played:
        verify(found.records)


def _read(texts: list[bytes]) -> None:
    for text in texts:
        read_record(text)


def _play(played: list[Script]) -> None:
    """The same commands said once: what verifying, which folds twice and decides once, is compared with."""
    for found in played:
        for before, after in zip(found.steps, found.steps[1:], strict=False):
            first = after.records[0]
            play(before.game, first.command, Act(first.actor, first.seat, first.time))
