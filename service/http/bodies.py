"""Queries and bodies of requests: read up to a limit, of the right media type, and JSON without doubt.

Depth and number of arrays and objects are checked before anything is decoded. Readers disagree on which of two
members of one name counts (RFC 8259, 4): such an object is refused. JSON Schema calls `7.0` an integer,
and so do clients whose language has one kind of number.
"""

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import islice
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import msgspec
from litestar import Request
from litestar.exceptions import InternalServerException
from litestar.types import Receive
from msgspec import inspect

from service.http.call import HEADERS_BY_NAME, Operation
from service.http.limits import BYTES_PER_REQUEST, weigh
from service.http.refusals import MOST_FAULTS, body_faults, escape, query_faults, sentence
from service.http.replies import JSON
from service.problems import InputFault, Refused, in_words, refused_header, show_hidden
from service.settings import Settings

AnyRequest = Request[Any, Any, Any]
_PLAIN = JSON.encode()
Headers = Iterable[tuple[bytes, bytes]]
_PARAMETER = re.compile(r';\s*([^\s=;"]+)\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^;]*))?')


class Text(NamedTuple):
    """A body's bytes, and its media type without parameters."""

    media_type: str
    content: bytes


def body_reader(described: Operation) -> Callable[[AnyRequest, Settings], Awaitable[Any]]:
    """The function that reads and decodes bodies of this operation, texts as `Text`; it raises Refused."""
    if described.texts:
        return lambda request, settings: read_text(request, tuple(described.texts), settings.max_record_bytes)
    if described.body is None:
        return _read_no_body
    decoder = msgspec.json.Decoder(described.body)
    nothing = b"{}" if described.body_optional else b""

    async def read(request: AnyRequest, settings: Settings) -> Any:
        scope: Any = request.scope
        named, headers = scope[HEADERS_BY_NAME], scope["headers"]
        if named.get(b"content-type") != _PLAIN or len(named) != len(headers) or b"content-encoding" in named:
            check_encoding(headers)
            has_body = named.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in named
            if media_type_of(headers) != JSON and has_body:
                raise _other_media_type(headers, (JSON,))
        body = await read_body(request.receive, named.get(b"content-length"), settings.max_body_bytes) or nothing
        if not body or body.isspace():
            raise Refused("malformed", "Body: it is empty, and this operation needs one of JSON.")
        if len(body) >= BYTES_PER_REQUEST:
            weigh(scope, len(body))
        scope["body"] = body
        check_depth(body, settings.max_json_depth)
        value = decode_body(decoder, body)
        check_members(body)
        return value if body.isascii() and b"\\u" not in body else show_hidden(value)

    return read


async def _read_no_body(request: AnyRequest, settings: Settings) -> None:
    return None


async def read_text(request: AnyRequest, media_types: Iterable[str], limit: int) -> Text:
    """A text with a media type of its own, one of these, such as an open record; raises Refused.

    It may be longer than commands: at most `limit` bytes, even where a shorter one was announced.
    """
    check_encoding(request.scope["headers"])
    media_type = media_type_of(request.scope["headers"])
    if media_type not in media_types:
        raise _other_media_type(request.scope["headers"], media_types)
    if (request.content_length or 0) > limit:
        raise too_large(limit)
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise too_large(limit)
    if len(content) >= BYTES_PER_REQUEST:
        weigh(request.scope, len(content))
    scope: Any = request.scope
    scope["body"] = bytes(content)
    return Text(media_type, scope["body"])


def check_encoding(headers: Headers) -> None:
    """Raises Refused for a body that has been compressed."""
    for name, value in headers:
        if name == b"content-encoding" and value.strip().lower() not in (b"", b"identity"):
            detail = "The body must be sent as it is, without a Content-Encoding."
            fault = InputFault(detail, header="Content-Encoding", allowed=("identity",))
            raise Refused("unsupported_encoding", detail, errors=(fault,))


def media_type_of(headers: Headers) -> str:
    """The body's media type without parameters; raises Refused where Content-Type or a parameter stands twice."""
    content_type: bytes | None = None
    for name, value in headers:
        if name == b"content-type":
            if content_type is not None:
                raise refused_header("Content-Type", "It stands twice.")
            content_type = value
    media_type, semicolon, rest = (content_type or b"").decode("latin-1").partition(";")
    if semicolon:
        names = set[str]()
        for parameter in map(str.lower, _PARAMETER.findall(semicolon + rest)):
            if parameter in names:
                raise refused_header("Content-Type", f"Its parameter `{parameter[:40]}` stands twice.")
            names.add(parameter)
    return media_type.strip().lower()


