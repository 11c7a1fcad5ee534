"""The units, held against the program; `make deploy-rehearsal` starts them."""

from configparser import ConfigParser
from pathlib import Path

import pytest

from .test_containers import is_setting

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
UNITS = sorted(FOLDER.glob("*.service"), key=lambda path: path.stem)
LOCKED = ("NoNewPrivileges", "PrivateTmp", "PrivateDevices", "ProtectHome", "ProtectKernelModules",
          "RestrictNamespaces")  # fmt: skip


class Unit(ConfigParser):
    """A unit file, in which a name may stand several times: then all of its values, one a line."""

    def __init__(self, path: Path) -> None:
        super().__init__(strict=False, interpolation=None)
        self.optionxform = str  # type: ignore[assignment, method-assign]
        self.lines = [line for line in path.read_text("utf-8").splitlines() if line[:1] not in ("#", "")]
        self.read_string("\n".join(self.lines))

    def all(self, name: str) -> list[str]:
        return [line.partition("=")[2] for line in self.lines if line.startswith(f"{name}=")]


@pytest.fixture(params=UNITS, ids=lambda path: path.stem)
def unit(request: pytest.FixtureRequest) -> Unit:
    return Unit(request.param)


def test_there_is_one_for_each_part() -> None:
    assert [path.stem for path in UNITS] == ["kibitz", "kibitz-migrate", "kibitz-worker"]


def test_it_sets_only_what_can_be_set_and_secrets_come_as_credentials(unit: Unit) -> None:
    given = dict(pair.split("=", 1) for pair in unit.all("Environment"))
    assert all(map(is_setting, given))
    loaded = {one.partition(":")[0] for one in unit.all("LoadCredential")}
    assert {value.removeprefix("%d/") for value in given.values() if value.startswith("%d/")} == loaded
    assert "DATABASE_URL" not in given


@pytest.mark.parametrize("page", ["README.md", "deploy/README.md", "deploy/OPERATING.md", "deploy/UPGRADE.md",
                                  "deploy/systemd/kibitz.service"])  # fmt: skip
def test_whoever_takes_a_second_machine_reads_of_its_address(page: str) -> None:
    assert "KIBITZ_ADDRESS" in (FOLDER.parents[1] / page).read_text("utf-8")


def test_it_is_locked_up(unit: Unit) -> None:
    service = unit["Service"]
    assert service["User"] == "kibitz"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    assert all(service[name] == "yes" for name in LOCKED)
