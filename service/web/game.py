"""A game's page: replay, live and play are one page, drawn by its script; without it the table is there in words."""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import Response
from msgspec import Struct
from msgspec.structs import replace

from domain.capabilities import Autoplay, CardFaces, Chip, Chips, Offers, Taps, Undoing
from domain.play import events as ev
from domain.play.aggregate import Game
from domain.play.deciding import Act, Step
from domain.play.frames import source_sentence
from domain.play.table import join, leave
from domain.view import Viewer, player_name
from projections.games.game_lists import ENTRY, FORKS, GAMES, ListedGame
from projections.leagues.documents import FIXTURE_OF
from projections.leagues.league_projection import LEAGUES_PROJECTION
from service.analysis import queue
from service.analysis.kinds import kind_of
from service.api.games.games import act_of_caller, ruled_look
from service.api.replays.replay import draw_step
from service.api.viewing import cache_for_good
from service.http.representation import PNG, answer_tagged
from service.jobs.stored_games import game_ref
from service.leagues.commands import require_admission
from service.live import seats, shapes
from service.live.replay import Replay, last_step, shown_game
from service.pictures.placing import pack_boards
from service.pictures.svg import board_drawing, setting_of
from service.pictures.words import chip_text, name_players, speak_frame
from service.problems import Refused
from service.records import comments
from service.records.summaries import summary_of
from service.web.listing import name_awaited, sentence
from service.web.page import Person, Visit, answer_drawing, page, redirect, seat_people, words
from service.web.rule_sets import offered_levels
from service.web.static_files import sprite_name


@page("/games/{game_id:uuid}")
async def game(visit: Visit) -> Response[Any]:
    """Show the game as it stands for this visitor."""
    found = await visit.services.room.game(visit.id("game_id"))
    own, viewer = seats.own_seats(found, visit.caller), seats.viewer(found, visit.caller, None, False)
    seen = await shown_game(visit.services.replays, found, viewer)
    names = await visit.services.accounts.shown_names(shapes.people_of(seen))
    shown = await ruled_look(visit.services, shapes.look(seen, viewer, own, names))
    players = seat_people(shown.seats, await visit.people.holding(shown.seats))
    newest = await last_step(visit.services.replays, found, viewer)
    step, called = 0 if shown.result else newest, _called(players)
    frame = await _frame(visit, found, viewer, step)
    analysis = await queue.find(visit.services.store, game_ref(found)) if found.status in seats.OVER else None
    return await visit.show(
        "game.html",
        frame=frame,
        bar=_bar(shown, frame, found.type.get(Chips).chips, called),
        moves=await _moves(visit, found, viewer, range(max(step - _AROUND, 0), min(step + _AROUND, newest) + 1)),
        called=called,
        game=shown,
        look=msgspec.to_builtins(replace(shown, view=None)),
        players=players,
        source=None if found.opening.source is None else source_sentence(found.opening.source),
        outcome=None if shown.result is None else sentence(shown.result, players),
        awaited=name_awaited(players),
        words=await _table_in_words(visit, found, viewer, newest),
        branches=msgspec.to_builtins(await branches_of(visit, found.id)),
        clock=clock_of(await visit.services.replays.of(found), shown.step),
        cards=sprite_name(found.type),
        faces=msgspec.to_builtins(dict(found.type.get(CardFaces).by_card)),
        taps=dict(found.type.get(Taps).zones),
        boards=pack_boards(found.type.boards(found.options, len(found.players))),
        chips=msgspec.to_builtins(found.type.get(Chips).chips),
        offers=msgspec.to_builtins(found.type.get(Offers)),
        ways=_downloads(visit),
        parent=await _parent(visit, found),
        contest=found.opening.contest,
        preview=await preview(visit, found),
        fixture=await _fixture(visit, found),
        may_join=shown.status == "waiting" and None in players and not own,
        may_leave=shown.status == "waiting" and bool(own),
        house=offered_levels(found, visit.visitor),
        autoplay=found.type.get(Autoplay).built,
        undoes=found.type.get(Undoing).allowed(found.options),
        analysable=kind_of(found.type) if found.opening.contest is None or found.revealed else None,
        analysis=analysis,
        report=None if analysis is None else msgspec.to_builtins(analysis.report),
        opener=found.importers is None and visit.visitor is not None and visit.visitor == found.opening.creator,
        commented=found.status in seats.OVER and await comments.are_any(visit.services.store, found.id),
        withheld=found.opening.contest is not None and not found.revealed,
    )


