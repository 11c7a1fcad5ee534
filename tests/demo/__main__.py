"""`make demo`: a served process, and the Python client in another."""

import os
import socket
import subprocess
import sys
import tempfile

from kibitz_client import Retries
from kibitz_client.sync import Kibitz


def main() -> int:
    """Serve in an empty data folder, let the client play, and stop."""
    with tempfile.TemporaryDirectory(prefix="kibitz-demo-") as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        serve = [sys.executable, "-m", "service.cli", "serve", "--port", str(port), "--data-folder", folder]
        quiet = {**os.environ, "KIBITZ_SAME_DEAL_DAYS": "false", "KIBITZ_LOG_LEVEL": "warning"}
        with subprocess.Popen(serve, stdout=subprocess.DEVNULL, env=quiet) as served:
            try:
                Kibitz(f"http://127.0.0.1:{port}", retries=Retries(patience=60)).request("get_readiness")
                client = [sys.executable, "-m", "tests.demo.client", f"http://127.0.0.1:{port}"]
                done = subprocess.run(client, check=False).returncode
            finally:
                served.terminate()
    print("The demonstration ended well." if done == 0 else "The demonstration FAILED.")
    return done


if __name__ == "__main__":
    sys.exit(main())
