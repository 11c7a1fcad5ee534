"""What the page of a game tells its replay beforehand."""

from typing import Any

from service.live.replays import Replay


def clock_of(replay: Replay, last: int) -> dict[str, Any]:
    """When each step up to the last was made, in seconds since the first, and from which seat: as its frames say."""
    steps = replay.steps[: last + 1]
    opened = steps[0][-1].time
    times = [round((step[-1].time - opened) / 1_000_000, 1) for step in steps]
    return {"opened": opened / 1_000_000, "times": times, "seats": [step[0].seat for step in steps]}
