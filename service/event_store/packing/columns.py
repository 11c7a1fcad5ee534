"""The typed decoders of a packed game's columns: what each field of a record may be."""

from functools import lru_cache
from typing import Any, get_args, get_type_hints

from msgspec.msgpack import Decoder

from domain.record import Record
from service.event_store.codec import Codec


@lru_cache(maxsize=16)
def column_decoders(codec: Codec) -> tuple[Decoder[Any], ...]:
    """By field, from `time` on: a list of its values, or the joined bytes of all digests."""
    events, commands = get_args(codec.record_type)
    types = get_type_hints(Record, include_extras=True) | {"event": events, "command": commands}
    return tuple(_decoder(name, types[name]) for name in Record.__struct_fields__[2:])


def _decoder(name: str, value: Any) -> Decoder[Any]:
    values = list[value]
    return Decoder(bytes | values if name == "digest" else values)
