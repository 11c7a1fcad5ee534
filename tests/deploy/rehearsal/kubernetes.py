"""The manifests as containers: each pod with its security context, settings, mounts, limits, probes and policies.

What a cluster would do is done here by hand: two pods of each deployment at addresses known before, the probes as the
kubelet asks them, and the policies as rules in each pod's network. The database stands outside of them.
"""

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from tests import debian
from tests.faults.world import ROOT, until

from .containers import WEBHOOKS, Containers, podman, prepare_images, reaches, removed, succeeds
from .roots import copy_source, run

_OUTSIDE = "10.89.3.1"
_PODS = {"migrate": "10.89.3.10", "api-1": "10.89.3.11", "api-2": "10.89.3.12", "worker-1": "10.89.3.13",
         "worker-2": "10.89.3.14"}  # fmt: skip
_FILES = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
_MANIFESTS: list[dict[str, Any]] = [one for path in _FILES for one in yaml.safe_load_all(path.read_text())]
_WORKLOADS = {
    one["metadata"]["labels"]["app.kubernetes.io/component"]: one["spec"]["template"]
    for one in _MANIFESTS if one["kind"] in ("Deployment", "Job")
}  # fmt: skip
_HTTP = "import sys, urllib.request as r; r.urlopen(sys.argv[1], timeout=3)"


def component(pod: str) -> dict[str, Any]:
    template: dict[str, Any] = _WORKLOADS[pod.partition("-")[0]]
    return template


def flags(pod: str, secrets: Path) -> list[str]:
    """What its manifest says of it, as flags."""
    spec = component(pod)["spec"]
    (one,) = spec["containers"]
    user, own = spec["securityContext"], one["securityContext"]
    assert (own["readOnlyRootFilesystem"], own["allowPrivilegeEscalation"], user["runAsNonRoot"]) == (True, False, True)
    words = ["--read-only", "--read-only-tmpfs=false", "--security-opt=no-new-privileges", f"--name={pod}",
             f"--user={user['runAsUser']}:{user['runAsGroup']}", "--network=pods", f"--ip={_PODS[pod]}",
             f"--memory={one['resources']['limits']['memory'].removesuffix('i')}",
             *(f"--cap-drop={name}" for name in own["capabilities"]["drop"])]  # fmt: skip
    (settings,) = [other["data"] for other in _MANIFESTS if other["kind"] == "ConfigMap"]
    given = {other["name"]: other["value"] for other in one.get("env", []) if "value" in other}
    for name, value in {**settings, **given, **dict.fromkeys(WEBHOOKS, "true")}.items():
        words.append(f"--env={name}={value.replace('$(POD_IP)', _PODS[pod])}")
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    for mount in one["volumeMounts"]:
        match volumes[mount["name"]]:
            case {"secret": {"secretName": name, "defaultMode": mode}}:
                for path in (secrets / name).iterdir():
                    path.chmod(mode)
                    os.chown(path, 0, user["fsGroup"])
                words.append(f"--volume={secrets / name}:{mount['mountPath']}:ro")
            case {"emptyDir": {"medium": "Memory", "sizeLimit": size}}:
                words.append(f"--tmpfs={mount['mountPath']}:mode=1777,size={size.removesuffix('i')}")
    return [*words, "kibitz", *one["args"]]


def selects(selector: dict[str, Any], pod: str) -> bool:
    return bool(selector["matchLabels"].items() <= component(pod)["metadata"]["labels"].items())


def policies(pod: str) -> str:
    """The rules of the policies that select this pod; in other namespaces there are no pods."""
    chains: dict[str, str] = {}
    for policy in (one["spec"] for one in _MANIFESTS if one["kind"] == "NetworkPolicy"):
        for kind in policy["policyTypes"] if selects(policy["podSelector"], pod) else ():
            hook, side, key = {"Ingress": ("input", "saddr", "from"), "Egress": ("output", "daddr", "to")}[kind]
            chains.setdefault(kind, f"type filter hook {hook} priority 0; policy drop; ct state established accept;"
                                    " iif lo accept; oif lo accept;")  # fmt: skip
            for rule in policy.get(kind.lower(), []):
                peers = [peer["podSelector"] for peer in rule.get(key, ()) if "podSelector" in peer]
                places = [f"ip {side} {_PODS[one]} " for one in _PODS for peer in peers if selects(peer, one)]
                for port in rule["ports"]:
                    for place in places if key in rule else [""]:
                        chains[kind] += f"\n{place}{port['protocol'].lower()} dport {port['port']} accept;"
    return "table inet policy {" + "".join(f"chain {kind} {{ {rules} }}\n" for kind, rules in chains.items()) + "}"


