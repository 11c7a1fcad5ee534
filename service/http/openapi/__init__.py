"""The API's description, generated from the operations: OpenAPI 3.1, a table of problems, and a page to browse."""

from service.http.openapi.document import document, text
from service.http.openapi.page import page
from service.http.openapi.schemas import problems_page

__all__ = ["document", "page", "problems_page", "text"]
