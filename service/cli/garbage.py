"""The garbage collector of a process that runs for long."""

import gc


def settle_garbage_collector() -> None:
    """Exempt all objects that exist at start-up, and collect the rest in small steps, so that no pause is long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 100)
