"""The whole story, from an empty database on."""

from tests.api.holding import close_all
from tests.api.serving import serving
from tests.openapi.exchanges import (
    apps,
    boards,
    contests,
    games,
    leagues,
    players,
    puzzles,
    replays,
    service_itself,
    webhooks,
)
from tests.openapi.exchanges.cast import gather
from tests.openapi.exchanges.stage import Stage

SETTINGS = {"log_level": "warning", "embedding_origins": "https://blog.example.org"}
"""The operator lets pages of others show replays."""


def play(conninfo: str) -> Stage:
    """Everything that was said and answered. A contest is closed while no server runs, by a clock put forward."""
    with serving(conninfo, **SETTINGS) as service:
        stage = Stage(service)
        cast = gather(stage)
        over = contests.begin(cast)
    close_all(conninfo)
    with serving(conninfo, **SETTINGS) as service:
        stage.move_to(service)
        cast.move()
        contests.play(cast, over)
        for scene in (players, apps, games, webhooks, replays, puzzles, boards, leagues, service_itself):
            scene.play(cast)
    return stage
