"""Several API processes on one log: which owns which game, request forwarding, and news between processes."""
