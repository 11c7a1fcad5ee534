"""Commands that a stranger might try: built from the commands' types with what the seat sees, or from a listed one."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct, inspect
from msgspec.structs import replace

from domain.view import View

from .options import fields_of
from .wire import read_json, spoken


class Guesser:
    """Guesses for one seat that sees this view; every guess can be read from JSON."""

    def __init__(self, commands: Sequence[type[Struct]], view: View[Any], lots: Random) -> None:
        self.commands = commands
        self.lots = lots
        self.zones = [zone.id for zone in view.zones]
        self.cards = [card for zone in view.zones for card in zone.cards] + ["#", "AS", "KD", "*1", "7H"]

    def guesses(self, listed: Sequence[Struct], count: int) -> list[Struct]:
        """So many guesses, half of them listed commands with something changed; unreadable ones are left out."""
        tried = [self._mutated(listed) if at % 2 and listed else self._built() for at in range(count)]
        return [guess for guess in tried if self._readable(guess)]

    def _built(self) -> Struct:
        kind = self.lots.choice(self.commands)
        fields = {field.name: self._field(field) for field in fields_of(kind)}
        return kind(**fields)

    def _field(self, field: inspect.Field) -> Any:
        if not field.required and self.lots.random() < 0.3:
            return field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
        return self._value(field.type, field.name)

    def _mutated(self, listed: Sequence[Struct]) -> Struct:
        command = self.lots.choice(listed)
        fields = fields_of(type(command))
        if not fields:
            return command
        field = self.lots.choice(fields)
        return replace(command, **{field.name: self._changed(field, getattr(command, field.name))})

    def _changed(self, field: inspect.Field, value: Any) -> Any:
        """Several cards in another order, half of the time; else any value."""
        if isinstance(value, tuple) and len(value) > 1 and self.lots.random() < 0.5:
            return tuple(self.lots.sample(value, len(value)))
        return self._field(field)

    def _value(self, kind: inspect.Type, name: str) -> Any:
        match kind:
            case inspect.Metadata():
                return self._card() if _is_card(kind) else self._value(kind.type, name)
            case inspect.UnionType():
                return self._value(self.lots.choice(kind.types), name)
            case inspect.LiteralType():
                return self.lots.choice(kind.values)
            case inspect.BoolType():
                return self.lots.random() < 0.5
            case inspect.IntType():
                return self.lots.randint(0 if kind.ge is None else kind.ge, 13 if kind.le is None else kind.le)
            case inspect.StrType():
                return self.lots.choice(self.zones)
            case inspect.VarTupleType() | inspect.ListType():
                return self._several(kind.item_type, name)
            case inspect.TupleType():
                return tuple(self._value(part, name) for part in kind.item_types)
        return None

    def _several(self, kind: inspect.Type, name: str) -> tuple[Any, ...]:
        return tuple(self._value(kind, name) for _ in range(self.lots.randint(0, 7)))

    def _card(self) -> str:
        return self.lots.choice(self.cards)

    def _readable(self, guess: Struct) -> bool:
        try:
            read_json(spoken(tuple(self.commands))).decode(msgspec.json.encode(guess))
        except msgspec.ValidationError:
            return False
        return True


def _is_card(kind: inspect.Metadata) -> bool:
    return r"\*[1-4]" in str((kind.extra_json_schema or {}).get("pattern", ""))
