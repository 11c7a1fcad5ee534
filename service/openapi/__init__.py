"""The API's description, generated from the operations: OpenAPI 3.1, a table of problems, and a page to browse."""

from service.openapi.document import document, text
from service.openapi.page import page
from service.openapi.problems import problems_page

__all__ = ["document", "page", "problems_page", "text"]
