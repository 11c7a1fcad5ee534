"""Options of any game type, drawn from the fields of its struct: the defaults with no, one or two fields changed."""

from functools import cache
from itertools import combinations
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import inspect

from domain.capabilities import OptionRules
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import AnyGameType


def options_of(game_type: AnyGameType, seats: int) -> SearchStrategy[Any]:
    """Settled options that this number of seats can be dealt with; others are discarded."""
    fields = {field.name: values(field.type) for field in fields_of(game_type.options)}
    changes = _changes(fields) if fields else st.just({})
    return changes.map(lambda changed: _settled(game_type, changed, seats)).filter(lambda options: options is not None)


@cache
def fields_of(struct: type[Any]) -> tuple[inspect.Field, ...]:
    """The fields of a struct as msgspec describes them."""
    described = inspect.type_info(struct)
    assert isinstance(described, inspect.StructType)
    return described.fields


def _changes(fields: dict[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    chosen = st.sampled_from([names for count in range(3) for names in combinations(sorted(fields), count)])
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: fields[name] for name in names}))


def _settled(game_type: AnyGameType, changed: dict[str, Any], seats: int) -> Any:
    try:
        options = game_type.get(OptionRules).settle(msgspec.convert(changed, game_type.options), seats)
        game_type.deal(options, Chance(bytes(32)), seats)
    except (Illegal, msgspec.ValidationError):
        return None
    return options


def values(kind: inspect.Type) -> SearchStrategy[Any]:
    """Values of one field's type; of a type that is not known here, nothing (the default stands)."""
    match kind:
        case inspect.Metadata():
            return values(kind.type)
        case inspect.UnionType():
            return st.one_of([values(part) for part in kind.types])
        case inspect.LiteralType():
            return st.sampled_from(kind.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            low = 0 if kind.ge is None else kind.ge
            high = low + 30 if kind.le is None else kind.le
            return st.one_of(st.sampled_from([low, high]), st.integers(low, high))
        case inspect.NoneType():
            return st.none()
    return st.nothing()