async def _fixture(visit: Visit, found: Game) -> str | None:
    """The page of the fixture that the game is played for."""
    if found.opening.fixture is None:
        return None
    async with visit.services.reads.of(LEAGUES_PROJECTION) as snapshot:
        of = await snapshot.document(FIXTURE_OF(), str(found.opening.fixture))
    return None if of is None else f"/leagues/{of.league}/fixtures/{found.opening.fixture}"


async def _parent(visit: Visit, found: Game) -> bool:
    """Whether the game goes on from one that the visitor may see."""
    branch = found.opening.forked_from
    if branch is None:
        return False
    try:
        seats.visible_game(await visit.services.room.game(branch.game), visit.caller)
    except seats.NoSuchGame:
        return False
    return True


async def _frame(visit: Visit, found: Game, viewer: Viewer, step: int) -> Any:
    """The frame of this step as the API tells it, so that the script draws the table before it asks for anything."""
    replay = await visit.services.replays.of(found)
    return msgspec.to_builtins(next(map(shapes.frame, replay.frames(step, step, viewer)), None))


def _called(players: Sequence[Person | None]) -> list[str | None]:
    """The name at each seat; who has several is named with the number of each."""
    names = [None if one is None else one.name for one in players]
    return [f"{name} ({seat})" if name and names.count(name) > 1 else name for seat, name in enumerate(names, 1)]


_AROUND = 12
"""Steps before and after the one that is shown, whose sentences the page brings: as many as its list has."""


async def _moves(visit: Visit, found: Game, viewer: Viewer, steps: range) -> Any:
    """What is said of these steps, so that the list of moves asks for no frames: `ToldMoves` of the client."""
    replay = await visit.services.replays.of(found)
    frames = replay.frames(steps.start, steps.stop - 1, viewer)
    return {"first": steps.start, "moves": [[frame.live_step, *frame.sentences] for frame in frames]}


def _bar(game: shapes.GameLook, frame: Any, chips: Sequence[Chip], called: Sequence[str | None]) -> list[str]:
    """How the table of this frame stands, then its chips, as the script says it: nothing is painted anew."""
    if frame is None or frame["view"] is None:
        return [_awaited(game)]
    view = frame["view"]
    several, phase = len(called) > 1 and not frame["result"], words(view["phase"])
    turn = ["To act: " + ", ".join(map(player_name, view["to_act"]))] if view["to_act"] and several else []
    stuck = ["no useful move is left"] if view["stuck"] else []
    status = " · ".join([*([] if phase == "playing" else [phase]), *turn, *stuck])
    told = [chip_text(chip, view["facts"]) for chip in chips if not chip.seat]
    return [name_players(text, called) for text in (status, *filter(None, told))]


def _awaited(game: shapes.GameLook) -> str:
    """What a game without a table waits for, as `statusLine` of the client says it."""
    empty = sum(seat.player is None for seat in game.seats)
    one = "its player's own seed" if len(game.seats) == 1 else "seeds of its players' own"
    waits = f"it waits for {one}" if not empty else "a seat is empty" if empty == 1 else f"{empty} seats are empty"
    return "The game has not begun yet" + (f": {waits}." if game.status == "waiting" else ".")


async def _table_in_words(visit: Visit, found: Game, viewer: Viewer, newest: int) -> list[str]:
    """The newest frame that this viewer may have, sentence by sentence."""
    replay = await visit.services.replays.of(found)
    frame = next(replay.frames(newest, newest, viewer), None)
    return [] if frame is None else speak_frame(frame, found.type.get(CardFaces).by_card).splitlines()


_OFFERED = {
    "record": "The record, to keep",
    "replay": "A page of its own, to open offline",
    "animation": "A moving picture",
}


def _downloads(visit: Visit) -> dict[str, str]:
    """What else this service gives of a game: last part of the path -> what it is."""
    paths = {route.path for route in visit.request.app.routes}
    return {name: says for name, says in _OFFERED.items() if f"/v1/games/{{game_id:uuid}}/{name}" in paths}


@page("/games/{game_id:uuid}/join", "POST")
async def join_game(visit: Visit) -> Response[Any]:
    """Take a seat."""
    player = visit.may_play()
    found = seats.visible_game(await visit.services.room.game(visit.id("game_id")), visit.caller)
    await require_admission(visit.services, player, len(found.players), found.opening.rated)
    return await _act_at_table(visit, lambda found, act: join(found, ev.Join(), act))


