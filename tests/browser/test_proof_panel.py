"""The panel of a game's page that checks the proof in the reader's browser, against a real service."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from domain.games import GAME_TYPES
from tests.api.playing import Game, of, opened, say
from tests.api.serving import Player, Service

from .client import MODULES, give_modules

_START = """async ([script, id]) => {
    const { startProof } = await import(script);
    return startProof(document.getElementById("proof"), id);
}"""
Check = dict[str, Any]


def ended(player: Player, key: str = "klondike", **body: Any) -> Game:
    """A game that was given up at once, seat after seat."""
    alone = GAME_TYPES[key].seats == range(1, 2)
    game = opened(player, key, **body, **({} if alone else {"hot_seat": True}))
    for seat in range(len(game["seats"])):
        say(player, game, {"type": "game/resign"}, params={"seat": seat})
    return game


def checked(page: Page, site: Service, game: Game) -> list[Check]:
    """What the panel finds on the game's page."""
    page.goto(f"{site.url}/games/{game['id']}")
    return checked_here(page, game)


def checked_here(page: Page, game: Game) -> list[Check]:
    """What the panel finds on a page that is open already."""
    give_modules(page)
    found: list[Check] = page.evaluate(_START, [MODULES, game["id"]])
    return found


def of_kind(checks: list[Check], holds: bool | None) -> list[str]:
    return [check["says"] for check in checks if check["holds"] is holds]


@pytest.fixture(scope="module")
def game(ada: Player) -> Game:
    return ended(ada)


def test_every_check_of_a_finished_game_is_told_in_words(page: Page, site: Service, game: Game) -> None:
    checks = checked(page, site, game)
    told = page.locator("#proof .checks li").all_inner_texts()
    assert [text.split(": ")[0] for text in told] == ["Right"] * 5 + ["Not checked"]
    assert [check["holds"] for check in checks] == [True] * 5 + [None]
    for text, words in zip(
        told, ("commitment", "seed of the shuffles", "52 cards", "exactly this order", "signed"), strict=False
    ):
        assert words in text
    assert "that is its word" in told[5]


def test_no_game_type_is_found_wrong_and_every_shuffle_comes_out(
    page: Page, site: Service, ada: Player, game: Game
) -> None:
    page.goto(f"{site.url}/games/{game['id']}")
    for key in sorted(GAME_TYPES):
        checks = checked_here(page, ended(ada, key))
        assert of_kind(checks, False) == [], key
        assert any("comes out of that seed" in says for says in of_kind(checks, True)), key
        assert any("is signed by the service's key" in says for says in of_kind(checks, True)), key


def test_a_game_that_goes_on_has_only_its_commitment(page: Page, site: Service, ada: Player) -> None:
    (check,) = checked(page, site, opened(ada))
    assert check == {
        "holds": None,
        "says": "The seeds are told once the game (or its contest) is over; until then the commitment binds.",
    }


def test_a_deal_that_somebody_chose_is_told_to_prove_nothing(page: Page, site: Service, ada: Player) -> None:
    checks = checked(page, site, ended(ada, seed="lucky"))
    assert of_kind(checks, False) == []
    assert any("it proves nothing" in says for says in of_kind(checks, None))


def lied(page: Page, path: str, old: str, new: str) -> None:
    """From now on that answer of the service has one text in the place of another."""

    def answer(route: Route) -> None:
        told = route.fetch()
        assert old in told.text()
        route.fulfill(response=told, body=told.text().replace(old, new))

    page.route(f"**{path}", answer)


def flipped(hexadecimal: str) -> str:
    return f"{int(hexadecimal[0], 16) ^ 1:x}{hexadecimal[1:]}"


def test_another_seed_than_the_committed_one_is_found_wrong(page: Page, site: Service, ada: Player, game: Game) -> None:
    seed = ada.get(of(game, "/proof")).json()["server_seed"]
    lied(page, of(game, "/proof"), seed, flipped(seed))
    wrong = of_kind(checked(page, site, game), False)
    assert wrong[0] == "The server's seed does not make the commitment that was published before the deal."
    assert "does not come out of that seed" in wrong[1]


def test_a_commitment_of_another_game_is_found_wrong(page: Page, site: Service, ada: Player, game: Game) -> None:
    other = ended(ada)
    proof = ada.get(of(other, "/proof"))
    page.route(f"**{of(game, '/proof')}", lambda route: route.fulfill(json=proof.json()))
    assert of_kind(checked(page, site, game), False)[0] == "The commitment is that of another game."


def test_a_changed_digest_is_found_by_the_signature(page: Page, site: Service, ada: Player, game: Game) -> None:
    last = json.loads(ada.get(of(game, "/record")).text.splitlines()[-3])["digests"][-1]
    lied(page, of(game, "/record"), last, flipped(last))
    (wrong,) = of_kind(checked(page, site, game), False)
    assert "is not one of this record" in wrong


def test_a_key_under_a_false_name_is_not_believed(page: Page, site: Service, ada: Player, game: Game) -> None:
    keys = ada.get("/v1/keys").json()["keys"]
    stranger = [key | {"x": keys[0]["x"][::-1]} for key in keys]
    page.route("**/v1/keys", lambda route: route.fulfill(json={"keys": stranger}))
    assert any("does not publish" in says for says in of_kind(checked(page, site, game), None))


def test_checking_again_replaces_what_was_found(page: Page, site: Service, game: Game) -> None:
    checked(page, site, game)
    page.evaluate(_START, [MODULES, game["id"]])
    assert page.locator("#proof .checks").count() == 1
