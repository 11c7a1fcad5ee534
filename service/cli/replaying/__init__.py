"""A game step by step in the terminal: sources of frames, keys, and the screen."""
