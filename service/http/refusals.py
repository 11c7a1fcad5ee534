"""The problem document for every exception that ends a request, with all faults of a body."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Annotated, Any, cast
from uuid import UUID

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import Send
from msgspec import inspect
from msgspec.structs import replace

from domain.game_type import Forbidden, Illegal, Missing
from service.event_store.errors import NotLeased, StaleVersion, StoreUnavailable
from service.http.representation import allow_header
from service.keys.sealing import SealingKeyMissing
from service.problems import KINDS, WORDS, InputFault, Problem, Refused, ScopeMissing, problem
from service.telemetry import request_ids

MEDIA_TYPE = "application/problem+json"
_LOG = structlog.get_logger("requests")
_BROKE_OFF = "client disconnected prematurely"
"""Litestar's words, with status 500, for a client that left, or was cut off, within its body."""
_SECOND = ("cross_site", "not_your_seat", "forbidden", "unsupported_encoding")
KIND_OF_STATUS = {kind.status: name for name, kind in KINDS.items() if name not in _SECOND}


def encode_problem(problem: Problem) -> bytes:
    """The problem document as JSON, with the id of the request under way."""
    return msgspec.json.encode(replace(problem, request_id=request_ids.current() or None))


def respond(problem: Problem, **headers: str) -> Response[bytes]:
    """The response of a problem document."""
    return Response(
        encode_problem(problem), status_code=problem.status, media_type=MEDIA_TYPE,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )  # fmt: skip


async def send_problem(send: Send, problem: Problem, seconds: int | None = None) -> None:
    """Answer with this problem; `seconds`: Retry-After."""
    body = encode_problem(problem)
    headers: Any = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", b"%d" % len(body))]
    if seconds is not None:
        headers.append((b"retry-after", b"%d" % seconds))
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _answer_refused(request: Request[Any, Any, Any], error: Refused) -> Response[bytes]:
    headers = dict(_HEADERS.get(error.kind, {}))
    if isinstance(error, ScopeMissing):
        headers["WWW_Authenticate"] += f', scope="{error.scope}"'
    elif error.kind == "unauthenticated" and "authorization" in request.headers:
        headers["WWW_Authenticate"] += ', error="invalid_token"'
    return respond(error.problem, **headers)


def problem_of_rule(error: Illegal) -> Problem:
    """409 for a move that the rules forbid to all now, 403 if they allow it to others, 404 if its object is missing."""
    kind = "forbidden" if isinstance(error, Forbidden) else "no_such_thing" if isinstance(error, Missing) else "illegal"
    errors = (InputFault(error.message, pointer=error.pointer),) if error.pointer else ()
    return problem(kind, error.message, rule=error.rule, errors=errors)


