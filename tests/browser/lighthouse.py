"""`python -m tests.browser.lighthouse`: Lighthouse's scores of every kind of page, on its simulated slow 4G phone.

Needs Node: Lighthouse is not a part of the project, npx fetches it; `--lighthouse` names one that is there. Numbers of
a busy machine are worse than those of an idle one.
"""

import json
import socket
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from service.postgres import private_server
from tests import clusters
from tests.api.playing import opened, say
from tests.api.serving import Player, Service, serving

from .chromium import executable
from .game_pages import sign_in
from .shots import places

_WANTED = ("performance", "accessibility", "best-practices", "seo")
_TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index")
_FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
_TURN = [{"type": "klondike/draw"}] * 24 + [{"type": "klondike/recycle"}]


def _kinds(service: Service) -> Iterator[tuple[str, str, Player | None]]:
    """The pages of `make shots`, one replay of 700 steps and the reference of the API."""
    listed = list(places(service))
    ada = next(who for _, _, who in listed if who is not None)
    long = opened(ada, game_type="klondike", seed="a long game")
    for first in range(0, 28, 14):
        say(ada, long, (_TURN * 28)[first * 25 : (first + 14) * 25])
    say(ada, long, {"type": "game/resign"})
    yield from listed
    yield "long-replay", f"/games/{long['id']}", None
    yield "reference", "/v1/docs", None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def _measure(command: list[str], url: str, port: int, report: Path) -> dict[str, Any]:
    """Lighthouse's report of this page, in the browser that listens there: its cookies go where a person's would."""
    output = ["--output=json", f"--output-path={report}", "--quiet", f"--only-categories={','.join(_WANTED)}"]
    subprocess.run([*command, url, *output, f"--port={port}"], check=True)
    found: dict[str, Any] = json.loads(report.read_text())
    return found


def _row(name: str, found: dict[str, Any]) -> str:
    scores = [f"{100 * (found['categories'][one]['score'] or 0):.0f}" for one in _WANTED]
    times = [f"{found['audits'][one]['numericValue']:.0f}" for one in _TIMES]
    shift = f"{found['audits']['cumulative-layout-shift']['numericValue']:.3f}"
    asked = found["audits"]["network-requests"]["details"]["items"]
    weight = f"{sum(one['transferSize'] for one in asked) / 1000:.0f}"
    return f"| {' | '.join([name, *scores, *times, shift, str(len(asked)), weight])} |\n"


def main(words: list[str]) -> int:
    """Print the table; the reports stay in the folder."""
    parser = ArgumentParser(prog="python -m tests.browser.lighthouse", description=__doc__)
    parser.add_argument("folder", nargs="?", default="build/lighthouse", type=Path, help="default: %(default)s")
    parser.add_argument("--only", default="", metavar="WORDS", help="pages whose name has one of these in it")
    parser.add_argument("--lighthouse", default="npx --yes lighthouse", help="default: %(default)s")
    parser.add_argument("--runs", default=1, type=int, help="of each page, the best one is told; default: %(default)s")
    chosen = parser.parse_args(words)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    sys.stdout.write("| page | perf. | access. | practices | SEO | FCP | LCP | TBT | SI | CLS | requests | kB |\n")
    sys.stdout.write("|---|" + "---:|" * 11 + "\n")
    with (
        TemporaryDirectory() as data, private_server(clusters.fill(Path(data)), clusters.FAST) as server,
        serving(server.dsn, heartbeat=15.0, log_level="error") as service,
    ):  # fmt: skip
        kinds = [kind for kind in _kinds(service) if any(word in kind[0] for word in chosen.only.split(","))]
        with TemporaryDirectory() as profile, sync_playwright() as playwright:
            flags = [*_FLAGS, f"--remote-debugging-port={(port := _free_port())}"]
            browser = playwright.chromium.launch_persistent_context(profile, executable_path=executable(), args=flags)
            for name, path, who in kinds:
                browser.clear_cookies()
                if who is not None:
                    sign_in(browser, service, who)
                report, command = chosen.folder / f"{name}.json", chosen.lighthouse.split()
                runs = [_measure(command, service.url + path, port, report) for _ in range(chosen.runs)]
                sys.stdout.write(_row(name, max(runs, key=lambda run: run["categories"]["performance"]["score"] or 0)))
                sys.stdout.flush()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
