"""Names: letters that show nothing are shown; who allows it is found by how the own name begins, by nobody else."""

import pytest

from tests.service.sealing.dumps import dump

from . import truth
from .problems import told
from .serving import Player, Service, done, pages, registered, speaking


@pytest.fixture(scope="module")
def seeker(service: Service) -> Player:
    return registered(service, "Seeker")


def findable(service: Service, name: str) -> Player:
    made = done(service.http.post("/v1/players", json={"name": name, "findable": True}), 201)
    return speaking(service, made["player"]["id"], made["token"]["secret"], made["token"]["id"])


def found(seeker: Player, beginning: str) -> list[str]:
    listed = seeker.get("/v1/players", params={"name": beginning}).json()["players"]
    assert all(seeker.get(f"/v1/players/{player['id']}").json()["name"] == player["name"] for player in listed)
    return [player["name"] for player in listed]


def test_who_allows_it_is_found_by_a_beginning_in_any_case(service: Service, seeker: Player) -> None:
    for name in ("Quinn Straße", "Quinn", "Quincy", "李"):
        findable(service, name)
    registered(service, "Quinn Hidden")
    assert found(seeker, "quinn") == ["Quinn", "Quinn Straße"]
    assert found(seeker, "QUI") == ["Quinn", "Quincy", "Quinn Straße"]
    assert found(seeker, "Quinn STRASSE") == ["Quinn Straße"]
    assert found(seeker, "李") == ["李"]
    assert found(seeker, "Q") == []
    assert found(seeker, "uinn") == []
    told(seeker.get("/v1/players"), 400, "malformed")
    told(seeker.get("/v1/players", params={"name": "Quinn", "cursor": "x"}), 400, "malformed")


def test_a_list_of_namesakes_has_pages(service: Service, seeker: Player) -> None:
    players = {findable(service, name).id for name in ("Nia", "Nia", "Nia B", "Nia", "Nia Be")}
    listed = [player["id"] for page in pages(seeker, "/v1/players", name="Nia", limit=2) for player in page["players"]]
    assert len(listed) == len(players) == 5
    assert set(listed) == players


def test_a_name_finds_until_it_is_changed_or_no_longer_allowed(service: Service, seeker: Player) -> None:
    player = findable(service, "Wanda One")
    assert player.get("/v1/players/me").json()["findable"] is True
    renamed = player.http.patch("/v1/players/me", json={"name": "Wanda Two"}).json()
    assert (renamed["name"], renamed["findable"]) == ("Wanda Two", True)
    assert found(seeker, "Wanda One") == []
    assert found(seeker, "Wand") == ["Wanda Two"]
    assert player.http.patch("/v1/players/me", json={"findable": False}).json()["findable"] is False
    assert found(seeker, "Wanda Two") == []
    player.http.patch("/v1/players/me", json={"name": "Wanda Three"})
    assert found(seeker, "Wanda Three") == []
    player.http.patch("/v1/players/me", json={"findable": True})
    assert found(seeker, "Wanda T") == ["Wanda Three"]


def test_an_erased_player_leaves_nothing_to_be_found_by(service: Service, seeker: Player) -> None:
    player = findable(service, "Xenia Erased")
    assert found(seeker, "Xenia") == ["Xenia Erased"]
    assert "Xenia" not in str(dump(service.conninfo))
    assert player.http.delete("/v1/players/me").status_code == 204
    assert found(seeker, "Xenia") == []
    assert truth.done(service, "SELECT FROM name_beginnings WHERE player = %s", player.id) == 0


HIDDEN = "\U0001bca0\U0001d159\U0001d173\U0001ffff\U000e0001\U000e0041\U000e007f\U000e0100\U000e0fff"


@pytest.mark.parametrize("letter", HIDDEN, ids=lambda letter: f"{ord(letter):04X}")
def test_a_letter_that_nobody_sees_is_shown(letter: str, service: Service) -> None:
    given, shown = f"A{letter}da", "A\ufffdda"
    assert service.http.post("/v1/players", json={"name": given}).json()["player"]["name"] == shown
    ada = registered(service, "Ada")
    assert ada.http.patch("/v1/players/me", json={"name": given}).json()["name"] == shown
    assert ada.post("/v1/tokens", {"label": given}).json()["label"] == shown
    assert ada.http.patch("/v1/players/me", json={"name": shown}).json()["name"] == shown
