"""Forms made from the schemas of the API's bodies, the way back to a body, and the pages' actions."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any, Literal, TypeAlias, TypeVar, get_args, get_origin
from uuid import UUID

import msgspec
from litestar import Response
from litestar.handlers import HTTPRouteHandler
from msgspec import Struct
from msgspec.structs import replace

from domain.game_type import Illegal
from service.accounts import names
from service.live.openings import OPENING_BODIES
from service.problems import Refused, in_words
from service.solving.levels import LEVELS
from service.web.page import Visit, page, preset_name, redirect, title, words

Schema: TypeAlias = dict[str, Any]
Kind = Literal["check", "choice", "number", "text", "list"]
_WHERE = re.compile(r" - at `\$\.?([\w.]*).*`$")
_BLANK = "as the rules have it"
_WISH, _ANY_LEVEL = "wish", "any"
_WORDS = {
    "rated": ("Rated", "It counts for the scoreboards; without, it is a practice game. Only public games are rated."),
    "visibility": (
        "Who may see it",
        "Unlisted games stand in no list, private ones are seen by their players alone; neither is rated.",
    ),
    "await_seeds": ("Wait for seeds", "Deal only when every player has given a seed of their own."),
    "hints": ("Hints", "You may ask for hints, and everybody is told that you could. It is not rated."),
    "move_seconds": (
        "Seconds for a move",
        "Whoever is to move for longer has run out of time. Left empty: a day alone, two weeks with others.",
    ),
    "seats": ("Players", "How many play."),
    "seat": ("Your place", "Who plays first depends on the game; most begin with the first."),
    "player_ids": (
        "Invited players",
        "Players who are asked to join: names, with commas between, or ids as in the addresses of their pages.",
    ),
    "hot_seat": ("You play every side", "To try a game out; it is not rated."),
    "spectator_delay": ("Delay for onlookers", "Who does not play sees the game so many steps late, until it is over."),
    "seed": ("Seed", "Any text: the same text gives the same deal."),
    "deal": ("Cards", "All cards in dealing order, such as QH TD 2S."),
    "wish": ("A deal that can be won", "One that a solver has won, and nobody has been dealt. It is not rated."),
    "deal_number": ("Deal number", "The number that the deal is published under."),
}


class FieldError(ValueError):
    """A fault of the field of this path in the body."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class Field(Struct, frozen=True, kw_only=True):
    """One field: `name` is the path in the body (`options.draw`), `value` its text, "on" for a check that is set.

    `refusal`: why it was not taken.
    """

    name: str
    label: str
    help: str
    kind: Kind
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    required: bool = False
    refusal: str = ""

    @property
    def said(self) -> str:
        """The value's label among the choices."""
        return dict(self.choices).get(self.value, words(self.value))


def fields(key: str, values: Mapping[str, Any]) -> tuple[Field, ...]:
    """The fields of the body that opens a game of this type; `given` has values by path, the rest are defaults."""
    schema = msgspec.json.schema(OPENING_BODIES[key])
    top: Schema = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    fields = []
    for field in _list_fields("", top, schema["$defs"], values):
        option = field.name.rpartition(".")[2]
        choices = tuple((value, preset_name(key, option, value) or label) for value, label in field.choices)
        fields.append(replace(field, choices=choices))
    return tuple(fields)


def mark_refused(fields: tuple[Field, ...], error: Exception) -> tuple[Field, ...]:
    """The fields, with the error's text at its field."""
    match error:
        case FieldError():
            path = error.path
        case Illegal():
            path = error.pointer[1:].replace("/", ".")
        case _:
            return fields
    if path == "deal" and any(field.name == _WISH and field.value for field in fields):
        path = _WISH  # the body has it in place of the cards
    return tuple(replace(field, refusal=str(error)) if field.name == path else field for field in fields)


