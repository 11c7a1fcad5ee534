"""What `kibitz serve` says when it is ready."""

from domain.games import GAME_TYPES
from service.cli.database import place
from service.settings import Settings

_JSON = "-H 'Content-Type: application/json'"


def welcome(address: str, settings: Settings) -> str:
    """Where the service is, where its data are, and how to begin."""
    where = place(settings)
    return "\n".join([
        f"Kibitz is at {address}",
        f"{where[0].upper()}{where[1:]}",
        "To register a player and open a game:",
        first_game(address),
    ])  # fmt: skip


def first_game(address: str) -> str:
    """One line for a shell with curl and sed."""
    secret = r"""sed 's/.*"secret":"\([^"]*\)".*/\1/'"""
    register = f"""curl -s {address}/v1/players {_JSON} -d '{{"name":"Ada"}}' | {secret}"""
    game_type = "klondike" if "klondike" in GAME_TYPES else next(iter(GAME_TYPES))
    opening = f"""-d '{{"game_type":"{game_type}"}}'"""
    return f"""curl -s {address}/v1/games {_JSON} -H "Authorization: Bearer $({register})" {opening}"""
