"""Every block of code in the guide and of the README runs, against a real server, as it stands."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from service.postgres import Server
from tests.api.serving import database_of, serving
from tests.api.watching import until
from tests.debian import program

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "openapi" / "guide"
EXAMPLES = ROOT / "openapi" / "examples"
ADDRESS = "http://127.0.0.1:8000"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
STRICT_SHELL = 'set -euo pipefail; curl() { command curl --fail-with-body "$@"; }\n'
"""A pasted line may be refused unseen; here every answer is to be a good one."""
CHAPTERS = sorted(GUIDE.glob("[0-9]*.md"))
BOT = "2-bot"
RUN = ("sh", "python", "js")


NEAR: dict[str, Any] = {"webhooks_by_http": True, "webhooks_to_private": True}
"""As the sixth chapter has it."""


@pytest.fixture(scope="module")
def shared_address(postgres: Server, template_database: str) -> Iterator[str]:
    """One server for whoever does not wait for a partner."""
    with (
        database_of(postgres, template_database) as conninfo,
        serving(conninfo, log_level="warning", **NEAR) as service,
    ):
        yield service.url


@pytest.fixture
def own_address(postgres: Server, template_database: str) -> Iterator[str]:
    """A server for each test of bots: a bot sits down wherever somebody waits, and who left that table never plays."""
    with database_of(postgres, template_database) as conninfo, serving(conninfo, log_level="warning") as service:
        yield service.url


def blocks(file: Path, language: str) -> str:
    """The blocks of this language, one after the other: each goes on where the one before it stopped."""
    return "\n".join(text for named, text in BLOCK.findall(file.read_text()) if named == language)


def run(language: str, text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run this program as a stranger would, in an empty folder."""
    if language == "sh":
        command = ["bash", "-c", STRICT_SHELL + text]
    elif language == "python":
        command = [sys.executable, "-c", text]
    else:
        (folder / "snippet.mjs").write_text(text)
        command = [program("nodejs", ("node",)), "snippet.mjs"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)


@contextmanager
def partner(file: Path, text: str) -> Iterator[None]:
    """The bot of the second chapter plays with another one, which has sat down."""
    if file.stem != BOT:
        yield
        return
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline().startswith("At the table:")
        try:
            yield
            assert other.wait(60) == 0
        finally:
            other.kill()


PROGRAMS = [
    pytest.param(file, language, id=f"{file.stem}-{language}")
    for file in (ROOT / "README.md", *CHAPTERS)
    for language in RUN
    if blocks(file, language)
]


