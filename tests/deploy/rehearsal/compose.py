"""deploy/compose.yaml by podman-compose: its services in its order, its networks, secrets and limits."""

import json
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import yaml

from tests import debian
from tests.faults.world import until

from .containers import WEBHOOKS, Containers, podman, prepare_images, reaches, removed, succeeds
from .roots import copy_source, run

_PUBLISHED = "127.0.0.1:18907"


@contextmanager
def started(folder: Path) -> Iterator[Containers]:
    """Each service once those that it needs are healthy or done, for which this podman-compose does not wait."""
    program = debian.program("podman-compose", ["podman-compose"])
    prepare_images()
    copy_source(folder)
    run("sh", folder / "deploy/secrets.sh")
    file, more = folder / "deploy/compose.yaml", folder / "outside.yaml"
    environment = {"environment": dict.fromkeys(WEBHOOKS, "true")}
    more.write_text(json.dumps({"services": {"api": environment, "worker": environment}}))
    os.environ["KIBITZ_PUBLISHED"] = _PUBLISHED
    services = yaml.safe_load(file.read_text())["services"]
    with removed(folder):
        for name, service in services.items():
            for other, how in service.get("depends_on", {}).items():
                if how["condition"] == "service_healthy":
                    check = services[other]["healthcheck"]["test"][1:]
                    until(partial(succeeds, "exec", f"kibitz_{other}_1", *check), f"{other} is healthy")
                else:
                    assert podman("wait", f"kibitz_{other}_1").strip() == "0", f"{other} has failed"
            run(program, "-p", "kibitz", "-f", file, "-f", more, "up", "--detach", "--no-deps", "--no-build", name)
        (front,) = json.loads(podman("network", "inspect", "kibitz_front"))
        outside = front["subnets"][0]["gateway"]
        restored = re.sub("kibitz$", "restored", (folder / "deploy/secrets/session_url").read_text())
        names = ["kibitz_api_1", "kibitz_worker_1", "kibitz_worker_2"]
        with socket.create_server((outside, 443)):
            assert reaches(names[1], outside, 443), "the worker has no way out"
            assert not reaches("kibitz_database_1", outside, 443), "the database has a way out"
        yield (way := Containers(f"http://{_PUBLISHED}", outside, names, "--database-url", restored))
        way.stop()
