"""Announces finished games, one line each, as a bot in a chat room would. Needs httpx and nothing of Kibitz.

    python announcer.py http://127.0.0.1:8000 --state announced.txt

The feed's cursor is kept in the file: after a restart no game is left out, and the last one at most is announced
once more.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import httpx


def words_of(game: dict[str, Any]) -> str:
    """One sentence about a finished game."""
    who = [seat["player"]["name"] if seat["player"] else "somebody" for seat in game["seats"]]
    result, title = game["result"], game["game_type"].replace("_", " ")
    winners = " and ".join(who[seat] for seat in result.get("winners") or [])
    ended = f"{winners} won" if winners else f"{' and '.join(who)} ended ({result['ending']})"
    return f"{ended} a game of {title} after {game['steps']} steps"


def main() -> None:
    """Follow the feed for ever, or until so many games are announced."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server")
    parser.add_argument("--state", type=Path, default=Path("announced.txt"))
    parser.add_argument("--games", type=int, help="end after so many")
    chosen = parser.parse_args()
    api = httpx.Client(base_url=chosen.server, timeout=60)
    announced = 0
    while chosen.games is None or announced < chosen.games:
        query: dict[str, str | int] = {"wait": 20, "limit": 20}
        if chosen.state.exists():
            query["cursor"] = chosen.state.read_text()
        answer = api.get("/v1/feed", params=query)
        answer.raise_for_status()
        for line in map(json.loads, answer.text.splitlines()):
            if line.get("kind") == "finished":
                game = line["game"]
                print(f"{words_of(game)}: {chosen.server}/games/{game['id']}", flush=True)
                announced += 1
            chosen.state.write_text(line["cursor"])
            if announced == chosen.games:
                break


if __name__ == "__main__":
    main()