@pytest.mark.parametrize(("file", "language"), PROGRAMS)
def test_the_blocks_of_a_chapter_run(file: Path, language: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    address = request.getfixturevalue("own_address" if file.stem == BOT else "shared_address")
    text = blocks(file, language)
    assert ADDRESS in text
    with partner(file, text.replace(ADDRESS, address)):
        done = run(language, text.replace(ADDRESS, address), tmp_path)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.strip()


def test_every_block_is_run_by_some_test() -> None:
    named = {language for file in CHAPTERS for language, _ in BLOCK.findall(file.read_text())}
    assert named <= {*RUN, "html"}  # html: in a browser
    assert (EXAMPLES / "live_page.html").read_text() == "".join(
        text for language, text in BLOCK.findall((GUIDE / "3-live-page.md").read_text()) if language == "html"
    )


def test_a_block_that_goes_wrong_is_noticed(shared_address: str, tmp_path: Path) -> None:
    missing = f"{shared_address}/v1/nothing"
    for language, text in (
        ("sh", f"curl -s {missing} | cat"),
        ("python", f"import httpx; httpx.get('{missing}').raise_for_status()"),
        ("js", f"const answer = await fetch('{missing}'); if (!answer.ok) throw new Error('refused');"),
    ):
        assert run(language, text, tmp_path).returncode != 0


IN_GUIDE = blocks(GUIDE / "2-bot.md", "python").partition("def play_turn")[0]
AS_PROGRAM = (EXAMPLES / "bot.py").read_text().partition("def main")[0]
AS_PROGRAM += f"bot = Bot('{ADDRESS}', 'Robot')\napi, listen = bot.api, bot.listen\n"
REFUSED = """
api.get("/v1/players/me")  # from now on its streams are counted for it, not for its address
time.sleep = lambda seconds: print(seconds, api.delete("/v1/players/me").status_code)
with api.stream("GET", "/v1/inbox/events"):  # the one that it may have
    next(listen())
"""


@pytest.mark.parametrize("text", [IN_GUIDE, AS_PROGRAM], ids=["guide", "program"])
def test_a_bot_waits_as_it_is_told_and_ends_where_it_may_not_listen(
    postgres: Server, template_database: str, tmp_path: Path, text: str
) -> None:
    with database_of(postgres, template_database) as conninfo, serving(conninfo, max_streams_per_sender=1) as service:
        done = run("python", (text + REFUSED).replace(ADDRESS, service.url), tmp_path)
    assert done.stdout == "30.0 204\n", done.stderr
    assert "401 Unauthorized" in done.stderr


def test_the_games_of_the_samples_end_by_their_rules(own_address: str, tmp_path: Path) -> None:
    for file in (ROOT / "README.md", GUIDE / "2-bot.md"):
        text = blocks(file, "python").partition("import json\n")[0].replace(ADDRESS, own_address)
        with partner(file, text):
            assert run("python", text, tmp_path).returncode == 0
    with httpx.Client(base_url=own_address) as api:
        until(lambda: len(reasons(api)) == 2)  # the lists are a moment later
        ended = reasons(api)
    assert ended.keys() == {"golf", "spite_and_malice"}
    assert ended["golf"] in ("no_moves", "columns_cleared")
    assert ended["spite_and_malice"] in ("cannot_draw", "stock_empty", "stock_played")


def reasons(api: httpx.Client) -> dict[str, str]:
    """By game type, why its games ended that are over."""
    games = api.get("/v1/games", params={"status": "finished", "limit": 100}).json()["games"]
    return {game["game_type"]: game["result"]["reason"] for game in games}


def test_a_player_by_lot_finishes_a_klondike(shared_address: str) -> None:
    options = {"draw": 3, "passes": 1, "whole_run_only": True, "foundation_return": False, "undo": False}
    with httpx.Client(base_url=shared_address) as api:
        api.headers["Authorization"] = f"Bearer {register(api)}"
        for seed in range(40):
            random, opening = Random(seed), {"game_type": "klondike", "options": options}
            game = f"/v1/games/{api.post('/v1/games', json=opening).json()['id']}"
            for _ in range(100):
                if not (moves := api.get(f"{game}/legal-commands").json()["commands"]):
                    break
                api.post(f"{game}/commands", json=random.choice(moves)).raise_for_status()
            if (result := api.get(game).json()["result"]) is not None:
                break
    assert result["reason"] in ("no_moves", "all_home")


def register(api: httpx.Client) -> str:
    return str(api.post("/v1/players", json={"name": "Ada"}).json()["token"]["secret"])


def test_two_bots_play_a_game_of_two_and_it_is_announced(own_address: str, tmp_path: Path) -> None:
    bot = [sys.executable, str(EXAMPLES / "bot.py"), own_address, "spite_and_malice"]
    with subprocess.Popen([*bot, "--name", "Ann"], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        table = first.stdout.readline().split()[-1]
        second = subprocess.run([*bot, "--name", "Ben"], capture_output=True, text=True, timeout=240)
        assert second.returncode == 0, second.stderr
        assert second.stdout.split("\n")[0] == f"Ben sits down: {table}"
        first.stdout.read()
        assert first.wait(60) == 0
    subprocess.run([*bot[:3], "golf", "--most", "1"], check=True, timeout=60)
    lines = ""
    for _ in range(2):
        announcer = [sys.executable, str(EXAMPLES / "announcer.py"), own_address, "--games", "1"]
        done = subprocess.run(announcer, cwd=tmp_path, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("\n") == 1
        lines += done.stdout
    line, other = lines.splitlines()
    assert table in line
    assert table not in other
    assert re.fullmatch(
        r"((Ann|Ben) won|Ann and Ben ended \(drawn\)) a game of spite and malice after \d+ steps: .*", line
    )
