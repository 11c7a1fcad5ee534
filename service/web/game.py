"""A game's page: replay, live and play are one page, drawn by its script; without it the table is there in words."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Autoplay, CardFaces, Chips, Offers, Taps, Undoing
from domain.play.aggregate import Game
from domain.play.frames import source_sentence
from domain.view import player_name
from projections.games.game_lists import ENTRY, FORKS, GAMES
from projections.leagues.league_projection import FIXTURE_OF, LEAGUES_PROJECTION
from service.analysis import queue
from service.analysis.kinds import kind_of
from service.api.games.games import ruled_look
from service.api.replays.replay import draw_step
from service.api.viewing import cache_for_good
from service.http.representation import NO_STORE, PNG, answer_tagged
from service.jobs.stored_games import game_ref
from service.live import seats, shapes
from service.live.replay import LiveParts, Replay, last_step, shown_game
from service.pictures.placing import pack_boards
from service.pictures.svg import board_drawing, setting_of
from service.pictures.words import chip_text, name_players, speak_frame
from service.problems import Refused
from service.records import comments
from service.records.summaries import summary_of
from service.web.casual import list_choices
from service.web.lessons import find_lesson
from service.web.listing import name_awaited, name_seats, sentence
from service.web.page import Visit, answer_drawing, page, seat_people, words
from service.web.static_files import sprite_name
from service.web.waiting_table import describe_waiting_table


@page("/games/{game_id:uuid}")
async def game(visit: Visit) -> Response[Any]:
    """Show the game's newest step that this visitor may see."""
    game = await visit.room.game(visit.id("game_id"))
    lesson = find_lesson(visit, game)
    own = seats.own_seats(game, visit.caller)
    viewer = seats.viewer(game, visit.caller, None if lesson is None else 0, False)
    seen = await shown_game(visit.area(LiveParts).replays, game, viewer)
    names = await visit.accounts.shown_names(shapes.people_of(seen))
    look = await ruled_look(visit.reads, shapes.look(seen, viewer, own, names))
    players = seat_people(look.seats, await visit.people.holding(look.seats))
    newest = await last_step(visit.area(LiveParts).replays, game, viewer)
    step, called = 0 if look.result else newest, name_seats(players)
    replay = await visit.area(LiveParts).replays.of(game)
    frame = msgspec.to_builtins(next(map(shapes.frame, replay.frames(step, step, viewer)), None))
    newest_frame = next(replay.frames(newest, newest, viewer), None)
    first, last = max(step - _AROUND, 0), min(step + _AROUND, newest)
    bar = game.type.get(Chips)
    undoes, sits = game.type.get(Undoing).allowed(game.options), look.your_seats and not look.result
    stuck = f"No useful move is left: {'undo, or ' if undoes else ''}give up"
    bar = Chips(bar.chips, {**bar.phases, "stuck": stuck}) if sits else bar
    analysis = await queue.find(visit.store, game_ref(game)) if game.status in seats.OVER else None
    paths = {route.path for route in visit.request.app.routes}
    return await visit.show(
        "game.html",
        frame=frame,
        bar=_describe_bar(frame, bar, called, look.your_seats),
        moves={
            "first": first,
            "moves": [[each.live_step, *each.sentences] for each in replay.frames(first, last, viewer)],
        },
        called=called,
        game=look,
        look=msgspec.to_builtins(replace(look, view=None)),
        players=players,
        source=None if game.opening.source is None else source_sentence(game.opening.source),
        outcome=None if look.result is None else sentence(look.result, players, visit.visitor),
        awaited=name_awaited(players),
        words=[]
        if newest_frame is None  # what happened stands under the table
        else speak_frame(replace(newest_frame, sentences=()), game.type.get(CardFaces).by_card).splitlines(),
        branches=msgspec.to_builtins(await branches_of(visit, game.id)),
        clock=clock_of(replay, look.step),
        cards=sprite_name(game.type),
        faces=msgspec.to_builtins(dict(game.type.get(CardFaces).by_card)),
        taps=dict(game.type.get(Taps).zones),
        boards=pack_boards(game.type.boards(game.options, len(game.players))),
        chips=msgspec.to_builtins(bar),
        offers=msgspec.to_builtins(game.type.get(Offers)),
        ways={name: says for name, says in _OFFERED.items() if f"/v1/games/{{game_id:uuid}}/{name}" in paths},
        parent=await _has_visible_parent(visit, game),
        contest=game.opening.contest,
        preview=await preview(visit, game),
        fixture=await _find_fixture(visit, game),
        waiting=describe_waiting_table(visit, game),
        autoplay=game.type.get(Autoplay).built,
        undoes=undoes,
        analysable=kind_of(game.type) if game.opening.contest is None or game.revealed else None,
        analysis=analysis,
        report=None if analysis is None else msgspec.to_builtins(analysis.report),
        lesson=lesson,
        choice=None if lesson is None else (await list_choices(visit))(game.type),
        lesson_steps=[] if lesson is None else msgspec.to_builtins(lesson.steps),
        opener=game.importers is None and visit.visitor is not None and visit.visitor == game.opening.creator,
        commented=game.status in seats.OVER and await comments.are_any(visit.store, game.id),
        withheld=game.opening.contest is not None and not game.revealed,
    )


