"""The service: HTTP, storage, processes, pictures, command line."""

from importlib.metadata import version

VERSION = version("kibitz")
"""The release, as `pyproject.toml` has it: of the program, of the API's description and of the changelog alike."""
