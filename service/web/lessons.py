"""First lessons, from `domain/games/<key>.lesson.json`: a game's rules in five lines, and steps on a fixed deal.

A lesson is an ordinary game that is not rated and in no list. Which step a learner is at follows from the commands that
the game has, so the page alone leads it (`client/src/lesson.ts`).
"""

from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct

import domain.games
from domain.games import GAME_TYPES
from domain.play.aggregate import Game
from service.live.openings import OPENING_BODIES, secret
from service.problems import Refused
from service.web.page import Visit, page
from service.web.passkeys import open_for_guest
from service.web.rule_sets import open_table

_FOLDER = Path(domain.games.__file__).parent


class LessonStep(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule: the sentence, the commands that lead to the next step, the zones that it speaks of.

    A command with `by` of `opponent` is said by the page, at seat 1; the learner sits at seat 0.
    """

    say: str
    commands: tuple[dict[str, Any], ...]
    look: tuple[str, ...] = ()


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """`brief`: the rules in at most five lines; `opening`: the body that opens the game; `onward`: whose lessons
    may come next; `options`: a sentence for each option of the game type. Without `steps` there is no lesson.
    """

    brief: tuple[str, ...] = ()
    opening: dict[str, Any] = {}
    steps: tuple[LessonStep, ...] = ()
    onward: tuple[str, ...] = ()
    options: dict[str, str] = {}


@cache
def lesson_of(key: str) -> Lesson:
    """The lesson of this game type; an empty one where none is written yet."""
    file = _FOLDER / f"{key}.lesson.json"
    return msgspec.json.decode(file.read_bytes(), type=Lesson) if file.is_file() else Lesson()


@cache
def opening_of_lesson(key: str) -> Any:
    """The body that opens the game of this lesson."""
    body = {"game_type": key, "rated": False, "visibility": "unlisted", **lesson_of(key).opening}
    return msgspec.convert(body, OPENING_BODIES[key])


def find_lesson(visit: Visit, game: Game) -> Lesson | None:
    """The lesson that the visitor is given in this game: its deal is the lesson's, and the address asks for it."""
    key = game.type.key
    if "lesson" not in visit.request.query_params or 0 not in game.seats_of(visit.visitor) or game.status != "playing":
        return None
    lesson = lesson_of(key)
    if not lesson.steps or game.sealed is None:
        return None
    dealt = secret(opening_of_lesson(key))
    return lesson if (game.sealed.seed, game.sealed.given) == (dealt.seed, dealt.given) else None


@page("/lessons/{game_type:str}")
async def show_lesson(visit: Visit) -> Response[Any]:
    """Say what the lesson teaches, and offer to begin."""
    lesson = _require_lesson(visit)
    return await visit.show("lesson.html", game_type=GAME_TYPES[visit.key], lesson=lesson)


@page("/lessons/{game_type:str}", "POST")
async def begin_lesson(visit: Visit) -> Response[Any]:
    """Open the lesson's game, for a guest if need be, and go there."""
    _require_lesson(visit)

    async def begin(player: UUID) -> str:
        return f"{await open_table(visit, opening_of_lesson(visit.key), None, player)}?lesson"

    return await open_for_guest(visit, begin)


def _require_lesson(visit: Visit) -> Lesson:
    lesson = lesson_of(visit.key) if visit.key in GAME_TYPES else Lesson()
    if not lesson.steps:
        raise Refused("no_such_thing", "There is no such lesson.")
    return lesson