def _list_fields(prefix: str, schema: Schema, schemas: Schema, values: Mapping[str, Any]) -> Iterator[Field]:
    for name, member in schema["properties"].items():
        if "$ref" in member:
            yield from _list_fields(f"{prefix}{name}.", schemas[member["$ref"].rpartition("/")[2]], schemas, values)
        elif name != "game_type" and not _is_settled(member):
            if name == "deal" and any("$ref" in part for part in member["anyOf"]):
                levels = ((key, f"{key}, as they go") for key in LEVELS)
                yield Field(
                    name=_WISH, label=_WORDS[_WISH][0], help=_WORDS[_WISH][1], kind="choice",
                    value=str(values.get(_WISH, "")),
                    choices=(("", "any deal"), (_ANY_LEVEL, "one that can be won"), *levels),
                )  # fmt: skip
            yield _make_field(prefix + name, member, values)


def _is_settled(schema: Schema) -> bool:
    """Whether there is nothing to choose."""
    if "const" in schema:
        return True
    return "minimum" in schema and schema["minimum"] == schema.get("maximum", schema.get("exclusiveMaximum", 0) - 1)


def _make_field(path: str, schema: Schema, values: Mapping[str, Any]) -> Field:
    plain = next((part for part in schema.get("anyOf", ()) if part != {"type": "null"}), schema)
    described = str(plain.get("description") or schema.get("description") or "").replace("null:", "left empty:")
    sentence = described if not described or described.endswith(".") else f"{described}."
    kinds: dict[str, Kind] = {"boolean": "choice" if "anyOf" in schema else "check", "integer": "number"}
    kind = "choice" if "enum" in plain else "list" if plain["type"] == "array" else kinds.get(plain["type"], "text")
    label, help_text = label_of(path), _WORDS.get(path, ("", sentence))[1]
    if path == "seat":
        places = tuple((str(seat), str(seat + 1)) for seat in range(plain["exclusiveMaximum"]))
        return Field(
            name=path, label=label, help=help_text, kind="choice", value=str(values.get(path, 0)), choices=places
        )
    return Field(
        name=path,
        label=label,
        help=help_text,
        kind=kind,
        value=_format_value(values.get(path, schema.get("default")), kind),
        choices=tuple(_list_choices(plain, "anyOf" in schema)),
        least=plain.get("minimum"),
        most=plain.get("maximum", plain["exclusiveMaximum"] - 1 if "exclusiveMaximum" in plain else None),
        longest=plain.get("maxLength"),
        required=kind == "number" and "anyOf" not in schema,
    )


def label_of(path: str) -> str:
    """What the field of this path in the body is called, on its form and where it is refused."""
    return _WORDS[path][0] if path in _WORDS else title(path.rpartition(".")[2])


def _list_choices(plain: Schema, may_be_left_out: bool) -> Iterator[tuple[str, str]]:
    if may_be_left_out:
        yield "", _BLANK
    if "enum" in plain:
        yield from ((str(value), words(value)) for value in plain["enum"])
    elif plain["type"] == "boolean" and may_be_left_out:
        yield from (("true", "yes"), ("false", "no"))


def _format_value(value: Any, kind: Kind) -> str:
    if isinstance(value, bool):
        return ("on" if value else "") if kind == "check" else str(value).lower()
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def posted_values(key: str, posted: Mapping[str, str]) -> dict[str, str | bool]:
    """The values of a posted form, to show it again; adds the unset checkboxes, which browsers do not send."""
    checks = {field.name: posted.get(field.name) == "on" for field in fields(key, {}) if field.kind == "check"}
    return {**posted, **checks}


def body(key: str, posted: Mapping[str, str]) -> Any:
    """The body that this form means; raises ValueError with a sentence that names the field."""
    made: dict[str, Any] = {"game_type": key, "options": {}}
    for field in fields(key, {}):
        value = _read_value(field, posted.get(field.name, "").strip())
        if value is not None:
            inside = made["options"] if field.name.startswith("options.") else made
            inside[field.name.rpartition(".")[2]] = value
    if (level := made.pop(_WISH, None)) is not None:
        if "deal" in made:
            raise FieldError(_WISH, f"{label_of(_WISH)}: cards are given already.")
        made["deal"] = {"winnable": True} | ({} if level == _ANY_LEVEL else {"level": level})
    if made.get("hints"):
        made["rated"] = False
    return convert_values(made, OPENING_BODIES[key])


