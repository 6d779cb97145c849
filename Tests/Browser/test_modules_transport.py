"""The requests of the client for browsers, as a server gets them, and what becomes of its answers."""
import base64
import gzip
import threading

from sites import Site
from test_modules import imported

BODY = "x" * 1000


class Server:
    """Answers requests by their paths, and keeps them: the method, the path, the fields and the body."""

    def __init__(self):
        self.requests = []
        self.hang_ups = threading.Semaphore(0)

    def has_seen(self, count):
        """Whether the browser hangs up so often, soon."""
        return all(self.hang_ups.acquire(timeout=10) for _ in range(count))

    def __call__(self, request):
        path = request.path.split("?")[0]
        if not path.startswith("/v1/"):
            return False
        body = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        self.requests.append((request.command, request.path, {name.lower(): text for name, text in request.headers.items()}, body))
        packed = gzip.compress(BODY.encode())
        if path == "/v1/packed":
            return request.reply(200, packed, Content_Encoding="gzip")
        if path == "/v1/redirect":
            return request.reply(302, Location="/v1/plain")
        if path == "/v1/empty":
            return request.reply(204)
        if path == "/v1/refused":
            return request.reply(403, b'{"error": 1}', Retry_After="60")
        if path == "/v1/cookie":
            return request.reply(200, b"", Set_Cookie="a=b; Path=/", Cache_Control="max-age=600")
        if path in ("/v1/cut", "/v1/begun"):
            request.send_response(200)
            request.send_header("Content-Length", "2000")
            request.end_headers()
            request.wfile.write(BODY.encode())
            request.wfile.flush()
            if path == "/v1/cut":
                request.close_connection = True
                return True
        if path in ("/v1/never", "/v1/begun"):
            # Until the browser hangs up.
            if not request.rfile.read(1):
                self.hang_ups.release()
            return True
        return request.reply(200, BODY.encode())


def carried(viewer, server):
    """A page with a transport, and what its receiver is told."""
    return imported(viewer, "transport", answer=server)


TRANSPORT = """(window.make = (weather = null, bases = location.origin) => {
  window.told = [];
  window.transport = new Transport({ server: bases + "/v1", weather }, {
    head: (exchange, status, headers) => (told.push(["head", exchange, status, Object.fromEntries(headers)]), window.atHead?.(exchange)),
    body: (exchange, block) => (told.push(["body", exchange, new TextDecoder().decode(block)]), window.atBody?.(exchange)),
    end: (exchange, encoded, sent) => told.push(["end", exchange, encoded, sent]),
    failed: (exchange, code, message, sent) => told.push(["failed", exchange, code, message, sent]),
  });
  window.number = 0;
  window.begin = (target, more = {}) => {
    const exchange = ++number;
    const bytes = new TextEncoder().encode(more.body ?? "");
    return [exchange, transport.send({ method: "GET", target, headers: [], gzip: false, service: "server", timeoutSeconds: 20, limit: 10_000, ...more, exchange, bytes })];
  };
  // What is told of one exchange: the blocks of its body as one.
  window.of = (exchange) => {
    const mine = told.filter(([, number]) => number === exchange);
    const body = mine.filter(([kind]) => kind === "body").map(([, , text]) => text).join("");
    return { kinds: mine.map(([kind]) => kind).filter((kind, i, all) => kind !== "body" || all[i - 1] !== kind), head: mine.find(([kind]) => kind === "head")?.slice(2), body, last: mine.at(-1)?.slice(2) };
  };
  window.send = async (target, more) => { const [exchange, sent] = begin(target, more); await sent; return of(exchange); };
}, make(), null)"""


def test_requests_and_answers_are_carried_as_they_are(viewer):
    server = Server()
    with carried(viewer, server) as value:
        value(TRANSPORT)
        result = value("send('/plain?a=b', { headers: [['Contrail-Since', '5'], ['Accept', 'a/b'], ['Accept-Encoding', 'br']] })")
        assert result["kinds"] == ["head", "body", "end"] and result["head"][0] == 200 and result["body"] == BODY
        # The size of a body that isn't packed is that of its blocks.
        assert result["last"] == [-1, 0]
        method, path, fields, body = server.requests[-1]
        assert (method, path, body) == ("GET", "/v1/plain?a=b", b"") and fields["contrail-since"] == "5" and fields["accept"] == "a/b"
        assert "referer" not in fields and fields["cache-control"] == "no-cache", fields
        # A body goes as it is, or packed; the size as sent counts.
        assert value("send('/plain', { method: 'POST', body: 'text' })")["last"] == [-1, 4]
        assert server.requests[-1][0] == "POST" and server.requests[-1][3] == b"text"
        sent = value(f"send('/plain', {{ method: 'POST', body: '{BODY}', gzip: true, headers: [['Content-Encoding', 'gzip']] }})")["last"][1]
        method, _, fields, body = server.requests[-1]
        assert sent == len(body) < 100 and gzip.decompress(body) == BODY.encode() and fields["content-encoding"] == "gzip"
        # Nothing isn't packed.
        assert value("send('/plain', { method: 'POST', gzip: true })")["last"] == [-1, 0] and server.requests[-1][3] == b""
        # A packed answer arrives unpacked, and its size on the wire is told.
        packed = value("send('/packed')")
        assert packed["body"] == BODY and packed["last"] == [int(packed["head"][1]["content-length"]), 0] and packed["last"][0] < 100
        refused = value("send('/refused')")
        assert refused["head"][0] == 403 and refused["head"][1]["retry-after"] == "60" and refused["body"] == '{"error": 1}'
        assert value("send('/empty')")["kinds"] == ["head", "end"] and value("send('/empty')")["head"][0] == 204
        # A redirect isn't followed, cookies aren't sent, and nothing comes from a cache.
        count = len(server.requests)
        redirect = value("send('/redirect')")
        assert redirect["kinds"] == ["head", "end"] and redirect["head"][0] == 302 and len(server.requests) == count + 1
        value("send('/cookie')"), value("send('/cookie')")
        assert len(server.requests) == count + 3 and "cookie" not in server.requests[-1][2]


