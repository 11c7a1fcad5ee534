"""A whole game as one HTML file: the player, the cards and every frame in it; it opens offline and asks for nothing.

Its modules are joined to one script in the order of their imports; `import` lines and the word `export` are removed.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape

from domain.capabilities import CardFaces
from domain.play.aggregate import Game
from domain.view import Card
from service.pictures import assets
from service.pictures.svg.faces import symbols
from service.records.one_file.data import ViewerFrames, embedded

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z0-9_]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function |const |class |let )", re.MULTILINE)


STYLES = ("one_file.css", "cards.css", "player.css")
_ICON = "data:,"


def one_file(game: Game, players: Sequence[str | None], viewers: Sequence[ViewerFrames], note: str = "") -> str:
    """The page. `viewers`, the first of them shown first, have all frames that may be told; `note` is a sentence on it.

    The page's own Content-Security-Policy lets nothing run but its one script, by its hash.
    """
    code, style = script("embedded.js"), "\n".join(map(assets.text, STYLES))
    cards = symbols(_cards(viewers), game.type.get(CardFaces).by_card)
    title = " - ".join([game.type.name, ", ".join(name for name in players if name) or str(game.id)])
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(code, style))}">
<title>{escape(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="{_ICON}">
<style>{style}</style>
</head>
<body>
<main class="one-file">
<div class="heading"><h1>{escape(title)}</h1>{f'<p class="note">{escape(note)}</p>' if note else ""}</div>
<div id="kibitz" data-game="{game.id}" data-seats="{len(game.players)}"></div>
</main>
<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">{cards}</svg>
<noscript><p>This page plays the game back with a script of its own, which the browser does not run.</p></noscript>
<script type="application/json" id="kibitz-game">{embedded(game, players, viewers).decode()}</script>
<script type="module">{code}</script>
</body>
</html>
"""


def policy(code: str, style: str) -> str:
    """The Content-Security-Policy of the page: this script, this style, and nothing from other origins."""
    return (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(style)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _cards(viewers: Iterable[ViewerFrames]) -> list[Card]:
    """Every card that some frame shows, and the back."""
    views = [frame.view for viewer in viewers for frame in viewer.frames if frame.view is not None]
    return sorted({card for view in views for zone in view.zones for card in zone.cards} | {"#"})


@cache
def script(entry: str) -> str:
    """The text of this module of `service/web/static` with all that it imports before it."""
    return (
        "\n".join(_EXPORT.sub("", _IMPORT.sub("", assets.text(name))).strip() for name in modules_in_order(entry))
        + "\n"
    )


def modules_in_order(entry: str) -> list[str]:
    """The names of the modules, each after those that it imports."""
    found: list[str] = []
    _collect(entry, found)
    return found


def _collect(name: str, found: list[str]) -> None:
    for imported in _IMPORT.findall(assets.text(name)):
        if imported not in found:
            _collect(imported, found)
    found.append(name)