def _read_value(field: Field, text: str) -> Any:
    """What the text of this field means; None where it is left out."""
    if field.kind == "check":
        return text == "on"
    if not text:
        return None
    return text.split() if field.kind == "list" else text


def convert_values(values: Mapping[str, Any], body: Any) -> Any:
    """The body of these texts; raises FieldError with a sentence that names the field."""
    try:
        return msgspec.convert(values, body, strict=False)
    except msgspec.ValidationError as error:
        place, detail = _WHERE.search(str(error)), _WHERE.sub("", in_words(error))
        path = "" if place is None else place[1]
        raise FieldError(path, f"{label_of(path)}: {detail}." if path else f"{detail}.") from error


B = TypeVar("B", bound=Struct)
_PARAMETER = re.compile(r"\{(\w+):\w+\}")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
_PLAYERS = ("player_id", "by_player_id", "player_ids")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d", re.ASCII)
FormFields: TypeAlias = Mapping[str, str]
FormAction = Callable[[Visit, FormFields], Awaitable[str | None]]
"""Returns the address to redirect to; None: back to the page."""
Page = Callable[[Visit, str], Awaitable[Response[Any]]]
"""The page with this refusal on it."""


def form_route(
    path: str, actions: Mapping[str, FormAction], show_page: Page,
    check: Callable[[Visit], Awaitable[object]] | None = None,
) -> HTTPRouteHandler:  # fmt: skip
    """The handler of the forms on the page at this path; the action's name is the last part of theirs.

    Players may be named in a form; `check` goes before each action. It redirects to the action's address, else back to
    the page, which shows a refusal.
    """

    async def run_form_action(visit: Visit) -> Response[Any]:
        action = actions.get(visit.request.path_params["deed"])
        if action is None:
            raise Refused("no_such_thing", "There is no such form.")
        visit.may_play()
        try:
            fields = await resolve_names(visit, await visit.form_if_any())
            if check is not None:
                await check(visit)
            address = await action(visit, fields)
        except (Illegal, ValueError) as error:
            return await show_page(visit, str(error))
        return redirect(address or _PARAMETER.sub(lambda name: str(visit.request.path_params[name[1]]), path))

    return page(f"{path}/{{deed:str}}", "POST")(run_form_action)


async def resolve_names(visit: Visit, fields: FormFields) -> FormFields:
    """The fields with ids where they name players, several with commas between; raises FieldError."""
    return {field: await _find_ids(visit, field, text) if field in _PLAYERS else text for field, text in fields.items()}


async def _find_ids(visit: Visit, field: str, text: str) -> str:
    parts = list[str]()
    for part in filter(None, map(str.strip, text.split(","))):
        players = [part] if _ID.search(part) else await names.find_namesakes(visit.store, part)
        if len(players) != 1:
            why = f"{'several players are' if players else 'nobody who may be found is'} called {part}"
            raise FieldError(field, f"{label_of(field)}: {why}; give the address of the player's page.")
        parts.append(str(players[0]))
    return " ".join(parts)


def decode_form(body: type[B], posted: Mapping[str, str], **others: Any) -> B:
    """The body of the form and these `others`; raises ValueError with a sentence that names the field."""
    values = dict(others)
    for field in msgspec.structs.fields(body):
        if field.name not in others and (text := posted.get(field.name, "").strip()):
            is_list = _contains_type(field.type, tuple)
            parts = [_read_field(part, field.type) for part in (text.replace(",", " ").split() if is_list else [text])]
            values[field.name] = parts if is_list else parts[0]
    converted: B = convert_values(values, body)
    return converted


def _read_field(text: str, kind: Any) -> str:
    """The id in a link to a game or a player, a time with its zone, else the text."""
    if _contains_type(kind, UUID) and (match := _ID.search(text)) is not None:
        return match[0]
    return f"{text}:00Z" if _TIME.fullmatch(text) else text


def _contains_type(kind: Any, target: type) -> bool:
    """Whether a type is this one, or is made of it."""
    return kind is target or get_origin(kind) is target or any(_contains_type(part, target) for part in get_args(kind))
