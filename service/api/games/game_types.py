"""Game types: the schemas of options, commands, events and facts, the rules; and house bots at a table."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response
from msgspec import Meta, Struct

from domain import capabilities
from domain.games import GAME_TYPES, REVISIONS, AnyGameType
from service.api.games.games import TABLE, act_at_table
from service.api.viewing import fill_struct
from service.house.players import Level, levels_of, seat_house
from service.house.tables import HouseBots
from service.http.openapi.schemas import clean_docs
from service.http.operation import JSON, Answer, Call, Reply, operation, reply
from service.http.representation import NEVER_CHANGES
from service.live import seats, shapes
from service.problems import Refused, rules_of

TAG = "game types"
_BOTS = "The levels of the house's bots that take empty seats: `seat_bot`."


class PresetShown(Struct, frozen=True, kw_only=True):
    """Options under a name that players know; `row` is the published table's row, word for word as settings."""

    name: str
    kind: Literal["cards", "board"]
    reconstructed: bool
    options: dict[str, Any]
    row: dict[str, str | int | bool]


class NotationShown(Struct, frozen=True):
    """A way of writing its games that others read too, and whether such a text makes a game here."""

    key: str
    name: str
    media_type: str
    read: bool


class GameTypeShown(Struct, frozen=True, kw_only=True):
    """A game type in short. `reconstructed`: some of its data is ours, because the original is lost."""

    key: str
    name: str
    revision: int
    min_seats: int
    max_seats: int
    undo: bool
    most_steps: Annotated[int, Meta(description="A game ends with this step: lost if played alone, else abandoned.")]
    reconstructed: bool
    bots: Annotated[tuple[Level, ...], Meta(description=_BOTS)]
    default_options: dict[str, Any]
    presets: tuple[PresetShown, ...]
    notations: tuple[NotationShown, ...]


class GameTypeInFull(GameTypeShown, frozen=True, kw_only=True):
    """A game type with its rules (markdown) and JSON Schemas; commands and events by their tags.

    `faces`: names of the cards that are no playing cards. `taps`: commands that name no place, by tag, with the
    zone to tap for them or the fact that names it. `counting`: from when on a rated game that is given up counts.
    `material`: its places, its cards and the text printed on them, under the ids that views, commands and events
    use; fixed for a revision. `refusals`: its own rules that a refusal may name; `/v1/problems/illegal` lists those
    of every game.
    """

    rules: str
    refusals: dict[str, str]
    options: dict[str, Any]
    commands: dict[str, dict[str, Any]]
    events: dict[str, dict[str, Any]]
    facts: dict[str, Any]
    faces: dict[str, capabilities.Face]
    taps: dict[str, str]
    material: shapes.AnyMaterial
    counting: capabilities.Counting


class GameTypeList(Struct, frozen=True):
    """Every game type there is, by key. The list is whole: it has no pages."""

    game_types: tuple[GameTypeShown, ...]


def _in_short(kind: AnyGameType) -> GameTypeShown:
    options = kind.get(capabilities.OptionRules).settle(kind.options(), kind.seats[0])
    return fill_struct(
        GameTypeShown,
        kind,
        min_seats=kind.seats[0],
        max_seats=kind.seats[-1],
        undo=kind.get(capabilities.Undoing).allowed(options),
        most_steps=kind.get(capabilities.StepLimit).most,
        reconstructed=kind.has(capabilities.Reconstructed),
        bots=levels_of(kind),
        default_options=msgspec.to_builtins(options),
        presets=tuple(
            fill_struct(
                PresetShown,
                preset,
                options=msgspec.to_builtins(kind.get(capabilities.OptionRules).settle(preset.options, kind.seats[0])),
            )
            for preset in kind.get(capabilities.Presets).presets
        ),
        notations=tuple(
            fill_struct(NotationShown, notation, read=notation.read is not None)
            for notation in kind.get(capabilities.Notations).notations
        ),
    )