@page("/games/{game_id:uuid}/leave", "POST")
async def leave_game(visit: Visit) -> Response[Any]:
    """Give the seat back."""
    return await _act_at_table(visit, lambda found, act: leave(found, ev.Leave(), act))


async def _act_at_table(visit: Visit, decide: Callable[[Game, Act], Step]) -> Response[Any]:
    visit.may_play()
    game_id = visit.id("game_id")
    await visit.services.room.act(game_id, lambda found: decide(found, act_of_caller(visit, found)))
    return redirect(f"/games/{game_id}")


_FRESH = {"Cache-Control": "public, max-age=300"}
_NOW = {"Cache-Control": "public, max-age=20"}


class Preview(Struct, frozen=True):
    """Whole addresses, and the sentence with the names of now; `oembed` is None where no page may embed games."""

    page: str
    sentence: str
    image: str
    oembed: str | None


async def preview(visit: Visit, found: Game) -> Preview | None:
    """The preview of a game that anybody may see; None of any other. The picture is of the last step shown to all."""
    try:
        seats.visible_game(found, None)
    except seats.NoSuchGame:
        return None
    here = str(visit.request.base_url).rstrip("/")
    at = f"{here}/games/{found.id}"
    people = await visit.people.of(found.players if found.importers is None else ())
    names = {player: person.name for player, person in people.items() if person.name is not None}
    oembed = f"{here}/oembed?{urlencode({'url': at, 'format': 'json'})}"
    last = await last_step(visit.services.replays, found, None)
    may_embed = visit.services.settings.embedding_origins.split()
    return Preview(at, summary_of(found, names), f"{at}/steps/{last}.png", oembed if may_embed else None)


@page("/games/{game_id:uuid}/steps/{name:str}")
async def picture_step(visit: Visit) -> Response[Any]:
    """Draw a step as anybody may see it, whoever asks: `12.png`."""
    step, _, suffix = visit.request.path_params["name"].partition(".")
    if suffix != "png" or not (step.isascii() and step.isdigit() and len(step) <= 9):
        raise Refused("no_such_thing", "Steps are there as NUMBER.png.")
    game = seats.visible_game(await visit.services.room.game(visit.id("game_id")), None)
    drawn = await draw_step(visit, game, int(step), None)
    return answer_tagged(visit.request.scope["headers"], drawn, PNG, _FRESH | cache_for_good(game))


@page("/games/{game_id:uuid}/board.svg")
async def picture_board(visit: Visit) -> Response[Any]:
    """Draw the table alone, as anybody may see it now, whoever asks: for lists of games."""
    game = seats.visible_game(await visit.services.room.game(visit.id("game_id")), None)
    newest = await last_step(visit.services.replays, game, None)
    shown = next((await visit.services.replays.of(game)).frames(newest, newest, None))
    if shown.view is None:
        raise Refused("no_such_thing", "The game has not been dealt yet.")
    names = await visit.people.of(game.players if game.importers is None else ())
    called = [None if player is None or player not in names else names[player].name for player in game.players]
    drawn = board_drawing(shown, setting_of(game, None, called)).encode()
    return await answer_drawing(visit.request, drawn, _NOW | cache_for_good(game))


_MOST_FORKS = 50


class Branch(Struct, frozen=True):
    """A game that goes on from this step of another one; `by` is the name of who plays it, None once erased."""

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
    """Of the newest forks of this game those that the visitor may know of: the public ones, and the visitor's own."""
    async with visit.services.reads.of(GAMES) as found:
        forks = await found.page(FORKS(game), _MOST_FORKS)
        entries = await found.gather([FORKS(game)], ENTRY(), _MOST_FORKS)
    listed = zip(forks.rows, entries.documents, strict=True)
    shown = [(fork.document.step, entry) for fork, entry in listed if _may_know(visit, entry)]
    people = await visit.people.of(entry.players[0] for _, entry in shown)
    return [Branch(step, entry.id, people[player].name if (player := entry.players[0]) else None)
            for step, entry in shown]  # fmt: skip


def _may_know(visit: Visit, entry: ListedGame) -> bool:
    return entry.visibility == "public" or (visit.visitor is not None and visit.visitor in entry.players)


HANDLERS = (game, join_game, leave_game, picture_step, picture_board)
