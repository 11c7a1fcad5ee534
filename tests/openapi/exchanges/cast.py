"""Who plays in the story."""

from dataclasses import dataclass

from tests.api.serving import Player, moderating, registered
from tests.openapi.exchanges.stage import Stage


@dataclass
class Cast:
    """The stage and its people: Olga organises, Eve has no part in what the others do, Mo moderates."""

    stage: Stage
    ada: Player
    bob: Player
    cyd: Player
    eve: Player
    olga: Player
    mo: Player

    def move(self) -> None:
        """Everybody goes on at the stage's new address."""
        for name in ("ada", "bob", "cyd", "eve", "olga", "mo"):
            setattr(self, name, getattr(self, name).on(self.stage.service))


def gather(stage: Stage) -> Cast:
    """The people, registered."""
    people = {name: registered(stage.service, name.title()) for name in ("ada", "bob", "cyd", "eve", "olga")}
    stage.name(**{name: player.id for name, player in people.items()})
    return Cast(stage, **people, mo=moderating(stage.service))
