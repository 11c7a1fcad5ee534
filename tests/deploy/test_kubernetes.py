"""The manifests: valid by Kubernetes' own schemas, and consistent with one another and the program. Not applied."""

import warnings
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service.cli import COMMANDS
from service.settings import Settings

from .test_containers import NO_SETTINGS, is_setting

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
FILES = sorted(path for path in FOLDER.glob("*.yaml") if path.name != "kustomization.yaml")
MANIFESTS: list[dict[str, Any]] = [one for path in FILES for one in yaml.safe_load_all(path.read_text("utf-8"))]
WORKLOADS = [one for one in MANIFESTS if one["kind"] in ("Deployment", "Job")]


def name_of(manifest: dict[str, Any]) -> str:
    meta = manifest["metadata"]
    return f"{manifest['kind']} {meta.get('name') or meta['generateName']}"


def of_kind(kind: str) -> list[dict[str, Any]]:
    return [one for one in MANIFESTS if one["kind"] == kind]


def pod(workload: dict[str, Any]) -> dict[str, Any]:
    return dict(workload["spec"]["template"])


def container(workload: dict[str, Any]) -> dict[str, Any]:
    (found,) = pod(workload)["spec"]["containers"]
    return dict(found)


@pytest.mark.parametrize("manifest", MANIFESTS, ids=name_of)
def test_kubernetes_would_take_it(manifest: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # the validator's; others may be about what is collected meanwhile
        kubernetes_validate.validate(manifest, "1.37", strict=True)


def test_no_manifest_names_a_namespace() -> None:
    assert all("namespace" not in one["metadata"] for one in MANIFESTS)


def test_the_kustomization_lists_every_file_but_the_migration_and_the_example() -> None:
    listed = set(yaml.safe_load((FOLDER / "kustomization.yaml").read_text("utf-8"))["resources"])
    assert {path.name for path in FILES} - listed == {"migrate.yaml", "secret.example.yaml"}
    assert listed <= {path.name for path in FILES}


@pytest.mark.parametrize("workload", WORKLOADS, ids=name_of)
def test_no_pod_is_root_or_may_write_or_speaks_to_the_cluster(workload: dict[str, Any]) -> None:
    spec, one = pod(workload)["spec"], container(workload)
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert spec["securityContext"]["runAsUser"] == 10001
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert spec["automountServiceAccountToken"] is False
    assert one["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip
    assert {"cpu", "memory"} <= set(one["resources"]["requests"])
    assert "memory" in one["resources"]["limits"]


@pytest.mark.parametrize("workload", WORKLOADS, ids=name_of)
def test_what_a_pod_mounts_and_sets_exists(workload: dict[str, Any]) -> None:
    spec, one = pod(workload)["spec"], container(workload)
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    assert {mount["name"] for mount in one["volumeMounts"]} == set(volumes)
    secrets = {volume["secret"]["secretName"] for volume in volumes.values() if "secret" in volume}
    assert secrets <= {secret["metadata"]["name"] for secret in of_kind("Secret")}
    (settings,) = of_kind("ConfigMap")
    assert one["envFrom"] == [{"configMapRef": {"name": settings["metadata"]["name"]}}]
    given = {*settings["data"], *(variable["name"] for variable in one.get("env", []))}
    assert {name for name in given if not is_setting(name)} <= NO_SETTINGS
    assert one["args"][0] in COMMANDS


def test_every_secret_file_that_a_setting_names_is_in_the_example() -> None:
    (settings,) = of_kind("ConfigMap")
    files = {Path(value).name for name, value in settings["data"].items() if name.endswith("_FILE")}
    example = next(one for one in of_kind("Secret") if one["metadata"]["name"] == "kibitz-addresses")
    assert files == set(example["stringData"])


def test_every_selector_finds_pods() -> None:
    labels = [pod(workload)["metadata"]["labels"] for workload in WORKLOADS]
    selectors = [one["spec"]["selector"] for one in of_kind("Service")]
    selectors += [one["spec"]["selector"]["matchLabels"] for one in of_kind("PodDisruptionBudget")]
    selectors += [one["spec"]["podSelector"]["matchLabels"] for one in of_kind("NetworkPolicy")]
    for selector in selectors:
        assert any(selector.items() <= one.items() for one in labels), selector


def test_the_ingress_does_not_know_the_port_of_metrics() -> None:
    (public,) = [one for one in of_kind("Service") if one["spec"].get("clusterIP") != "None"]
    assert [port["targetPort"] for port in public["spec"]["ports"]] == ["http"]


def test_the_worker_may_take_the_memory_of_an_analysis_beside_its_own() -> None:
    worker = next(one for one in of_kind("Deployment") if one["metadata"]["name"] == "kibitz-worker")
    limit = container(worker)["resources"]["limits"]["memory"]
    assert int(limit.removesuffix("Gi")) * 1_024 >= Settings().analysis_megabytes + 1_024


def test_no_more_than_one_process_is_taken_away_at_a_time(api: dict[str, Any]) -> None:
    assert api["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": 1, "maxUnavailable": 0}
    assert all(one["spec"]["maxUnavailable"] == 1 for one in of_kind("PodDisruptionBudget"))
    (scaler,) = of_kind("HorizontalPodAutoscaler")
    assert scaler["spec"]["scaleTargetRef"]["name"] == api["metadata"]["name"]
    assert "replicas" not in api["spec"], "the autoscaler says how many"


@pytest.fixture
def api() -> dict[str, Any]:
    return next(one for one in of_kind("Deployment") if one["metadata"]["name"] == "kibitz-api")
