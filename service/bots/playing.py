"""One game: wait for the turn, look, choose, say it."""

from random import Random
from typing import Any

from service.bots.asking import Service
from service.bots.choosing import Choice
from service.bots.following import News, game_news
from service.bots.position import Command, Position, playable_commands

Look = dict[str, Any]
OVER = ("finished", "voided")
STALE = 412
RESIGN: Command = {"type": "game/resign"}

PATIENCE = 5000
"""Commands of one game, after which the bot gives up: a solitaire played by lot might never end."""

_LOOK_AGAIN = 30.0  # seconds without news
_SAY_NOTHING = 0.25  # seconds until a bot that sent nothing chooses again


class Playing:
    """The bot's part in one game, with every seat that it holds there."""

    def __init__(self, service: Service, game_id: str, choice: Choice, random: Random) -> None:
        self._service = service
        self._path = f"/v1/games/{game_id}"
        self._choice = choice
        self._random = random
        self._said = 0
        self._seeded = False

    async def play_to_end(self) -> Look:
        """The game as it looks when it is over, or when no seat there is the bot's any more; raises Gone, Refused."""
        async with game_news(self._service, f"{self._path}/events") as news:
            while True:
                look: Look = await self._service.look(self._path)
                if look["status"] in OVER or not look["your_seats"]:
                    return look
                await self._take_turn(look, news)

    async def _take_turn(self, look: Look, news: News) -> None:
        """One round: give a seed, send a command if a seat of ours is to act, or wait for news."""
        if look["status"] == "waiting":
            await self._seed(look)
        acting = [seat for seat in look["your_seats"] if look["view"] and seat in look["view"]["to_act"]]
        if not acting:
            await news.after(look["version"], _LOOK_AGAIN)
        elif not await self._speak(look, self._random.choice(acting)):
            await news.after(look["version"], _SAY_NOTHING)

    async def _seed(self, look: Look) -> None:
        """A seed for a deal that waits for one."""
        if look["await_seeds"] and not self._seeded:
            await self._service.say(f"{self._path}/seed", {"client_seed": f"{self._random.random()}"})
            self._seeded = True

    async def _speak(self, look: Look, seat: int) -> bool:
        """Choose and send a command; False if nothing was sent. True also if the look is stale: look again at once."""
        if look["viewer"] != seat:
            look = await self._service.look(self._path, seat=seat)
        listed = await self._service.look(f"{self._path}/legal-commands", seat=seat)
        if listed["version"] != look["version"] or look["status"] in OVER:
            return True
        command = self._choose_command(look, seat, listed["commands"])
        return command is not None and await self._send_command(command, look["version"], seat)

    async def _send_command(self, command: Command, version: int, seat: int) -> bool:
        answer = await self._service.say(f"{self._path}/commands", command, version=version, seat=seat)
        self._said += 1
        return answer.accepted or answer.status == STALE

    def _choose_command(self, look: Look, seat: int, commands: list[Command]) -> Command | None:
        """The chosen command; resigns if the game is stuck, no command is left, or too many were sent."""
        position = Position(look["game_type"], look["options"], seat, look["view"], playable_commands(commands))
        if not position.commands:
            return None if position.may_wait else RESIGN
        if position.view["stuck"] or self._said >= PATIENCE:
            return RESIGN
        return self._choice(position, self._random)
