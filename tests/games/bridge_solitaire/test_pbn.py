"""Finished hands in Portable Bridge Notation: what is written of each, and what cannot be said."""

from random import Random

import pytest

from domain.chance import Chance
from domain.game_type import Illegal
from domain.games.bridge_solitaire import BRIDGE_SOLITAIRE
from domain.games.bridge_solitaire import events as ev
from domain.games.bridge_solitaire.notation import PBN
from domain.games.bridge_solitaire.state import BoardOptions as Options
from domain.games.bridge_solitaire.state import Contract

from .bots import finished

MINE = ("AS", "KS", "QS", "4S", "AH", "9H", "2H", "KD", "TD", "3D", "QC", "7C", "2C")
TAGS = [
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring",
    "Declarer", "Contract", "Result",
]  # fmt: skip


def hand(contract: Contract, tricks: list, cards: tuple[str, ...] = MINE, number: int = 1, **score: object) -> list:
    """The events of one hand: the house's call, these tricks as (player's card, house's), and the score."""
    call = ev.HouseCalled(2, "C") if contract.declarer == "me" else ev.HouseCalled(contract.level, contract.strain)
    said: list = [ev.Dealt(number, ()), call, ev.ContractMade(contract)]
    for mine, theirs, leader in tricks:
        played = [ev.CardPlayed(mine), *([ev.CardTurned(theirs, "answers")] if theirs else [])]
        said += [ev.HouseLed(theirs), ev.CardPlayed(mine)] if leader == "it" else played
        said.append(ev.TrickWon("me", "high_card"))
    vulnerable = score.get("vulnerable", ())
    return [*said, ev.HandScored(number, cards, contract, len(tricks), 13 - len(tricks), vulnerable, "stock_out", ())]


def written(*hands: list) -> list[str]:
    return PBN.write(Options(), [], [event for said in hands for event in said]).splitlines()


def test_the_players_contract_is_led_to_by_the_house_in_the_west() -> None:
    told = written(hand(Contract("me", 2, "S"), [("AS", "5S", "it"), ("KS", "JS", "me"), ("QS", None, "me")]))
    assert told == [
        "% PBN 2.1", "% EXPORT", '[Event "Bridge Solitaire"]', '[Site "?"]', '[Date "????.??.??"]', '[Board "1"]',
        '[West "The house"]', '[North ""]', '[East ""]', '[South "The player"]', '[Dealer "W"]', '[Vulnerable "None"]',
        '[Deal "S:AKQ4.A92.KT3.Q72 - - -"]', '[Scoring "Rubber"]', '[Declarer "S"]', '[Contract "2S"]', '[Result "3"]',
        '[Auction "W"]', "2C Pass Pass 2S", "AP", '[Play "W"]', "S5 - - SA", "SJ - - SK", "- - - SQ", "*",
    ]  # fmt: skip


def test_the_houses_contract_is_led_to_by_the_player_and_the_house_sits_in_the_east() -> None:
    told = written(hand(Contract("it", 1, "H"), [("AS", "5S", "me")] * 13, vulnerable=("me", "it")))
    assert told[6:10] == ['[West ""]', '[North ""]', '[East "The house"]', '[South "The player"]']
    assert told[10:12] == ['[Dealer "E"]', '[Vulnerable "All"]']
    assert told[14:] == [
        '[Declarer "E"]', '[Contract "1H"]', '[Result "0"]', '[Auction "E"]', "1H AP", '[Play "S"]',
        *["SA - - S5"] * 13,
    ]  # fmt: skip


def test_a_house_that_passes_is_said_to_pass() -> None:
    made = hand(Contract("me", 1, "NT"), [("AS", "5S", "it")])
    made[1] = ev.HouseCalled()
    assert "Pass Pass Pass 1NT" in written(made)


def test_a_hand_with_a_joker_is_left_out_with_a_remark_and_alone_it_is_refused() -> None:
    joker = hand(Contract("me", 1, "S", "doubled"), [("AS", "5S", "it")], ("*1", *MINE[1:]))
    told = written(joker, hand(Contract("me", 1, "S"), [("AS", "5S", "it")], number=2))
    assert told[2] == "; Hand 1 is left out: the player held a joker, and PBN knows none."
    assert '[Board "2"]' in told
    with pytest.raises(Illegal, match="PBN knows no jokers") as refusal:
        written(joker)
    assert refusal.value.rule == "jokers_in_pbn"


def test_the_play_ends_before_a_joker_of_the_house() -> None:
    tricks = [("AS", "5S", "it"), ("KS", "*2", "me"), ("QS", "JS", "me")]
    assert written(hand(Contract("me", 1, "S"), tricks))[-3:] == [
        "S5 - - SA", "; The house plays a joker to the next trick.", "*",
    ]  # fmt: skip


def test_a_game_without_a_finished_hand_has_nothing_to_say() -> None:
    with pytest.raises(Illegal) as refusal:
        written(hand(Contract("me", 1, "S"), [])[:-1])
    assert refusal.value.rule == "no_hand_finished"


def test_hands_that_were_declared_void_are_left_out() -> None:
    hands = [hand(Contract("me", 1, "S"), [("AS", "5S", "it")], number=number) for number in (1, 2, 3)]
    assert [line for line in written(*hands, [ev.HandsVoided(2)]) if line.startswith("[Board")] == ['[Board "1"]']


def test_every_hand_of_a_rubber_has_all_tags_in_the_standards_order_and_its_own_cards() -> None:
    options = Options()
    deal = list(BRIDGE_SOLITAIRE.deal(options, Chance(bytes([2]) * 32), 1))
    state = BRIDGE_SOLITAIRE.initial(options, 1)
    for event in deal:
        state = BRIDGE_SOLITAIRE.evolve(state, event)
    _, line = finished(state, Random(0))
    text = PBN.write(options, deal, line)
    games = [game.splitlines() for game in text.split("\n\n") if "[Event" in game]
    scores = [event for event in line if isinstance(event, ev.HandScored) and not set(event.cards) & {"*1", "*2"}]
    made = [event for event in (*deal, *line) if isinstance(event, ev.HouseCalled | ev.Dealt)]
    calls = {
        dealt.hand: f"{call.level}{call.strain}" if call.strain else "Pass"
        for dealt, call in zip(made[::2], made[1::2], strict=True)
    }
    assert len(games) == len(scores) > 1
    for game, score in zip(games, scores, strict=True):
        tags = [row[1:].split()[0] for row in game if row.startswith("[")]
        assert tags == [*TAGS, "Auction", "Play"]
        assert f'[Board "{score.hand}"]' in game
        shown = next(row for row in game if row.startswith('[Deal "')).split('"')[1]
        held = {
            rank + suit for suit, ranks in zip("SHDC", shown[2:].split()[0].split("."), strict=True) for rank in ranks
        }
        assert held == set(score.cards)
        assert (
            game[game.index(next(row for row in game if row.startswith("[Auction"))) + 1].split()[0]
            == calls[score.hand]
        )
        rows = [row for row in game if " - - " in row and not row.startswith("[")]
        assert len(rows) + game.count("*") * 13 >= 13 >= len(rows) > 0
