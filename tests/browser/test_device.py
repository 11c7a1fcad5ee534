"""A device's code, typed by a player in a real browser: the wrong one, the right one, yes and no."""

import httpx
from playwright.sync_api import Page, expect

from service.oauth.apps import DEVICE_CODE
from tests.api.serving import Player, Service

from .looks import Checks


def waiting(site: Service, app: dict[str, str]) -> dict[str, str]:
    form = {"client_id": app["client_id"], "scope": "games:read games:play"}
    codes: dict[str, str] = site.http.post("/oauth/device_authorization", data=form).json()
    return codes


def poll(site: Service, app: dict[str, str], codes: dict[str, str]) -> httpx.Response:
    form = {"grant_type": DEVICE_CODE, "client_id": app["client_id"], "device_code": codes["device_code"]}
    return site.http.post("/oauth/token", data=form)


def test_a_player_types_the_code_of_a_device_and_allows_it_and_another_time_does_not(
    page: Page, site: Service, ada: Player, bob: Player, checks: Checks, forgiven: list[str]
) -> None:
    forgiven.append("the server responded with a status of 404")
    app = bob.post("/v1/apps", {"name": "Club Bot", "redirect_uris": [], "devices": True}).json()
    codes = waiting(site, app)
    page.goto(codes["verification_uri"])
    page.get_by_text("With a token").click()
    page.get_by_label("Your token").fill(ada.token)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in on a device")
    assert checks.wrong(page) == []
    page.get_by_label("The code").fill("BBBB-BBBB")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).to_contain_text("No device shows this code")
    assert checks.wrong(page) == []
    page.get_by_label("The code").fill(codes["user_code"].lower().replace("-", ""))
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Club Bot asks for your permission")
    expect(page.get_by_text(codes["user_code"])).to_be_visible()
    expect(page.get_by_text("If somebody sent you the code, do not allow it.")).to_be_visible()
    assert checks.wrong(page) == []
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Allowed")
    assert checks.wrong(page) == []
    token = poll(site, app, codes).json()["access_token"]
    me = site.http.get("/v1/players/me", headers={"authorization": f"Bearer {token}"})
    assert me.json()["id"] == ada.id

    codes = waiting(site, app)
    page.goto(codes["verification_uri_complete"])
    expect(page.get_by_label("The code")).to_have_value(codes["user_code"])
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Do not allow").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Not allowed")
    assert poll(site, app, codes).json()["error"] == "access_denied"
