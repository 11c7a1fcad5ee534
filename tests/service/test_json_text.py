"""JSON before it is decoded: how deep it is, and whether a member stands twice, found without a loop over its bytes."""

import json
from random import Random
from typing import Any

import pytest

from service.http.bodies import MOST_CONTAINERS, check_depth, check_members
from service.problems import Refused

_TEXTS = ("a", "[", "]{", '"', "\\", '\\"[', '{"', "\\\\", "", "ä", "\u2028")


def value(rng: Random, levels: int) -> Any:
    """Any JSON value with brackets, quotes and backslashes in its texts."""
    chance = rng.random()
    if levels == 0 or chance < 0.3:
        return rng.choice([*_TEXTS, 1, -2.5e300, None, True, 2**70])
    if chance < 0.65:
        return [value(rng, levels - 1) for _ in range(rng.randrange(4))]
    return {rng.choice(_TEXTS): value(rng, levels - 1) for _ in range(rng.randrange(4))}


def depth(found: Any) -> int:
    """How deep arrays and objects are nested."""
    inner = found.values() if isinstance(found, dict) else found if isinstance(found, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def refused(check: Any, *given: Any) -> bool:
    try:
        check(*given)
    except Refused:
        return True
    return False


@pytest.mark.parametrize("seed", range(4))
def test_the_depth_is_found_whatever_stands_in_texts_and_nothing_stands_twice(seed: int) -> None:
    rng = Random(seed)
    for _ in range(500):
        found = value(rng, 6)
        text = json.dumps(found, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, 1])).encode()
        assert [refused(check_depth, text, limit) for limit in range(1, 7)] == [
            depth(found) > limit for limit in range(1, 7)
        ]
        assert not refused(check_members, text)


@pytest.mark.parametrize("text", [b"[" * 40, b"]" * 40 + b"[" * 40, b'["' * 9_000, b'{"a":' * 40_000, b"[]" * 6_000])
def test_what_is_never_closed_and_what_is_too_much_is_refused(text: bytes) -> None:
    assert refused(check_depth, text, 16)


def test_so_many_arrays_may_be_and_no_more() -> None:
    check_depth(b"[" + b",".join([b"[]"] * (MOST_CONTAINERS - 1)) + b"]", 2)
    assert refused(check_depth, b"[" + b",".join([b"[]"] * MOST_CONTAINERS) + b"]", 2)


@pytest.mark.parametrize(("text", "pointer"), [
    (b'{"a":1,"a":1}', "/a"), (b'{"a":[0,{"b":1, "b" :2}]}', "/a/1/b"), (b'{"a/b":{"~":1,"~":2}}', "/a~1b/~0"),
    (b'{"":1,"":2}', "/"), (b'{"a":1,"\\u0061":2}', "/a"), (b'{"\\\\":1,"\\u005c":2}', "/\\"),
    (b'[{"a":99999999999999999999999,"b":0,"b":0}]', "/0/b"), (b'{"a":"\\"","a":"\\""}', "/a"),
])  # fmt: skip
def test_a_member_that_stands_twice_is_found_with_its_place(text: bytes, pointer: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_members(text)
    assert f"stands twice, at `{pointer}`." in refusal.value.problem.detail