def test_the_weather_has_a_server_of_its_own_or_that_of_the_data(viewer):
    server, other = Server(), Server()
    with carried(viewer, server) as value, Site(answer=lambda request: other(request)) as site:
        value(TRANSPORT)
        for weather, service, expected in ((None, "weather", 1), (None, "server", 1), (site.url + "v1", "server", 1), (site.url + "v1", "weather", 0)):
            server.requests.clear(), other.requests.clear()
            value.page.evaluate("(weather) => make(weather)", weather)
            # The other server doesn't allow the page to read its answer.
            kinds = value(f"send('/plain', {{ service: '{service}' }})")["kinds"]
            assert (len(server.requests), len(other.requests)) == (expected, 1 - expected), (weather, service)
            assert kinds == (["head", "body", "end"] if expected else ["failed"])


def test_an_answer_that_does_not_come_is_a_failure_of_its_kind(viewer):
    server = Server()
    network, timeout, too_large = 0, 2, 4
    with carried(viewer, server) as value:
        value(TRANSPORT)
        cut = value("send('/cut', { method: 'POST', body: 'text' })")
        assert cut["kinds"][-1] == "failed" and cut["last"][0] == network and cut["last"][1] and cut["last"][2] == 4, cut
        late = value("send('/never', { method: 'POST', body: 'text', timeoutSeconds: 0.3 })")
        assert late["kinds"] == ["failed"] and late["last"] == [timeout, "no answer within 0.3 seconds", 4], late
        # The time is that to the end of the answer.
        late = value("send('/begun', { timeoutSeconds: 0.3 })")
        assert late["kinds"] == ["head", "body", "failed"] and late["last"][0] == timeout, late
        assert value("send('/packed', { limit: 1000 })")["kinds"][-1] == "end"
        for limit, path in ((999, "/packed"), (999, "/begun")):
            large = value(f"send('{path}', {{ limit: {limit} }})")
            assert large["kinds"] == ["head", "failed"] and large["last"] == [too_large, "the response is larger than 999 bytes", 0], large
        assert server.has_seen(3), "the browser doesn't load the rest"
        value("make(null, 'http://localhost:1')")
        gone = value("send('/plain')")
        assert gone["kinds"] == ["failed"] and gone["last"][0] == network and gone["last"][1].startswith("the browser couldn't reach the server"), gone


def test_an_aborted_request_is_reported_once_and_nothing_after_it(viewer):
    server = Server()
    cancelled = [6, "the request was cancelled"]
    with carried(viewer, server) as value:
        value(TRANSPORT)
        # Before it is sent, while the answer is waited for, and while it arrives.
        assert value("(async () => { const [exchange, sent] = begin('/never', { method: 'POST', body: 'text', gzip: true }); transport.abort(exchange); await sent; return of(exchange); })()") \
            == {"kinds": ["failed"], "head": None, "body": "", "last": [*cancelled, 0]}
        assert server.requests == []
        value("([window.exchange, window.sent] = begin('/never', { method: 'POST', body: 'text' }), null)")
        for _ in range(100):
            if server.requests:
                break
            value.page.wait_for_timeout(20)
        assert value("(transport.abort(exchange), of(exchange).kinds)") == [], "it is reported later"
        assert value("sent.then(() => of(exchange))") == {"kinds": ["failed"], "head": None, "body": "", "last": [*cancelled, 4]}
        assert server.has_seen(1), "the browser hangs up"
        for hook, target, kinds in (("atHead", "/packed", ["head", "failed"]), ("atHead", "/empty", ["head", "failed"]), ("atBody", "/begun", ["head", "body", "failed"])):
            value(f"(window.{hook} = (exchange) => transport.abort(exchange), null)")
            result = value(f"send('{target}').then(() => of(number))")
            assert result["kinds"] == kinds and result["last"] == [*cancelled, 0], (hook, target, result)
            value(f"(window.{hook} = undefined, null)")
        # What is over or unknown isn't aborted.
        assert value("send('/plain').then(async () => { transport.abort(number); transport.abort(99); await null; return of(number).kinds; })") == ["head", "body", "end"]
        assert value("send('/never', { timeoutSeconds: 0.1 }).then(async () => { transport.abort(number); await null; return of(number).kinds; })") == ["failed"]
        # At the end, nothing is reported any more.
        assert value("(async () => { const [exchange, sent] = begin('/begun', { timeoutSeconds: 60 }); while (of(exchange).body.length < 1000) await new Promise((done) => setTimeout(done, 10)); transport.end(); await sent; transport.abort(exchange); await null; return of(exchange).kinds; })()") \
            == ["head", "body"]
        # The request that was aborted in its body, the one that was late, and this one.
        assert server.has_seen(3)


