"""The soak: minutes of faults under load, run by `make soak`; not part of `make test`."""
