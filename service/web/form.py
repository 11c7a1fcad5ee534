"""The form that opens a game, made from the schema of the API's own body, and back from the form to that body."""

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
    """What is wrong with the field of this path in the body."""

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


def fields(key: str, given: Mapping[str, Any]) -> tuple[Field, ...]:
    """The fields of the body that opens a game of this type; `given` has values by path, the rest are defaults."""
    whole = msgspec.json.schema(OPENING_BODIES[key])
    top: Schema = whole["$defs"][whole["$ref"].rpartition("/")[2]]
    return tuple(_name_presets(key, field) for field in _fields("", top, whole["$defs"], given))


def mark_refused(found: tuple[Field, ...], error: Exception) -> tuple[Field, ...]:
    """The fields, the one that the error is about with what it says."""
    match error:
        case FieldError():
            path = error.path
        case Illegal():
            path = error.pointer[1:].replace("/", ".")
        case _:
            return found
    if path == "deal" and any(field.name == _WISH and field.value for field in found):
        path = _WISH  # which the body says in place of the cards
    return tuple(replace(field, refusal=str(error)) if field.name == path else field for field in found)


def _name_presets(key: str, field: Field) -> Field:
    """The field with its presets labelled by what they are."""
    option = field.name.rpartition(".")[2]
    return replace(
        field, choices=tuple((value, preset_name(key, option, value) or said) for value, said in field.choices)
    )


def _fields(prefix: str, schema: Schema, known: Schema, given: Mapping[str, Any]) -> Iterator[Field]:
    for name, told in schema["properties"].items():
        if "$ref" in told:
            yield from _fields(f"{prefix}{name}.", known[told["$ref"].rpartition("/")[2]], known, given)
        elif name != "game_type" and not _is_settled(told):
            if name == "deal" and any("$ref" in one for one in told["anyOf"]):
                yield _wish_field(str(given.get(_WISH, "")))
            yield _field(prefix + name, told, given)


def _wish_field(value: str) -> Field:
    """The field of a deal by wish, which the body says in place of the cards."""
    choices = (("", "any deal"), (_ANY_LEVEL, "one that can be won"), *((one, f"{one}, as they go") for one in LEVELS))
    label, said = _WORDS[_WISH]
    return Field(name=_WISH, label=label, help=said, kind="choice", value=value, choices=choices)


def _is_settled(told: Schema) -> bool:
    """Whether there is nothing to choose."""
    if "const" in told:
        return True
    return "minimum" in told and told["minimum"] == told.get("maximum", told.get("exclusiveMaximum", 0) - 1)


def _field(path: str, told: Schema, given: Mapping[str, Any]) -> Field:
    plain = next((one for one in told.get("anyOf", ()) if one != {"type": "null"}), told)
    kind, described = _kind(plain, "anyOf" in told), str(plain.get("description") or told.get("description") or "")
    label, said = label_of(path), _WORDS[path][1] if path in _WORDS else _sentence(described)
    if path == "seat":
        places = tuple((str(seat), str(seat + 1)) for seat in range(plain["exclusiveMaximum"]))
        return Field(name=path, label=label, help=said, kind="choice", value=str(given.get(path, 0)), choices=places)
    return Field(
        name=path,
        label=label,
        help=said,
        kind=kind,
        value=_text(given.get(path, told.get("default")), kind),
        choices=tuple(_choices(plain, "anyOf" in told)),
        least=plain.get("minimum"),
        most=plain.get("maximum", plain["exclusiveMaximum"] - 1 if "exclusiveMaximum" in plain else None),
        longest=plain.get("maxLength"),
        required=kind == "number" and "anyOf" not in told,
    )


def label_of(path: str) -> str:
    """What the field of this path in the body is called, on its form and where it is refused."""
    return _WORDS[path][0] if path in _WORDS else title(path.rpartition(".")[2])


def _kind(plain: Schema, may_be_left_out: bool) -> Kind:
    if "enum" in plain or (plain["type"] == "boolean" and may_be_left_out):
        return "choice"
    kinds: dict[str, Kind] = {"boolean": "check", "integer": "number", "array": "list"}
    return kinds.get(plain["type"], "text")