# MARK: Airports


class Directory:
    """Answers searches for airports with a status, and keeps the requests."""

    def __init__(self):
        self.status, self.body, self.requests = 200, b"", []

    def __call__(self, request):
        if not request.path.startswith("/v1/airports"):
            return False
        self.requests.append((request.path.removeprefix("/v1/airports"), request.headers.get("X-API-Key")))
        if self.status == "cut":
            request.close_connection = True
            return True
        return request.reply(self.status, self.body, Location="/v1/airports/other")


def test_what_is_asked_for_airports_and_what_an_answer_means(viewer):
    directory = Directory()
    with imported(viewer, "engine", "airports", "errors", "files", answer=directory) as value:
        value("""(window.engine = new Engine(await loadModule("/contrail.wasm.gz"), new MemoryFiles()), window.search = (search, key = null) =>
          searchAirports(search, location.origin + "/v1", key, engine).catch((error) => error.toJSON()), null)""")

        def asked(search, key="null"):
            directory.requests.clear()
            result = value(f"search({search}, {key})")
            return result, [path for path, _ in directory.requests]

        directory.status = 404
        for search, paths in (
                ("{ id: 'EG/LL' }", ["/EG%2FLL"]), ("{ id: '' }", []), ("{ id: 'EGLL', text: 'other', near: [1, 2] }", ["/EGLL"]),
                ("{ text: 'x' }", ["/search?limit=25&text=x"]), ("{ text: ' xy ' }", ["/xy", "/search?limit=25&text=xy"]),
                ("{ text: '12345678' }", ["/12345678", "/search?limit=25&text=12345678"]), ("{ text: '123456789' }", ["/search?limit=25&text=123456789"]),
                ("{ text: 'a b&c', limit: 2.9 }", ["/a%20b%26c", "/search?limit=2&text=a%20b%26c"]), ("{ text: 'a long name', limit: 1000 }", ["/search?limit=100&text=a%20long%20name"]),
                ("{ text: 'x', limit: 0.9 }", []), ("{ text: 'x', limit: -1 }", []), ("{ text: 'x', limit: NaN }", []), ("{ text: '  ' }", []), ("{}", []),
                ("{ near: [1.5, -2], limit: 3 }", ["/search?limit=3&near=-2,1.5"]), ("{ near: [0, 0], limit: 0 }", [])):
            assert asked(search) == ([], paths), search
        value("search({ id: 'x' }, 'secret')"), value("search({ id: 'x' })")
        assert [key for _, key in directory.requests[-2:]] == ["secret", None]
        # Browsers would keep this answer for ever.
        directory.status = 410
        assert [asked("{ id: 'x' }") for _ in range(2)] == [([], ["/x"])] * 2
        for status, code, is_transient in ((401, "unauthorized", False), (403, "server", False), (499, "server", False), (500, "server", True), (503, "server", True)):
            directory.status = status
            error = asked("{ id: 'x' }")[0]
            assert (error["code"], error["scope"], error["isTransient"]) == (code, "airports", is_transient) and str(status) in error["message"], error
            assert ("key" in error["advice"]) == (status == 401), error
        for status in ("cut", 302):
            directory.status = status
            error, paths = asked("{ id: 'x' }")
            assert (error["code"], error["scope"], error["isTransient"]) == ("network", "airports", True) and error["advice"], error
            # A redirect isn't followed. The browser asks again after a cut.
            assert set(paths) == {"/x"}
        directory.status, directory.body = 200, b"not a file of airports"
        assert asked("{ id: 'x' }")[0]["code"]
        # Those without a runway come last, and equal ones by their identifiers.
        value("""(engine.json = () => [["c"], ["e", 5000], ["a", undefined], ["b", 5000], ["d", 0]].map(([id, ...lengths]) => ({ id, runways: lengths.map((lengthFeet) => ({ lengthFeet })) })), null)""")
        assert [airport["id"] for airport in asked("{ text: 'x' }")[0]] == ["b", "e", "d", "a", "c"]
