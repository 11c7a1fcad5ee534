"""The Dockerfile as its instructions."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "Dockerfile"


class Instruction(NamedTuple):
    """One instruction: `RUN` and what follows it, continued lines joined."""

    word: str
    rest: str


def stages() -> list[list[Instruction]]:
    """The instructions of each stage, its FROM first."""
    found: list[list[Instruction]] = []
    for one in _instructions(FILE.read_text("utf-8")):
        if one.word == "FROM":
            found.append([])
        found[-1].append(one)
    return found


def _instructions(text: str) -> list[Instruction]:
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines)
    return [Instruction(*line.split(maxsplit=1)) for line in joined.splitlines() if line.strip()]


def said(stage: list[Instruction], word: str) -> list[str]:
    """What follows each instruction of this name."""
    return [one.rest for one in stage if one.word == word]


def environment(stage: list[Instruction]) -> dict[str, str]:
    """The variables that the stage sets."""
    return dict(pair.split("=", 1) for rest in said(stage, "ENV") for pair in rest.split())
