"""A game as one HTML file: the player, the cards, every viewer's frames; it opens offline and requests nothing."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape
from typing import Any

import msgspec
from msgspec import Struct

from domain.capabilities import CardFaces, Chips
from domain.game_type import Result
from domain.play.aggregate import Game
from domain.play.frames import Frame, moments, source_sentence
from domain.view import ALL_SEEING, View, Viewer, player_name
from service.live import shapes
from service.pictures import static_text
from service.pictures.cards import symbols
from service.pictures.placing import pack_boards

FORMAT = 1
_ELSEWHERE = ("game_id", "command", "view", "imported_from_game_id", "vouched_for_by", "log_position")
"""Fields of frames that the page holds once, in another shape, or not at all."""
_SCRIPT = "embedded.js"
_STYLES = ("base.css", "cards.css", "player.css", "one_file.css")


class ViewerFrames(Struct, frozen=True):
    """One viewer: the key, the label to choose it by, all frames from the first step on."""

    key: str
    label: str
    frames: Sequence[Frame]


def viewer_frames(viewer: Viewer, players: Sequence[str | None], frames: Iterable[Frame]) -> ViewerFrames:
    """These frames under the key `spectator`, `seat-0` or `all`, and the label `Player 1 (Ada)`; `players` by seat."""
    if viewer is None or viewer == ALL_SEEING:
        key, label = ("spectator", "Spectator") if viewer is None else ("all", "All cards")
        return ViewerFrames(key, label, tuple(frames))
    name, seat = players[viewer] if viewer < len(players) else None, player_name(viewer)
    return ViewerFrames(f"seat-{viewer}", f"{seat} ({name})" if name else seat, tuple(frames))


def one_file(
    game: Game, players: Sequence[str | None], viewers: Sequence[ViewerFrames], left_out: int = 0, home: str = ""
) -> str:
    """The page. `players`: names by seat. `viewers`: the first is shown first; `left_out` counts the missing ones.

    `home`: the address that its heading leads to, for a page that is embedded in another one.

    The page's own Content-Security-Policy lets nothing run but its one script, by its hash.
    """
    code, style = static_text(_SCRIPT), "\n".join(map(static_text, _STYLES))
    policy = (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(style)}'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )
    title = escape(" - ".join([game.type.name, ", ".join(name for name in players if name) or str(game.id)]))
    heading = f'<a href="{escape(home)}" target="_blank" rel="noopener">{title}</a>' if home else title
    source, missing = game.opening.source, _missing_sentence(game, viewers, left_out)
    sentences = " ".join(filter(None, ["" if source is None else source_sentence(source), missing]))
    note = f'<p class="note">{escape(sentences)}</p>' if sentences else ""
    faces = game.type.get(CardFaces).by_card
    views = [frame.view for viewer in viewers for frame in viewer.frames if frame.view is not None]
    cards = symbols(
        sorted({card for view in views for zone in view.zones for card in zone.cards} | {"#"}), faces, "both"
    )
    boards = pack_boards(game.type.boards(game.options, len(game.players)))
    last = viewers[0].frames[-1]
    data = {
        "kibitz_replay": FORMAT,
        "game": _game(game, players, last.status, last.result),
        "faces": faces,
        "viewers": [
            {"key": v.key, "label": v.label, "frames": _changes(v.frames), "moments": moments(v.frames)}
            for v in viewers
        ],
    }
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<main class="one-file at-table">
<div class="heading"><h1>{heading}</h1>{note}</div>
<div id="kibitz" data-game="{game.id}" data-seats="{len(game.players)}"></div>
</main>
<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">{cards}</svg>
<noscript><p>This page plays the game back with a script of its own, which the browser does not run.</p></noscript>
<script type="application/json" id="kibitz-game">{_json(data)}</script>
<script type="application/json" id="kibitz-boards">{_json(boards)}</script>
<script type="application/json" id="kibitz-chips">{_json(game.type.get(Chips))}</script>
<script type="module">{code}</script>
</body>
</html>
"""


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _json(data: object) -> str:
    """JSON in which no `<` can end the script that holds it."""
    return msgspec.json.encode(data).replace(b"<", b"\\u003c").decode()


def _game(game: Game, players: Sequence[str | None], status: str, result: Result | None) -> dict[str, Any]:
    source = game.opening.source
    origin = {} if source is None else {"imported_from": source.game, "vouched_for_by": source.vouched_for_by}
    return {
        "id": game.id, "game_type": game.type.key, "name": game.type.name, "revision": game.type.revision,
        "options": game.options, "status": status, "seats": len(game.players), "players": players,
        "rated": game.opening.rated, "hints": game.opening.hints, "origin": game.opening.origin,
        "opened_at": shapes.moment(game.opened_at), "result": result, **origin,
    }  # fmt: skip


def _changes(frames: Iterable[Frame]) -> list[dict[str, Any]]:
    """The frames without the zones and facts that are the same as in the frame before."""
    changes: list[dict[str, Any]] = []
    before: View[Any] | None = None
    for frame in frames:
        shape = shapes.frame(frame)
        fields = {name: getattr(shape, name) for name in shape.__struct_fields__ if name not in _ELSEWHERE}
        changes.append({**fields, "view": None if frame.view is None else _view(frame.view, before)})
        before = frame.view
    return changes


def _view(view: View[Any], before: View[Any] | None) -> dict[str, Any]:
    same = set() if before is None else set(before.zones)
    change = {
        "phase": view.phase, "to_act": view.to_act, "stuck": view.stuck,
        "zones": [zone for zone in view.zones if zone not in same],
    }  # fmt: skip
    return change if before is not None and view.facts == before.facts else {**change, "facts": view.facts}


def _missing_sentence(game: Game, viewers: Sequence[ViewerFrames], left_out: int) -> str:
    """The sentence about missing steps, viewers or cards; empty for a whole game. `left_out`: viewers of a long one."""
    eyes = " and ".join(viewer.label for viewer in viewers)
    if game.status not in ("finished", "voided"):
        return f"Not over yet: the game up to step {viewers[0].frames[-1].step}. Seen by: {eyes}."
    if left_out:
        return f"A long game. Seen by: {eyes}, and no others."
    return "" if viewers[-1].key == "all" else "Not every card of this game may be told yet."