def _other_media_type(headers: Headers, media_types: Iterable[str]) -> Refused:
    detail, sent = f"The body must be {' or '.join(media_types)}.", media_type_of(headers)
    fault = InputFault(
        detail, header="Content-Type", given=sent if 0 < len(sent) <= 60 else None, allowed=tuple(media_types)
    )
    return Refused("unsupported_media_type", detail, errors=(fault,))


async def read_body(receive: Receive, announced: bytes | None, most: int) -> bytes:
    """The complete body; raises Refused for more than `most` bytes, announced or sent."""
    if announced is not None and announced.isdigit() and int(announced) > most:
        raise too_large(most)
    body, more = b"", True
    while more:
        part: Any = await receive()
        if part["type"] == "http.disconnect":
            raise InternalServerException("client disconnected prematurely")
        body, more = body + part.get("body", b""), part.get("more_body", False)
        if len(body) > most:
            raise too_large(most)
    return body


def too_large(most: int) -> Refused:
    """The refusal of a body of more bytes than this."""
    return Refused("body_too_large", f"The body is longer than {most} bytes.")


def decode_body(decoder: "msgspec.json.Decoder[Any]", body: bytes) -> Any:
    """The decoded body; raises Refused, which names the place of the error."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        if "got `float`" not in str(error):
            raise _unfit_body(error, body, decoder.type) from error
        try:  # JSON Schema calls `7.0` an integer
            return msgspec.convert(WITH_INTEGERS.decode(body), decoder.type)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise _unfit_body(fault, body, decoder.type) from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable_body(error) from error


def disallowed_tag_refusal(body: bytes, kind: Any, tags: frozenset[str]) -> Refused | None:
    """The refusal of a body in whose unions only these tags are allowed; None if it has no such fault."""
    try:
        faults = body_faults(WITH_INTEGERS.decode(body), kind, tags)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return Refused("malformed", sentence("Body", faults), errors=faults) if faults else None


def _unfit_body(error: Exception, body: bytes, kind: Any) -> Refused:
    """The refusal with all faults of the body, else the one that the decoder met."""
    try:
        faults = body_faults(WITH_INTEGERS.decode(body), kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        faults = ()
    return Refused("malformed", sentence("Body", faults), errors=faults) if faults else _unreadable_body(error)


def _unreadable_body(error: Exception) -> Refused:
    detail, _, place = in_words(error).partition(" - at `$")
    pointer = re.sub(r"[.\[]+", "/", place.rstrip("`]")).replace("]", "")
    return Refused("malformed", f"Body: {in_words(error)}.", errors=(InputFault(f"{detail}.", pointer=pointer),))


MOST_CONTAINERS = 5_000
"""Most arrays and objects of one body: several times those of the longest list of commands."""
_BRACKETS_AND_QUOTES = b'"[]{}'
_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(byte for byte in range(256) if byte not in _BRACKETS_AND_QUOTES)


def check_depth(body: bytes, limit: int) -> None:
    """Raises Refused when arrays and objects are nested deeper than `limit`, or are too many.

    Removes innermost brackets level by level, without a loop over bytes in Python: 256 kB take at most two
    milliseconds, a command a quarter of a microsecond.
    """
    if body.count(b"{") + body.count(b"[") <= limit:
        return
    left = without_escapes(body).translate(_ONE_KIND, _OTHERS).replace(b'""', b"")  # strings without a bracket
    if b'"' in left:
        left = b"".join(left.split(b'"')[::2])
    if left.count(b"[") > MOST_CONTAINERS:
        raise Refused(
            "malformed", f"Body: more than {MOST_CONTAINERS} arrays and objects, or nested deeper than {limit} levels."
        )
    for _ in range(limit):
        before, left = left, left.replace(b"[]", b"")
        if len(left) == len(before):
            break
    if b"[]" in left or left.count(b"[") > limit:
        raise Refused("malformed", f"Body: nested deeper than {limit} levels.")


def without_escapes(text: bytes) -> bytes:
    """JSON without the escapes that stand for a backslash or a quote: every quote left begins or ends a string."""
    return text.replace(b"\\\\", b"").replace(b'\\"', b"") if b"\\" in text else text


def check_members(body: bytes) -> None:
    """Raises Refused for valid JSON in which an object has a member twice; says which and where.

    Decoding and encoding such a text loses the quotes of a name; only then is it searched. A command takes one
    microsecond.
    """
    try:
        again = msgspec.json.encode(msgspec.json.decode(body))
    except (msgspec.MsgspecError, OverflowError):  # a number of more than 64 bits
        again = b""
    if without_escapes(again).count(b'"') == without_escapes(body).count(b'"'):
        return
    repeated = tuple(islice(_find_repeated_members(json.loads(body, object_pairs_hook=_Object), ""), MOST_FAULTS))
    if repeated:
        pointer, name = repeated[0]
        raise Refused(
            "malformed", f"Body: the member `{name[:_LONGEST]}` stands twice, at `{pointer[-_LONGEST:]}`.",
            errors=tuple(InputFault("It stands twice.", pointer=pointer[:_LONGEST]) for pointer, _ in repeated),
        )  # fmt: skip


_LONGEST = 200  # characters shown of a member's name and of its place


class _Object(list[tuple[str, Any]]):
    """An object as its members, in the order of the text."""


def _find_repeated_members(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """JSON pointer (RFC 6901) and name of every repeated member."""
    if isinstance(value, _Object):
        names = set[str]()
        for name, member in value:
            there = f"{pointer}/{escape(name)}"
            if name in names:
                yield there, name
            names.add(name)
            yield from _find_repeated_members(member, there)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _find_repeated_members(item, f"{pointer}/{number}")


def integer(value: Any) -> Any:
    """A float without a fraction as an int; anything else unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read_number(text: str) -> int | float:
    value = float(text)
    if not isfinite(value):
        raise ValueError("Number out of range")
    return integer(value)  # type: ignore[no-any-return]


