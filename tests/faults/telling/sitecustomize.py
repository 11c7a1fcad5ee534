"""Python reads this at its start where the folder is in its path: SIGUSR2 makes it tell where every thread stands."""

import faulthandler
import os
import signal

faulthandler.register(signal.SIGUSR2, all_threads=True)

if "CLOCK_SHIFT_SECONDS" in os.environ:
    import time
    from types import SimpleNamespace

    from service.event_store import ids

    _SHIFT = int(float(os.environ["CLOCK_SHIFT_SECONDS"]) * 1e9)
    ids.time = SimpleNamespace(time_ns=lambda: time.time_ns() + _SHIFT)  # type: ignore[attr-defined]
