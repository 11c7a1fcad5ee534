"""What `deploy/failover` has for a database that fails over: held against the program, and part against part."""

import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from psycopg.conninfo import conninfo_to_dict

from service.cli import COMMANDS

from .test_containers import DEPLOY, is_setting
from .test_systemd import LOCKED, Unit

FOLDER = DEPLOY / "failover"
PATRONI: dict[str, Any] = yaml.safe_load((FOLDER / "patroni.yaml").read_text("utf-8"))
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DCS = PATRONI["bootstrap"]["dcs"]


def test_patroni_takes_the_times_as_they_are_and_the_page_tells_them() -> None:
    """Patroni's own rule, which it would keep by changing them."""
    assert DCS["ttl"] >= 20
    assert DCS["loop_wait"] + 2 * DCS["retry_timeout"] <= DCS["ttl"]
    page = (DEPLOY / "UPGRADE.md").read_text("utf-8")
    assert all(f"`{name}: {DCS[name]}`" in page for name in ("ttl", "loop_wait", "retry_timeout"))


def test_nobody_is_promoted_who_may_lack_what_was_acknowledged() -> None:
    assert DCS["synchronous_mode"] is True
    assert DCS["postgresql"]["parameters"]["synchronous_commit"] == "on"
    cluster = yaml.safe_load((FOLDER / "cloudnativepg.yaml").read_text("utf-8"))
    assert (cluster["apiVersion"], cluster["kind"]) == ("postgresql.cnpg.io/v1", "Cluster")
    synchronous = cluster["spec"]["postgresql"]["synchronous"]
    assert synchronous == {"method": "any", "number": 1, "dataDurability": "required", "failoverQuorum": True}
    assert cluster["spec"]["instances"] > synchronous["number"] + 1, "one that is gone must not stop the others"


def test_compose_refers_only_to_what_it_has() -> None:
    for service in SERVICES.values():
        for kind in ("networks", "secrets"):
            assert set(service.get(kind, [])) <= set(COMPOSE[kind])
        assert {volume.partition(":")[0] for volume in service.get("volumes", [])} <= set(COMPOSE["volumes"])
        waited = service.get("depends_on", {})
        assert set(waited) <= set(SERVICES)
        healthy = [name for name in waited if isinstance(waited, dict) and "healthy" in waited[name]["condition"]]
        assert all("test" in SERVICES[name]["healthcheck"] for name in healthy)


def test_compose_sets_only_what_can_be_set_and_is_locked_up() -> None:
    for service in SERVICES.values():
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["security_opt"] == ["no-new-privileges:true"]
        if service["image"] == "kibitz":
            assert all(map(is_setting, service["environment"]))
            assert service["command"][0] in COMMANDS
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["api"]
    assert COMPOSE["networks"]["back"] == {"internal": True}


def test_the_secrets_are_those_that_the_script_makes_and_the_address_names_both_nodes(tmp_path: Path) -> None:
    script = tmp_path / "secrets.sh"
    script.write_text((FOLDER / "secrets.sh").read_text("utf-8"))
    for again in (0, 1):
        made = subprocess.run(["sh", script], capture_output=True, text=True, check=False)
        assert bool(made.returncode) is bool(again), "a second run must not throw the passwords away"
    folder = tmp_path / "secrets"
    assert {path.name for path in folder.iterdir()} == set(COMPOSE["secrets"])
    address = conninfo_to_dict((folder / "database_url").read_text())
    nodes = [
        name for name, service in SERVICES.items() if service["image"] == "kibitz-patroni" and "volumes" in service
    ]
    assert str(address["host"]).split(",") == nodes
    assert address["target_session_attrs"] == "read-write"
    assert address["password"] == (folder / "kibitz").read_text()


@pytest.mark.parametrize("name", ["patroni", "etcd"])
def test_the_units_are_locked_up_and_come_back(name: str) -> None:
    service = Unit(FOLDER / f"{name}.service")["Service"]
    assert service["Restart"] == "always"
    assert (service["ProtectSystem"], service["CapabilityBoundingSet"]) == ("strict", "")
    assert all(service[one] == "yes" for one in LOCKED)
    assert service["User"] not in ("root", "")


def test_a_node_finds_etcd_and_its_own_settings_where_they_are() -> None:
    etcd = (FOLDER / "etcd.service").read_text("utf-8")
    client, *_ = re.findall(r"--listen-client-urls (\S+)", etcd)
    assert urlsplit(client).netloc in PATRONI["etcd3"]["hosts"]
    settings = Unit(FOLDER / "patroni.service")["Service"]["ExecStart"].split()[1]
    started = (FOLDER / "node.sh").read_text("utf-8")
    copied = (FOLDER / "Dockerfile").read_text("utf-8")
    assert settings in started
    assert f"patroni.yaml {settings}" in copied
