"""Two revisions of a game type beside each other: stored games stay what they were, new games have the new rules."""

from collections.abc import Iterator
from dataclasses import replace as changed
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from domain.game_type import Illegal
from domain.games import GAME_TYPES, REVISIONS, AnyGameType, UnknownRevision, by_revision, newest, revision_of
from domain.play.aggregate import fold
from domain.play.deciding import legal_commands
from domain.play.fork import rematch
from domain.play.frames import frames
from domain.play.verify import Fault, verify
from service.event_store.codec import Codec
from tests.corpus.making import gathered
from tests.corpus.play import player
from tests.laws.registry import registered
from tests.laws.toy import TOY
from tests.laws.toy.values import Draw, Lay, Options, State

from .changes import Records
from .toy_2 import TOY_2, AceLaid, Options2, Pass
from .toy_games import forged, game_of, lays_an_ace, relabelled, state_of, with_an_ace


@pytest.fixture
def both() -> Iterator[None]:
    """Within, both revisions are known."""
    with registered(TOY), registered(TOY_2):
        yield


def test_a_game_under_way_goes_on_under_the_rules_it_was_opened_with(both: None) -> None:
    game = game_of(TOY)
    assert fold(game.records).type is TOY
    assert all(not isinstance(command, Pass) for seat in (0, 1) for command in legal_commands(game.game, seat))
    with pytest.raises(Illegal, match="toy/pass is no command of Toy") as refused:
        game.say(state_of(game).turn, Pass())
    assert refused.value.rule == "other_game_type"
    game.resign()
    assert verify(game.records) == []


def test_a_rule_that_revision_2_changed_still_holds_under_revision_1(both: None) -> None:
    """The same commands up to an ace that lies on nothing of its own."""
    assert any(_odd_ace(TOY, number) == "suit_or_rank" for number in range(40))
    assert all(_odd_ace(TOY_2, number) in (None, AceLaid) for number in range(40))


def _odd_ace(game_type: AnyGameType, number: int) -> Any:
    """What becomes of laying an ace first thing: the events' last class, the rule, or None where none is held."""
    game = game_of(game_type, f"lots {number}", steps=0)
    state = state_of(game)
    aces = tuple(card for card in state.hands[state.turn] if card[0] == "A")[:1]
    lay = Lay(f"hand_{state.turn}", "heap", aces)
    try:
        return type(game_type.decide(state, state.turn, lay)[-1]) if aces else None
    except Illegal as refusal:
        return refusal.rule


def test_the_same_commands_make_the_same_bytes_before_and_after_revision_2_came(both: None) -> None:
    before = game_of(TOY).records
    with registered(TOY_2):
        after = game_of(TOY).records
    assert [record.digest for record in after] == [record.digest for record in before]
    assert Codec(TOY_2.events, TOY_2.commands).encode(after[-1]) == Codec(TOY.events, TOY.commands).encode(before[-1])


def test_frames_and_listings_of_an_old_game_are_the_same_bytes_before_and_after() -> None:
    old = game_of(TOY)
    with registered(TOY):
        before = _seen(old.records)
        with registered(TOY_2):
            assert _seen(old.records) == before


def _seen(records: Records) -> bytes:
    game = fold(records)
    shown = [list(frames(records, viewer)) for viewer in (0, 1, None, -1)]
    return msgspec.json.encode([shown, [legal_commands(game, seat) for seat in (0, 1)]])


class Widened(State, frozen=True, omit_defaults=True):
    """The state of revision 1 with a field more."""

    passes: int = 0


class WiderOptions(Options, frozen=True):
    """The options of revision 1 with a field more."""

    free_aces: bool = True


def test_a_state_may_gain_a_field_that_is_left_out_at_its_default() -> None:
    old = game_of(TOY)
    wider = changed(TOY, state=Widened, initial=lambda options, seats: Widened(options, ((),) * seats))
    with registered(wider):
        assert isinstance(fold(old.records).state, Widened)
        assert verify(old.records) == []


