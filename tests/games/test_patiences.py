"""What every patience does, a row for each: what is listed and read, backs, undo, endings."""

from collections import Counter
from functools import cache
from itertools import product
from random import Random
from typing import Any, Union
from uuid import UUID

import msgspec
import pytest
from msgspec import inspect

from domain.capabilities import OptionRules, Undoing
from domain.chance import Chance
from domain.game_type import Illegal
from domain.games import GAME_TYPES, REVISIONS
from domain.kit.cards import PACK
from domain.play.deciding import Act, legal_commands, play
from domain.play.events import Resign, Sealed, Undo
from domain.play.table import Opening, open_game
from domain.view import ALL_SEEING
from tests.domain.played import refusal
from tests.laws.goldens import found, read

from .rules import Rules

ACT = Act(UUID(int=7), 0, 0)

FACE_UP: dict[str, tuple[Any, dict[str, int]]] = {
    "black_hole": (range(51), {}),
    "canfield": ((0, *range(13, 18)), {"stock": 34, "reserve": 12}),
    "forty_thieves": (range(40), {"stock": 64}),
    "freecell": (range(52), {}),
    "golf": (range(36), {"stock": 16}),
    "klondike": ((0, 7, 13, 18, 22, 25, 27), {"stock": 24} | {f"tableau_{place}": place for place in range(1, 7)}),
    "pyramid": (range(28), {"stock": 24}),
    "seahaven_towers": (range(52), {}),
    "spider": (range(44, 54), {"stock": 50} | {f"tableau_{place}": 5 - (place > 3) for place in range(10)}),
    "the_clock": ((), {f"pile_{place}": 4 for place in range(13)}),
    "yukon": (
        (0, 7, 13, 14, *range(19, 22), *range(25, 29), *range(31, 36), *range(37, 52)),
        {f"tableau_{place}": place for place in range(1, 7)},
    ),
}
"""The places in the deal that lie face up, and how many backs lie where."""
SOLO = {key: GAME_TYPES[key] for key in FACE_UP}
UNDOABLE = [key for key in SOLO if key != "the_clock"]


@pytest.mark.parametrize("key", SOLO)
def test_the_deal_shows_its_open_cards_and_counts_the_backs(key: str) -> None:
    rules, (open_places, backs) = Rules(SOLO[key]), FACE_UP[key]
    before = rules.type.initial(rules.type.options(), 1)
    deal, *_ = rules.type.deal(before.options, Chance(bytes(32)), 1)
    state = rules.deal()
    for viewer in (0, None):
        faces = {place: card for place, card in enumerate(rules.type.redact(before, deal, viewer).cards) if card != "#"}
        assert faces == {place: deal.cards[place] for place in open_places}
        seen = rules.zones(state, viewer)
        assert {zone.id: zone.face_down for zone in seen.values() if zone.face_down} == backs
        assert list(seen) == list(rules.zones(before))
    assert rules.type.redact(before, deal, ALL_SEEING) == deal
    assert Counter(rules.cards(state)) == dict.fromkeys(PACK, 2 if key in ("forty_thieves", "spider") else 1)
    if not backs:
        assert rules.type.look(state, 0) == rules.type.look(state, None) == rules.type.look(state, ALL_SEEING)


@pytest.mark.parametrize("key", SOLO)
def test_no_other_seat_may_play(key: str) -> None:
    state = Rules(SOLO[key]).deal()
    command = SOLO[key].legal_commands(state, 0)[0]
    assert SOLO[key].legal_commands(state, 1) == ()
    with pytest.raises(Illegal, match="its one player"):
        SOLO[key].decide(state, 1, command)


@pytest.mark.parametrize("undo", [True, False])
@pytest.mark.parametrize("key", SOLO)
def test_before_the_deal_nothing_is_won_lost_or_stuck(key: str, undo: bool) -> None:
    options = SOLO[key].options(**({"undo": undo} if key in UNDOABLE else {}))
    start = SOLO[key].initial(options, 1)
    assert SOLO[key].result(start) is None
    assert key == "klondike" or not Rules(SOLO[key]).stuck(start)
    assert SOLO[key].get(Undoing).allowed(options) is (undo and key in UNDOABLE)


