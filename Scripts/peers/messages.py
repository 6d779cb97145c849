"""Messages of HTTP/1 that break or stretch the rules of RFC 9112, for Scripts/peers-check: mostly ways to make a proxy and the service
disagree about where a request ends."""

import re
import socket
import time

POST = b"POST /observations/v5/corridor HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
GET = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
BODY = b'{"a":1}'
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"
SMUGGLED = b"0\r\n\r\n" + GET


def get(*fields):
    return b"GET /health HTTP/1.1\r\nHost: a\r\n" + b"".join(field + b"\r\n" for field in fields) + b"\r\n"


# The name of a message, the statuses of its answers, and its bytes. With "closed", the connection must end after them; "refused" is an
# answer of 400, 408, 411, 413, 417 or 501, or none, and the end; an answer to the request may stand before that to what follows it.
MESSAGES = [
    ("two requests", "200 200", GET * 2),
    ("twenty requests", " ".join(["200"] * 20), GET * 20),
    ("an empty line before", "200", b"\r\n" + GET),
    ("Connection: close", "200 closed", get(b"Connection: close")),
    ("Connection: Close", "200 closed", get(b"Connection: Close")),
    ("Connection: TE, close", "200 closed", get(b"Connection: TE, close")),
    ("a body with GET", "200 200", b"GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n" + BODY + GET),
    ("chunks with an extension", "400 200", POST + CHUNKED + b"7;a=b\r\n" + BODY + b"\r\n0\r\n\r\n" + GET),
    ("chunks with a trailer", "400 200", POST + CHUNKED + b"7\r\n" + BODY + b"\r\n0\r\nX-Sum: 1\r\n\r\n" + GET),
    ("an upgrade to HTTP/2", "200", get(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABk")),
    ("an upgrade to WebSocket", "200", get(b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Key: a")),
    ("a whole URL as the target", "200", b"GET http://other.example/health HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("CONNECT", "404|400 closed|405|501", b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("Content-Length and chunks", "refused", POST + b"Content-Length: 4\r\n" + CHUNKED + SMUGGLED),
    ("chunks and Content-Length", "refused", POST + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + SMUGGLED),
    ("two lengths", "refused", POST + b"Content-Length: 7\r\nContent-Length: 8\r\n\r\n" + BODY),
    ("a list of lengths", "refused", POST + b"Content-Length: 7, 7\r\n\r\n" + BODY),
    ("a length of +7", "refused", POST + b"Content-Length: +7\r\n\r\n" + BODY),
    ("a length of 0x7", "refused", POST + b"Content-Length: 0x7\r\n\r\n" + BODY),
    ("a length of -7", "refused", POST + b"Content-Length: -7\r\n\r\n" + BODY),
    ("a length of 2^64", "refused", POST + b"Content-Length: 18446744073709551616\r\n\r\n" + BODY),
    ("an unknown transfer coding", "refused", POST + b"Transfer-Encoding: xchunked\r\n\r\n" + SMUGGLED),
    ("chunked, identity", "refused", POST + b"Transfer-Encoding: chunked, identity\r\n\r\n" + SMUGGLED),
    ("chunks, hidden by a space", "refused", POST + b"Transfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n" + SMUGGLED),
    ("chunks, hidden by a tab", "refused|400 200", POST + b"Transfer-Encoding:\tchunked\r\n\r\n" + SMUGGLED),
    ("chunks in HTTP/1.0", "refused", POST.replace(b"1.1", b"1.0") + CHUNKED + SMUGGLED),
    ("a chunk of 2^68", "refused", POST + CHUNKED + b"ffffffffffffffffff\r\n"),
    ("a chunk of -1", "refused", POST + CHUNKED + b"-1\r\n"),
    ("a chunk of 0x7", "refused", POST + CHUNKED + b"0x7\r\n" + BODY),
    ("a chunk that is longer", "refused", POST + CHUNKED + b"3\r\n" + BODY + b"\r\n0\r\n\r\n"),
    ("chunks with bare line feeds", "refused|400", POST + CHUNKED + b"7\n" + BODY + b"\n0\n\n"),
    ("a space before the colon", "refused", get(b"X : a")),
    ("a folded line", "refused", get(b"X: a\r\n b")),
    ("bare line feeds", "refused|200", GET.replace(b"\r\n", b"\n")),
    ("a bare carriage return", "refused", get(b"X: a\rb")),
    ("a zero byte", "refused", get(b"X: a\0b")),
    ("a field without a name", "refused", get(b": a")),
    ("a field without a colon", "refused", get(b"nonsense")),
    ("a space in the target", "refused", GET.replace(b"/health", b"/he alth")),
    ("a method in small letters", "refused|405", GET.replace(b"GET", b"get")),
    ("HTTP/2.0", "refused", GET.replace(b"1.1", b"2.0")),
    ("HTTP/9.9", "refused", GET.replace(b"1.1", b"9.9")),
    ("TLS without TLS", "refused", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500)),
    ("the preface of HTTP/2", "refused", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9)),
]
REFUSALS = {"400", "408", "411", "413", "417", "501"}


def exchange(port, message, seconds=20):
    """The statuses of the answers to bytes on a connection of their own, and whether the connection ends."""
    received, is_closed = b"", False
    with socket.create_connection(("127.0.0.1", port), 10) as client:
        client.sendall(message)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            # An answer in full, and silence after it: no more comes.
            client.settimeout(1.5 if received else end - time.monotonic())
            try:
                block = client.recv(65536)
            except TimeoutError:
                break
            except OSError:
                block = b""
            if not block:
                is_closed = True
                break
            received += block
    return re.findall(r"HTTP/1\.[01] (\d{3}) ", received.decode("latin-1")), is_closed


def verdict(wanted, statuses, is_closed):
    """Whether the answers are among those that may follow."""
    for option in wanted.split("|"):
        if option == "refused":
            if is_closed and len(statuses) <= 2 and set(statuses) <= REFUSALS:
                return True
        elif option.endswith(" closed"):
            if is_closed and " ".join(statuses) == option[:-7]:
                return True
        elif " ".join(statuses) == option:
            return True
    return False
