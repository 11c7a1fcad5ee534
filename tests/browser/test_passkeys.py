"""Passkeys in a real Chromium with a virtual authenticator: made, used, removed, and refused where they must be."""

from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from tests.api import truth
from tests.api.serving import Service, serving, speaking
from tests.service.sealing.dumps import dump

from .looks import Checks

REFUSED = "the server responded with a status of 40"
_ANSWER = """async (path) => {
    const post = (where, body) => fetch(where, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const options = await (await post(`${path}/challenge`, {})).json();
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    const credential = (await navigator.credentials.get({ publicKey })).toJSON();
    const first = await post(path, { credential });
    const second = await post(path, { credential });
    return [first.status, second.status, (await second.json()).detail];
}"""


@dataclass
class Device:
    """A browser at the service's address with a name, and its authenticator."""

    page: Page
    cdp: CDPSession
    authenticator: str
    url: str

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def press(self, name: str, within: Locator | None = None) -> None:
        (within or self.page).get_by_role("button", name=name, exact=True).click()

    def credentials(self) -> list[dict[str, Any]]:
        """What the authenticator keeps."""
        found = self.cdp.send("WebAuthn.getCredentials", {"authenticatorId": self.authenticator})
        kept: list[dict[str, Any]] = found["credentials"]
        return kept

    def register(self, name: str) -> None:
        """Become a player of this name."""
        self.go("/sign-in")
        self.page.get_by_label("What shall you be called?").fill(name)
        self.press("Make a player")
        expect(self.page.locator(".visitor")).to_contain_text(name)

    def add_passkey(self, label: str) -> None:
        """Make a passkey on the page that is shown."""
        self.page.get_by_label("Name of this device").fill(label)
        self.press("Add a passkey")
        expect(self.page.locator(".keys").get_by_text(label, exact=True)).to_be_visible()
        expect(self.page).to_have_url(f"{self.url}/account")

    def sign_out(self) -> None:
        self.press("Sign out", self.page.locator("header"))
        expect(self.page.locator(".visitor")).to_have_text("Sign in")

    def sign_in(self) -> None:
        """Sign in with a passkey, naming nobody."""
        self.go("/sign-in?back=/days")
        self.press("Sign in with a passkey")

    def codes(self) -> list[str]:
        """The recovery codes on the page, once they are there."""
        shown = self.page.locator(".codes li")
        shown.first.wait_for()
        return shown.all_inner_texts()

    @property
    def player(self) -> str:
        """The id of who is signed in."""
        return str(self.page.locator(".visitor a").first.get_attribute("href")).rpartition("/")[2]


@pytest.fixture
def device(page: Page, site: Service, forgiven: list[str]) -> Iterator[Device]:
    forgiven.append(REFUSED)
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    made = cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    yield Device(page, cdp, made["authenticatorId"], f"http://localhost:{urlsplit(site.url).port}")
    cdp.send("WebAuthn.disable")


def test_who_registers_adds_a_passkey_and_comes_back_with_it(device: Device) -> None:
    device.register("Grace")
    device.add_passkey("Grace's laptop")
    me = device.player
    expect(device.page.get_by_text("You have no recovery codes.")).to_be_visible()
    device.sign_out()
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")
    assert device.player == me
    (kept,) = device.credentials()
    assert (kept["rpId"], kept["isResidentCredential"]) == ("localhost", True)
    device.go("/account")
    expect(device.page.locator("section", has_text="Passkeys").first).to_contain_text("Last used")


def test_a_guest_becomes_an_account_without_losing_a_game(device: Device, site: Service) -> None:
    device.go("/sign-in?back=/games/new/klondike")
    device.press("Play as a guest")
    expect(device.page).to_have_url(f"{device.url}/games/new/klondike")
    guest = device.player
    device.page.get_by_role("button", name="Open the game").click()
    device.page.wait_for_url("**/games/*-*")
    game = device.page.url
    device.press("Sign out", device.page.locator("header"))
    expect(device.page.get_by_text("Sign out for good?")).to_be_visible()
    device.page.get_by_role("link", name="Add a passkey first").click()
    expect(device.page.get_by_text("Only this browser remembers you,")).to_be_visible()
    device.add_passkey("Phone")
    device.page.get_by_text("Change your name").click()
    device.page.get_by_label("Your name", exact=True).fill("Hedy")
    device.press("Rename", device.page.locator(".name"))
    expect(device.page.locator(".visitor")).to_contain_text("Hedy")
    device.sign_out()
    device.sign_in()
    expect(device.page.locator(".visitor")).to_contain_text("Hedy")
    assert device.player == guest
    device.page.goto(game)
    device.page.wait_for_function("() => document.querySelector('svg.table')?.dataset.step")
    expect(device.page.get_by_role("button", name="Resign").first).to_be_attached()
    seats = site.http.get(f"/v1/games/{game.rpartition('/')[2]}").json()["seats"]
    assert seats[0]["player"]["id"] == guest


