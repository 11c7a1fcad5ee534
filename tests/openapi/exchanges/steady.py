"""Stand-ins for what every run has anew, the same in every recording; and long answers, cut where they may be."""

import json
import re
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_SECRET = re.compile(r"\b(kbz_|whsec_)([A-Za-z0-9_+/=-]{20,})")
_TIME = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z")
"""A time of the run has fractions of a second; those that the story names have none."""
_DAY = timedelta(days=1)
BASE = datetime(2026, 11, 2, 18, tzinfo=UTC)
ADDRESS = "https://kibitz.example.org"


class Steady:
    """The stand-ins of one run. An id has a name, else that of the operation that first showed it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._began = datetime.now(UTC)
        self._names: dict[str, str] = {}

    def name(self, ids: dict[str, str]) -> None:
        """Name ids."""
        self._names |= {value: name for name, value in ids.items()}

    def of(self, operation: str, exchange: Any) -> Any:
        """The exchange with all of its stand-ins."""
        text = json.dumps(exchange, ensure_ascii=False)
        for found in dict.fromkeys(_UUID.findall(text)):
            if self._is_new(UUID(found)) and found not in self._names:
                count = sum(name.startswith(f"{operation}/") for name in self._names.values())
                self._names[found] = f"{operation}/{count}"
        text = _UUID.sub(lambda match: _id(self._names[match[0]]) if match[0] in self._names else match[0], text)
        text = _SECRET.sub(lambda match: match[1] + "example" * (len(match[2]) // 7), text)
        text = self._with_times(text)
        text = text.replace(self.address, ADDRESS).replace(urlsplit(self.address).netloc, urlsplit(ADDRESS).netloc)
        return json.loads(text)

    def _is_new(self, found: UUID) -> bool:
        """Whether the id was made in this run: ids begin with their time, and other ones are random."""
        made = datetime.fromtimestamp((found.int >> 80) / 1000, UTC) if found.version == 7 else self._began
        return abs(made - self._began) < _DAY

    def _with_times(self, text: str) -> str:
        ranks = {found: rank for rank, found in enumerate(sorted(set(_TIME.findall(text))))}
        text = _TIME.sub(lambda match: self._time(match[0], ranks[match[0]]), text)
        for day in (self._began, datetime.now(UTC)):
            text = re.sub(rf"\b{day:%Y-%m-%d}\b(?!T)", f"{BASE:%Y-%m-%d}", text)
            text = re.sub(rf"\b{day:%Y-%m}\b(?!-)", f"{BASE:%Y-%m}", text)
        return text

    def _time(self, found: str, rank: int) -> str:
        """The evening of the story, in seconds by rank; what is hours away stays as far away."""
        hours = round((datetime.fromisoformat(found) - self._began) / timedelta(hours=1))
        there = BASE + timedelta(hours=hours, seconds=0 if hours else rank)
        return f"{there:%Y-%m-%dT%H:%M:%SZ}"


def _id(name: str) -> str:
    made = blake2b(name.encode(), digest_size=11).hexdigest()
    return f"019a4000-{made[:4]}-7{made[4:7]}-8{made[7:10]}-{made[10:]}"


_MOST, _ITEMS, _TEXT, _MEMBER = 700, 2, 900, 20_000
"""Letters of a list that stands whole, items of one that does not, letters of a text, and of an object in another."""
ELLIPSIS = "…"


def shorten(value: Any) -> tuple[Any, bool]:
    """The value, cut, and whether anything was."""
    cut = _text(value) if isinstance(value, str) else _cut(value)
    return cut, cut != value


def _cut(value: Any) -> Any:
    if isinstance(value, list):
        short = value[:_ITEMS] if len(json.dumps(value)) > _MOST else value
        return [_cut(one) for one in short]
    if isinstance(value, dict):
        return {name: {} if isinstance(one, dict) and _is_left_out(one) else _cut(one) for name, one in value.items()}
    return value


def _is_left_out(value: dict[str, Any]) -> bool:
    """Whether it is left empty: a description of the service is no example within itself, nor are references."""
    return len(text := json.dumps(value)) > _MEMBER or '"$ref"' in text


def _text(value: str) -> str:
    """The first lines; whole ones, where the first is not too long itself."""
    if len(value) <= _TEXT:
        return value
    head = value[:_TEXT]
    return (head[: head.rfind("\n") + 1] or head) + ELLIPSIS
