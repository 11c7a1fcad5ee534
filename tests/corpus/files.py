"""Where the stored games are: a file per game type and revision, open records one after the other, compressed.

A file is a row of gzip members; adding games appends a member and leaves every byte before it as it is.
"""

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path

from domain.games import AnyGameType
from domain.play.aggregate import AnyRecord
from domain.play.open_record import OpenRecord, read_record, record_lines

FOLDER = Path(__file__).parent
_START = b'{"kibitz_record":'

Records = tuple[AnyRecord, ...]


def name(game_type: AnyGameType) -> str:
    """`klondike-1`: what the files of this revision are called."""
    return f"{game_type.key}-{game_type.revision}"


def path(game_type: AnyGameType) -> Path:
    """The stored games of this revision."""
    return FOLDER / f"{name(game_type)}.ndjson.gz"


def texts(game_type: AnyGameType) -> Iterator[bytes]:
    """The text of each stored game, in the order they were added; none where there is no file."""
    if path(game_type).exists():
        yield from _games(gzip.decompress(path(game_type).read_bytes()))


def _games(text: bytes) -> Iterator[bytes]:
    for game in text.split(b"\n" + _START):
        yield (game if game.startswith(_START) else _START + game).removesuffix(b"\n") + b"\n"


def stored(game_type: AnyGameType) -> list[Records]:
    """The records of each stored game; raises Unreadable."""
    return [read_record(text).records for text in texts(game_type)]


def append(game_type: AnyGameType, games: Iterable[Records]) -> int:
    """Add these games behind what is there; the bytes that were added."""
    text = b"".join(line for game in games for line in record_lines(OpenRecord(game, None)))
    member = gzip.compress(text, compresslevel=9, mtime=0)
    with path(game_type).open("ab") as file:
        return file.write(member)
