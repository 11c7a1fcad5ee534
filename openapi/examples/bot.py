"""A bot: sits down where somebody waits, or opens a game, and plays by lot. Needs httpx and nothing of Kibitz.

python bot.py http://127.0.0.1:8000 spite_and_malice
"""

import argparse
import random
import time
from collections.abc import Iterator

import httpx


class Bot:
    """A player that is a program."""

    def __init__(self, server: str, name: str) -> None:
        self.api = httpx.Client(base_url=server, timeout=60)
        made = self.api.post("/v1/players", json={"name": name, "bot": True})
        made.raise_for_status()
        self.api.headers["Authorization"] = f"Bearer {made.json()['token']['secret']}"

    def find_game(self, game_type: str, own: str | None = None) -> str:
        """Join a game that waits for a player, in place of an own one if it is older, or open one; its id."""
        query = {"game_type": game_type, "status": "waiting"}
        for game in self.api.get("/v1/games", params=query).json()["games"]:
            if own is not None and game["id"] >= own:  # ids grow with time: of two who wait, the later one moves
                continue
            if self.api.post(f"/v1/games/{game['id']}/join").is_success:  # somebody may have been faster
                if own is not None:
                    self.api.post(f"/v1/games/{own}/leave")
                return str(game["id"])
        if own is not None:
            return own
        made = self.api.post("/v1/games", json={"game_type": game_type})
        made.raise_for_status()
        return str(made.json()["id"])

    def listen(self) -> Iterator[None]:
        """Return whenever something may have changed, and every few seconds; for ever."""
        while True:
            with self.api.stream("GET", "/v1/inbox/events", params={"max_seconds": 5}) as stream:
                if stream.status_code in (429, 503):  # too much is asked for, or it starts anew
                    time.sleep(float(stream.headers.get("Retry-After", 5)))
                    continue
                stream.raise_for_status()
                for line in stream.iter_lines():
                    if line.startswith("event:"):
                        yield

    def play_turn(self, game: str, most: int) -> None:
        """Make moves by lot while it has any; resign a game that nobody can go on with, or of so many versions."""
        while (legal := self.api.get(f"/v1/games/{game}/legal-commands").json())["commands"]:
            chosen = random.choice(legal["commands"]) if legal["version"] < most else {"type": "game/resign"}
            headers = {"If-Match": f'"{legal["version"]}"', "Idempotency-Key": f"{game} {legal['version']}"}
            headers["Prefer"] = "return=minimal"  # it asks what it may do next, and needs no frames
            answer = self.api.post(f"/v1/games/{game}/commands", json=chosen, headers=headers)
            if answer.status_code != 412:  # the game moved on: look again
                answer.raise_for_status()
        look = self.api.get(f"/v1/games/{game}").json()
        if look["status"] == "playing" and look["view"]["stuck"]:
            self.api.post(f"/v1/games/{game}/commands", json={"type": "game/resign"}).raise_for_status()


def main() -> None:
    """Play one game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("game_type")
    parser.add_argument("--name", default="Robot")
    parser.add_argument("--most", type=int, default=2000, help="resign a game that has become so long")
    chosen = parser.parse_args()
    bot = Bot(chosen.server, chosen.name)
    game = bot.find_game(chosen.game_type)
    print(f"{chosen.name} sits down: {chosen.server}/games/{game}", flush=True)
    for _ in bot.listen():
        found = bot.api.get(f"/v1/games/{game}").json()
        if found["status"] == "playing":
            bot.play_turn(game, chosen.most)
        elif found["status"] == "waiting":  # perhaps for somebody who opened a game at the same moment
            game = bot.find_game(chosen.game_type, game)
        else:
            print(f"{chosen.name}: {found['status']}")
            return


if __name__ == "__main__":
    main()
