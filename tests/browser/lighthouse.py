"""`python -m tests.browser.lighthouse`: Lighthouse's scores of every kind of page, on its simulated slow 4G phone.

Needs Node: Lighthouse is not a part of the project, npx fetches it; `--lighthouse` names one that is there. Numbers of
a busy machine are worse than those of an idle one.
"""

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import httpx

from service.postgres import private_server
from tests import clusters
from tests.api.playing import opened, say
from tests.api.serving import Player, Service, serving

from .chromium import executable
from .shots import places

_WANTED = ("performance", "accessibility", "best-practices", "seo")
_TIMES = ("first-contentful-paint", "largest-contentful-paint", "total-blocking-time", "speed-index")
_FLAGS = "--chrome-flags=--headless --no-sandbox --disable-dev-shm-usage"
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


def _cookie(service: Service, who: Player) -> str:
    origin = {"Origin": "{0.scheme}://{0.netloc}".format(urlsplit(service.url))}
    answer = httpx.post(f"{service.url}/sign-in", data={"token": who.token}, headers=origin)
    return answer.headers["set-cookie"].split(";")[0]


def _measure(command: list[str], url: str, cookie: str | None, report: Path) -> dict[str, Any]:
    """Lighthouse's report of this page."""
    headers = [] if cookie is None else ["--extra-headers", json.dumps({"Cookie": cookie})]
    output = ["--output=json", f"--output-path={report}", "--quiet", f"--only-categories={','.join(_WANTED)}"]
    environment = {**os.environ, "CHROME_PATH": executable()}
    subprocess.run([*command, url, *output, *headers, _FLAGS], env=environment, check=True)
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
        cookies: dict[str, str] = {}
        for name, path, who in _kinds(service):
            if not any(word in name for word in chosen.only.split(",")):
                continue
            if who is not None and who.id not in cookies:
                cookies[who.id] = _cookie(service, who)
            cookie = None if who is None else cookies[who.id]
            report, command = chosen.folder / f"{name}.json", chosen.lighthouse.split()
            runs = [_measure(command, service.url + path, cookie, report) for _ in range(chosen.runs)]
            sys.stdout.write(_row(name, max(runs, key=lambda run: run["categories"]["performance"]["score"] or 0)))
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
