"""The rules that a refusal names: every slug with its sentence, and where it can come up.

A refusal's own `detail` says it of the case at hand. A test holds the table against the code.
"""

import tomllib
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

_FOUND = tomllib.loads((Path(__file__).parent / "rules.toml").read_text())
SENTENCES: dict[str, str] = _FOUND["sentences"]
PLACES: dict[str, list[str]] = _FOUND["places"]
_PLACE = "Where it can come up: keys of game types, `every game`, `contests`, `leagues`, `rulings`."


class Rule(Struct, frozen=True):
    """A rule that a refusal may name."""

    slug: Annotated[str, Meta(description="Its slug, as problem documents have it.")]
    sentence: str
    places: Annotated[tuple[str, ...], Meta(description=_PLACE)]


RULES = tuple(
    Rule(slug, sentence, tuple(place for place, slugs in PLACES.items() if slug in slugs))
    for slug, sentence in SENTENCES.items()
)


def rules_of(game_type: str) -> dict[str, str]:
    """The slugs of a game type's own rules, each with its sentence; those of every game are not among them."""
    return {slug: SENTENCES[slug] for slug in PLACES.get(game_type, ())}
