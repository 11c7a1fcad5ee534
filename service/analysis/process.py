"""What the process of one analysis is told, and what it writes."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from service.analysis.kinds import Report
from service.analysis.queue import Note
from service.live.heavy import GameRef
from service.settings import Settings


class Task(NamedTuple):
    """What the process is told. Without `search` it answers with what was found before."""

    conninfo: str
    settings: Settings
    ref: GameRef
    bound: int
    found: Sequence[Note]
    search: bool


class Line(Struct, frozen=True, omit_defaults=True):
    """What it writes: what was found with about how much there will be, or the answer."""

    expected: int = 0
    found: Note | None = None
    report: Report | None = None
