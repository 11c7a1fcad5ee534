"""`python -m tests.fuzz [MINUTES]`: half of the time the readers, half of it the whole API, by other lots each time."""

import os
import subprocess
import sys
from time import monotonic

_EXAMPLES = 200


def main(minutes: float) -> int:
    """Go on until the time is over or something is found; the exit status."""
    until = monotonic() + 30 * minutes
    rounds = 0
    while rounds == 0 or monotonic() < until:
        rounds += 1
        if (found := _tests("tests/fuzz", KIBITZ_FUZZ_EXAMPLES=str(_EXAMPLES))) != 0:
            return found
        print(f"{rounds} rounds of {_EXAMPLES} inputs for each reader: nothing found.", flush=True)
    return _tests("tests/fuzz/api.py", KIBITZ_FUZZ_SECONDS=str(int(30 * minutes)))


def _tests(path: str, **named: str) -> int:
    command = [sys.executable, "-m", "pytest", path, "-q", "-s", "-x", "--timeout", "7200"]
    return subprocess.run(command, env=os.environ | named, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
