"""Cards of a rated game that goes on, asked about by a detour: typed in, changed a little, forked, or in a record."""

import signal
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.games import GAME_TYPES
from domain.kit.cards import RANKS, SUITS
from domain.play import events as ev
from domain.play.deciding import play
from domain.play.table import Opening, open_game
from tests.domain.played import SECRET, act
from tests.domain.played import player as seat_player

from . import truth
from .analysing import ask, imported, judge
from .holding import resign
from .playing import Game, ended, legal, look, of, opened, say
from .problems import told
from .serving import Player, Service, player_fixture, registered, serving
from .watching import until


def cards_of(player: Player, game: Game) -> list[str]:
    """The cards in dealing order, as whoever looks at the table reads them."""
    zones = look(player, game)["view"]["zones"]
    columns = [zone["cards"] for zone in zones if zone["id"].startswith("tableau")]
    return [column[row] for row in range(7) for column in columns if row < len(column)]


def true_cards(service: Service, game: Game) -> list[str]:
    """The cards in dealing order, hidden ones too."""
    dealt = truth.records(service, game)[2].event
    return [*([dealt.start] if game["game_type"] == "black_hole" else []), *dealt.cards]


def changed(cards: list[str]) -> list[str]:
    """Two cards have changed places, and two suits their names."""
    moved = [cards[-1], *cards[1:-1], cards[0]]
    return [card[0] + {"S": "C", "C": "S"}.get(card[1], card[1]) for card in moved]


def laid_elsewhere(cards: list[str]) -> list[str]:
    """A Black Hole that is the same game: the piles in another order, each rank with other names for its suits."""
    moved = [cards[0], *(card for start in range(49, 0, -3) for card in cards[start : start + 3])]
    return [card[0] + SUITS[(SUITS.index(card[1]) + RANKS.index(card[0])) % 4] for card in moved]


def record(cards: list[str]) -> list[Any]:
    """A record, made elsewhere, of a game with these cards that was given up."""
    kind = GAME_TYPES["freecell"]
    opening = Opening(type=kind, options=kind.options(), players=(seat_player(0),), rated=False, origin="given_deal")
    step = open_game(UUID(int=7), opening, replace(SECRET, given=tuple(cards)), act(0, 0))
    return [*step.records, *play(step.game, ev.Resign(), act(0, 1)).records]


@pytest.fixture(scope="module", params=[True, False], ids=["listed", "not yet listed"])
def lists(request: pytest.FixtureRequest) -> bool:
    """Whether there is a worker that writes the lists of games."""
    return request.param


@pytest.fixture(scope="module")
def service(lists: bool, serve: Callable[..., Service]) -> Service:
    return serve(run_worker=lists)


ada, eve = player_fixture("Ada", "function"), player_fixture("Eve", "function")


def begun(player: Player, lists: bool, game_type: str, **more: Any) -> Game:
    """A game of this player that goes on, and stands in the lists if they are written."""
    game = opened(player, game_type, **more)
    if lists:
        query = {"game_type": game_type, "status": "playing"}
        until(lambda: game["id"] in player.get("/v1/games", params=query).text)
    return game


def test_nobody_is_told_of_a_rated_game_going_on(ada: Player, eve: Player, lists: bool) -> None:
    rated = begun(ada, lists, "freecell")
    assert rated["rated"]
    cards = cards_of(eve, rated)
    typed = [
        ended(ada, "freecell", deal=cards),
        ended(eve, "freecell", deal=cards),
        ended(eve, "freecell", deal=changed(cards)),
        imported(eve, record(cards)),
    ]
    typed.append(eve.post(of(typed[1], "/fork"), {"step": 0}).json())
    resign(eve, typed[-1])
    refusals = [told(ask(player, game), 409, "illegal", "deal_withheld") for player in (ada, eve) for game in typed[1:]]
    refusals.append(told(ask(ada, typed[0]), 409, "illegal", "deal_withheld"))
    for player in (ada, eve):
        for alike in (cards, changed(cards)):
            refusals.append(told(judge(player, game_type="freecell", deal=alike), 409, "illegal", "deal_withheld"))
    assert len({problem["detail"] for problem in refusals}) == 1
    assert ada.get("/v1/records").json()["games"] == [], "what is refused is not kept"
    others = Random(1).sample(cards, 52)
    assert ask(eve, ended(eve, "freecell", deal=others)).status_code == 202
    resign(ada, rated)
    assert [ask(eve, game).status_code for game in typed] == [202] * 5
    assert judge(eve, game_type="freecell", deal=cards).status_code == 202


def test_only_cards_that_lie_open_in_a_rated_game_are_withheld(
    service: Service, ada: Player, eve: Player, lists: bool
) -> None:
    free, hidden = begun(ada, lists, "freecell", rated=False), begun(ada, lists, "golf")
    assert ask(eve, ended(eve, "freecell", deal=cards_of(eve, free))).status_code == 202
    guessed = true_cards(service, hidden)
    assert ask(eve, ended(eve, "golf", deal=guessed)).status_code == 202
    assert judge(eve, game_type="golf", deal=guessed).status_code == 202
    for rated in [begun(ada, lists, key) for key in ("freecell", "black_hole", "seahaven_towers")]:
        cards, key = true_cards(service, rated), rated["game_type"]
        told(ask(eve, ended(eve, key, deal=cards)), 409, "illegal", "deal_withheld")
        if key == "black_hole":
            told(judge(eve, game_type=key, deal=laid_elsewhere(cards)), 409, "illegal", "deal_withheld")


def test_a_game_that_is_damaged_hurts_no_question_about_others(serve: Callable[..., Service], lists: bool) -> None:
    service = serve(run_worker=lists)
    ada, eve = registered(service, "Ada"), registered(service, "Eve")
    games = [begun(ada, lists, "freecell") for _ in range(3)]
    no_deal, no_end, sound = (cards_of(eve, game) for game in games)
    cut = "UPDATE events SET state = substr(state, 1, 60) WHERE stream = %s AND version = %s"
    for damaged, version in zip(games, (3, 9), strict=False):
        for _ in range(6):
            say(ada, damaged, legal(ada, damaged)[0])
        truth.done(service, cut, damaged["id"], version)
    service.end(signal.SIGKILL)
    with serving(service.conninfo, run_worker=lists) as again:  # which has no game in memory
        eve = eve.on(again)
        for cards, status in ((Random(1).sample(sound, 52), 202), (sound, 409), (no_end, 409), (no_deal, 202)):
            answer = judge(eve, game_type="freecell", deal=cards)
            assert answer.status_code == status, "of what cannot be read on nothing is known to be over"
            assert status == 202 or answer.json()["rule"] == "deal_withheld"
