"""Rows of Scripts/peers-check: servers of HTTP/2 that break the rules, against our client.

Each answers the first request on every connection with frames of its own. The client must end as from any other failure: no crash, no
hang, no data taken, and bounded memory.
"""

import contextlib
import socket
import ssl
import struct
import subprocess
import threading
import time

from frames import (
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, GOAWAY, HEADERS, PADDED, PING, PRIORITY, PUSH_PROMISE, RST_STREAM, SETTINGS,
    WINDOW_UPDATE, frame, literal, number, settings)
from matrix import ROUTE, Problem, row

BOTH = END_HEADERS | END_STREAM


def head(stream, fields, flags=END_HEADERS):
    return frame(HEADERS, flags, stream, literal(fields))


def status(text, flags=BOTH):
    return lambda stream: head(stream, [(":status", text)], flags)


OK = [(":status", "200"), ("content-type", "application/json")]

# What is sent as the answer to the request on a stream; an iterable is sent until the client closes.
ANSWERS = [
    ("status: empty", status("")),
    ("status: empty, no end", status("", END_HEADERS)),
    ("status: none", lambda s: head(s, [("content-type", "text/plain")], BOTH)),
    ("status: twice", lambda s: head(s, [(":status", "200"), (":status", "404")], BOTH)),
    ("status: letters", status("abc")),
    ("status: negative", status("-1")),
    ("status: huge", status("99999999999999999999")),
    ("status: 9223372036854775807", status("9223372036854775807")),
    ("status: 0", status("0")),
    ("status: 99", status("99")),
    ("status: 1", status("1")),
    ("status: 100 with the end", status("100")),
    ("status: 101", status("101", END_HEADERS)),
    ("status: 103 a hundred times", lambda s: status("103", END_HEADERS)(s) * 100 + head(s, OK, BOTH)),
    ("status: 103 without end", lambda s: (status("103", END_HEADERS)(s) * 50 for _ in range(4000))),
    ("status: 1000", status("1000")),
    ("status: 600", status("600")),
    ("status: spaces", status(" 200 ")),
    ("status: 200 and a zero byte", status("200\0")),
    ("head: twice", lambda s: head(s, OK) + head(s, OK, BOTH)),
    ("head: twice, no end", lambda s: head(s, OK) + head(s, OK)),
    ("head: after trailers", lambda s: head(s, OK) + head(s, [("x", "y")], BOTH) + head(s, [("x", "y")], BOTH)),
    ("head: a pseudo field in trailers", lambda s: head(s, OK) + head(s, [(":status", "200")], BOTH)),
    ("head: names in capitals", lambda s: head(s, OK + [("X-A", "b")], BOTH)),
    ("head: an empty name", lambda s: head(s, OK + [("", "b")], BOTH)),
    ("head: line ends in a value", lambda s: head(s, OK + [("x", "a\r\nSet-Cookie: b")], BOTH)),
    ("head: not UTF-8", lambda s: head(s, OK + [("etag", "\xff\xfe")], BOTH)),
    ("head: two lengths", lambda s: head(s, OK + [("content-length", "1"), ("content-length", "2")]) + frame(DATA, 1, s, b"a")),
    ("head: a negative length", lambda s: head(s, OK + [("content-length", "-1")], BOTH)),
    ("head: a length that overflows", lambda s: head(s, OK + [("content-length", "9" * 30)], BOTH)),
    ("head: a length, and less", lambda s: head(s, OK + [("content-length", "10")]) + frame(DATA, 1, s, b"a")),
    ("head: connection-specific fields", lambda s: head(s, OK + [("connection", "close"), ("transfer-encoding", "chunked")], BOTH)),
    ("head: 1 MB in CONTINUATION", lambda s: frame(HEADERS, 0, s, literal(OK)) + b"".join(
        frame(CONTINUATION, 0, s, literal([("x", "a" * 16000)])) for _ in range(64)) + frame(CONTINUATION, 4, s)),
    ("head: without end", lambda s: (frame(HEADERS if n == 0 else CONTINUATION, 0, s, literal([("x", "a" * 16000)])) for n in range(8000))),
    ("head: a table as a bomb", lambda s: frame(HEADERS, 5, s, literal(OK) + b"\x40\x01x" + number(4000) + b"a" * 4000 + b"\xbe" * 12000)),
    ("head: not HPACK", lambda s: frame(HEADERS, 5, s, b"\xff\xff\xff\xff\xff\xff\xff\xff")),
    ("head: a table of 4 GB", lambda s: frame(HEADERS, 5, s, b"\x3f\xe1\xff\xff\xff\x0f" + literal(OK))),
    ("data: before the head", lambda s: frame(DATA, 1, s, b"a")),
    ("data: after the end", lambda s: head(s, OK, BOTH) + frame(DATA, 1, s, b"a")),
    ("data: on stream 0", lambda s: frame(DATA, 1, 0, b"a")),
    ("data: on another stream", lambda s: head(s, OK) + frame(DATA, 1, s + 20, b"a")),
    ("data: more than the window", lambda s: head(s, OK) + frame(DATA, 0, s, bytes(16384)) * 3000),
    ("data: without bytes, without end", lambda s: (head(s, OK) if n == 0 else frame(DATA, 0, s) * 500 for n in range(400))),
    ("data: padding only", lambda s: head(s, OK) + frame(DATA, PADDED, s, b"\xff" + bytes(255)) * 2 + frame(DATA, PADDED | 1, s, b"\x05a")),
    ("data: the end never comes", lambda s: head(s, OK) + frame(DATA, 0, s, b"{")),
    ("frame: over the maximum", lambda s: head(s, OK) + frame(DATA, 1, s, bytes(1 << 20))),
    ("frame: unknown", lambda s: frame(0x99, 0xFF, s, b"x") + status("404")(s)),
    ("frame: PUSH_PROMISE", lambda s: frame(PUSH_PROMISE, 4, s, struct.pack(">I", 2) + literal([(":method", "GET")]))),
    ("frame: PRIORITY of four bytes", lambda s: frame(PRIORITY, 0, s, bytes(4))),
    ("frame: WINDOW_UPDATE of 0", lambda s: frame(WINDOW_UPDATE, 0, s, bytes(4))),
    ("frame: windows over 2^31", lambda s: frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 0x7FFFFFFF)) * 2),
    ("frame: SETTINGS of five bytes", lambda s: frame(SETTINGS, 0, 0, bytes(5))),
    ("frame: SETTINGS out of range", lambda s: settings((4, 1 << 31), (5, 1), (2, 9))),
    ("frame: no streams allowed", lambda s: settings((3, 0)) + status("503")(s)),
    ("frame: SETTINGS without end", lambda s: (settings((3, 100)) * 200 for _ in range(2000))),
    ("frame: PING without end", lambda s: (frame(PING, 0, 0, bytes(8)) * 200 for _ in range(2000))),
    ("frame: ACK of nothing", lambda s: frame(SETTINGS, ACK, 0) * 3 + status("404")(s)),
    *((f"frame: RST_STREAM {code}", lambda s, code=code: frame(RST_STREAM, 0, s, struct.pack(">I", code))) for code in (0, 1, 7, 8, 13, 99)),
    ("frame: GOAWAY before the stream", lambda s: frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0))),
    ("frame: GOAWAY with an error and a text", lambda s: frame(GOAWAY, 0, 0, struct.pack(">II", s, 11) + b"calm" * 1000)),
    ("frame: GOAWAY twice, and higher", lambda s: frame(GOAWAY, 0, 0, struct.pack(">II", s, 0)) + frame(
        GOAWAY, 0, 0, struct.pack(">II", s + 100, 0)) + status("404")(s)),
    ("bytes: HTTP/1.1", lambda s: b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"),
    ("bytes: nothing that is HTTP", lambda s: bytes(range(256)) * 100),
    ("bytes: half a frame", lambda s: status("200")(s)[:5]),
]