async def _find_fixture(visit: Visit, game: Game) -> str | None:
    """The page of the fixture that the game is played for."""
    if game.opening.fixture is None:
        return None
    async with visit.reads.of(LEAGUES_PROJECTION) as snapshot:
        of = await snapshot.document(FIXTURE_OF(), str(game.opening.fixture))
    return None if of is None else f"/leagues/{of.league}/fixtures/{game.opening.fixture}"


async def _has_visible_parent(visit: Visit, game: Game) -> bool:
    """Whether the game is a fork of one that the visitor may see."""
    branch = game.opening.forked_from
    if branch is None:
        return False
    try:
        seats.visible_game(await visit.room.game(branch.game), visit.caller)
    except seats.NoSuchGame:
        return False
    return True


_AROUND = 12
"""Steps before and after the shown one whose sentences the page has (`ToldMoves` of the client): a full list."""


def _describe_bar(frame: Any, bar: Chips, called: Sequence[str | None], own: Sequence[int]) -> list[str]:
    """The status line of this frame, then its chips, in the script's words: nothing is painted again."""
    if frame is None or frame["view"] is None:
        return ["The game has not begun yet."]
    view = frame["view"]
    several, phase = len(called) > 1 and not frame["result"], bar.phases.get(view["phase"], words(view["phase"]))
    mine = len(own) == 1 and own[0] in view["to_act"]
    turn = "Your move" if mine else "To act: " + ", ".join(map(player_name, view["to_act"]))
    parts = [
        "" if frame["result"] or phase in ("playing", "play", "turns", "turn", "action") else phase,
        turn if view["to_act"] and several else "",
        bar.phases.get("stuck", "No useful move is left") if view["stuck"] else "",
    ]  # fmt: skip
    status = " · ".join(filter(None, parts))
    chip_texts = [chip_text(chip, view["facts"]) for chip in bar.chips if not chip.seat and not frame["result"]]
    return [name_players(text, called) for text in (status, *filter(None, chip_texts))]


_OFFERED = {
    "record": "The record, to keep",
    "replay": "A page of its own, to open offline",
    "animation": "A moving picture",
}


_FRESH = {"Cache-Control": "public, max-age=300"}
_NOW = {"Cache-Control": "public, max-age=20"}


class Preview(Struct, frozen=True):
    """Whole addresses, and the sentence with the names of now; `oembed` is None where no page may embed games."""

    page: str
    sentence: str
    image: str
    oembed: str | None


