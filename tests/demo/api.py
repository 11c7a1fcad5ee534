"""A client that knows nothing but the service's OpenAPI document: operations by their ids."""

import json
from collections.abc import Iterator
from typing import Any

import httpx


class Api:
    """One player's way to the service."""

    def __init__(self, address: str, token: str | None = None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(base_url=address, headers=headers, timeout=30)
        self._operations = _operations(self.http.get("/v1/openapi.json").json())

    def call(self, operation: str, body: Any = None, accept: str = "application/json", **values: Any) -> Any:
        """What this operation answers; raises where it answers with a problem."""
        answer = self.http.send(self._request(operation, body, accept, values))
        if answer.is_error:
            raise RuntimeError(f"{operation}: {answer.json()['detail']}")
        return answer.json() if accept == "application/json" else answer.text

    def follow(self, operation: str, **values: Any) -> Iterator[tuple[str, Any]]:
        """The events of a stream: name and data, until it ends."""
        request = self._request(operation, None, "text/event-stream", values)
        with self.http.stream(request.method, request.url, headers=request.headers, timeout=None) as answer:
            name = ""
            for line in answer.iter_lines():
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    yield name, json.loads(value)

    def _request(self, operation: str, body: Any, accept: str, values: dict[str, Any]) -> httpx.Request:
        method, path, parameters = self._operations[operation]
        query = {name: _text(value) for name, value in values.items() if parameters[name] == "query"}
        for name in values:
            path = path.replace(f"{{{name}}}", str(values[name]))
        content = {} if body is None else {"json": body}
        return self.http.build_request(method, path, params=query, headers={"Accept": accept}, **content)


def _operations(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, str]]]:
    return {
        told["operationId"]: (method.upper(), path, {one["name"]: one["in"] for one in told["parameters"]})
        for path, item in document["paths"].items()
        for method, told in item.items()
    }


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)
