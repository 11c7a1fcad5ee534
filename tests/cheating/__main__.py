"""`python -m tests.cheating`: an hour of cheating accounts among honest players, and what the tables show."""

import sys

from .tables import tables

sys.stdout.writelines(line + "\n" for line in tables())