async def preview(visit: Visit, game: Game) -> Preview | None:
    """The preview of a game that everybody may see, else None. The picture is of the last step shown to all."""
    try:
        seats.visible_game(game, None)
    except seats.NoSuchGame:
        return None
    here = str(visit.request.base_url).rstrip("/")
    at = f"{here}/games/{game.id}"
    people = await visit.people.of(game.players if game.importers is None else ())
    names = {player: person.name for player, person in people.items() if person.name is not None}
    oembed = f"{here}/oembed?{urlencode({'url': at, 'format': 'json'})}"
    last = await last_step(visit.area(LiveParts).replays, game, None)
    may_embed = visit.settings.embedding_origins.split()
    return Preview(at, summary_of(game, names), f"{at}/steps/{last}.png", oembed if may_embed else None)


@page("/games/{game_id:uuid}/steps/{name:str}")
async def picture_step(visit: Visit) -> Response[Any]:
    """Draw a step as everybody may see it: `12.png`."""
    step, _, suffix = visit.request.path_params["name"].partition(".")
    if suffix != "png" or not (step.isascii() and step.isdigit() and len(step) <= 9):
        raise Refused("no_such_thing", "Steps are there as NUMBER.png.")
    game = seats.visible_game(await visit.room.game(visit.id("game_id")), None)
    drawn = await draw_step(visit, game, int(step), None)
    return answer_tagged(visit.request.scope["headers"], drawn, PNG, _FRESH | cache_for_good(game))


@page("/games/{game_id:uuid}/board.svg")
async def picture_board(visit: Visit) -> Response[Any]:
    """Draw the table alone, as everybody may see it now: in lists of games; a contest's attempt to its player alone."""
    game = await visit.room.game(visit.id("game_id"))
    withheld = game.opening.contest is not None and not game.revealed
    seats.visible_game(game, visit.caller if withheld else None)
    newest = await last_step(visit.area(LiveParts).replays, game, None)
    frame = next((await visit.area(LiveParts).replays.of(game)).frames(newest, newest, None))
    if frame.view is None:
        raise Refused("no_such_thing", "The game has not been dealt yet.")
    names = await visit.people.of(game.players if game.importers is None else ())
    called = [None if player is None or player not in names else names[player].name for player in game.players]
    drawn = board_drawing(frame, setting_of(game, None, called)).encode()
    headers = {"Cache-Control": NO_STORE} if withheld else _NOW | cache_for_good(game)
    return await answer_drawing(visit.request, drawn, headers)


_MOST_FORKS = 50


class Branch(Struct, frozen=True):
    """A game that goes on from this step of another one; `by` is the name of its player, None once erased."""

    step: int
    game: UUID
    by: str | None


def clock_of(replay: Replay, last: int) -> dict[str, Any]:
    """When each step up to the last was made, in seconds since the first, from which seat, and which dealt."""
    steps = replay.steps[: last + 1]
    opened = steps[0][-1].time
    times = [round((step[-1].time - opened) / 1_000_000, 1) for step in steps]
    return {
        "opened": opened / 1_000_000,
        "dealt": replay.dealt,
        "times": times,
        "seats": [step[0].seat for step in steps],
    }


async def branches_of(visit: Visit, game: UUID) -> list[Branch]:
    """The newest forks of this game that the visitor may know of: public ones, and the visitor's own."""
    async with visit.reads.of(GAMES) as snapshot:
        forks = await snapshot.page(FORKS(game), _MOST_FORKS)
        entries = await snapshot.gather([FORKS(game)], ENTRY(), _MOST_FORKS)
    listed = zip(forks.rows, entries.documents, strict=True)
    visible = [
        (fork.document.step, entry)
        for fork, entry in listed
        if entry.visibility == "public" or (visit.visitor is not None and visit.visitor in entry.players)
    ]
    people = await visit.people.of(entry.players[0] for _, entry in visible)
    return [Branch(step, entry.id, people[player].name if (player := entry.players[0]) else None)
            for step, entry in visible]  # fmt: skip
