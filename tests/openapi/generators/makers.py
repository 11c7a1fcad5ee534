"""The five generators: how each is run at its defaults, how its client is compiled, and how it is played with."""

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.openapi import node_programs
from tests.openapi.generators import environments

_PLAYERS = Path(__file__).parent
DOCUMENT = Path(__file__).parents[3] / "openapi" / "openapi.json"


class Failed(Exception):
    """A program ended with an error: what it said."""


@dataclass(frozen=True)
class Maker:
    """One generator: `generate` and `compile` work in a folder, `player` are the words that play against a server."""

    name: str
    generate: Callable[[Path, Path], object]
    compile: Callable[[Path], object]
    player: Callable[[], Sequence[str]]

    def lay_out(self, folder: Path) -> None:
        """The player's program, and the part of it that knows this client."""
        language = "typescript" if (_PLAYERS / "typescript" / f"{self.name}.ts").exists() else "python"
        ending = {"typescript": "ts", "python": "py"}[language]
        shutil.copy(_PLAYERS / "won_klondike.json", folder)
        shutil.copy(_PLAYERS / language / f"player.{ending}", folder)
        shutil.copy(_PLAYERS / language / f"{self.name}.{ending}", folder / f"main.{ending}")

    def play(self, folder: Path, server: str) -> "subprocess.CompletedProcess[str]":
        """Run the player, whatever comes of it."""
        words = [*self.player(), server]
        return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=240)


def run(folder: Path, *words: str | Path) -> str:
    """What the program writes; raises Failed."""
    bare = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run([str(word) for word in words], cwd=folder, env=bare, capture_output=True, text=True)
    if done.returncode:
        raise Failed((done.stdout + done.stderr)[-2000:])
    return done.stdout + done.stderr


def _node(folder: Path, name: str, *words: str | Path) -> str:
    return run(folder, node_programs.installed() / "node_modules" / ".bin" / name, *words)


def _openapi_typescript(document: Path, folder: Path) -> None:
    _node(folder, "openapi-typescript", document, "-o", "generated/index.ts")


def _hey_api(document: Path, folder: Path) -> None:
    _node(folder, "openapi-ts", "-i", document, "-o", "generated")


def _openapi_generator(kind: str, into: str) -> Callable[[Path, Path], None]:
    def generate(document: Path, folder: Path) -> None:
        program = environments.programs_of("openapi_generator") / "openapi-generator-cli"
        run(folder, program, "generate", "-i", document, "-g", kind, "-o", into)

    return generate


def _openapi_python_client(document: Path, folder: Path) -> None:
    programs = environments.programs_of("openapi_python_client")
    said = run(folder, "env", f"PATH={programs}:{os.environ['PATH']}", "openapi-python-client", "generate",
               "--path", document, "--output-path", "generated")  # fmt: skip
    if "will not be generated" in said:
        raise Failed(said)


def _tsc(folder: Path) -> None:
    (folder / "package.json").write_text("{}")  # CommonJS, as most generators leave the endings of imports out
    (folder / "node_modules").symlink_to(node_programs.installed() / "node_modules")
    _node(folder, "tsc", "--strict", "--target", "es2022", "--module", "node16", "--noEmitOnError",
          "--outDir", "out", "main.ts")  # fmt: skip


def _mypy(generator: str, package: str, *settings: str) -> Callable[[Path], None]:
    """The package by these settings, the player strictly."""

    def check(folder: Path) -> None:
        mypy = environments.programs_of(generator) / "mypy"
        (folder / package).symlink_to(f"generated/{package}")
        run(folder, mypy, *settings, "-p", package)
        run(folder, mypy, "--strict", "--follow-imports", "silent", "main.py")

    return check


def _node_player() -> list[str]:
    return ["node", "out/main.js"]


def _python_player(generator: str) -> Callable[[], list[str]]:
    return lambda: [str(environments.programs_of(generator) / "python"), "main.py"]


MAKERS = (
    Maker("openapi_fetch", _openapi_typescript, _tsc, _node_player),
    Maker("hey_api", _hey_api, _tsc, _node_player),
    Maker(
        "openapi_python_client", _openapi_python_client,
        _mypy("openapi_python_client", "kibitz_client", "--strict"), _python_player("openapi_python_client"),
    ),
    Maker("typescript_fetch", _openapi_generator("typescript-fetch", "generated"), _tsc, _node_player),
    Maker(
        "openapi_generator", _openapi_generator("python", "generated"),
        _mypy("openapi_generator", "openapi_client", "--config-file", "generated/pyproject.toml"),
        _python_player("openapi_generator"),
    ),
)  # fmt: skip