WITH_INTEGERS: msgspec.json.Decoder[Any] = msgspec.json.Decoder(float_hook=_read_number)
"""Decodes any JSON value; numbers without a fraction become ints."""


Q = TypeVar("Q", bound=msgspec.Struct)
_SCALAR: msgspec.json.Decoder[int | float | bool | None] = msgspec.json.Decoder(int | float | bool | None)
_JSON_KINDS = (inspect.IntType, inspect.FloatType, inspect.BoolType)


def query_reader(query: type[Q]) -> Callable[[Iterable[tuple[str, str]]], Q]:
    """A function from name-value pairs to this struct; it refuses unknown, repeated and unreadable ones."""
    read_as_json = _find_json_fields(query)

    def read(parameters: Iterable[tuple[str, str]]) -> Q:
        pairs = list(parameters)
        values = {name: _read_value(text) if name in read_as_json else text for name, text in pairs}
        if len(values) < len(pairs) or not all(text for _, text in pairs):
            counts, no_value = Counter(name for name, _ in pairs), "It has no value: give it one, or leave it out."
            raise _refusal((
                *(InputFault("It stands twice.", parameter=name[:200]) for name, count in counts.items() if count > 1),
                *(InputFault(no_value, parameter=name[:200]) for name, text in pairs if not text),
                *query_faults(values, query),
            ))  # fmt: skip
        try:
            return msgspec.convert(values, query)
        except msgspec.ValidationError as error:
            if faults := query_faults(values, query):
                raise _refusal(faults) from error
            raise Refused("malformed", f"Query: {in_words(error)}.") from error

    return read


def _refusal(faults: tuple[InputFault, ...]) -> Refused:
    return Refused("malformed", sentence("Query", faults), errors=faults[:MOST_FAULTS])


def _find_json_fields(query: type[msgspec.Struct]) -> frozenset[str]:
    info = inspect.type_info(query)
    assert isinstance(info, inspect.StructType)
    alternatives = {field.encode_name: _strip_metadata(field.type) for field in info.fields}
    return frozenset(
        name
        for name, kind in alternatives.items()
        if any(isinstance(_strip_metadata(each), _JSON_KINDS) for each in getattr(kind, "types", (kind,)))
    )


def _strip_metadata(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _read_value(text: str) -> Any:
    """The number or boolean; else, also for `null`, the text itself, which is refused later."""
    try:
        value = integer(_SCALAR.decode(text))
    except (msgspec.DecodeError, UnicodeEncodeError):
        return text
    return text if value is None else value
