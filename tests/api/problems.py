"""What every problem document must be."""

from typing import Any

import httpx

from .serving import Service


def told(answer: httpx.Response, status: int, kind: str, rule: str | None = None) -> dict[str, Any]:
    """The problem document of this answer, which is of this kind and nothing else."""
    assert answer.status_code == status, (answer.status_code, answer.text)
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert set(problem) <= {"type", "title", "status", "detail", "rule", "version", "request_id", "errors"}
    for fault in problem.get("errors", ()):
        assert set(fault) <= {"detail", "pointer", "parameter", "header", "given", "allowed"}
        assert len({"pointer", "parameter", "header"} & set(fault)) == 1, fault
    assert (problem["type"], problem["status"]) == (f"/v1/problems/{kind}", status)
    assert problem["title"]
    assert problem["detail"]
    assert problem.get("rule") == rule
    return problem


def explained(service: Service, kind: str) -> None:
    """The type of the problem leads to a description."""
    answer = service.http.get(f"/v1/problems/{kind}")
    assert answer.status_code == 200
    assert answer.json()["type"] == f"/v1/problems/{kind}"
