"""A receiver of webhooks: `python receiver.py PORT FILE HOST`. It writes what it got into the file, and then answers.
With a fourth word, a file with a certificate and its key, it speaks TLS.

The path says how: `/200` and the like by that status, `/hang` never, `/slow` by 204 after a second, `/flood` without
end, `/away` elsewhere, `/third` by 500 to the first two attempts of each event. What it writes has `at_once`: how many
requests wait for their answers. A challenge is answered before, but never at `/mute`, without it at `/deaf`, by
another at `/wrong`, and at `/503` and `/gone` by such a status.
"""

import json
import ssl
import sys
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

_seen: Counter[str] = Counter()
_waiting = set[BaseHTTPRequestHandler]()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        _waiting.add(self)
        entry = {"path": self.path, "headers": dict(self.headers.items()), "body": body, "at_once": len(_waiting)}
        with Path(sys.argv[2]).open("a") as file:
            file.write(json.dumps(entry) + "\n")
        try:
            wish, event = self.path.strip("/"), json.loads(body)
            if event.get("type") == "webhook.verification" and wish != "deaf":
                return self._answer_challenge(wish, event["challenge"])
            self._answer(wish, self.headers["webhook-id"])
        finally:
            _waiting.discard(self)

    def _answer_challenge(self, wish: str, challenge: str) -> None:
        time.sleep(600 * (wish == "mute"))
        self.send_response({"503": 503, "gone": 410}.get(wish, 200))
        self.end_headers()
        self.wfile.write(json.dumps({"challenge": challenge + "x" * (wish == "wrong")}).encode())

    def do_GET(self) -> None:
        with Path(sys.argv[2]).open("a") as file:
            file.write(json.dumps({"path": "GET " + self.path}) + "\n")
        self.send_response(200)
        self.end_headers()

    def _answer(self, wish: str, event: str) -> None:
        _seen[event] += 1
        if wish == "hang":
            time.sleep(600)
        if wish == "slow":
            time.sleep(1)
            wish = "204"
        if wish in ("deaf", "wrong"):  # what is no challenge
            wish = "200"
        if wish == "third":
            wish = "500" if _seen[event] < 3 else "204"
        self.send_response(302 if wish == "away" else 200 if wish == "flood" else int(wish))
        self.send_header("location", "/elsewhere")
        self.end_headers()
        while wish == "flood":
            self.wfile.write(b"x" * 10_000)
        if wish != "204":
            self.wfile.write(b"told " + wish.encode())

    def log_message(self, *_: Any) -> None:
        """Nothing."""


if __name__ == "__main__":
    server = ThreadingHTTPServer((sys.argv[3], int(sys.argv[1])), _Handler)
    if len(sys.argv) > 4:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(sys.argv[4])
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
