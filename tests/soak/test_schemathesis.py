"""The running service against its own description: edges of every parameter, chains of operations, and links."""

from collections import Counter
from pathlib import Path

from domain.games import GAME_TYPES
from tests.api.serving import Player
from tests.openapi.test_schemathesis import nothing_is_left, run_tester


def test_nothing_is_left(address: str, moderator: Player) -> None:
    nothing_is_left(address, moderator)


def test_links_lead_to_accepted_commands_of_every_game_type(address: str, tmp_path: Path) -> None:
    """Each run goes on where the last one stopped counting, at another seed: a tester that follows links strays.

    It begins with opening a game only where some operation tells of players: one may invite them.
    """
    accepted = tmp_path / "accepted"
    accepted.touch()
    chosen = [
        part
        for name in ("open_game", "list_legal_commands", "post_command", "get_player")
        for part in ("--include-operation-id", name)
    ]
    for seed in range(1, 9):
        arguments = ("--phases", "stateful", "--seed", str(seed), *chosen)
        run_tester(address, "links.toml", {"KIBITZ_ACCEPTED": str(accepted)}, *arguments)
        counts = Counter(accepted.read_text().split())
        if all(counts[key] >= 2 for key in GAME_TYPES):
            break
    assert {key for key in GAME_TYPES if counts[key] < 2} == set(), f"accepted commands: {counts}"
