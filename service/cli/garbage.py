"""The garbage collector of a process that runs for long."""

import gc


def settle_garbage_collector() -> None:
    """What is there at start-up stays and is not looked at again; the rest in small portions: no pause is long."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 100)
