"""Law: what a viewer is sent does not change when the cards which that viewer has never been shown change places.

A game is played. At some step the places of cards never shown to a viewer are exchanged, in every shuffle so far, and
the whole history is played again with these other lots: the same commands, other cards. Frames (view, events,
sentences), legal commands and refusals must be the same bytes at every step, until a changed card is rightly shown.
"""

from dataclasses import dataclass
from hashlib import sha256
from random import Random

import msgspec
from msgspec import Struct

from domain.capabilities import Resample
from domain.chance import Chance
from domain.games import AnyGameType
from domain.play import events as ev
from domain.play.deciding import Step
from domain.view import ALL_SEEING, Viewer

from .broken import hold
from .marks import Lots, Mark, exchanged, marking
from .registry import registered
from .seeing import followed, hides, not_contradicted, shown, sight
from .tables import faces
from .twins import Telling, Twin
from .walks import Plan, Walk, walk
from .wire import same_bytes

RESAMPLED = "resampled"
_NONE = Mark(-1, -1)


@dataclass
class Tally:
    """What the samples were worth: how many, with how many hiding something, with how many cards that moved."""

    samples: int = 0
    hidden: int = 0
    moved: int = 0
    impossible: int = 0


def check(game_type: AnyGameType, plan: Plan, tally: Tally) -> None:
    """For every viewer: cards exchanged in each state, and, throughout, as of two steps; raises LawBroken."""
    with registered(game_type):
        story, lots = telling(game_type, plan), Random(plan.lots)
        for viewer in (*range(plan.seats), None):
            last = len(story.path.steps) - 1
            for moment in {lots.randint(0, last), last}:
                _twin(game_type, story, viewer, moment, lots, tally)
            for moment in range(last + 1):
                _glance(game_type, story, viewer, moment, lots)


def _glance(game_type: AnyGameType, story: Telling, viewer: Viewer, moment: int, lots: Random) -> None:
    """The unseen exchanged in this one state; where that changes what is sent, the whole history is to prove it."""
    unseen = twists(story.present[moment], story.known[moment][viewer], lots)
    if not _moves_cards(unseen):
        return
    state = story.path.steps[moment].game.state
    try:
        cards = story.lots.cards
        faces = {Mark(n, place): cards[Mark(n, other)] for n, twist in unseen.items() for place, other in twist.items()}
        changed: Struct | None = exchanged(state, lambda text: faces.get(story.lots.marks.get(id(text), _NONE), text))
        same = _sent_then(game_type, story, viewer, moment) == _sent(game_type, changed, viewer)
    except Exception:  # noqa: BLE001  what a state derives from its cards no longer fits them
        same = False
    if not same:
        Twin(game_type, story, viewer, moment, unseen).play(lots)


def resampled(game_type: AnyGameType, path: Walk, tally: Tally) -> None:
    """Where a game type itself says how the unseen may lie otherwise: at every state the viewer is sent the same."""
    for number, step in enumerate(path.steps if game_type.has(Resample) else []):
        for viewer in (*range(path.plan.seats), None):
            _resampled(game_type, step.game.state, viewer, Chance(sha256(b"%d" % number).digest()), tally)


def _resampled(game_type: AnyGameType, state: Struct | None, viewer: Viewer, chance: Chance, tally: Tally) -> None:
    assert game_type.has(Resample)
    other = game_type.get(Resample).draw(state, viewer, chance)
    tally.samples += 1
    tally.moved += not same_bytes(game_type.look(state, ALL_SEEING).zones, game_type.look(other, ALL_SEEING).zones)
    same = _sent(game_type, state, viewer) == _sent(game_type, other, viewer)
    hold(same, RESAMPLED, f"{viewer} sees a change")
    piles = [faces(game_type.look(each, ALL_SEEING)) for each in (state, other)]
    hold(piles[0] == piles[1], RESAMPLED, "other cards are in play")
    draw, lots = game_type.get(Resample).draw, Chance(sha256(chance.seed).digest())
    told = same_bytes(draw(state, viewer, lots), draw(other, viewer, lots))
    hold(told, RESAMPLED, f"what is drawn for {viewer} tells of what is hidden")


def _sent(game_type: AnyGameType, state: Struct | None, viewer: Viewer) -> bytes:
    listed = () if viewer is None else game_type.legal_commands(state, viewer)
    return msgspec.json.encode((game_type.look(state, viewer), listed))


def _sent_then(game_type: AnyGameType, story: Telling, viewer: Viewer, moment: int) -> bytes:
    """As `_sent`, of what was already looked at where the game went on."""
    game, sight_then = story.path.steps[moment].game, story.sights[moment][viewer]
    if game.status != "playing":
        return _sent(game_type, game.state, viewer)
    listed = [command for command in sight_then.listed if not isinstance(command, ev.Undo | ev.Resign)]
    return msgspec.json.encode((sight_then.frame.view, listed))


def telling(game_type: AnyGameType, plan: Plan) -> Telling:
    """The game of this plan, followed."""
    lots = Lots()
    path = walk(marking(game_type, lots), plan)
    story = Telling(path, lots, [], [], [], [])
    for number, step in enumerate(path.steps):
        _follow(game_type, story, number, step)
    return story


def _follow(game_type: AnyGameType, story: Telling, number: int, step: Step) -> None:
    before = story.path.steps[number - 1].game if number else None
    viewers: tuple[Viewer, ...] = (*range(story.path.plan.seats), None)
    sights = {viewer: sight(before, step, viewer) for viewer in viewers}
    seen = {viewer: shown(story.lots, sights[viewer].frame) for viewer in viewers}
    known = story.known[-1] if story.known else {viewer: set() for viewer in viewers}
    not_contradicted(story.lots, sights, known)
    followed(game_type, story.lots, step.game, sights)
    story.sights.append(sights)
    story.shown.append(seen)
    story.known.append({viewer: known[viewer] | story.lots.with_origins(seen[viewer]) for viewer in viewers})
    story.present.append((story.present[-1] if story.present else set()) | story.lots.found(step.game.state))


def twists(present: set[Mark], known: set[Mark], lots: Random) -> dict[int, dict[int, int]]:
    """Within each shuffle, the places of cards on the table and never shown, exchanged at random."""
    exchanges: dict[int, dict[int, int]] = {}
    for number in {mark.number for mark in present}:
        places = sorted(mark.place for mark in present - known if mark.number == number)
        exchanges[number] = dict(zip(places, lots.sample(places, len(places)), strict=True))
    return exchanges


def _twin(game_type: AnyGameType, story: Telling, viewer: Viewer, moment: int, lots: Random, tally: Tally) -> None:
    tally.samples += 1
    unseen = twists(story.present[moment], story.known[moment][viewer], lots)
    hidden = hides(story.sights[moment][viewer]) > 1 and _exchangeable(unseen)
    if not _moves_cards(unseen):  # the same game again
        tally.hidden += hidden
        return
    twin = Twin(game_type, story, viewer, moment, unseen)
    twin.play(lots)
    tally.impossible += twin.impossible
    tally.hidden += not twin.impossible and hidden
    tally.moved += not twin.impossible and twin.moved


def _moves_cards(unseen: dict[int, dict[int, int]]) -> bool:
    return any(place != other for exchange in unseen.values() for place, other in exchange.items())


def _exchangeable(unseen: dict[int, dict[int, int]]) -> bool:
    """Whether two cards of one shuffle were never shown: a game may hide cards that everybody has seen."""
    return any(len(places) > 1 for places in unseen.values())