def start(pod: str, secrets: Path) -> None:
    podman("run", "--detach", *flags(pod, secrets))
    leader = podman("inspect", "--format={{.State.Pid}}", pod).strip()
    run("nsenter", f"--target={leader}", "--net", "nft", "-f", "-", said=policies(pod))


def is_answered(pod: str, probe: dict[str, Any]) -> bool:
    """The kubelet is of the pod's own machine, which policies do not shut out."""
    (one,) = component(pod)["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in one["ports"]}
    match probe:
        case {"httpGet": {"path": path, "port": port}}:
            return succeeds("exec", pod, "python", "-c", _HTTP, f"http://{_PODS[pod]}:{ports[port]}{path}")
        case {"tcpSocket": {"port": port}}:
            return reaches(pod, _PODS[pod], ports[port])
    raise AssertionError(probe)


def probe(pod: str) -> None:
    """Started, alive and ready within the time that is allowed."""
    (one,) = component(pod)["spec"]["containers"]
    for name in ("startupProbe", "livenessProbe", "readinessProbe"):
        if asked := one.get(name):
            tries = (
                is_answered(pod, asked) or time.sleep(asked["periodSeconds"]) for _ in range(asked["failureThreshold"])
            )
            assert any(tries), f"{pod}: {name}"


def check_policies() -> None:
    """Who reaches whom."""
    with socket.create_server((_OUTSIDE, 443)):
        for source, host, port, expected in (
            ("api-1", _PODS["api-2"], 8002, True), ("worker-1", _PODS["api-2"], 8002, False),
            ("worker-1", _PODS["api-2"], 8003, False), ("api-1", _PODS["worker-1"], 8001, False),
            ("database", _PODS["api-1"], 8000, True), ("database", _PODS["api-1"], 8002, False),
            ("worker-1", _OUTSIDE, 443, True), ("api-1", _OUTSIDE, 443, False), ("api-1", "database", 5432, True),
        ):  # fmt: skip
            assert reaches(source, host, port) is expected, (source, host, port)


@contextmanager
def started(folder: Path) -> Iterator[Containers]:
    """The migration, then two pods of each deployment, which must pass their probes before and after."""
    debian.program("nftables", ["nft", "/usr/sbin/nft"])
    prepare_images()
    copy_source(folder)
    run("sh", folder / "deploy/secrets.sh")
    made, secrets = folder / "deploy/secrets", folder / "secrets"
    (secrets / "kibitz-addresses").mkdir(parents=True)
    for name in ("database_url", "session_url"):
        (secrets / "kibitz-addresses" / name).write_text((made / name).read_text())
    for words in ((), ("--sealing",)):
        keys = ("--signing-keys", secrets / "kibitz-keys", "--sealing-keys", secrets / "kibitz-keys")
        run(sys.executable, "-m", "service.cli", "keys", "rotate", *words, *keys)
    with removed(folder):
        podman("network", "create", f"--subnet={_OUTSIDE}/24", f"--gateway={_OUTSIDE}", "pods")
        variables = (
            "POSTGRES_USER=kibitz",
            "POSTGRES_DB=kibitz",
            "POSTGRES_PASSWORD_FILE=/run/secrets/postgres_password",
        )
        podman("run", "--detach", "--name=database", "--network=pods", f"--volume={made}:/run/secrets:ro",
               *(f"--env={one}" for one in variables), "postgres:18")  # fmt: skip
        podman("run", "--detach", "--name=pgbouncer", "--network=pods", f"--volume={made}:/run/secrets:ro",
               "kibitz-pgbouncer")  # fmt: skip
        until(lambda: reaches("pgbouncer", "database", 5432), "the database is up")
        start("migrate", secrets)
        assert podman("wait", "migrate").strip() == "0"
        pods = ["worker-1", "worker-2", "api-1", "api-2"]
        for pod in pods:
            start(pod, secrets)
        for pod in pods:
            probe(pod)
        check_policies()
        restored = (made / "session_url").read_text().replace(":5432/kibitz", ":5432/restored")
        yield (way := Containers(f"http://{_PODS['api-1']}:8000", _OUTSIDE, pods, "--database-url", restored))
        for pod in pods:
            probe(pod)
        podman("exec", "api-1", "sleep", "5")
        way.stop("--time=45")