class Hostile:
    """A server that answers the first request on each connection with the frames of a case."""

    def __init__(self, certificate, answer):
        self.answer = answer
        self.requests = 0
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate.chain, certificate.key)
        self.context.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        with contextlib.suppress(OSError, ValueError):
            near.settimeout(10)
            with self.context.wrap_socket(near, server_side=True) as wire:
                wire.sendall(frame(SETTINGS, 0, 0))
                buffer = b""
                while len(buffer) < 24:
                    buffer += wire.recv(65536)
                buffer = buffer[24:]
                while True:
                    while len(buffer) < 9 or len(buffer) < 9 + int.from_bytes(buffer[:3], "big"):
                        if not (block := wire.recv(65536)):
                            return
                        buffer += block
                    length, kind = int.from_bytes(buffer[:3], "big"), buffer[3]
                    stream = int.from_bytes(buffer[5:9], "big")
                    buffer = buffer[9 + length:]
                    if kind == HEADERS:
                        break
                self.requests += 1
                wire.sendall(frame(SETTINGS, ACK, 0))
                answer = self.answer(stream)
                for block in [answer] if isinstance(answer, bytes) else answer:
                    wire.sendall(block)
                # The client has its say; a silent server is given up at the client's time limit.
                wire.settimeout(3)
                with contextlib.suppress(OSError):
                    while wire.recv(65536):
                        pass

    def close(self):
        self.listener.close()


def against(place, name, answer):
    """Flies for a moment against a hostile server; returns what is wrong, or None."""
    server = Hostile(place.certificate, answer)
    path = place.path("".join(letter if letter.isalnum() else "-" for letter in name) + ".jsonl")
    process = subprocess.Popen(
        [place.contrail, "record", "--fly", ROUTE, "--until", "10s", "--out", path, "--force", "--json", "--keep-failed",
         "--server", f"https://127.0.0.1:{server.port}", "--trust", place.certificate.chain],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, start_new_session=True)
    peak = 0
    end = time.monotonic() + 60
    try:
        while process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError, IndexError), open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                peak = max(peak, int(file.read().split("VmHWM:")[1].split()[0]) // 1024)
            time.sleep(0.05)
        if process.poll() is None:
            return "hangs"
        message = process.stderr.read().decode(errors="replace")
        if process.returncode not in (0, 1, 3):
            return f"ended with {process.returncode}: {' '.join(message.split())[:200]}"
        if not server.requests:
            return "no request came"
        if peak > 300:
            return f"{peak} MB of memory"
        checked = subprocess.run([place.replay, "check", path], stdout=subprocess.PIPE, check=False)
        return None if checked.returncode == 0 else "replay check: " + " ".join(checked.stdout.decode().split())[:200]
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stderr.close()
        server.close()


def hostile_rows():
    for part, is_quick in (("status", True), ("head", False), ("data", False), ("frame", False), ("bytes", False)):
        chosen = [(name, answer) for name, answer in ANSWERS if name.startswith(part)]

        def body(place, chosen=chosen):
            wrong = [f"{name}: {problem}" for name, answer in chosen if (problem := against(place, name, answer))]
            if wrong:
                raise Problem(f"{len(wrong)} of {len(chosen)}: " + "; ".join(wrong)[:1500])
            return f"{len(chosen)} answers"

        row("client", f"hostile HTTP/2 server: {part}", quick=is_quick)(body)


hostile_rows()