def _answer_unavailable(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    return respond(problem("unavailable", "The store cannot be reached; try again soon."), Retry_After="2")


def _answer_not_leased(request: Request[Any, Any, Any], error: NotLeased) -> Response[bytes]:
    """The game moved to another process meanwhile: the request is forwarded, if it can be read again."""
    if (routed := cast(Any, request.scope).get("routed")) is not None:
        routed.elsewhere = True
    return _answer_unavailable(request, error)


def _answer_key_missing(request: Request[Any, Any, Any], error: SealingKeyMissing) -> Response[bytes]:
    """The game cannot be read until its key comes back; the log names the key once."""
    detail = f"What is hidden in the game is sealed under the key {error.key.hex()}, which the service does not have."
    return respond(problem("key_missing", detail), Retry_After="60")


def _answer_framework_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Litestar's own refusals: unknown paths, methods, bodies too large."""
    kind = KIND_OF_STATUS.get(error.status_code, "malformed" if error.status_code < 500 else "broken")
    if error.detail == _BROKE_OFF:  # the client left: it does not read the answer
        kind = "too_slow"
    headers, detail = dict(error.headers or {}), error.detail
    if "allow" in headers:
        headers["allow"] = allow_header(headers["allow"].split(", "))
        detail = f"This path is for {headers['allow']}."
    elif not detail or kind in ("no_such_thing", "broken", "body_too_large"):
        detail = KINDS[kind].when
    return respond(problem(kind, detail), **headers)


def _answer_broken(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """A bug of ours: logged with its traceback (hidden cards have redacted reprs), answered without detail."""
    _LOG.error("request failed", method=request.method, path=request.url.path, exc_info=error)
    return respond(problem("broken", "A fault of the service; it has been logged."))


_HEADERS = {
    "busy": {"Retry_After": "5"},
    "not_acceptable": {"Vary": "Accept"},
    "unauthenticated": {"WWW_Authenticate": 'Bearer realm="kibitz"'},
    "unsupported_encoding": {"Accept_Encoding": "identity"},
    "upgrade_required": {"Upgrade": "websocket", "Connection": "Upgrade"},
    "scope_missing": {"WWW_Authenticate": 'Bearer realm="kibitz", error="insufficient_scope"'},
}

HANDLERS: dict[Any, Callable[..., Response[Any]]] = {
    Refused: _answer_refused,
    Illegal: lambda request, error: respond(problem_of_rule(error)),
    StoreUnavailable: _answer_unavailable,
    NotLeased: _answer_not_leased,
    SealingKeyMissing: _answer_key_missing,
    StaleVersion: lambda request, error: respond(
        problem("stale_version", "Somebody was faster; look again and repeat.")
    ),
    HTTPException: _answer_framework_error,
    Exception: _answer_broken,
}


def error_response(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """The response for this error, by the handler that the framework would choose."""
    return next(HANDLERS[kind] for kind in type(error).__mro__ if kind in HANDLERS)(request, error)


MOST_FAULTS = 20
"""Most faults reported for one body or query."""
_MOST_ALLOWED, _LONGEST, _LONGEST_GIVEN = 100, 200, 60
_SECRET = re.compile("seed|secret|token|passw|deal|code|key|signature|cursor", re.IGNORECASE)
_KINDS: dict[type, str] = {
    type(None): "null", bool: "a boolean", int: "a number", float: "a number", str: "a text", list: "an array",
    dict: "an object",
}  # fmt: skip
_WORDS: dict[type[inspect.Type], tuple[str, ...]] = {
    inspect.NoneType: ("null",),
    inspect.BoolType: ("true", "false"),
    inspect.FloatType: ("a number",),
    inspect.UUIDType: ("a UUID",),
    inspect.DateTimeType: ("a moment such as `2026-11-20T18:00:00Z`",),
    inspect.DateType: ("a day such as `2026-11-20`",),
    inspect.StructType: ("an object",),
    inspect.DictType: ("an object",),
    inspect.AnyType: ("any value",),
}
_ARRAYS = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType)
Array = inspect.ListType | inspect.VarTupleType | inspect.SetType | inspect.FrozenSetType
Structs = dict[str, inspect.StructType]


def body_faults(value: Any, kind: Any, tags: frozenset[str] | None = None) -> tuple[InputFault, ...]:
    """The faults of this decoded body, each with its JSON pointer. `tags`: of tagged unions only these members."""
    return tuple(islice(_Search("member", tags).faults(value, _type_info(kind), ""), MOST_FAULTS))


def query_faults(values: Mapping[str, Any], kind: Any) -> tuple[InputFault, ...]:
    """The faults of these query parameters, each with the parameter's name."""
    faults = islice(_Search("parameter", None).faults(dict(values), _type_info(kind), ""), MOST_FAULTS)
    return tuple(
        InputFault(fault.detail, parameter=unescape((fault.pointer or "")[1:]), given=fault.given,
                   allowed=tuple(value for value in fault.allowed if value != "null"))
        for fault in faults
    )  # fmt: skip


def escape(name: str) -> str:
    """A member's name as a JSON pointer has it (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def unescape(name: str) -> str:
    """The member's name from a part of a JSON pointer."""
    return name.replace("~1", "/").replace("~0", "~")


def sentence(part: str, faults: tuple[InputFault, ...]) -> str:
    """The first fault in words, and how many more there are. `part` is `Body` or `Query`."""
    first, more = faults[0], len(faults) - 1
    place = first.parameter or first.pointer
    text = f"{part}, `{place}`: {first.detail}" if place else f"{part}: {first.detail}"
    return text if not more else f"{text} There {'is one more fault' if more == 1 else f'are {more} more faults'}."


_type_info = cache(inspect.type_info)


def _join_pointer(pointer: str, name: object) -> str:
    return f"{pointer}/{escape(str(name))}"


def _make_fault(pointer: str, detail: str, value: Any = ..., allowed: Iterable[str] = ()) -> InputFault:
    return InputFault(
        detail,
        pointer=pointer[:_LONGEST],
        given=_describe_value(pointer, value),
        allowed=tuple(islice(allowed, _MOST_ALLOWED)),
    )


def _describe_value(pointer: str, value: Any) -> str | None:
    """The value in short; None if it is missing, long, secret or not printable."""
    if isinstance(value, list | dict):
        return _KINDS[type(value)]
    if value is ... or _SECRET.search(pointer) or "kbz_" in str(value):
        return None
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST_GIVEN and text.isprintable() else None


def _join_values(values: Iterable[str]) -> str:
    """`a`, `b` or `c`: of many only how many there are."""
    texts = [value if " " in value else f"`{value}`" for value in values]
    if len(texts) > 12:
        return f"one of the {len(texts)} that are allowed"
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _suggest_name(name: Any, names: Iterable[str]) -> str:
    """` Did you mean ...?`, where a name is near."""
    if not isinstance(name, str) or len(name) > _LONGEST_GIVEN:
        return ""
    candidates = list(names)
    near = get_close_matches(name, candidates, 1) or [tag for tag in candidates if tag.partition("/")[2] == name][:1]
    return f" Did you mean `{near[0]}`?" if near else ""


class _Search:
    """A walk through a value and its type. `noun`: what a field is called."""

    def __init__(self, noun: str, tags: frozenset[str] | None) -> None:
        self.noun, self.tags = noun, tags

    def faults(self, value: Any, kind: inspect.Type, pointer: str) -> Iterator[InputFault]:
        """The faults of a value against this type."""
        match kind:
            case inspect.Metadata():
                yield from self.faults(value, kind.type, pointer)
            case inspect.UnionType():
                yield from self._of_union(value, kind, pointer)
            case inspect.StructType() if isinstance(value, dict):
                yield from self._of_struct(value, kind, pointer)
            case inspect.DictType() if isinstance(value, dict):
                for name, member in value.items():
                    yield from self.faults(member, kind.value_type, _join_pointer(pointer, name))
            case inspect.TupleType() if isinstance(value, list) and len(value) == len(kind.item_types):
                for place, item in enumerate(value):
                    yield from self.faults(item, kind.item_types[place], _join_pointer(pointer, place))
            case _ if isinstance(kind, _ARRAYS) and isinstance(value, list):
                yield from self._of_array(value, kind, pointer)
            case _ if not _fits(value, kind):
                yield self._unfit(value, kind, pointer)

    def _of_array(self, value: list[Any], kind: Array, pointer: str) -> Iterator[InputFault]:
        if not (kind.min_length or 0) <= len(value) <= (len(value) if kind.max_length is None else kind.max_length):
            yield _make_fault(
                pointer, f"Expected {_describe_type(kind)[0]}, got {len(value)}.", value, _describe_type(kind)
            )
        for place, item in enumerate(value):
            yield from self.faults(item, kind.item_type, _join_pointer(pointer, place))

    def _of_struct(self, value: dict[str, Any], kind: inspect.StructType, pointer: str) -> Iterator[InputFault]:
        fields = {field.encode_name: field for field in kind.fields}
        names = [*([kind.tag_field] if kind.tag_field else []), *fields]
        tag = value.get(kind.tag_field) if kind.tag_field else None
        if kind.tag_field and tag is not None and tag != kind.tag:
            yield _make_fault(_join_pointer(pointer, kind.tag_field), f"Expected `{kind.tag}`.", tag, [str(kind.tag)])
        for name, field in fields.items():
            if name in value:
                yield from self.faults(value[name], field.type, _join_pointer(pointer, name))
            elif field.required:
                words = _describe_type(field.type)
                yield _make_fault(_join_pointer(pointer, name), f"It is missing: {_join_values(words)}.", allowed=words)
        for name in value if kind.forbid_unknown_fields else ():
            if name not in names:
                near = _suggest_name(name, names)
                yield _make_fault(_join_pointer(pointer, name), f"There is no such {self.noun}.{near}", allowed=names)

    def _of_union(self, value: Any, kind: inspect.UnionType, pointer: str) -> Iterator[InputFault]:
        members = [member.type if isinstance(member, inspect.Metadata) else member for member in kind.types]
        structs = [member for member in members if isinstance(member, inspect.StructType)]
        if not isinstance(value, dict) or not structs:
            same = [member for member in members if isinstance(value, list) and isinstance(member, _ARRAYS)]
            if same:
                yield from self.faults(value, same[0], pointer)
            elif not any(_fits(value, member) for member in members):
                yield self._unfit(value, kind, pointer)
        elif structs[0].tag_field is None:
            yield from self.faults(value, structs[0], pointer)
        else:
            yield from self._of_tagged(value, structs, structs[0].tag_field, pointer)

    def _of_tagged(
        self, value: dict[str, Any], structs: list[inspect.StructType], field: str, pointer: str
    ) -> Iterator[InputFault]:
        by_tag: Structs = {str(struct.tag): struct for struct in structs}
        by_tag = {tag: struct for tag, struct in by_tag.items() if self.tags is None or tag in self.tags} or by_tag
        tag, there = value.get(field), _join_pointer(pointer, field)
        if field not in value:
            yield _make_fault(there, f"It is missing: {_join_values(by_tag)}.", allowed=by_tag)
        elif isinstance(tag, str) and tag in by_tag:
            yield from self._of_struct(value, by_tag[tag], pointer)
        else:
            # The tags of the same game as `golf/draw`, and of every game; all tags where the game is unknown.
            family, slash, _ = tag.partition("/") if isinstance(tag, str) else ("", "", "")
            own = [name for name in by_tag if name.startswith(f"{family}/")] if slash else []
            allowed = [*own, *(name for name in by_tag if name.startswith("game/") and name not in own)]
            allowed = allowed if own else list(by_tag)
            detail = f"Expected {_join_values(allowed)}.{_suggest_name(tag, by_tag)}"
            yield _make_fault(there, detail, tag, allowed)

    def _unfit(self, value: Any, kind: inspect.Type, pointer: str) -> InputFault:
        words = [word for word in _describe_type(kind) if self.noun == "member" or word != "null"]
        number = _describe_value(pointer, value) if isinstance(value, bool | int | float) else None
        got = number or _KINDS.get(type(value), "another")
        got = "" if isinstance(value, str) and _may_be_text(kind) else f", got {got}"
        near = _suggest_name(value, words) if " " not in words[0] and len(words) > 2 else ""
        return _make_fault(pointer, f"Expected {_join_values(words)}{got}.{near}", value, words)


def _may_be_text(kind: inspect.Type) -> bool:
    if isinstance(kind, inspect.UnionType):
        return any(map(_may_be_text, kind.types))
    plain = kind.type if isinstance(kind, inspect.Metadata) else kind
    return isinstance(plain, inspect.StrType | inspect.LiteralType | inspect.UUIDType | inspect.DateTimeType)


def _describe_type(kind: inspect.Type) -> tuple[str, ...]:
    """The allowed values, or words for them."""
    match kind:
        case inspect.Metadata():
            return _describe_type(kind.type)
        case inspect.UnionType():
            return tuple(dict.fromkeys(word for member in kind.types for word in _describe_type(member)))
        case inspect.LiteralType():
            return tuple(str(value) for value in kind.values)
        case inspect.EnumType():
            return tuple(str(member.value) for member in kind.cls)
        case inspect.IntType():
            return (f"an integer{_describe_span(_find_least(kind), _find_most(kind), 'from')}",)
        case inspect.StrType():
            length = _describe_span(kind.min_length, kind.max_length, "")
            pattern = f"{WORDS.get(kind.pattern, kind.pattern)}," if kind.pattern else "a text of"
            return (f"{pattern}{length} characters" if length else pattern.rstrip(",").removesuffix(" of"),)
        case inspect.TupleType():
            return (f"an array of {len(kind.item_types)}",)
        case _ if isinstance(kind, _ARRAYS):
            return (f"an array{_describe_span(kind.min_length, kind.max_length, 'of')}",)
    return _WORDS.get(type(kind), ("another value",))


def _find_least(kind: inspect.IntType) -> int | None:
    return kind.ge if kind.gt is None else kind.gt + 1


def _find_most(kind: inspect.IntType) -> int | None:
    return kind.le if kind.lt is None else kind.lt - 1


def _describe_span(least: int | None, most: int | None, word: str) -> str:
    """Bounds in words, with a blank before them; `word` leads in those of two numbers."""
    if least is None or most is None:
        return "" if least == most else f" at least {least}" if most is None else f" at most {most}"
    return f" {word} {least} to {most}".replace("  ", " ")


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Whether a value without members is of this type."""
    match kind:
        case inspect.Metadata():
            return _fits(value, kind.type)
        case inspect.LiteralType():
            return any(type(value) is type(allowed) and value == allowed for allowed in kind.values)
        case inspect.EnumType():
            return value in [member.value for member in kind.cls]
        case inspect.IntType():
            least, most = _find_least(kind), _find_most(kind)
            return type(value) is int and (least is None or value >= least) and (most is None or value <= most)
        case inspect.StrType():
            if not isinstance(value, str) or len(value) < (kind.min_length or 0):
                return False
            short_enough = kind.max_length is None or len(value) <= kind.max_length
            return short_enough and (kind.pattern is None or re.search(kind.pattern, value) is not None)
        case inspect.UUIDType():
            return _converts(value, UUID)
        case inspect.DateTimeType():
            return _converts(value, Annotated[datetime, msgspec.Meta(tz=kind.tz)])
        case inspect.DateType():
            return _converts(value, date)
    return _plain_fits(value, kind)


def _plain_fits(value: Any, kind: inspect.Type) -> bool:
    plain: dict[type[inspect.Type], Any] = {
        inspect.NoneType: type(None), inspect.BoolType: bool, inspect.FloatType: float | int,
        inspect.DictType: dict, inspect.StructType: dict, inspect.ListType: list, inspect.VarTupleType: list,
        inspect.TupleType: list,
    }  # fmt: skip
    types = plain.get(type(kind))
    return types is None or (isinstance(value, types) and (type(value) is not bool or types is bool))


def _converts(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True
