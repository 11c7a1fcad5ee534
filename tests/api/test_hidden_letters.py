"""Characters beyond Unicode's first plane that show nothing are taken, and shown."""

import pytest

from .serving import Service, registered

HIDDEN = "\U0001bca0\U0001d159\U0001d173\U0001ffff\U000e0001\U000e0041\U000e007f\U000e0100\U000e0fff"


@pytest.mark.parametrize("letter", HIDDEN, ids=lambda letter: f"{ord(letter):04X}")
def test_a_letter_that_nobody_sees_is_shown(letter: str, service: Service) -> None:
    given, shown = f"A{letter}da", "A\ufffdda"
    assert service.http.post("/v1/players", json={"name": given}).json()["player"]["name"] == shown
    ada = registered(service, "Ada")
    assert ada.http.patch("/v1/players/me", json={"name": given}).json()["name"] == shown
    assert ada.post("/v1/tokens", {"label": given}).json()["label"] == shown
    assert ada.http.patch("/v1/players/me", json={"name": shown}).json()["name"] == shown
