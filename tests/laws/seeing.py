"""What one viewer is sent after each step, and which physical cards are thereby rightly shown.

The zones of the view say which cards a viewer may see. A card that only an event shows counts as shown when the
sentence or the facts name it too. Nothing else counts: whatever depends on a card that was not shown so is a leak.
"""

from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.chance import deal_seed
from domain.games import AnyGameType
from domain.kit.cards import name
from domain.play.aggregate import Game
from domain.play.deciding import Step, legal_commands
from domain.play.frames import Frame, frame_after
from domain.view import ALL_SEEING, FACE_DOWN, Viewer

from .broken import LawBroken, hold
from .marks import CARD, Lots, Mark

LAW = "secrecy"


class Sight(NamedTuple):
    """One step as one viewer is sent it: the frame and what the seat may say then, and both as bytes."""

    frame: Frame
    listed: Sequence[Struct]
    sent: bytes


def sight(before: Game | None, step: Step, viewer: Viewer) -> Sight:
    """What this viewer is sent after this step."""
    frame, _ = frame_after(before, step.records, viewer, step.games)
    listed = () if viewer is None else legal_commands(step.game, viewer)
    seen = Sight(frame, listed, msgspec.json.encode((frame, listed)))
    _without_seeds(step.game, seen.sent)
    return seen


def _without_seeds(game: Game, sent: bytes) -> None:
    """Exchanged cards do not change a seed, so it is looked for by itself; at the end it is revealed."""
    if game.status == "playing" and game.sealed is not None:
        secrets = _written_secrets(game.sealed.seed, game.sealed.digest_key, game.seeds)
        hold(not any(secret in sent for secret in secrets), LAW, "a seed or a key is sent")


@lru_cache(maxsize=8)
def _written_secrets(seed: bytes, digest_key: bytes, client_seeds: tuple[str | None, ...]) -> tuple[bytes, ...]:
    """The seeds and the key of a game as they could be sent."""
    secrets = (seed, digest_key, deal_seed(seed, client_seeds))
    return (*map(b64encode, secrets), *(secret.hex().encode() for secret in secrets))


def shown(lots: Lots, frame: Frame) -> set[Mark]:
    """The physical cards that a frame rightly shows."""
    if frame.view is None:
        return set()
    facts = lots.found(frame.view.facts)
    told = set()
    for event, sentence in zip(frame.events, frame.sentences, strict=True):
        marks = lots.found(event)
        told |= {mark for mark in marks if mark in facts or _named(lots.cards[mark], sentence)}
    return lots.found([zone.cards for zone in frame.view.zones]) | told


def _named(card: str, sentence: str) -> bool:
    return name(card) in sentence or card in sentence


def not_contradicted(lots: Lots, sights: dict[Viewer, Sight], known: dict[Viewer, set[Mark]]) -> None:
    """What events show to one viewer and hide from another, the other's zones do not show in the same step."""
    events = {viewer: lots.found(list(seen.frame.events)) for viewer, seen in sights.items()}
    every = set().union(*events.values())
    for viewer, seen in sights.items():
        hidden = every - events[viewer] - known[viewer]
        zones = lots.found([zone.cards for zone in seen.frame.view.zones]) if seen.frame.view is not None else set()
        hold(not hidden & zones, LAW, f"viewer {viewer} is shown cards that the events hide from that viewer")


def followed(game_type: AnyGameType, lots: Lots, game: Game, sights: dict[Viewer, Sight]) -> None:
    """Raises LawBroken if a card that someone cannot see is none of the strings dealt: it could not be followed."""
    loose = [card for zone in game_type.look(game.state, ALL_SEEING).zones for card in zone.cards if _loose(lots, card)]
    for viewer, seen in sights.items():
        view = seen.frame.view
        faces = [card for zone in view.zones for card in zone.cards] if view is not None else []
        missing = [card for card in set(loose) if loose.count(card) > faces.count(card)]
        if missing:
            raise LawBroken(LAW, f"{len(missing)} cards that {viewer} cannot see were not dealt by chance or made anew")


def _loose(lots: Lots, card: str) -> bool:
    return lots.mark(card) is None and card != FACE_DOWN and CARD.fullmatch(card) is not None


def hides(seen: Sight) -> int:
    """How many cards lie face down in what was sent."""
    view: Any = seen.frame.view
    return sum(zone.face_down + zone.cards.count(FACE_DOWN) for zone in view.zones) if view is not None else 0
