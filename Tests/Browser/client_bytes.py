#!/usr/bin/env python3
"""Compares the bytes at the socket of one simulated hour: the client in Chromium, and the Swift client that `contrail record` flies.

Usage: client_bytes.py --contrail PATH --chromium PATH [--minutes N]

Both keep a corridor from London to New York up to date with the same service, over HTTP/1.1 on this machine. Bytes are counted between client
and service. The browser adds fields of its own to each request: they are counted apart. The exit status is 1 if the rest differs by more than a
tenth.

Scripts/browser-test --bytes calls this.
"""
import argparse
import datetime
import pathlib
import socket
import subprocess
import tempfile
import threading

from playwright.sync_api import sync_playwright

from live import FAST_CLOCK, FAST_WORKER, PAGE, ROUTE
from page import ARGUMENTS
from sites import MODULE, TYPES, Service

DEPARTURE = datetime.datetime(2026, 1, 15, 10, tzinfo=datetime.timezone.utc)
RATE = 60
# The fields that a browser adds to each request, and that a page can't leave out. The cache is turned off, because an answer of the cache
# would look like a confirmation; the browser tells that to the service.
OWN = {
    "accept: */*", "accept-encoding", "accept-language", "cache-control", "connection", "origin", "pragma", "referer", "sec-fetch-dest",
    "sec-fetch-mode", "sec-fetch-site", "sec-fetch-storage-access", "sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform", "user-agent"}
DATA = ["turbulence", "pireps", "traffic"]


