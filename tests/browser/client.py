"""The scripts of the pages as their sources make them: `python -m tests.browser.client` bundles them anew.

A test that calls a module by itself loads `modules.ts`, a bundle made for the tests, which no page has.
"""

import json
import os
import subprocess
from base64 import b64encode
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, Route

from tests.debian import exit_where_missing, program
from tests.openapi import node_programs

SOURCES = Path(__file__).parents[2] / "service" / "web" / "client"
MODULES = "/modules.js"
"""Where a page that was given the modules finds them, on whatever host it is."""


def run_node(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a program of the client's packages in its folder, and return what it wrote, whatever its exit code."""
    _link_packages()
    node = program("nodejs", ("node",))
    return subprocess.run([node, *map(str, words)], cwd=SOURCES, capture_output=True, text=True, check=False)


def bundle(*words: str | Path) -> None:
    """Run `build.mjs`; raises RuntimeError with what the bundler says against the sources."""
    done = run_node("build.mjs", *words)
    if done.returncode:
        raise RuntimeError(done.stderr)


def _link_packages() -> None:
    """Put a link to the installed packages beside the sources: there compiler, linter and editors look for them."""
    packages, link = node_programs.installed(SOURCES) / "node_modules", SOURCES / "node_modules"
    if link.resolve() != packages.resolve():
        made = SOURCES / f".packages-{os.getpid()}"  # tests run in several processes: the link is there at once
        made.symlink_to(packages)
        made.replace(link)


@cache
def modules() -> str:
    """The modules that tests call by themselves, as one module."""
    with TemporaryDirectory() as folder:
        bundle(folder, "tests/modules.ts")
        return (Path(folder) / "modules.js").read_text("utf-8")


def ask_modules(function: str, given: str) -> Any:
    """What a function of the modules and of a JSON value returns: in Node, for what draws nothing and asks no browser.

    A browser's answer would pass three processes, each of which packs it anew.
    """
    address = f"data:text/javascript;base64,{b64encode(modules().encode()).decode()}"
    script = f"""import {{ readFileSync, writeFileSync }} from "node:fs";
        const modules = await import({json.dumps(address)}), asked = {function};
        writeFileSync(1, JSON.stringify(await asked(modules, JSON.parse(readFileSync(0, "utf8")))));"""
    with TemporaryDirectory() as folder:
        (made := Path(folder) / "asked.mjs").write_text(script, "utf-8")
        done = subprocess.run(
            [program("nodejs", ("node",)), made], input=given, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def give_modules(page: Page) -> None:
    """From now on the page finds the modules at MODULES."""

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/javascript", body=modules())

    page.route(f"**{MODULES}", answer)


if __name__ == "__main__":
    with exit_where_missing():
        bundle()
