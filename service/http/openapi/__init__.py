"""The API's descriptions, generated from the operations: OpenAPI 3.1, AsyncAPI 3, and the schema of a record."""

import json
from collections.abc import Iterable
from typing import Any

from litestar.handlers import HTTPRouteHandler

from service.http.openapi import asyncapi
from service.http.openapi import document as openapi
from service.http.openapi.document import text
from service.http.openapi.schemas import record_schema

__all__ = ["documents", "record_schema", "text"]


def documents(handlers: Iterable[HTTPRouteHandler]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The OpenAPI document of these handlers, and the AsyncAPI document."""
    operations, schemas = openapi.describe_operations(handlers)
    requests = openapi.document(operations, schemas, asyncapi.webhooks(schemas))
    streams = asyncapi.document(operations, schemas, openapi.INFO)
    return json.loads(json.dumps(requests)), json.loads(json.dumps(streams))