class Counter:
    """A proxy in front of a service, which counts the parts of its exchanges."""

    def __init__(self, port):
        self.target = port
        self.lock = threading.Lock()
        # The requests and the answers of each connection: the lines of the head, and the length of the body.
        self.connections = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            service = socket.create_connection(("127.0.0.1", self.target))
            requests, answers = [], []
            self.connections.append((requests, answers))
            for source, sink, counted in ((client, service, requests), (service, client, answers)):
                threading.Thread(target=self.carry, args=(source, sink, counted), daemon=True).start()

    def carry(self, source, sink, counted):
        """Passes on all bytes of one direction of a connection, message by message."""
        waiting = b""
        try:
            while chunk := source.recv(65536):
                sink.sendall(chunk)
                waiting += chunk
                while (end := waiting.find(b"\r\n\r\n")) >= 0:
                    lines = waiting[:end].split(b"\r\n")
                    length = next((int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length:")), 0)
                    if any(line.lower().startswith(b"transfer-encoding:") for line in lines):
                        raise AssertionError("an answer in chunks can't be counted")
                    if len(waiting) < end + 4 + length:
                        break
                    with self.lock:
                        counted.append((lines, length))
                    waiting = waiting[end + 4 + length:]
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def summary(self):
        """Sums, and the bytes of each field of the requests. The area is asked for in full once: `contrail record` does it again at the end, to
        check what it holds, and that isn't counted."""
        with self.lock:
            exchanges = [exchange for requests, answers in self.connections for exchange in zip(requests, answers)]
        questions = [exchange for exchange in exchanges if exchange[0][0][0].startswith(b"POST ")]
        for exchange in questions[1:]:
            exchanges.remove(exchange)
        requests, answers = [exchange[0] for exchange in exchanges], [exchange[1] for exchange in exchanges]
        fields = {}
        for lines, _ in requests:
            for line in lines[1:]:
                name = "accept: */*" if line.lower() == b"accept: */*" else line.split(b":")[0].decode().lower()
                fields[name] = fields.get(name, 0) + len(line) + 2
        return {
            "requests": len(requests), "lines": sum(len(lines[0]) + 4 for lines, _ in requests),
            "up": sum(length for _, length in requests), "fields": fields,
            "heads": sum(len(b"\r\n".join(lines)) + 4 for lines, _ in answers), "down": sum(length for _, length in answers)}


def flown_by_browser(options):
    with Service(options.contrail, "--simulated-time") as service, sync_playwright() as playwright:
        counter = Counter(service.port)
        origin = f"http://localhost:{counter.port}/"
        browser = playwright.chromium.launch(executable_path=options.chromium, args=ARGUMENTS)
        context = browser.new_context()
        made = {"flight": PAGE, "fast-clock.js": FAST_CLOCK, "fast-worker.js": FAST_WORKER}

        def answer(route):
            """Page and module come from here, so that only requests for data reach the service."""
            name = route.request.url.removeprefix(origin).split("?")[0]
            body = made.get(name) or (MODULE / name).read_bytes() if name in made or (MODULE / name).is_file() else None
            if name == "contrail.wasm":
                body = (MODULE / "contrail.wasm.gz").read_bytes()
            if body is None:
                return route.continue_()
            route.fulfill(body=body, content_type=TYPES.get(pathlib.Path(name).suffix, "text/html"))

        context.route("**/*", answer)
        page = context.new_page()
        page.goto(origin + "flight")
        page.wait_for_function("window.isReady")
        start = int(DEPARTURE.timestamp() * 1000)
        page.evaluate(
            "([configuration, query]) => begin(configuration, (client) => client.dataQuery.set(query))",
            [{"server": origin, "worker": f"/fast-worker.js?rate={RATE}&start={start}", "storage": "memory"},
             {"types": DATA, "route": ROUTE, "routeWidth": 100}])
        page.wait_for_timeout(options.minutes * 60_000 / RATE)
        found = counter.summary()
        browser.close()
        return found


def flown_by_swift(options):
    with Service(options.contrail, "--simulated-time") as service, tempfile.TemporaryDirectory() as folder:
        counter = Counter(service.port)
        points = " ".join(f"{latitude},{longitude}" for longitude, latitude in ROUTE)
        path = pathlib.Path(folder) / "flight.jsonl"
        # The route is given, as in the browser: the recorder would make one of the track.
        subprocess.run(
            [options.contrail, "record", "--fly", points, "--departure", DEPARTURE.strftime("%Y-%m-%dT%H:%M:%SZ"), "--until",
             f"{options.minutes}m", "--types", ",".join(DATA), "--server", f"http://127.0.0.1:{counter.port}", "--out", str(path)],
            check=True, stdout=subprocess.DEVNULL)
        return counter.summary()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contrail", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--minutes", type=int, default=60, help="the length of the simulated flight (default: 60)")
    parser.add_argument("--fields", action="store_true", help="also print the bytes of each field")
    options = parser.parse_args()
    browser, swift = flown_by_browser(options), flown_by_swift(options)
    own = {name: size for name, size in browser["fields"].items() if name in OWN}
    print(f"{'':34}{'CHROMIUM':>12}{'SWIFT':>12}")

    def row(title, one, other):
        print(f"{title:34}{one:>12,}{other:>12,}")

    def shared(found):
        return sum(size for name, size in found["fields"].items() if name not in own)

    row("requests", browser["requests"], swift["requests"])
    row("request lines", browser["lines"], swift["lines"])
    row("fields of the client", shared(browser), shared(swift))
    row("fields that the browser adds", sum(own.values()), 0)
    row("bodies of requests", browser["up"], swift["up"])
    row("heads of answers", browser["heads"], swift["heads"])
    row("bodies of answers", browser["down"], swift["down"])
    one, other = (found["lines"] + shared(found) + found["up"] + found["heads"] + found["down"] for found in (browser, swift))
    row("all but what the browser adds", one, other)
    if options.fields:
        for name in sorted({**browser["fields"], **swift["fields"]}):
            row(f"  {name}", browser["fields"].get(name, 0), swift["fields"].get(name, 0))
    print(f"added: {', '.join(sorted(own))}; {sum(own.values()) / browser['requests']:.0f} bytes a request")
    ratio = one / other
    print(f"ratio: {ratio:.3f}")
    raise SystemExit(0 if 0.9 <= ratio <= 1.1 else 1)


main()
