"""The manifests as containers: each pod with its security context, settings, mounts, limits, probes and policies.

What a cluster would do is done by hand: two pods of each deployment at addresses known before, the probes as a kubelet
asks them, and the policies as rules in each pod's network. The database stands outside of them.
"""

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests import debian
from tests.deploy.test_kubernetes import WORKLOADS, container, of_kind
from tests.deploy.test_kubernetes import pod as template
from tests.faults.world import until

from .containers import WEBHOOKS, Containers, podman, prepare_images, reaches, removed, succeeds
from .roots import copy_source, run

_NETWORK = f"pods-{os.getpid()}"
"""Another one in each run: addresses that were given stay with the name if a run is killed."""
_OUTSIDE = "10.89.3.1"
_PODS = {name: f"10.89.3.{n}" for n, name in enumerate(("migrate", "api-1", "api-2", "worker-1", "worker-2"), 10)}
_HTTP = "import sys, urllib.request as r; r.urlopen(sys.argv[1], timeout=3)"


def workload(pod: str) -> dict[str, Any]:
    return next(one for one in WORKLOADS if labels(one)["app.kubernetes.io/component"] == pod.partition("-")[0])


def labels(workload: dict[str, Any]) -> dict[str, str]:
    return dict(template(workload)["metadata"]["labels"])


def flags(pod: str, secrets: Path) -> list[str]:
    """What its manifest says of it."""
    spec, one = template(workload(pod))["spec"], container(workload(pod))
    user, own = spec["securityContext"], one["securityContext"]
    assert (own["readOnlyRootFilesystem"], own["allowPrivilegeEscalation"], user["runAsNonRoot"]) == (True, False, True)
    words = ["--read-only", "--read-only-tmpfs=false", "--security-opt=no-new-privileges", f"--name={pod}",
             f"--user={user['runAsUser']}:{user['runAsGroup']}", f"--network={_NETWORK}", f"--ip={_PODS[pod]}",
             f"--memory={one['resources']['limits']['memory'].removesuffix('i')}",
             *(f"--cap-drop={name}" for name in own["capabilities"]["drop"])]  # fmt: skip
    given = {other["name"]: other["value"] for other in one.get("env", []) if "value" in other}
    for name, value in {**of_kind("ConfigMap")[0]["data"], **given, **dict.fromkeys(WEBHOOKS, "true")}.items():
        words.append(f"--env={name}={value.replace('$(POD_IP)', _PODS[pod])}")
    volumes = {volume["name"]: volume for volume in spec["volumes"]}
    for mount in one["volumeMounts"]:
        match volumes[mount["name"]]:
            case {"secret": {"secretName": name, "defaultMode": mode}}:
                (secrets / name).chmod(0o755)
                for path in (secrets / name).iterdir():
                    path.chmod(mode)
                    os.chown(path, 0, user["fsGroup"])
                words.append(f"--volume={secrets / name}:{mount['mountPath']}:ro")
            case {"emptyDir": {"medium": "Memory", "sizeLimit": size}}:
                words.append(f"--tmpfs={mount['mountPath']}:mode=1777,size={size.removesuffix('i')}")
    return [*words, "kibitz", *one["args"]]


def policies(pod: str) -> str:
    """The rules of the policies that select this pod; in other namespaces there are no pods."""
    selects = lambda selector, pod: selector["matchLabels"].items() <= labels(workload(pod)).items()  # noqa: E731
    chains: dict[str, str] = {}
    for policy in (one["spec"] for one in of_kind("NetworkPolicy")):
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
    return "table inet rules {" + "".join(f"chain {kind} {{ {rules} }}\n" for kind, rules in chains.items()) + "}"


def start(pod: str, secrets: Path) -> None:
    podman("run", "--detach", *flags(pod, secrets))
    leader = podman("inspect", "--format={{.State.Pid}}", pod).strip()
    run("nsenter", f"--target={leader}", "--net", "nft", "-f", "-", said=policies(pod))


def probe(pod: str) -> None:
    """Started, alive and ready in time, as the kubelet of its own machine asks, which policies do not shut out."""
    one = container(workload(pod))
    ports = {port["name"]: port["containerPort"] for port in one["ports"]}
    for asked in (one[name] for name in ("startupProbe", "livenessProbe", "readinessProbe") if name in one):
        how = asked.get("httpGet") or asked["tcpSocket"]
        url = f"http://{_PODS[pod]}:{ports[how['port']]}{how.get('path')}"
        end = time.monotonic() + asked["periodSeconds"] * asked["failureThreshold"]
        while not (succeeds("exec", pod, "python", "-c", _HTTP, url) if "path" in how
                   else reaches(pod, _PODS[pod], ports[how["port"]])):  # fmt: skip
            assert time.monotonic() < end, (pod, asked)


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
        podman("network", "create", f"--subnet={_OUTSIDE}/24", f"--gateway={_OUTSIDE}", _NETWORK)
        variables = ("USER=kibitz", "DB=kibitz", "PASSWORD_FILE=/run/secrets/postgres_password")
        mounted = (
            f"--volume={made}/{name}:/run/secrets/{name}:ro" for name in ("postgres_password", "pgbouncer_users")
        )
        beside = ("--detach", f"--network={_NETWORK}", *mounted)
        podman("run", *beside, "--name=database", *(f"--env=POSTGRES_{one}" for one in variables), "postgres:18")
        podman("run", *beside, "--name=pgbouncer", "kibitz-pgbouncer")
        until(lambda: reaches("pgbouncer", "database", 5432), "the database is up")
        start("migrate", secrets)
        assert podman("wait", "migrate").strip() == "0"
        pods = ["worker-1", "worker-2", "api-1", "api-2"]
        for pod in pods:
            start(pod, secrets)
        for pod in pods:
            probe(pod)
        with socket.create_server((_OUTSIDE, 443)):
            for source, host, port, expected in (
                ("api-1", _PODS["api-2"], 8002, True), ("worker-1", _PODS["api-2"], 8002, False),
                ("api-2", _PODS["api-2"], 8003, True), ("worker-1", _PODS["api-2"], 8003, False),
                ("database", _PODS["api-1"], 8000, True), ("database", _PODS["api-1"], 8002, False),
                ("worker-1", _OUTSIDE, 443, True), ("api-1", _OUTSIDE, 443, False),
                ("api-1", "database", 5432, True), ("api-1", _PODS["worker-1"], 8001, False),
            ):  # fmt: skip
                assert reaches(source, host, port) is expected, (source, host, port)
        restored = (made / "session_url").read_text().replace(":5432/kibitz", ":5432/restored")
        yield (way := Containers(f"http://{_PODS['api-1']}:8000", _OUTSIDE, pods, "--database-url", restored))
        for pod in pods:
            probe(pod)
        podman("exec", "api-1", *container(workload("api-1"))["lifecycle"]["preStop"]["exec"]["command"])
        way.stop(f"--time={template(workload('api-1'))['spec']['terminationGracePeriodSeconds']}")
