"""A server process that also knows the toy, in the revisions that the settings name (`toy_revisions`)."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

from domain import games
from tests.domain.toy_2 import TOY_2
from tests.laws.toy import TOY


def settings_with_toys_planted(text: str) -> str:
    """The settings that the service knows; the revisions that it does not are planted before it is imported."""
    settings: dict[str, Any] = json.loads(text)
    named = settings.pop("toy_revisions")
    games.REVISIONS |= games.by_revision(toy for toy in (TOY, TOY_2) if toy.revision in named)
    games.GAME_TYPES |= games.newest(games.REVISIONS)
    return json.dumps(settings)


sys.argv[1] = settings_with_toys_planted(sys.argv[1])

from tests.api.heavy_here import do_heavy_work_here  # noqa: E402  it imports the service

do_heavy_work_here()
runpy.run_path(str(Path(__file__).with_name("served.py")))