def _choices(plain: Schema, may_be_left_out: bool) -> Iterator[tuple[str, str]]:
    if may_be_left_out:
        yield "", _BLANK
    if "enum" in plain:
        yield from ((str(value), words(value)) for value in plain["enum"])
    elif plain["type"] == "boolean" and may_be_left_out:
        yield from (("true", "yes"), ("false", "no"))


def _sentence(text: str) -> str:
    said = text.replace("null:", "left empty:")
    return said if not said or said.endswith(".") else f"{said}."


def _text(value: Any, kind: Kind) -> str:
    if isinstance(value, bool):
        return ("on" if value else "") if kind == "check" else str(value).lower()
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def posted_values(key: str, said: Mapping[str, str]) -> dict[str, str | bool]:
    """The values of a posted form, to show it again; adds the unset checkboxes, which browsers do not send."""
    checks = {field.name: said.get(field.name) == "on" for field in fields(key, {}) if field.kind == "check"}
    return {**said, **checks}


def body(key: str, said: Mapping[str, str]) -> Any:
    """The body that this form means; raises ValueError with a sentence that names the field."""
    made: dict[str, Any] = {"game_type": key, "options": {}}
    for field in fields(key, {}):
        value = _value(field, said.get(field.name, "").strip())
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


def _value(field: Field, text: str) -> Any:
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
        found, said = _WHERE.search(str(error)), _WHERE.sub("", in_words(error))
        path = "" if found is None else found[1]
        raise FieldError(path, f"{label_of(path)}: {said}." if path else f"{said}.") from error


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


def form_route(path: str, deeds: Mapping[str, FormAction], shown: Page) -> HTTPRouteHandler:
    """The handler of the forms on the page at this path, whose action is named behind it.

    Players may be named in a form. It redirects to where the action says, else back to the page, which shows a refusal.
    """

    async def run_form_action(visit: Visit) -> Response[Any]:
        deed = deeds.get(visit.request.path_params["deed"])
        if deed is None:
            raise Refused("no_such_thing", "There is no such form.")
        visit.may_play()
        try:
            address = await deed(visit, await resolve_names(visit, await visit.form_if_any()))
        except (Illegal, ValueError) as error:
            return await shown(visit, str(error))
        return redirect(address or _PARAMETER.sub(lambda name: str(visit.request.path_params[name[1]]), path))

    return page(f"{path}/{{deed:str}}", "POST")(run_form_action)


async def resolve_names(visit: Visit, said: FormFields) -> FormFields:
    """The fields with ids where they name players, several with commas between; raises FieldError."""
    return {field: await _ids(visit, field, text) if field in _PLAYERS else text for field, text in said.items()}


async def _ids(visit: Visit, field: str, text: str) -> str:
    parts = list[str]()
    for part in filter(None, map(str.strip, text.split(","))):
        players = [part] if _ID.search(part) else await names.find_namesakes(visit.services.store, part)
        if len(players) != 1:
            why = f"{'several players are' if players else 'nobody who may be found is'} called {part}"
            raise FieldError(field, f"{label_of(field)}: {why}; give the address of the player's page.")
        parts.append(str(players[0]))
    return " ".join(parts)


def decode_form(body: type[B], said: Mapping[str, str], **given: Any) -> B:
    """The body, with what is `given` beside the form; raises ValueError with a sentence that names the field."""
    values = dict(given)
    for field in msgspec.structs.fields(body):
        if field.name not in given and (text := said.get(field.name, "").strip()):
            values[field.name] = _value_of_kind(text, field.type)
    converted: B = convert_values(values, body)
    return converted


def _value_of_kind(text: str, kind: Any) -> Any:
    if _contains_type(kind, tuple):
        return [_field_text(part, kind) for part in text.replace(",", " ").split()]
    return _field_text(text, kind)


def _field_text(text: str, kind: Any) -> str:
    """The id in a link to a game or a player, a time with its zone, else the text."""
    if _contains_type(kind, UUID) and (found := _ID.search(text)) is not None:
        return found[0]
    return f"{text}:00Z" if _TIME.fullmatch(text) else text


def _contains_type(kind: Any, wanted: type) -> bool:
    """Whether a type is this one, or is made of it."""
    return kind is wanted or get_origin(kind) is wanted or any(_contains_type(part, wanted) for part in get_args(kind))
