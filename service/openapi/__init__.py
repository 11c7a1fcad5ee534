"""The API's description, generated from the operations: OpenAPI 3.1, and a page to browse."""

from service.openapi.document import document
from service.openapi.page import page

__all__ = ["document", "page"]