WRONG_OPTIONS: dict[str, list[dict[str, Any]]] = {
    "black_hole": [{"start_card": "*1"}, {"start_card": "1S"}],
    "canfield": [{"draw": 2}, {"passes": 0}, {"passes": 101}],
    "forty_thieves": [{"build": "rank"}, {"passes": 0}, {"passes": 101}],
    "freecell": [{"strict_single": 1}, {"undo": None}], "golf": [{"wrap": 1}],
    "klondike": [{"draw": 2}, {"passes": 0}, {"passes": 101}], "pyramid": [{"draw": 2}, {"passes": 0}, {"passes": 101}],
    "seahaven_towers": [{"strict_single": 1}, {"undo": None}],
    "spider": [{"suits": 3}, {"suits": 0}, {"extra_columns": "first4"}],
    "the_clock": [{"take_from": "middle"}, {"watch": 1}], "yukon": [{"draw": 1}, {"foundation_return": None}],
}  # fmt: skip


@pytest.mark.parametrize("key", SOLO)
def test_other_values_of_options_cannot_be_read(key: str) -> None:
    for wrong in WRONG_OPTIONS[key]:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, SOLO[key].options)


@pytest.mark.parametrize("key", ["canfield", "klondike", "pyramid"])
def test_a_hundred_passes_may_be_allowed_and_in_revision_1_ten(key: str) -> None:
    assert msgspec.convert({"passes": 100}, SOLO[key].options).passes == 100
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"passes": 11}, REVISIONS[key, 1].options)


@pytest.mark.parametrize("passes", [1, 2, 3, 10, None])
@pytest.mark.parametrize("key", ["canfield", "forty_thieves", "klondike", "pyramid"])
def test_passes_allow_one_recycle_less_and_the_stock_comes_again_in_its_order(key: str, passes: int | None) -> None:
    rules = Rules(SOLO[key])
    draw, recycle = (kind() for kind in rules.type.commands if not kind.__struct_fields__)
    state = start = rules.deal(rules.type.options(passes=passes))
    for left in range((passes or 20) - 1, -1, -1):
        assert (state.stock, rules.facts(state).recycles_left) == (start.stock, None if passes is None else left)
        while state.stock:
            state = rules.after(state, draw)
        assert rules.answer(state, recycle) == (None if left or passes is None else "passes_used_up")
        state = rules.after(state, recycle) if left else state


