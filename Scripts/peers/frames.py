"""Frames of HTTP/2 that no client should send, for Scripts/peers-check: single ones that break a rule, and floods.

The frames are written byte by byte, since a library would refuse them; header blocks are those of PyPI's hpack.
"""

import socket
import ssl
import struct
import time

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, END_HEADERS, PADDED, WITH_PRIORITY, ACK = 1, 4, 8, 32, 1
NAMES = [
    "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
    "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"]
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
GET = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/health")]
POST = [(":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", "/observations/v5/corridor"),
        ("content-type", "application/json")]


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(fields):
    """A header block without compression and without the table."""
    block = b""
    for name, value in fields:
        name, value = name.encode("latin-1"), value.encode("latin-1")
        block += b"\0" + number(len(name)) + name + number(len(value)) + value
    return block


def number(value):
    """A length in HPACK with a prefix of seven bits."""
    if value < 127:
        return bytes([value])
    result, value = [127], value - 127
    while value >= 128:
        result.append(value % 128 + 128)
        value //= 128
    return bytes([*result, value])


class Wire:
    """A connection of HTTP/2 over TLS."""

    def __init__(self, server, preface=PREFACE + frame(SETTINGS, 0, 0), greet=True):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), 20))
        self.buffer = b""
        self.frames = []
        self.is_closed = False
        if greet:
            self.send(preface)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def headers(self, stream, fields=None, flags=END_HEADERS | END_STREAM):
        self.send(frame(HEADERS, flags, stream, literal(GET if fields is None else fields)))

    def read(self, seconds):
        """Reads one frame; None if the time is up or the connection is closed."""
        end = time.monotonic() + seconds
        while True:
            if len(self.buffer) >= 9:
                length = int.from_bytes(self.buffer[:3], "big")
                if len(self.buffer) >= 9 + length:
                    got = (self.buffer[3], self.buffer[4], int.from_bytes(self.buffer[5:9], "big") & 0x7FFFFFFF,
                           self.buffer[9:9 + length])
                    self.buffer = self.buffer[9 + length:]
                    self.frames.append(got)
                    return got
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                block = self.socket.recv(65536)
            except (TimeoutError, ssl.SSLWantReadError):
                return None
            except OSError:
                block = b""
            if not block:
                self.is_closed = True
                return None
            self.buffer += block

    def outcome(self, seconds=8):
        """The first thing that says what the server thinks: an error, an answer, the answer to a PING after it, or the end."""
        try:
            self.send(frame(PING, 0, 0, b"the-last"))
        except OSError:
            pass
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.is_closed:
            got = self.read(end - time.monotonic())
            if got is None:
                break
            if verdict := verdict_of(got):
                return verdict
            kind, flags, _, payload = got
            if kind == PING and flags & ACK and payload == b"the-last":
                # An answer or an error may follow it.
                later = self.peek(0.7)
                return later or "ignored"
        return "closed" if self.is_closed else "silence"

    def peek(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.is_closed:
            got = self.read(max(end - time.monotonic(), 0.01))
            if got is None:
                break
            if verdict := verdict_of(got):
                return verdict
        return "closed" if self.is_closed else None


def verdict_of(got):
    """What a frame says of a request: an error, or the status of an answer; None for other frames."""
    kind, _, _, payload = got
    if kind == GOAWAY:
        return "GOAWAY " + NAMES[int.from_bytes(payload[4:8], "big") % len(NAMES)]
    if kind == RST_STREAM:
        return "RST " + NAMES[int.from_bytes(payload[:4], "big") % len(NAMES)]
    if kind == HEADERS:
        status = status_of(payload)
        return "answered" if status == 200 else f"{status}"
    return None


def status_of(block):
    """The status in a header block; the server writes it first."""
    first = block[0]
    if first & 0x80:
        return {8: 200, 9: 204, 10: 206, 11: 304, 12: 400, 13: 404, 14: 500}.get(first & 0x7F, 0)
    found = [part for part in (block[2:5], block[3:6], block[1:4]) if part.isdigit()]
    return int(found[0]) if found else 0


def settings(*pairs):
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", key, value) for key, value in pairs))


def sends(*frames):
    return lambda wire: wire.send(b"".join(frames))


def get(stream=1, fields=None, flags=END_HEADERS | END_STREAM, extra=()):
    return frame(HEADERS, flags, stream, literal((GET if fields is None else fields) + list(extra)))


def without(name):
    return [field for field in GET if field[0] != name]


ERROR = "closed|GOAWAY PROTOCOL_ERROR"
STREAM = ERROR + "|RST PROTOCOL_ERROR|400"
CLOSED = "closed|GOAWAY STREAM_CLOSED|GOAWAY PROTOCOL_ERROR|RST STREAM_CLOSED|RST PROTOCOL_ERROR"
SIZE = "closed|GOAWAY FRAME_SIZE_ERROR|GOAWAY PROTOCOL_ERROR"


def bad_preface(wire):
    wire.send(b"")


def half_closed(then):
    """A request that is complete, and a frame on its stream."""
    return sends(frame(HEADERS, END_HEADERS | END_STREAM, 1, literal(POST)), then)


# The sections of RFC 9113, what may follow, and what is sent.
CASES = [
    ("3.4 a GET", "answered", sends(get())),
    ("4.1 an unknown kind of frame", "answered", sends(frame(0x16, 0, 0, b"anything"), get())),
    ("4.1 undefined flags", "answered", sends(frame(PING, 0x16, 0, b"12345678"), get())),
    ("4.1 the reserved bit", "answered", sends(frame(PING, 0, 0x80000000, b"12345678"), get())),
    ("4.2 DATA over the maximum", SIZE + "|RST FRAME_SIZE_ERROR",
     sends(get(fields=POST, flags=END_HEADERS), frame(DATA, 0, 1, bytes(16385)))),
    ("4.2 HEADERS over the maximum", SIZE, sends(frame(HEADERS, 5, 1, literal(GET) + bytes(16400)))),
    ("4.3 a header block that isn't HPACK", "closed|GOAWAY COMPRESSION_ERROR", sends(frame(HEADERS, 5, 1, b"\xff\xff\xff\xff\xff\xff"))),
    ("4.3 an index beyond the table", "closed|GOAWAY COMPRESSION_ERROR", sends(frame(HEADERS, 5, 1, b"\xfe"))),
    ("4.3 a table larger than allowed", "closed|GOAWAY COMPRESSION_ERROR", sends(frame(HEADERS, 5, 1, b"\x3f\xe1\xff\x03" + literal(GET)))),
    ("4.3 PRIORITY within a header block", ERROR, sends(get(flags=END_STREAM), frame(PRIORITY, 0, 1, bytes(5)))),
    ("4.3 another stream within a header block", ERROR, sends(get(flags=END_STREAM), get(3))),
    ("5.1 DATA on an idle stream", ERROR + "|GOAWAY STREAM_CLOSED", sends(frame(DATA, 1, 1, b"a"))),
    ("5.1 RST_STREAM on an idle stream", ERROR, sends(frame(RST_STREAM, 0, 1, struct.pack(">I", 8)))),
    ("5.1 WINDOW_UPDATE on an idle stream", ERROR, sends(frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 8)))),
    ("5.1 CONTINUATION on an idle stream", ERROR, sends(frame(CONTINUATION, 4, 1, literal(GET)))),
    ("5.1 DATA on a half-closed stream", CLOSED + "|answered|400", half_closed(frame(DATA, 1, 1, b"a"))),
    ("5.1 HEADERS on a half-closed stream", CLOSED + "|answered|400", half_closed(get())),
    ("5.1 DATA on a reset stream", CLOSED + "|ignored",
     sends(get(fields=POST, flags=END_HEADERS), frame(RST_STREAM, 0, 1, struct.pack(">I", 8)), frame(DATA, 1, 1, b"a"))),
    ("5.1 HEADERS on a reset stream", CLOSED + "|ignored",
     sends(get(fields=POST, flags=END_HEADERS), frame(RST_STREAM, 0, 1, struct.pack(">I", 8)), get())),
    ("5.1.1 an even stream", ERROR, sends(get(2))),
    ("5.1.1 a lower stream", ERROR + "|GOAWAY STREAM_CLOSED", lambda wire: (wire.send(get(5)), wait_for_end(wire, 5), wire.send(get(3)))),
    ("5.1.2 too many streams", STREAM + "|RST REFUSED_STREAM|GOAWAY ENHANCE_YOUR_CALM",
     lambda wire: wire.send(b"".join(get(1 + 2 * n, POST, END_HEADERS) for n in range(400)))),
    ("5.5 an unknown frame within a header block", ERROR, sends(get(flags=END_STREAM), frame(0x16, 0, 0))),
    ("6.1 DATA on stream 0", ERROR, sends(frame(DATA, 0, 0, b"a"))),
    ("6.1 DATA with more padding than bytes", STREAM, sends(get(fields=POST, flags=END_HEADERS), frame(DATA, PADDED, 1, b"\x06a"))),
    ("6.2 HEADERS on stream 0", ERROR, sends(get(0))),
    ("6.2 HEADERS with more padding than bytes", STREAM, sends(frame(HEADERS, PADDED | 5, 1, b"\xff" + literal(GET)))),
    ("6.3 PRIORITY on stream 0", ERROR, sends(frame(PRIORITY, 0, 0, bytes(5)))),
    ("6.3 PRIORITY of four bytes", SIZE + "|RST FRAME_SIZE_ERROR", sends(frame(PRIORITY, 0, 1, bytes(4)))),
    ("6.4 RST_STREAM on stream 0", ERROR, sends(frame(RST_STREAM, 0, 0, bytes(4)))),
    ("6.4 RST_STREAM of three bytes", SIZE, sends(get(fields=POST, flags=END_HEADERS), frame(RST_STREAM, 0, 1, bytes(3)))),
    ("6.5 SETTINGS with ACK and bytes", SIZE, sends(frame(SETTINGS, ACK, 0, b"\0"))),
    ("6.5 SETTINGS on stream 1", ERROR, sends(frame(SETTINGS, 0, 1))),
    ("6.5 SETTINGS of five bytes", SIZE, sends(frame(SETTINGS, 0, 0, bytes(5)))),
    ("6.5.2 ENABLE_PUSH 2", ERROR, sends(settings((2, 2)))),
    ("6.5.2 INITIAL_WINDOW_SIZE 2^31", "closed|GOAWAY FLOW_CONTROL_ERROR|GOAWAY PROTOCOL_ERROR", sends(settings((4, 1 << 31)))),
    ("6.5.2 MAX_FRAME_SIZE 16383", ERROR, sends(settings((5, 16383)))),
    ("6.5.2 MAX_FRAME_SIZE 2^24", ERROR, sends(settings((5, 1 << 24)))),
    ("6.5.2 an unknown setting", "answered", sends(settings((0xFF, 7)), get())),
    ("6.5.3 SETTINGS are acknowledged", "answered", lambda wire: (wire.send(settings((3, 100))), acknowledged(wire, 2), wire.send(get()))),
    ("6.7 PING with ACK is ignored", "answered", sends(frame(PING, ACK, 0, b"12345678"), get())),
    ("6.7 PING on stream 1", ERROR, sends(frame(PING, 0, 1, bytes(8)))),
    ("6.7 PING of seven bytes", SIZE, sends(frame(PING, 0, 0, bytes(7)))),
    ("6.8 GOAWAY on stream 1", ERROR, sends(frame(GOAWAY, 0, 1, bytes(8)))),
    ("6.9 WINDOW_UPDATE of 0", ERROR, sends(frame(WINDOW_UPDATE, 0, 0, bytes(4)))),
    ("6.9 WINDOW_UPDATE of 0 on a stream", STREAM, sends(get(fields=POST, flags=END_HEADERS), frame(WINDOW_UPDATE, 0, 1, bytes(4)))),
    ("6.9 WINDOW_UPDATE of three bytes", SIZE, sends(frame(WINDOW_UPDATE, 0, 0, bytes(3)))),
    ("6.9.1 the window of the connection over 2^31", "closed|GOAWAY FLOW_CONTROL_ERROR|GOAWAY PROTOCOL_ERROR",
     sends(*[frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 0x7FFFFFFF))] * 2)),
    ("6.9.1 the window of a stream over 2^31",
     "closed|GOAWAY FLOW_CONTROL_ERROR|GOAWAY PROTOCOL_ERROR|RST FLOW_CONTROL_ERROR|RST PROTOCOL_ERROR",
     sends(get(fields=POST, flags=END_HEADERS), *[frame(WINDOW_UPDATE, 0, 1, struct.pack(">I", 0x7FFFFFFF))] * 2)),
    ("6.9.2 a window of 1 byte is kept", "ignored", lambda wire: one_byte(wire)),
    ("6.10 CONTINUATION on stream 0", ERROR, sends(get(flags=END_STREAM), frame(CONTINUATION, 4, 0))),
    ("6.10 CONTINUATION after the end", ERROR, sends(get(), frame(CONTINUATION, 4, 1, b""))),
    ("6.10 a block in three frames", "answered",
     sends(frame(HEADERS, 1, 1, literal(GET)[:9]), frame(CONTINUATION, 0, 1, literal(GET)[9:20]), frame(CONTINUATION, 4, 1, literal(GET)[20:]))),
    ("8.1 two heads without an end", STREAM, sends(get(fields=POST, flags=END_HEADERS), get(flags=END_HEADERS, fields=[("x", "y")]))),
    ("8.1.1 a Content-Length that isn't", STREAM,
     sends(get(fields=POST, flags=END_HEADERS, extra=[("content-length", "9")]), frame(DATA, 1, 1, b"a"))),
    ("8.2 a name in capitals", STREAM, sends(get(extra=[("X-Capital", "a")]))),
    ("8.2.2 Connection", STREAM, sends(get(extra=[("connection", "keep-alive")]))),
    ("8.2.2 TE other than trailers", STREAM, sends(get(extra=[("te", "gzip")]))),
    ("8.3 a pseudo field after others", STREAM, sends(get(fields=without(":path") + [("x", "y"), (":path", "/health")]))),
    ("8.3 an unknown pseudo field", STREAM, sends(get(fields=[(":color", "blue")] + GET))),
    ("8.3 a field of responses", STREAM, sends(get(fields=[(":status", "200")] + GET))),
    ("8.3 a pseudo field in trailers", STREAM,
     sends(get(fields=POST, flags=END_HEADERS), frame(HEADERS, 5, 1, literal([(":path", "/")])))),
    ("8.3.1 no method", STREAM, sends(get(fields=without(":method")))),
    ("8.3.1 no scheme", STREAM, sends(get(fields=without(":scheme")))),
    ("8.3.1 no path", STREAM, sends(get(fields=without(":path")))),
    ("8.3.1 an empty path", STREAM + "|404", sends(get(fields=without(":path") + [(":path", "")]))),
    ("8.3.1 a method twice", STREAM, sends(get(fields=[(":method", "GET")] + GET))),
    ("8.3.1 a path twice", STREAM, sends(get(fields=GET + [(":path", "/health")]))),
    ("8.4 PUSH_PROMISE of a client", ERROR, sends(frame(PUSH_PROMISE, 4, 1, struct.pack(">I", 2) + literal(GET)))),
]


