"""Who plays in the demonstration: a simple choice among the legal commands of each game type."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from kibitz_client.sync import Kibitz

Command = dict[str, Any]
Look = dict[str, Any]
Choice = Callable[[Sequence[Command], Look, Random], Command]
RESIGN = {"type": "game/resign"}


def listed_commands(player: Kibitz, game: str, seat: int) -> list[Any]:
    """The moves of this seat, then what else it may do."""
    listed = player.request("list_legal_commands", game_id=game, seat=seat)
    return [*listed["commands"], *listed["other_commands"]]


class Klondike:
    """Cards home first, then moves that turn a card, then the waste, then the stock; gives up when nothing changes."""

    def __init__(self) -> None:
        self.idle = 0

    def __call__(self, commands: Sequence[Command], look: Look, random: Random) -> Command:
        scored = [(self._worth(command, look), number) for number, command in enumerate(commands)]
        worth, number = max(scored)
        self.idle = 0 if worth > 1 else self.idle + 1
        return commands[number] if worth > 0 and self.idle < 80 and not look["view"]["stuck"] else RESIGN

    def _worth(self, command: Command, look: Look) -> int:
        zones = {zone["id"]: zone for zone in look["view"]["zones"]}
        if command["type"] in ("klondike/draw", "klondike/recycle"):
            return 1
        if command["type"] != "klondike/move" or command["source"].startswith("foundation"):
            return 0
        source, target = zones[command["source"]], command["target"]
        if target.startswith("foundation"):
            return 5
        whole = command.get("count", 1) == len(source.get("cards", ()))
        if command["source"] == "waste":
            return 3
        return 4 if whole and source.get("face_down") else 0


def spite_and_malice(commands: Sequence[Command], look: Look, random: Random) -> Command:
    """The stock first, then any play, else a discard."""
    plays = [command for command in commands if command["type"] == "spite_and_malice/play"]
    stock = [command for command in plays if command["source"].startswith("stock")]
    others = [command for command in commands if command["type"] != "game/resign"]
    return random.choice(stock or plays or others)


def bridge_solitaire(commands: Sequence[Command], look: Look, random: Random) -> Command:
    """Any selection, the lowest bid when there is no pass, any card; one hand after the other."""
    for kind in ("next_hand", "pass"):
        if found := [command for command in commands if command["type"] == f"bridge_solitaire/{kind}"]:
            return found[0]
    bids = [command for command in commands if command["type"] == "bridge_solitaire/bid"]
    playable = [command for command in commands if command["type"] != "game/resign"]
    return bids[0] if bids else random.choice(playable)


class Patience:
    """Any legal command, a little longer than a minute's play; gives up where nothing is left or it drags on."""

    def __init__(self) -> None:
        self.left = 120

    def __call__(self, commands: Sequence[Command], look: Look, random: Random) -> Command:
        self.left -= 1
        meant = [command for command in commands if command["type"] not in ("game/resign", "game/undo")]
        return random.choice(meant) if meant and self.left and not look["view"]["stuck"] else RESIGN


def anything(commands: Sequence[Command], look: Look, random: Random) -> Command:
    """Any legal command but to resign, if there is another."""
    return random.choice([command for command in commands if command["type"] != "game/resign"] or [RESIGN])


COMPANY: dict[str, Choice] = {"spite_and_malice": spite_and_malice}
SOLO: dict[str, Callable[[], Choice]] = {"klondike": Klondike, "bridge_solitaire": lambda: bridge_solitaire}
