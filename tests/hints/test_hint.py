"""What a hint says: the way to the win, that there is none any more, and how far either can be known."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.games.pyramid import Remove
from domain.play.aggregate import fold
from domain.play.events import Undo
from domain.play.verify import verify
from domain.view import FACE_DOWN
from service import hints, solving
from service.analysis.history import history_of
from service.hints import Hinted, knowledge_of, make_hint, worlds_of
from tests.analysis.planted import planted, records


def hinted(key: str, seed: str, *commands: Any, **options: Any) -> Hinted:
    return make_hint(knowledge_of(history_of(records(key, seed, commands, **options))))


def test_hints_lead_to_the_win_where_every_card_is_known() -> None:
    said: list[Any] = []
    while (game := fold(records("black_hole", "planted 0", said))).status == "playing":
        found = hinted("black_hole", "planted 0", *said)
        assert (found.outlook, found.certain, found.deals, found.sentence) == ("winnable", True, 1, "This can be won.")
        said.append(found.command)
    assert game.result is not None
    assert game.result.ending == "won"


def test_it_is_said_that_nothing_can_be_won_any_more_once_every_card_is_known() -> None:
    game = planted("black_hole", "planted 0", 44)
    before, after = game.commands[: game.lost_step - 1], game.commands[: game.lost_step]
    assert hinted("black_hole", game.seed, *before).outlook == "winnable"
    found = hinted("black_hole", game.seed, *after)
    assert (found.outlook, found.certain, found.command) == ("impossible", True, None)
    assert found.undos == 1
    assert found.sentence == "This cannot be won any more. It could before the last move."
    further = hinted("black_hole", game.seed, *game.commands[: game.lost_step + 3])
    assert (further.outlook, further.undos) == ("impossible", 4)
    assert further.sentence == "This cannot be won any more. It could before the last 4 moves."
    assert hinted("black_hole", game.seed, *after, Undo()).outlook == "winnable"
    assert hinted("black_hole", game.seed, *after, undo=False).undos is None


@pytest.mark.parametrize(("seed", "outlook"), [("deep 40", "winnable"), ("deep 67", "impossible")])
def test_a_deal_that_is_wholly_known_is_searched_as_far_as_it_needs(seed: str, outlook: str) -> None:
    commands: list[Any] = []
    for _ in range(5):
        commands.append(
            GAME_TYPES["black_hole"].legal_commands(fold(records("black_hole", seed, commands)).state, 0)[0]
        )
    assert hinted("black_hole", seed, *commands).outlook == outlook


def test_where_cards_are_hidden_it_is_said_of_deals_that_look_the_same_alone() -> None:
    line = solving.verdict("pyramid", GAME_TYPES["pyramid"].options(), _deal("pyramid", "early 0")).commands
    wrong = Remove(source="pyramid_6_2", target="waste")
    found = hinted("pyramid", "early 0", *line[:5])
    assert (found.outlook, found.certain, found.deals) == ("winnable", False, 8)
    assert 0 < found.command_wins <= found.won
    found = hinted("pyramid", "early 0", *line[:5], wrong)
    assert (found.outlook, found.certain, found.lost) == ("impossible", False, 8)
    assert found.undos == 1
    assert found.sentence == "Of 8 deals that look the same none can be won any more. It could before the last move."


def _deal(key: str, seed: str) -> Any:
    return fold(records(key, seed, ())).state


@pytest.mark.parametrize(("key", "options"), [("forty_thieves", {}), ("spider", {"suits": 1})])
def test_with_two_packs_cards_that_went_home_stay_known(key: str, options: dict[str, Any]) -> None:
    """A foundation shows faces, and of each there are two."""
    state = fold(records(key, "two packs 6", (), **options)).state
    line = solving.verdict(key, state.options, state).commands
    for step in range(len(line) // 2, len(line), 20):
        knowledge = knowledge_of(history_of(records(key, "two packs 6", line[:step], **options)))
        assert len(knowledge.unseen) + len(knowledge.deal[0].cards) - knowledge.deal[0].cards.count(FACE_DOWN) == 104
    found = hinted(key, "two packs 6", *line[:-9], **options)
    assert (found.outlook, found.command_wins) == ("winnable", found.deals)


def test_with_few_cards_left_unseen_every_order_of_them_is_tried() -> None:
    said: list[Any] = []
    kind = GAME_TYPES["golf"]
    while len((known := knowledge_of(history_of(records("golf", "few", said)))).unseen) > 3:
        said.append(kind.legal_commands(fold(records("golf", "few", said)).state, 0)[-1])
    worlds, all_of_them = worlds_of(known)
    assert (len(worlds), all_of_them) == (6, True)
    assert fold(records("golf", "few", said)).state in [positions[-1] for positions in worlds], (
        "one of them is the truth, and which one is not known"
    )


def test_a_card_that_was_seen_before_an_undo_is_known() -> None:
    draw = GAME_TYPES["klondike"].legal_commands(_deal("klondike", "back"), 0)[0]
    at_first = knowledge_of(history_of(records("klondike", "back", ())))
    later = knowledge_of(history_of(records("klondike", "back", (draw, Undo()), undo=True)))
    (place,) = [
        place for place, (one, other) in enumerate(zip(at_first.deal[0].cards, later.deal[0].cards, strict=True))
        if one != other
    ]  # fmt: skip
    assert at_first.deal[0].cards[place] == FACE_DOWN
    assert later.commands == ()
    assert len(at_first.unseen) == len(later.unseen) + 1


def test_a_hint_does_not_lead_back_where_another_move_wins_as_well() -> None:
    """In FreeCell a card can go to a cell and come back: hints followed from there reach the win all the same."""
    said: list[Any] = []
    shown = list[Any]()
    for _ in range(30):
        game = fold(records("freecell", "a", said))
        zones = GAME_TYPES["freecell"].look(game.state, 0).zones
        assert zones not in shown
        shown.append(zones)
        said.append(hinted("freecell", "a", *said).command)


def test_what_the_bound_leaves_open_is_said_to_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_BOUND", 8)
    found = hinted("klondike", "open")
    assert (found.outlook, found.won, found.command, found.command_wins) == ("open", 0, None, 0)
    assert found.sentence == "The solver could not tell whether any of 8 deals that look the same can be won."
    monkeypatch.setattr(hints, "_KNOWN_BOUND", 1)
    open_hint = hinted("freecell", "open")
    assert open_hint.sentence == "The solver cannot tell yet whether this can be won. Play on, then ask again."


def test_a_record_of_a_game_that_counts_and_has_hints_is_at_fault() -> None:
    made = records("golf", "forged", ())
    forged = [replace(made[0], event=replace(made[0].event, hints=True)), *made[1:]]
    assert "A game with hints counts." in [fault.what for fault in verify(forged)]
