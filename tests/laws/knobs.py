"""How hard the laws look, in one place. KIBITZ_LAW_EXAMPLES raises the number of games for a soak run."""

import os

from hypothesis import HealthCheck, settings

_ASKED = os.environ.get("KIBITZ_LAW_EXAMPLES")

EXAMPLES = int(_ASKED or 16)
"""Random games per law and game type."""

LENGTHS = (1, 4, 10, 20, 40, 60, 60, 120, 250)
"""Steps of a random game, at most; the long ones are several hands of a rubber, or a whole patience."""

LISTED = 30
"""Listed commands that are tried against `decide` in one state; of longer lists a sample."""

GUESSES = 12
"""Commands not listed that are tried in one state and seat."""

LAW = settings(
    max_examples=EXAMPLES,
    derandomize=_ASKED is None,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
"""The same examples in every build; a soak run draws new ones."""
