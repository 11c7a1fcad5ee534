"""`make demo`: a served process, and a client in another that knows only the OpenAPI document."""

import os
import socket
import subprocess
import sys
import tempfile
import time

import httpx


def main() -> int:
    """Serve in an empty data folder, let the client play, and stop."""
    with tempfile.TemporaryDirectory(prefix="kibitz-demo-") as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        serve = [sys.executable, "-m", "service.cli", "serve", "--port", str(port), "--data-folder", folder]
        quiet = {**os.environ, "KIBITZ_SAME_DEAL_DAYS": "false", "KIBITZ_LOG_LEVEL": "warning"}
        with subprocess.Popen(serve, stdout=subprocess.DEVNULL, env=quiet) as served:
            try:
                _wait(f"http://127.0.0.1:{port}", served)
                client = [sys.executable, "-m", "tests.demo.client", f"http://127.0.0.1:{port}"]
                done = subprocess.run(client, check=False).returncode
            finally:
                served.terminate()
    print("The demonstration ended well." if done == 0 else "The demonstration FAILED.")
    return done


def _wait(address: str, served: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if served.poll() is not None:
            raise SystemExit("the service did not start")
        try:
            if httpx.get(f"{address}/readyz").is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the service did not become ready")


if __name__ == "__main__":
    sys.exit(main())