def _in_full(kind: AnyGameType) -> GameTypeInFull:
    return fill_struct(
        GameTypeInFull,
        _in_short(kind),
        rules=kind.rules,
        refusals=rules_of(kind.key),
        options=_schema(kind.options),
        commands=_schemas(kind.commands),
        events=_schemas(kind.events),
        facts=_schema(kind.facts),
        faces=dict(kind.get(capabilities.CardFaces).by_card),
        taps=dict(kind.get(capabilities.Taps).zones),
        material=kind.material,
        counting=kind.get(capabilities.Counting),
    )


def _schemas(structs: tuple[type[Struct], ...]) -> dict[str, dict[str, Any]]:
    return {str(struct.__struct_config__.tag): _schema(struct) for struct in structs}


def _schema(struct: type[Struct]) -> dict[str, Any]:
    """The struct's JSON Schema, its own definition at the top and the ones it uses under `$defs`."""
    schema = clean_docs(msgspec.json.schema(struct))
    own: dict[str, Any] = schema["$defs"].pop(schema.pop("$ref").rpartition("/")[2])
    return own | ({"$defs": schema["$defs"]} if schema["$defs"] else {})


LIST = GameTypeList(tuple(map(_in_short, GAME_TYPES.values())))
IN_FULL = {key_and_revision: _in_full(kind) for key_and_revision, kind in REVISIONS.items()}
"""Every game type as the API shows it, by key and revision."""

FULL = {key: IN_FULL[key, kind.revision] for key, kind in GAME_TYPES.items()}
_CACHED = {"Cache-Control": f"public, {NEVER_CHANGES}"}
_REVISION = "The rules of this revision, as in a game's `revision`; left out, the newest."


class GameTypeQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which rules are shown."""

    revision: Annotated[int, Meta(ge=1, le=2**31 - 1, description=_REVISION)] | None = None


@operation(
    id="list_game_types", method="GET", path="/v1/game-types", tag=TAG,
    answers={200: Answer(type=GameTypeList, says="What can be played.")},
)  # fmt: skip
async def game_types(call: Call[None, None]) -> Response[bytes]:
    """List what can be played."""
    return reply(LIST)


@operation(
    id="get_game_type", method="GET", path="/v1/game-types/{game_type:str}", tag=TAG, query=GameTypeQuery,
    answers={200: Answer(type=GameTypeInFull, says="The game type, with rules and schemas.")},
)  # fmt: skip
async def get_game_type(call: Call[None, GameTypeQuery]) -> Response[bytes]:
    """Show one game type: seats, rules, and the schemas of options, commands, events and facts."""
    key, revision = call.request.path_params["game_type"], call.query.revision
    shape = FULL.get(key) if revision is None else IN_FULL.get((key, revision))
    if shape is None:
        raise Refused("no_such_thing", "There is no such game type, or no such revision of it.")
    return Reply(msgspec.json.encode(shape), 200, JSON, {} if revision is None else _CACHED)


_LEVEL = (
    "`greedy` takes the best immediate move, `strong` searches; a game type's `bots` has the levels that it offers."
)


class BotBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the house's bots, at which seat: left out, the first that is free."""

    level: Annotated[Level, Meta(description=_LEVEL)]
    seat: shapes.SeatNumber | None = None


@operation(
    id="seat_bot", method="POST", path="/v1/games/{game_id:uuid}/bots", body=BotBody, **TABLE,
    examples={"a greedy one": {"level": "greedy"}},
)  # fmt: skip
async def seat_bot(call: Call[BotBody, None]) -> Response[bytes]:
    """Give an empty seat to a bot of the house; the last seat taken starts the game.

    For the player who opened the game, players with a seat and invited players. The house plays unrated games with at
    least one person. Its bots see what their seat sees, and play until the game is over; `GET /v1/players/{id}` says
    that they are bots.
    """
    seats.visible_game(await call.room.game(call.id("game_id")), call.caller)
    await call.area(HouseBots).register(call.body.level)
    answer = await act_at_table(call, lambda game, act: seat_house(game, call.body.level, call.body.seat, act))
    call.area(HouseBots).wake()
    return answer