def test_an_answer_is_good_once(device: Device) -> None:
    device.register("Rae")
    device.add_passkey("key")
    device.sign_out()
    first, second, detail = device.page.evaluate(_ANSWER, "/sign-in/passkey")
    assert (first, second) == (200, 401)
    assert "sent twice" in detail


def test_an_answer_for_another_address_is_refused(device: Device, site: Service) -> None:
    device.register("Ona")
    device.add_passkey("key")
    device.sign_out()
    with serving(site.conninfo, public_address="http://localhost:1", run_worker=False) as other:
        device.page.goto(f"http://localhost:{urlsplit(other.url).port}/sign-in")
        device.press("Sign in with a passkey")
        expect(device.page.get_by_role("alert")).to_have_text("The passkey's answer does not hold here.")
        expect(device.page.locator(".visitor")).to_have_text("Sign in")


def test_at_an_address_without_a_name_the_page_says_what_is_missing(page: Page, site: Service) -> None:
    page.goto(f"{site.url}/sign-in")
    page.get_by_role("button", name="Play as a guest").click()
    page.goto(f"{site.url}/account")
    port = urlsplit(site.url).port
    expect(page.get_by_text(f"Passkeys need an address with a name, such as http://localhost:{port}.")).to_be_visible()
    expect(page.get_by_role("button", name="Add a passkey")).to_have_count(0)


def test_a_copied_key_whose_count_goes_back_is_refused(device: Device, site: Service) -> None:
    device.register("Cleo")
    device.add_passkey("key")
    device.sign_out()
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")
    truth.done(site, "UPDATE passkeys SET sign_count = 1000 WHERE player = %s", device.player)
    device.sign_out()
    device.sign_in()
    expect(device.page.get_by_role("alert")).to_have_text("The passkey's answer does not hold here.")


def test_a_removed_passkey_signs_nobody_in_and_its_sessions_end(
    device: Device, site: Service, browser: Browser
) -> None:
    device.register("Lena")
    device.add_passkey("phone")
    device.sign_out()
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")
    elsewhere = browser.new_context(storage_state=device.page.context.storage_state())
    device.sign_out()
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")
    stolen = browser.new_context(storage_state=device.page.context.storage_state())
    device.page.context.clear_cookies()
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")
    assert elsewhere.request.get(f"{device.url}/account", max_redirects=0).status == 303  # signed out there
    assert stolen.request.get(f"{device.url}/account", max_redirects=0).status == 200
    device.go("/account")
    device.page.get_by_role("button", name="Remove the passkey phone").click()
    expect(device.page.get_by_text("Only this browser remembers you,")).to_have_count(0)  # the box must be ticked first
    device.page.get_by_label("I am sure").check()
    device.page.get_by_role("button", name="Remove the passkey phone").click()
    expect(device.page.get_by_text("Only this browser remembers you,")).to_be_visible()
    assert stolen.request.get(f"{device.url}/account", max_redirects=0).status == 303
    device.sign_out()
    device.sign_in()
    expect(device.page.get_by_role("alert")).to_have_text("This passkey is not known here, or was removed.")
    for context in (elsewhere, stolen):
        context.close()


def test_the_last_passkey_goes_only_with_codes_left_or_for_sure(device: Device) -> None:
    device.register("Nora")
    device.add_passkey("only")
    field = device.page.locator("input[name=passkey]").first.get_attribute("value") or ""
    path, origin = f"{device.url}/account/remove-passkey", {"Origin": device.url}
    answer = device.page.context.request.post(path, form={"passkey": field}, headers=origin)
    assert (answer.status, "This is your last passkey" in answer.text()) == (409, True)
    device.press("Make recovery codes")
    device.page.get_by_role("link", name="I have kept them").click()
    device.page.get_by_role("button", name="Remove the passkey only").click()
    expect(device.page.get_by_text("Only this browser remembers you,")).to_be_visible()


