"""`python -m tests.soak.leaving [STREAMS]`: so many streams of games are reset under stock quotas, by a new account for
each 600; then every kind of operation is asked for. Exit status 1 if one is not answered."""

import sys
from random import Random
from time import monotonic

from tests.faults.leaving import Account, leave
from tests.faults.world import installed

from . import folder_for, say

_OF_ONE = 600
_STOCK = {"KIBITZ_RATE_LIMIT_PER_MINUTE": "6000", "KIBITZ_HEARTBEAT": "15", "KIBITZ_DATABASE_SILENCE": "20"}


def main(count: int) -> int:
    """Run; 0 if all is answered afterwards."""
    lots, began = Random(28), monotonic()
    with folder_for("leaving") as folder, installed(folder, **_STOCK) as world:
        for number in range(0, count, _OF_ONE):
            account = Account(world.url, f"127.0.{number // _OF_ONE // 200}.{number // _OF_ONE % 200 + 2}")
            leave([account], min(_OF_ONE, count - number), lots, ("stream_game",))
            say(f"{min(number + _OF_ONE, count)} streams reset after {monotonic() - began:.0f} s")
        unanswered = Account(world.url, "127.1.1.1").unanswered()
    for operation, answer in unanswered.items():
        say(f"    {operation}: {answer}")
    say("FAILED" if unanswered else "every kind of operation is answered")
    return 1 if unanswered else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000))
