"""The commands, one module each: `arguments(parser)` and `run(chosen, settings)`."""