def test_recovery_codes_sign_in_once_and_new_ones_end_the_old(device: Device) -> None:
    device.register("Vera")
    me = device.player
    device.go("/account")
    device.press("Make recovery codes")
    first = device.codes()
    assert len(set(first)) == 10
    device.sign_out()

    def use(code: str) -> None:
        device.go("/sign-in")
        device.page.get_by_text("With a recovery code").click()
        device.page.get_by_label("One of your ten codes").fill(code)
        device.page.locator("form[action='/sign-in/code']").get_by_role("button").click()

    use(first[0].upper().replace("-", " "))
    expect(device.page).to_have_url(f"{device.url}/account")
    assert device.player == me
    expect(device.page.get_by_text("9 of 10 are left.")).to_be_visible()
    device.sign_out()
    use(first[0])
    expect(device.page.get_by_role("alert")).to_have_text("The code is unknown or used up.")
    use(first[1])
    device.press("Make new codes, and end the old")
    second = device.codes()
    device.sign_out()
    use(first[2])
    expect(device.page.get_by_role("alert")).to_have_text("The code is unknown or used up.")
    use(second[0])
    expect(device.page).to_have_url(f"{device.url}/account")


def test_a_second_device_is_added_and_one_device_makes_one_passkey(device: Device) -> None:
    device.register("Ida")
    device.add_passkey("laptop")
    device.page.get_by_text("Add another passkey").click()
    device.press("Add a passkey")
    expect(device.page.get_by_role("alert")).to_have_text("This device has a passkey of yours already.")
    device.cdp.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": device.authenticator})
    options = {
        "protocol": "ctap2", "transport": "usb", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    device.authenticator = device.cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    device.add_passkey("key ring")
    expect(device.page.get_by_role("button", name="Remove the passkey laptop")).to_be_visible()
    device.sign_out()
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")


def test_whoever_signed_in_long_ago_signs_in_again_to_change_the_account(device: Device, site: Service) -> None:
    device.register("Mae")
    device.add_passkey("key")
    me = device.player
    truth.done(site, "UPDATE tokens SET created_at = created_at - 3600000000 WHERE player = %s", me)
    device.go("/account")
    expect(device.page.get_by_text("You signed in more than an hour ago.")).to_be_visible()
    expect(device.page.get_by_role("button", name="Make recovery codes")).to_have_count(0)
    answer = device.page.context.request.post(f"{device.url}/account/recovery-codes", headers={"Origin": device.url})
    assert answer.status == 403
    device.sign_in()
    expect(device.page).to_have_url(f"{device.url}/days")
    device.go("/account")
    device.press("Make recovery codes")
    expect(device.page.locator(".codes li")).to_have_count(10)


def test_an_erased_player_has_no_passkey_left(device: Device, site: Service) -> None:
    device.register("Zebulon")
    token = device.page.locator("code.secret").inner_text()
    device.add_passkey("Zebulon's lantern")
    device.press("Make recovery codes")
    code = device.page.locator(".codes li").first.inner_text()
    me = device.player
    (kept,) = device.credentials()
    credential = b64decode(kept["credentialId"])
    assert credential not in dump(site.conninfo)
    assert speaking(site, me, token, "").http.delete("/v1/players/me").status_code == 204
    for table in ("passkeys", "recovery_codes", "challenges", "tokens"):
        assert truth.done(site, f"SELECT FROM {table} WHERE player = %s", me) == 0
    device.sign_in()
    expect(device.page.get_by_role("alert")).to_have_text("This passkey is not known here, or was removed.")
    device.page.get_by_text("With a recovery code").click()
    device.page.get_by_label("One of your ten codes").fill(code)
    device.page.locator("form[action='/sign-in/code']").get_by_role("button").click()
    expect(device.page.get_by_text("The code is unknown or used up.")).to_be_visible()


def test_the_pages_are_in_order_in_every_look(device: Device, checks: Checks) -> None:
    device.go("/sign-in")
    assert checks.wrong(device.page) == []
    device.register("Lou")
    expect(device.page.get_by_role("button", name="Add a passkey")).to_be_visible()
    assert checks.wrong(device.page) == []
    device.add_passkey("laptop")
    assert checks.wrong(device.page) == []
    device.press("Make recovery codes")
    expect(device.page.locator(".codes li")).to_have_count(10)
    assert checks.wrong(device.page) == []
