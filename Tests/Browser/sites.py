"""Web sites for tests: folders on this machine by HTTP, and the service."""
import functools
import http.server
import os
import pathlib
import signal
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = ROOT / "Sources/Client/ContrailBrowser"
# The modules of the client for browsers, or changed ones.
MODULE = pathlib.Path(os.environ.get("CONTRAIL_MODULE", CLIENT / "Module"))
TYPES = {".js": "text/javascript", ".html": "text/html", ".css": "text/css", ".wasm": "application/wasm"}


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files by their first path that exists, in several folders; some are made. A test may answer some requests itself."""

    def do_GET(self):
        if self.server.answer and self.server.answer(self):
            return
        path = self.path.split("?")[0]
        made = self.server.made.get(path)
        if made is None:
            for folder in self.server.folders:
                file = folder / path.lstrip("/")
                if file.is_file():
                    made = file.read_bytes()
                    break
        if made is None:
            return self.send_error(404)
        body = made() if callable(made) else made
        self.send_response(200)
        self.send_header("Content-Type", TYPES.get(pathlib.Path(path).suffix, "text/html" if path.endswith("/") else "application/octet-stream"))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def reply(self, status=200, body=b"", **fields):
        """Sends an answer. Fields are named with underscores."""
        self.send_response(status)
        for name, value in {"Content_Length": len(body), **fields}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)
        return True

    def log_message(self, *_):
        pass


class Site:
    """A site of folders, and of files that are made, by their paths. `answer` takes a request, and returns whether it answered."""

    def __init__(self, *folders, made=None, answer=None):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.folders = folders
        self.server.made = made or {}
        self.server.answer = answer
        # Browsers keep data only for secure origins, and count localhost as one.
        self.url = f"http://localhost:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Service:
    """`contrail serve` on this machine. It can be stopped, and started again with the same port."""

    def __init__(self, program, *arguments, port=0, keys=()):
        self.program, self.arguments, self.port, self.keys = program, arguments, port, keys
        self.process = None
        self.start()

    def start(self):
        environment = {**os.environ, **({"CONTRAIL_KEYS": ",".join(self.keys)} if self.keys else {})}
        self.process = subprocess.Popen(
            [self.program, "serve", "--port", str(self.port), *self.arguments], stdout=subprocess.PIPE, text=True, env=environment)
        line = self.process.stdout.readline()
        assert line.startswith("Listening on "), f"the service didn't start: {line}"
        self.port = int(line.split()[2].rsplit(":", 1)[1])
        self.url = f"http://localhost:{self.port}/"

    def stop(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process.stdout.close()
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
