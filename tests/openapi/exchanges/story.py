"""The whole story, from an empty database on."""

from tests.api.holding import close_all
from tests.api.serving import serving
from tests.openapi.exchanges import contests, games, leagues, replays, scenes
from tests.openapi.exchanges.stage import Stage, gather

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
        for play_scene in (
            scenes.play_players, scenes.play_apps, games.play, scenes.play_webhooks, replays.play, scenes.play_puzzles,
            scenes.play_boards, leagues.play, scenes.play_service_itself,
        ):  # fmt: skip
            play_scene(cast)
    return stage