WRONG_COMMANDS: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    (
        "black_hole/move", {"source": "tableau_0", "target": "foundation"},
        [{"source": "foundation"}, {"target": "tableau_1"}, {"source": "tableau_17"}],
    ),
    (
        "canfield/move", {"source": "waste", "target": "tableau_0"},
        [{"source": "stock"}, {"target": "reserve"}, {"target": "tableau_4"}, {"count": 0}],
    ),
    (
        "forty_thieves/move", {"source": "tableau_0", "target": "foundation_clubs_1"},
        [{"source": "stock"}, {"source": "foundation_clubs_1"}, {"target": "waste"}],
    ),
    (
        "freecell/move", {"source": "cell_0", "target": "tableau_0"},
        [{"source": "stock"}, {"source": "tableau_8"}, {"count": 0}],
    ),
    (
        "golf/move", {"source": "tableau_0", "target": "discard"},
        [{"source": "stock"}, {"target": "tableau_1"}, {"source": "tableau_7"}],
    ),
    (
        "klondike/move", {"source": "waste", "target": "tableau_3"},
        [{"source": "stock"}, {"target": "waste"}, {"count": 0}],
    ),
    (
        "pyramid/remove", {"source": "pyramid_6_0", "target": "waste"},
        [{"source": "discard"}, {"source": "pyramid_7_0"}, {"target": None}],
    ),
    (
        "seahaven_towers/move", {"source": "tower_0", "target": "tableau_0"},
        [{"source": "stock"}, {"source": "foundation_spades"}, {"source": "tableau_10"}, {"count": 0}],
    ),
    (
        "spider/move", {"source": "tableau_0", "target": "tableau_3"},
        [{"source": "stock"}, {"target": "foundation_0"}, {"count": 14}],
    ),
    ("spider/remove_suit", {"source": "tableau_0", "target": "foundation_0"}, [{"source": "tableau_10"}]),
    (
        "yukon/move", {"source": "tableau_0", "target": "tableau_1"},
        [{"source": "stock"}, {"target": "tableau_7"}, {"count": 0}, {"count": 53}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("tag", "fields", "wrong"), WRONG_COMMANDS, ids=[row[0] for row in WRONG_COMMANDS])
def test_a_command_is_stored_as_it_was_sent(tag, fields, wrong) -> None:
    kinds: Any = Union[tuple(SOLO[tag.partition("/")[0]].commands)]  # noqa: UP007  built at run time
    sent = {"type": tag, **fields}
    assert msgspec.to_builtins(msgspec.convert(sent, kinds)) == sent
    for change in wrong:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(sent | change, kinds)


VARIANTS: dict[str, list[dict[str, Any]]] = {
    "black_hole": [{}],
    "canfield": [
        {}, {"draw": 3, "passes": 3}, {"passes": 1, "foundation_return": True, "undo": False},
        {"whole_column_only": True}, {"draw": 3, "whole_column_only": True, "foundation_return": True},
    ],
    "forty_thieves": [
        {}, {"build": "alternating"}, {"runs": True, "passes": 2},
        {"build": "alternating", "runs": True, "passes": None, "undo": False},
    ],
    "freecell": [{}, {"strict_single": True, "undo": False}, {"foundation_return": True}],
    "golf": [{}, {"wrap": True}, {"draw_only_when_stuck": True}],
    "klondike": [
        {}, {"draw": 3, "passes": 3}, {"passes": 2, "end_on_last_pass": True, "undo": False},
        {"passes": 1, "whole_run_only": True, "foundation_return": False, "undo": False},
        {"draw": 3, "passes": 2, "end_on_last_pass": True},
    ],
    "pyramid": [
        {}, {"passes": 3, "stock_top": True}, {"draw": 3, "waste_pairs": True, "tuts_tomb_pairing": True},
        {"clear_all": True, "stock_top": True, "waste_pairs": True, "draw_only_when_stuck": True},
    ],
    "seahaven_towers": [{}, {"strict_single": True, "undo": False}, {"any_card": True}],
    "spider": [
        {}, {"suits": 1, "manual_removal": True}, {"suits": 2, "extra_columns": "1_4_7_10", "undo": False},
        {"suits": 1, "deal_with_spaces": True},
    ],
    "the_clock": [{}, {"watch": True}],
    "yukon": [{}, {"foundation_return": True}],
}  # fmt: skip


@cache
def commands(key: str) -> list[Any]:
    """Every command that can be sent, but for moves in a notation."""
    made = []
    for kind in SOLO[key].commands:
        described = inspect.type_info(kind)
        assert isinstance(described, inspect.StructType)
        values = [list(_values(field.type)) for field in described.fields]
        made += [kind(*chosen) for chosen in product(*values)]
    return made


def _values(kind: inspect.Type) -> Any:
    match kind:
        case inspect.Metadata():
            return _values(kind.type)
        case inspect.LiteralType():
            return kind.values
        case inspect.UnionType():
            return [value for part in kind.types for value in _values(part)]
        case inspect.IntType():
            return range(kind.ge or 1, 14)
    return ()


def golden_positions(key: str) -> list[Any]:
    """Every ninth position of the golden games."""
    rules, positions = Rules(SOLO[key]), []
    for lines in map(read, found(key)):
        kinds: Any = Union[tuple(rules.type.commands)]  # noqa: UP007  built at run time
        options = msgspec.convert(lines[0]["options"], rules.type.options)
        state = rules.deal(options, seed=bytes.fromhex(lines[0]["seed"]))
        for line in lines[2:]:
            positions.append(state)
            state = rules.after(state, msgspec.convert(line["command"], kinds))
    return positions[::9]


@pytest.mark.parametrize("key", SOLO)
def test_exactly_the_listed_commands_are_legal(key: str) -> None:
    rules, met = Rules(SOLO[key]), set()
    walks = [[*rules.walk(rules.type.options(**options), 11, 160)] for options in VARIANTS[key]]
    for state in [*golden_positions(key), *(state for walk in walks for state in [*walk[::12], *walk[-3:]])]:
        listed = rules.type.legal_commands(state, 0)
        assert len(set(listed)) == len(listed)
        if rules.type.result(state) is None:
            accepted = {rules.spelt(state, one) for one in commands(key) if rules.rule_against(state, one) is None}
            assert accepted == {command for command in listed if getattr(command, "count", 1) < 14}
            met |= {type(command) for command in listed}
    assert {kind.__name__ for kind in met} == {type(one).__name__ for one in commands(key)}


@pytest.mark.parametrize("key", SOLO)
def test_a_won_golden_game_lists_nothing_and_refuses_everything(key: str) -> None:
    rules = Rules(SOLO[key])
    for lines in (read(path) for path in found(key) if path.stem.endswith("won")):
        kinds: Any = Union[tuple(rules.type.commands)]  # noqa: UP007  built at run time
        options = msgspec.convert(lines[0]["options"], rules.type.options)
        state = rules.deal(options, seed=bytes.fromhex(lines[0]["seed"]))
        said = [msgspec.convert(line["command"], kinds) for line in lines[2:]]
        won = rules.after(state, *said)
        assert rules.type.result(won).ending == "won"
        assert (rules.type.legal_commands(won, 0), rules.type.look(won, 0).to_act) == ((), ())
        assert not rules.stuck(won)
        assert {rules.rule_against(won, command) for command in commands(key)} == {
            "source_empty" if key == "black_hole" else "game_over"
        }


def opened(key: str, given: Any = None, **options: Any) -> Any:
    settled = SOLO[key].get(OptionRules).settle(SOLO[key].options(**options), 1)
    opening = Opening(type=SOLO[key], options=settled, players=(ACT.actor,))
    return open_game(UUID(int=1), opening, Sealed(bytes(32), bytes(32), given), ACT).game


@pytest.mark.parametrize("key", UNDOABLE)
def test_a_move_is_taken_back_where_undo_is_offered(key: str) -> None:
    game, plain = opened(key), opened(key, undo=False)
    assert refusal(play, game, Undo(), ACT) == "nothing_to_undo"
    command = SOLO[key].legal_commands(game.state, 0)[-1]
    assert play(play(game, command, ACT).game, Undo(), ACT).game.state == game.state
    moved = play(plain, command, ACT).game
    assert Undo() not in legal_commands(moved, 0)
    assert refusal(play, moved, Undo(), ACT) == "undo_not_offered"


PLAYED_OUT: dict[str, tuple[str, dict[str, Any]]] = {
    "black_hole": ("no_moves", {}), "canfield": ("no_moves", {"passes": 1, "whole_column_only": True}),
    "freecell": ("no_moves", {}), "golf": ("no_moves", {}),
    "klondike": ("last_pass", {"passes": 1, "end_on_last_pass": True, "foundation_return": False}),
    "pyramid": ("no_moves", {"passes": 1}), "seahaven_towers": ("no_moves", {}),
}  # fmt: skip
"""Options with which random moves come to an end, and the reason then."""


def played_out(key: str, **options: Any) -> Any:
    game, lots = opened(key, **options), Random(1)
    for _ in range(600):
        if game.status != "playing" or not (listed := SOLO[key].legal_commands(game.state, 0)):
            break
        game = play(game, lots.choice(listed), ACT).game
    return game


@pytest.mark.parametrize("key", PLAYED_OUT)
def test_a_game_without_moves_ends_unless_undo_is_offered(key: str) -> None:
    reason, options = PLAYED_OUT[key]
    lost = played_out(key, undo=False, **options)
    assert (lost.status, lost.result.ending, lost.result.reason) == ("finished", "lost", reason)
    assert legal_commands(lost, 0) == ()
    game = played_out(key, **options)
    assert game.status == "playing"
    assert SOLO[key].look(game.state, 0).stuck
    assert legal_commands(game, 0) == (Undo(), Resign())
    assert SOLO[key].legal_commands(play(game, Undo(), ACT).game.state, 0)
    resigned = play(game, Resign(), ACT).game.result
    assert (resigned.ending, resigned.reason) == ("lost", "resigned")
