"""The descriptions that the code gives: half a second's work, done once for all tests of a process."""

from service import api
from service.http import openapi

DOCUMENT, STREAMS = openapi.documents(api.find_handlers())
