#!/usr/bin/env python3
"""A server with scripted answers, for testing and viewing the web page.

    Tests/Browser/mock_server.py [--port 8090]

It serves the page's files as `leap serve` does, with the same security headers, and as much of the API as the page
uses. The beginning of a question selects the answer: see `SCRIPTS`. Everything else is echoed.
"""

import argparse
import contextlib
import json
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import answers

PAGE = Path(__file__).resolve().parents[2] / "Sources/LeapServer/Page"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# What `leap serve` sends, and on top of it trusted types: a page that assigns markup anywhere fails under them.
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
)
KEY = "sesame"


class Behaviour:
    """Settings that tests change while a server runs."""

    def __init__(self):
        self.vision = True
        self.props_take = 0
        self.needs_key = False
        self.loading = False
        self.pause = 0.01
        self.requests = []
        self.aborted = threading.Event()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def setup(self):
        super().setup()
        self.server.connections.append(self.connection)

    def do_GET(self):
        path = self.path.split("?")[0].removeprefix(self.server.prefix)
        if path == "/v1/models":
            self.api(self.models)
        elif path == "/props":
            self.api(self.props)
        else:
            self.file(path)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.behaviour.requests.append(body)
        self.api(lambda: self.chat(body))

    @property
    def behaviour(self):
        return self.server.behaviour

    def file(self, path):
        file = PAGE / (path.strip("/") or "index.html")
        if file.parent != PAGE or not file.is_file():
            return self.error(404, "There is no such page.", "not_found_error")
        headers = {"Content-Security-Policy": POLICY, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
        self.reply(200, file.read_bytes(), TYPES[file.suffix] + "; charset=utf-8", headers)

    def api(self, action):
        if self.behaviour.needs_key and self.headers["Authorization"] != f"Bearer {KEY}":
            return self.error(401, "The key is missing or wrong.", "authentication_error", {"WWW-Authenticate": "Bearer"})
        if self.behaviour.loading:
            return self.error(503, "The model is loading.", "server_error", {"Retry-After": "1"})
        return action()

    def models(self):
        self.json({"object": "list", "data": [
            {"id": "leap-tiny", "object": "model", "created": 1, "owned_by": "leap", "context_length": 4096},
            {"id": "lfm2-1.2b-instruct-q4_k_m", "object": "model", "created": 1, "owned_by": "leap",
             "status": {"value": "unloaded"}},
        ]})

    def props(self):
        time.sleep(self.behaviour.props_take)
        self.json({
            "default_generation_settings": {"n_ctx": 4096, "params": {"temperature": 0.800000011, "top_p": 0.95}},
            "modalities": {"vision": self.behaviour.vision, "audio": False},
            "build_info": "mock",
        })

    def chat(self, body):
        question = answers.last_words(body["messages"])
        script = answers.script_for(question)
        if script.status != 200:
            return self.error(script.status, script.message, "server_error", {"Retry-After": "2"})
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            self.stream(script, body)
        except OSError:
            self.behaviour.aborted.set()
            self.close_connection = True

    def stream(self, script, body):
        self.chunk(b": ping\n\n")
        self.delta({"role": "assistant", "content": ""})
        total = 0
        for delta in script.deltas(body):
            total += 1
            if delta is answers.DIES:
                self.connection.shutdown(socket.SHUT_RDWR)
                raise OSError
            if "error" in delta or "prompt_progress" in delta:
                self.event({"choices": [], **delta})
            else:
                self.delta(delta)
            if script.batch == 1 or total % script.batch == 0:
                time.sleep(script.pause if script.pause is not None else self.behaviour.pause)
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": script.finish}], "usage": None})
        self.event({
            "choices": [],
            "usage": {"prompt_tokens": 523, "completion_tokens": total, "prompt_tokens_details": {"cached_tokens": 412}},
            "timings": {"prompt_per_second": 891.2, "predicted_per_second": 41.3},
        })
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")

    def delta(self, delta):
        self.event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None})

    def event(self, value):
        common = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "leap-tiny"}
        self.chunk(f"data: {json.dumps({**common, **value})}\n\n".encode())

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def json(self, value, status=200, headers={}):
        self.reply(status, json.dumps(value).encode(), "application/json", headers)

    def error(self, status, message, kind, headers={}):
        self.json({"error": {"message": message, "type": kind, "code": None}}, status, headers)

    def reply(self, status, body, kind, headers):
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class MockServer(ThreadingHTTPServer):
    """Serves in its own thread until it is stopped. `prefix` is a path that a proxy would strip."""

    daemon_threads = True

    def __init__(self, port=0, prefix=""):
        super().__init__(("127.0.0.1", port), Handler)
        self.behaviour = Behaviour()
        self.prefix = prefix
        self.connections = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}{self.prefix}/"

    def stop(self):
        self.shutdown()
        self.server_close()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8090)
    server = MockServer(parser.parse_args().port)
    print(server.url, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
