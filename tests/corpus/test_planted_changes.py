"""Rules changed on purpose, each as a slip might: the stored games notice, and say which games and where."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace as changed
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from domain.game_type import Illegal
from domain.games import REVISIONS, AnyGameType
from tests.laws.registry import registered

from . import files
from .checking import faults, missing

WHERE = re.compile(r"([a-z0-9_]+-\d+) game [0-9a-f-]{36} step \d+: .+\.")


def planted(key: str, change: Callable[[AnyGameType], dict[str, Any]]) -> AnyGameType:
    """The first revision of a game type with some of its functions changed."""
    return changed(REVISIONS[key, 1], **change(REVISIONS[key, 1]))


def deciding(key: str, change: Callable[[Sequence[Any]], Sequence[Any]]) -> AnyGameType:
    """The game type with other events decided on."""
    return planted(key, lambda found: {"decide": lambda *asked: change(found.decide(*asked))})


def looking(key: str, **shown: Any) -> AnyGameType:
    """The game type with other views."""
    return planted(key, lambda found: {"look": lambda *asked: replace(found.look(*asked), **shown)})


def resulting(key: str, **ending: Any) -> AnyGameType:
    """The game type with another ending."""
    return planted(
        key, lambda found: {"result": lambda state: (ended := found.result(state)) and replace(ended, **ending)}
    )


def refusing(key: str, rule: Callable[[Any], bool]) -> AnyGameType:
    """The game type with a rule more."""

    def decide(state: Any, seat: int, command: Any) -> Any:
        if rule(command):
            raise Illegal("stricter", "That is forbidden now.")
        return REVISIONS[key, 1].decide(state, seat, command)

    return planted(key, lambda _: {"decide": decide})


def allowing(key: str) -> AnyGameType:
    """The game type with a command more in every list."""
    found = REVISIONS[key, 1]
    first = next(command for command in found.commands if not fields(command))()
    return planted(key, lambda _: {"legal_commands": lambda *asked: {*found.legal_commands(*asked), first}})


def dealing(key: str) -> AnyGameType:
    """The game type with two cards dealt the other way round."""

    def dealt(*asked: Any) -> list[Any]:
        first, *more = REVISIONS[key, 1].deal(*asked)
        return [replace(first, cards=(first.cards[1], first.cards[0], *first.cards[2:])), *more]

    return planted(key, lambda _: {"deal": dealt})


def by_default(key: str, **other: Any) -> AnyGameType:
    """The game type with another default of an option."""
    was = REVISIONS[key, 1].options
    now = [(one.name, one.type, other.get(one.name, one.default)) for one in fields(was)]
    return planted(key, lambda _: {"options": msgspec.defstruct("Options", now, bases=(was,), frozen=True)})


def _scored(events: Sequence[Any]) -> Sequence[Any]:
    """A trick more for the house."""
    return [replace(one, tricks_it=one.tricks_it + 1) if hasattr(one, "tricks_it") else one for one in events]


def forgetful(key: str) -> AnyGameType:
    """A card that lies under one that is drawn is lost."""

    def evolve(state: Any, event: Any) -> Any:
        after: Any = REVISIONS[key, 1].evolve(state, event)
        drawn = type(event).__name__ == "Drawn" and len(after.waste) > 1
        return replace(after, waste=after.waste[:-1]) if drawn else after

    return planted(key, lambda _: {"evolve": evolve})


CHANGES: dict[str, tuple[str, Callable[[], AnyGameType]]] = {
    "a turned card is not turned": ("klondike", lambda: deciding("klondike", lambda events: events[:1])),
    "a hand scores otherwise": ("bridge_solitaire", lambda: deciding("bridge_solitaire", _scored)),
    "a drawn card is lost": ("canfield", lambda: forgetful("canfield")),
    "cards are dealt otherwise": ("golf", lambda: dealing("golf")),
    "a rule is stricter": ("spider", lambda: refusing("spider", lambda command: getattr(command, "count", 0) > 2)),
    "a rule is laxer": ("pyramid", lambda: allowing("pyramid")),
    "whoever wins scores nothing": ("spite_and_malice", lambda: resulting("spite_and_malice", scores=(0, 0))),
    "a lost game is drawn": ("the_clock", lambda: resulting("the_clock", ending="drawn")),
    "a view says too much": ("screaming_yoda", lambda: looking("screaming_yoda", stuck=True)),
    "another seat is to act": ("decs_building", lambda: looking("decs_building", to_act=(0,))),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_rule_is_told_with_the_game_type_the_game_and_the_step(change: str) -> None:
    key, made = CHANGES[change]
    with registered(made()):
        found = faults(REVISIONS[key, 1])
    assert found
    assert {match.group(1) if (match := WHERE.fullmatch(line)) else line for line in found} == {f"{key}-1"}


def test_a_changed_default_is_told_with_the_game_type() -> None:
    with registered(by_default("klondike", draw=3)):
        (found,) = faults(REVISIONS["klondike", 1])
    assert found.startswith("klondike-1: a game is opened with {'draw': 3")


def test_what_is_printed_is_told_where_it_changes_but_for_its_names() -> None:
    found = REVISIONS["decs_building", 1]
    first, *others = found.material.spaces  # type: ignore[attr-defined]
    for space, told in ((replace(first, name="Take a Card"), []), (replace(first, bauble=True), ["what is printed"])):
        material = replace(found.material, spaces=(space, *others))  # type: ignore[type-var]
        with registered(changed(found, material=material)):
            lines = faults(REVISIONS["decs_building", 1])
            assert [part for part in told if part in lines[0]] == told if told else lines == []


def test_an_option_that_gains_a_field_is_told() -> None:
    found = REVISIONS["klondike", 1]
    wider: Any = msgspec.defstruct("Options", [("jokers", bool, False)], bases=(found.options,), frozen=True)
    with registered(changed(found, options=wider)):
        assert any("step 0" in line for line in faults(REVISIONS["klondike", 1]))
        assert "klondike-1: no stored game shows `option jokers=True`." in missing(REVISIONS["klondike", 1])


def test_a_new_revision_without_stored_games_is_told_with_all_that_is_missing() -> None:
    new = changed(REVISIONS["golf", 1], revision=2)
    with registered(new):
        found = missing(new)
    assert "golf-2: no stored game shows `option wrap=True`." in found
    assert "golf-2: no stored game shows `event golf/moved`." in found


def test_words_and_places_on_the_page_may_change() -> None:
    found = REVISIONS["golf", 1]

    def look(state: Any, viewer: Any) -> Any:
        view = found.look(state, viewer)
        return replace(view, zones=tuple(replace(zone, label="a pile", x=zone.x + 1) for zone in view.zones))

    with registered(changed(found, look=look, tell=lambda state, event, viewer: "Something happens.")):
        assert faults(REVISIONS["golf", 1]) == []


def test_a_changed_digit_of_a_stored_digest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    golf = REVISIONS["golf", 1]
    lines = next(iter(files.texts(golf))).splitlines(keepends=True)
    head, start, rest = lines[4].partition(b'"digests":["')
    other = b"1" if rest.startswith(b"0") else b"0"
    changed_text = b"".join([*lines[:4], head, start, other, rest[1:], *lines[5:]])
    monkeypatch.setattr(files, "texts", lambda game_type: [changed_text])
    (found,) = faults(golf)
    assert "step 3: The digest of version" in found


def test_what_is_explained_and_yet_shown_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from . import checking

    monkeypatch.setattr(checking, "UNREACHABLE", {"golf-1": {"event golf/moved": "It is not."}})
    assert missing(REVISIONS["golf", 1]) == ["golf-1: `event golf/moved` needs no explanation."]
