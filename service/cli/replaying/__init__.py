"""A game step by step in the terminal: where frames come from, what keys do, how the screen looks."""