def wait_for_end(wire, stream):
    end = time.monotonic() + 5
    while time.monotonic() < end:
        got = wire.read(5)
        if got is None or (got[2] == stream and got[1] & END_STREAM and got[0] in (DATA, HEADERS)):
            return


def acknowledged(wire, count):
    """Waits for the acknowledgements of settings; closes the connection if they don't come."""
    end = time.monotonic() + 5
    while count and time.monotonic() < end:
        got = wire.read(1)
        if got and got[0] == SETTINGS and got[1] & ACK:
            count -= 1
    if count:
        wire.socket.close()


def one_byte(wire):
    wire.send(settings((4, 1)) + get(1, [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/openapi.yaml")]))
    end, count = time.monotonic() + 2, 0
    while time.monotonic() < end:
        got = wire.read(end - time.monotonic())
        if got and got[0] == DATA:
            count += len(got[3])
    if count != 1:
        wire.socket.close()


# Floods. Each returns what is wrong, or None.


def drain(wire, seconds=0.0):
    """Reads what has arrived, so that the server's answers don't stop it."""
    wire.socket.settimeout(max(seconds, 0.001))
    try:
        while wire.socket.recv(1 << 16):
            pass
        wire.is_closed = True
    except (TimeoutError, ssl.SSLWantReadError):
        pass
    except OSError:
        wire.is_closed = True
    wire.socket.settimeout(20)


def flood(blocks, reads=True, seconds=20):
    """Sends blocks until they end, the server closes the connection, or the time is up; then others must be answered."""

    def attack(server):
        end = time.monotonic() + seconds
        sent = 0
        with Wire(server) as wire:
            try:
                for block in blocks():
                    wire.send(block)
                    sent += 1
                    if reads and sent % 20 == 0:
                        drain(wire)
                    if wire.is_closed or time.monotonic() > end:
                        break
            except OSError:
                wire.is_closed = True
            delay = server.answers()
        return None if delay < 10 else f"meanwhile an ordinary request took {delay:.1f} s"

    return attack


def repeated(block, times):
    return lambda: (block for _ in range(times))


def per_stream(make, count, batch=50):
    """Frames for ever higher streams."""

    def blocks():
        for first in range(0, count, batch):
            yield b"".join(make(1 + 2 * (first + number)) for number in range(batch))

    return blocks


def endless_head():
    yield frame(HEADERS, END_STREAM, 1, literal(GET))
    for part in range(4000):
        yield frame(CONTINUATION, 0, 1, literal([(f"x-{part}", "a" * 16000)]))


def table_bomb():
    """A field of 4 KB in the table, and blocks that name it thousands of times."""
    name, value = b"x", b"a" * 4000
    entry = b"\x40" + number(len(name)) + name + number(len(value)) + value
    yield frame(HEADERS, 5, 1, literal(GET) + entry)
    for stream in range(3, 800, 2):
        yield frame(HEADERS, 5, stream, literal(GET) + b"\xbe" * 16000)


def small_windows(server):
    """Large answers that may only be sent byte by byte."""
    with Wire(server, PREFACE + settings((4, 0))) as wire:
        fields = [(":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/openapi.yaml")]
        try:
            wire.send(b"".join(get(1 + 2 * number, fields) for number in range(50)))
            for _ in range(20):
                wire.send(b"".join(frame(WINDOW_UPDATE, 0, 1 + 2 * number, struct.pack(">I", 1)) for number in range(50)))
                drain(wire)
        except OSError:
            pass
        delay = server.answers()
    return None if delay < 10 else f"meanwhile an ordinary request took {delay:.1f} s"


def goodbye(server):
    """A client that says goodbye and goes on."""
    with Wire(server) as wire:
        try:
            wire.send(frame(GOAWAY, 0, 0, bytes(8)))
            for number in range(50):
                wire.send(get(1 + 2 * number))
            drain(wire, 1)
        except OSError:
            pass
        server.answers()
    return None


RESET = struct.pack(">I", 8)
FLOODS = [
    ("rapid reset (CVE-2023-44487)", flood(per_stream(lambda s: get(s) + frame(RST_STREAM, 0, s, RESET), 40_000)), True),
    ("resets that the server must send (CVE-2025-8671)",
     flood(per_stream(lambda s: get(s, POST, END_HEADERS) + frame(WINDOW_UPDATE, 0, s, bytes(4)), 40_000)), False),
    ("PING, unread (CVE-2019-9512)", flood(repeated(frame(PING, 0, 0, b"12345678") * 200, 2000), reads=False), True),
    ("SETTINGS, unread (CVE-2019-9515)", flood(repeated(settings((3, 100)) * 200, 2000), reads=False), True),
    ("CONTINUATION without end (CVE-2024-27316)", flood(endless_head), True),
    ("CONTINUATION without bytes",
     flood(lambda: iter([frame(HEADERS, END_STREAM, 1, literal(GET))] + [frame(CONTINUATION, 0, 1) * 500] * 400)), False),
    ("DATA without bytes (CVE-2019-9518)",
     flood(lambda: iter([get(1, POST, END_HEADERS)] + [frame(DATA, 0, 1) * 500] * 800)), False),
    ("PRIORITY (CVE-2019-9513)", flood(per_stream(lambda s: frame(PRIORITY, 0, s, bytes(4) + b"\x10"), 200_000, 200)), False),
    ("WINDOW_UPDATE by one byte", flood(repeated(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)) * 500, 40)), False),
    ("frames of unknown kinds", flood(repeated(frame(0x77, 0, 0, bytes(100)) * 100, 300)), False),
    ("a header table as a bomb (CVE-2016-6581)", flood(table_bomb), True),
    ("requests whose bodies never come", flood(per_stream(lambda s: get(s, POST, END_HEADERS), 20_000)), False),
    ("windows of one byte (CVE-2019-9511)", small_windows, False),
    ("GOAWAY, and then requests", goodbye, False),
]
