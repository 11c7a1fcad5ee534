"""The client for TypeScript has the version of the description, and sends keys where they are read."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "openapi" / "clients" / "typescript"


def test_the_version_is_the_descriptions() -> None:
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text())
    assert json.loads((CLIENT / "package.json").read_text())["version"] == document["info"]["version"]


def test_writes_without_a_key_are_those_that_pass_over_one() -> None:
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text())
    text = (CLIENT / "src" / "transport.ts").read_text()
    keyless = re.findall(r'"([A-Z]+ /[^"]*)"', text)
    for path, item in document["paths"].items():
        for method, described in item.items():
            keys = [one for one in described["parameters"] if one["name"] == "Idempotency-Key"]
            refused = bool(keys) and keys[0]["description"].startswith("Passed over")
            write = f"{method.upper()} {path}"
            mine = any(write.startswith(one) if one.endswith("/") else write == one for one in keyless)
            assert mine == refused, write
