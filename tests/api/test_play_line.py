"""The line `WS /v1/play`: one connection, many commands, each as over REST."""

from .lining import line
from .playing import opened
from .serving import Player, Service

DRAW = {"type": "klondike/draw"}


def test_a_command_is_answered_as_over_rest(service: Service, ada: Player) -> None:
    game, twin = opened(ada), opened(ada)
    with line(service, ada) as open_line:
        told = open_line.say(game, DRAW)
    assert told["type"] == "accepted"
