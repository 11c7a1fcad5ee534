"""One of several API processes: `python -m service.cli.api_process FD`, on a socket that `kibitz serve` listens on."""

import socket
import sys

from service.cli.children import end_with_parent
from service.cli.ending import ONE_LINE_ERRORS, end_by_unwinding, sentence
from service.cli.server import serve_on
from service.settings import from_environment
from service.telemetry import logs

if __name__ == "__main__":
    end_with_parent()
    end_by_unwinding()
    settings = from_environment()
    logs.configure(settings.log_level, settings.log_format, settings.log_gathering)
    listener = socket.socket(fileno=int(sys.argv[1]))
    try:
        serve_on(settings, settings.database_url or "", listener, lambda: print("ready", flush=True), shared=True)
    except ONE_LINE_ERRORS as error:
        sys.exit(f"kibitz: {sentence(error)}")
    except KeyboardInterrupt:
        sys.exit(0)