def test_options_may_not_for_the_commitment_and_the_state_hold_them_whole() -> None:
    old = game_of(TOY)
    with registered(changed(TOY, options=WiderOptions)):
        assert Fault(0, "The seed is not the one that was committed to.") in verify(old.records)


@pytest.mark.parametrize(("played", "claimed"), [(TOY, TOY_2), (TOY_2, TOY)], ids=["1 as 2", "2 as 1"])
def test_a_record_that_claims_another_revision_is_told(both: None, played: AnyGameType, claimed: AnyGameType) -> None:
    claiming = relabelled(game_of(played).records, claimed.revision)
    assert {fault.step for fault in verify(claiming)} == {0}


@pytest.mark.parametrize(("played", "claimed"), [(TOY, TOY_2), (TOY_2, TOY)], ids=["1 as 2", "2 as 1"])
def test_so_is_one_whose_options_commitment_and_digests_were_made_anew(
    both: None, played: AnyGameType, claimed: AnyGameType
) -> None:
    game = with_an_ace(played)
    other = next(record.step for record in game.records if isinstance(record.command, Pass) or lays_an_ace(record))
    assert verify(game.records) == []
    (fault,) = verify(forged(game.records, claimed))
    assert fault.step == other
    assert fault.what == "The events are not what the command makes." or "against the rules" in fault.what


def test_an_unknown_revision_is_told_in_a_sentence(both: None) -> None:
    strange = relabelled(game_of(TOY).records, 3)
    assert verify(strange) == [Fault(0, "Nobody knows revision 3 of toy.")]
    with pytest.raises(UnknownRevision, match=r"^Nobody knows revision 3 of toy\.$"):
        fold(strange)


def test_the_newest_revision_is_the_one_that_opens(both: None) -> None:
    found = by_revision([TOY_2, TOY])
    assert list(found) == [("toy", 1), ("toy", 2)]
    assert newest(found) == {"toy": TOY_2}
    assert revision_of("toy", 1) is TOY


def test_two_values_for_one_revision_are_refused() -> None:
    with pytest.raises(TypeError, match="Two game types are revision 1 of toy"):
        by_revision([TOY, changed(TOY_2, revision=1)])


def test_every_game_type_opens_under_the_newest_of_its_revisions() -> None:
    assert newest(REVISIONS) == GAME_TYPES


def test_a_rematch_of_an_old_game_is_played_under_the_new_rules(both: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME_TYPES, "toy", TOY_2)
    game = game_of(TOY)
    game.resign()
    opening = rematch(game.game, player(0), [player(1)])
    assert opening.type is TOY_2
    assert opening.options == Options2(hand=5, free_aces=True)


def test_records_of_both_revisions_are_read_by_one_codec(both: None) -> None:
    codec = Codec({*TOY.events, *TOY_2.events}, {*TOY.commands, *TOY_2.commands})
    for records in (game_of(TOY).records, with_an_ace(TOY_2).records):
        assert [codec.decode(codec.encode(record)) for record in records] == records


def test_an_event_that_means_something_else_needs_another_tag() -> None:
    other: type[Struct] = msgspec.defstruct("Drew", [("seat", int), ("cards", list[str])], tag="toy/drew", frozen=True)
    with pytest.raises(TypeError, match="Two classes have the tag 'toy/drew'"):
        Codec({*TOY.events, other})


def test_stored_games_of_both_revisions_can_be_made_for_the_corpus(both: None) -> None:
    for game_type in (TOY, TOY_2):
        gathering = gathered(game_type, [], [])
        assert gathering.missing == set()
        assert {record.revision for game in gathering.kept for record in game} == {game_type.revision}
        assert all(verify(game) == [] for game in gathering.kept)
    assert Draw in TOY_2.commands
    assert gathering.seen >= {"event toy/ace_laid", "command toy/pass", "option free_aces=False"}
