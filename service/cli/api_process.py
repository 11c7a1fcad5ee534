"""One of several API processes: `python -m service.cli.api_process FD`, on a socket that `kibitz serve` listens on."""

import socket
import sys

from service.cli.children import end_with_parent
from service.cli.ending import SAID_IN_ONE_SENTENCE, end_by_unwinding, sentence
from service.cli.server import serve_on
from service.settings import from_environment
from service.telemetry import logs


def main(descriptor: str) -> int:
    """Serve until a signal comes, or the parent dies: 0; 1 with one sentence on stderr for a permanent error."""
    end_with_parent()
    end_by_unwinding()
    settings = from_environment()
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    listener = socket.socket(fileno=int(descriptor))
    try:
        serve_on(settings, settings.database_url or "", listener, lambda: print("ready", flush=True), shared=True)
    except SAID_IN_ONE_SENTENCE as error:
        print(f"kibitz: {sentence(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
