"""A server process that hears half a second late that its events are committed."""

import asyncio
import runpy
from pathlib import Path
from typing import Any

from service.event_store.store import EventStore

_APPEND = EventStore.append


async def _append(self: EventStore, *values: Any, **options: Any) -> Any:
    answer = await _APPEND(self, *values, **options)
    await asyncio.sleep(0.5)
    return answer


EventStore.append = _append  # type: ignore[method-assign]
runpy.run_path(str(Path(__file__).with_name("served.py")))
