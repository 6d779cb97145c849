"""Rows of Scripts/peers-check: the clients and tools of others against our service."""

import asyncio
import concurrent.futures
import gzip
import json
import os
import re
import shutil

from frames import CASES, FLOODS, Wire
from matrix import KEY, Problem, Skipped, row, run, server_check
from messages import MESSAGES, exchange, verdict
from proxies import airport_file

BODY = server_check.BODY
ASK = server_check.OBSERVATIONS
TYPE = "Content-Type: application/json"


class Answer:
    """What curl received: its exit status, the answer's status, version, header fields, body and seconds."""

    def __init__(self, place, address, *options, data=None, name="curl"):
        body, heads = place.path(name + ".body"), place.path(name + ".heads")
        for path in (body, heads):
            with open(path, "wb"):
                pass
        if data is not None:
            with open(place.path(name + ".data"), "wb") as file:
                file.write(data)
            options += ("--data-binary", "@" + place.path(name + ".data"))
        self.exit, output = run(
            ["curl", "-sS", "-k", "--max-time", "30", "-o", body, "-D", heads,
             "-w", "%{http_code} %{http_version} %{time_total}", *options, address])
        found = re.search(r"(\d+) (\d\S*) ([\d.]+)\s*$", output)
        self.message = output
        self.status, self.version, self.seconds = (
            (int(found[1]), found[2], float(found[3])) if found else (0, "0", 0.0))
        with open(heads, encoding="latin-1") as file:
            self.blocks = [block for block in re.split(r"\r?\n\r?\n", file.read()) if block.strip()]
        lines = self.blocks[-1].splitlines()[1:] if self.blocks else []
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        with open(body, "rb") as file:
            self.body = file.read()


def want(is_right, text):
    if not is_right:
        raise Problem(text)


def both(place, *arguments, **options):
    """A service over HTTP and one over TLS."""
    return place.service(*arguments, flights=False, **options), place.service(
        *arguments, secured=True, flights=False, **options)


@row("service", "curl: HTTP/1.0, HTTP/1.1, TLS, HTTP/2 answer the same", quick=True)
def versions(place):
    plain, secured = both(place)
    answers = {}
    for name, server, option, version in (
            ("HTTP/1.0", plain, "--http1.0", "1"), ("HTTP/1.1", plain, "--http1.1", "1.1"), ("upgrade", plain, "--http2", "1.1"),
            ("TLS 1.2", secured, "--tls-max=1.2", "2"), ("TLS, HTTP/1.1", secured, "--http1.1", "1.1"), ("HTTP/2", secured, "--http2", "2"),
            ("HTTP/2, known", secured, "--http2-prior-knowledge", "2")):
        options = ("--tls-max", "1.2") if name == "TLS 1.2" else (option,)
        answer = Answer(place, server.address + "/openapi.yaml", *options)
        # A server may answer HTTP/1.0 with the version that it speaks.
        want(answer.status == 200 and answer.version in (version, "1.1" if version == "1" else version),
             f"{name}: {answer.status} with HTTP/{answer.version}: {answer.message[:200]}")
        answers[name] = answer.body
    want(len(set(answers.values())) == 1, "the bodies differ")
    wrong = Answer(place, plain.address + "/health", "--http2-prior-knowledge")
    want(wrong.exit != 0 and wrong.seconds < 10, f"HTTP/2 without TLS wasn't refused: {wrong.status}")
    want(Answer(place, plain.address + "/health").status == 200, "then no answer")
    return f"{len(answers)} ways, {len(answers['HTTP/1.1'])} bytes"


@row("service", "curl: gzip in both directions", quick=True)
def packed(place):
    server = place.service(flights=False)
    for address, options, data in (
            ("/openapi.yaml", (), None), (ASK, ("-H", TYPE), BODY)):
        plain = Answer(place, server.address + address, *options, data=data)
        answer = Answer(place, server.address + address, "--compressed", *options, data=data, name="packed")
        raw = Answer(place, server.address + address, "-H", "Accept-Encoding: gzip", *options, data=data, name="raw")
        want(raw.fields.get("content-encoding") == "gzip", f"{address}: not compressed")
        want("accept-encoding" in raw.fields.get("vary", "").lower(), f"{address}: no Vary")
        want(gzip.decompress(raw.body)[:4] == plain.body[:4], f"{address}: the gzip differs")
        if data is None:
            want(answer.body == plain.body, f"{address}: --compressed differs")
        refused = Answer(place, server.address + address, "-H", "Accept-Encoding: gzip;q=0, br", *options, data=data)
        want("content-encoding" not in refused.fields, f"{address}: compressed though gzip;q=0")
    sent = Answer(
        place, server.address + ASK, "-H", TYPE, "-H", "Content-Encoding: gzip", data=gzip.compress(BODY))
    want(sent.status == 200, f"a gzip body: {sent.status}")
    unknown = Answer(place, server.address + ASK, "-H", TYPE, "-H", "Content-Encoding: br", data=BODY)
    want(unknown.status == 415, f"a body with an unknown encoding: {unknown.status}, not 415")
    bomb = gzip.compress(bytes(200 << 20))
    answer = Answer(place, server.address + ASK, "-H", TYPE, "-H", "Content-Encoding: gzip", data=bomb)
    want(answer.status in (400, 413), f"200 MB of zeros in {len(bomb)} bytes: {answer.status}")
    want(server.memory()[1] < 400, f"then {server.memory()[1]} MB of memory")
    return f"{len(raw.body)} of {len(plain.body)} bytes"


@row("service", "curl: HEAD is GET without the body", quick=True)
def heads(place):
    folder, _ = airport_file(place, 300)
    for server in both(place, "--airports", folder):
        for path in ("/health", "/openapi.yaml", "/polygons/v5?hours=1", "/airports/v1/cycles", "/airports/v1/2511", "/nothing"):
            whole, head = Answer(place, server.address + path), Answer(place, server.address + path, "-I", name="head")
            want(head.exit == 0, f"{path}: {head.message}")
            want(head.status == whole.status, f"HEAD {path}: {head.status}, GET {whole.status}")
            want(not head.body or head.body.startswith(b"HTTP/"), f"HEAD {path} has a body")
            for name in ("content-type", "etag", "vary", *(["content-length"] if path != "/health" else [])):
                want(head.fields.get(name) == whole.fields.get(name),
                     f"HEAD {path}: {name} {head.fields.get(name)}, GET {whole.fields.get(name)}")
        posted = Answer(place, server.address + ASK, "-I")
        want(posted.status == 405 and "POST" in posted.fields.get("allow", ""), f"HEAD of a POST: {posted.status}")
    return "6 paths, HTTP/1.1 and HTTP/2"


@row("service", "curl: conditional requests", quick=True)
def conditional(place):
    folder, _ = airport_file(place, 300)
    for server in both(place, "--airports", folder):
        for path in ("/airports/v1/2511", "/airports/v1/cycles"):
            address = server.address + path
            first = Answer(place, address)
            tag = first.fields.get("etag", "")
            want(tag.startswith(('"', 'W/"')), f"{path}: ETag {tag!r}")
            for value in (tag, f'"other", {tag}', "*", "W/" + tag.removeprefix("W/")):
                again = Answer(place, address, "-H", f"If-None-Match: {value}")
                want(again.status == 304 and not again.body, f"{path}: If-None-Match {value}: {again.status}")
                want(again.fields.get("etag") == tag, f"{path}: 304 without the ETag")
            other = Answer(place, address, "-H", 'If-None-Match: "other"')
            want(other.status == 200 and other.body == first.body, f"{path}: another tag: {other.status}")
            kept = place.path("etag")
            Answer(place, address, "--etag-save", kept)
            want(Answer(place, address, "--etag-compare", kept).status == 304, f"{path}: --etag-compare")
    return "304 for the tag, a list, * and a weak one"


@row("service", "curl: ranges", quick=True)
def ranges(place):
    folder, size = airport_file(place, 300)
    for server in both(place, "--airports", folder):
        address = server.address + "/airports/v1/2511"
        whole = Answer(place, address)
        want(len(whole.body) == size, f"{len(whole.body)} of {size} bytes")
        tag = whole.fields.get("etag", "")
        for value, part in (
                ("0-99", whole.body[:100]), ("100-", whole.body[100:]), ("-100", whole.body[-100:]), ("0-0", whole.body[:1]),
                (f"{size - 1}-", whole.body[-1:]), (f"10-{size * 9}", whole.body[10:])):
            answer = Answer(place, address, "-r", value)
            want(answer.status == 206 and answer.body == part, f"bytes={value}: {answer.status}, {len(answer.body)} bytes")
            want(re.fullmatch(rf"bytes \d+-\d+/{size}", answer.fields.get("content-range", "")) is not None,
                 f"bytes={value}: Content-Range {answer.fields.get('content-range')}")
        beyond = Answer(place, address, "-r", f"{size}-")
        want(beyond.status == 416 and beyond.fields.get("content-range") == f"bytes */{size}", f"beyond the end: {beyond.status}")
        several = Answer(place, address, "-r", "0-9,20-29")
        want(several.status == 206 or several.body == whole.body, f"two ranges: {several.status}")
        for value, status in ((tag, 206), ('"other"', 200), ("W/" + tag, 200)):
            answer = Answer(place, address, "-r", "100-", "-H", f"If-Range: {value}")
            want(answer.status == status, f"If-Range {value}: {answer.status}, not {status}")
        with open(place.path("part"), "wb") as file:
            file.write(whole.body[:size // 3])
        status, output = run(["curl", "-sSk", "-C", "-", "-o", place.path("part"), address])
        with open(place.path("part"), "rb") as file:
            want(status == 0 and file.read() == whole.body, f"curl -C -: {output}")
    return f"{size} bytes, HTTP/1.1 and HTTP/2"


@row("service", "curl: Expect: 100-continue", quick=True)
def expects(place):
    for server, version in zip(both(place), ("1.1", "2")):
        answer = Answer(place, server.address + ASK, "-H", TYPE, "-H", "Expect: 100-continue", data=BODY)
        want(answer.status == 200, f"HTTP/{version}: {answer.status}")
        if version == "1.1":
            interim = [block for block in answer.blocks if re.match(r"HTTP/1.1 100", block)]
            want(len(interim) == 1, "no 100: the client waits a second with its body")
    return ""


@row("service", "curl: chunked bodies, methods, paths, long heads", quick=True)
def odd_requests(place):
    server, secured = both(place)
    chunked = Answer(place, server.address + ASK, "-H", TYPE, "-H", "Transfer-Encoding: chunked", data=BODY)
    want(chunked.status == 200, f"a chunked body: {chunked.status}")
    for method in ("OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "NONSENSE"):
        for one in (server, secured):
            answer = Answer(place, one.address + "/health", "-X", method)
            want(answer.status in (400, 405, 501), f"{method}: {answer.status} {answer.message[:100]}")
            want(answer.status != 405 or "GET" in answer.fields.get("allow", ""), f"{method}: 405 without Allow")
    for path in ("/../../etc/passwd", "/%00", "/airports/v1/..%2f..%2fetc%2fpasswd", "//health", "/health/", "/map?" + "a" * 4000,
                 "/areas/" + "k" * 3000, "/%ff%fe", "/areas/~~~~", "/airports/search?q=%00&q=1"):
        for one in (server, secured):
            answer = Answer(place, one.address + path, "--path-as-is")
            want(400 <= answer.status < 500, f"{path[:40]}: {answer.status} {answer.message[:100]}")
    for one in (server, secured):
        answer = Answer(place, one.address + "/?" + "a" * 4000)
        want(answer.status == 200, f"the page with a long query: {answer.status}")
    for target in ("http://other.example/health", "*"):
        answer = Answer(place, server.address, "--request-target", target)
        want(answer.status in (200, 400, 404), f"request target {target}: {answer.status}")
    long = "X-Long: " + "a" * 60_000
    many = [word for number in range(300) for word in ("-H", f"X-{number}: {'a' * 300}")]
    for one in (server, secured):
        for name, options in (("one of 60 KB", ("-H", long)), ("300 of 300 bytes", many)):
            answer = Answer(place, one.address + "/health", *options)
            want(answer.status in (0, 200, 400, 431), f"header fields, {name}: {answer.status}")
        answer = Answer(place, one.address + "/health?" + "a" * 100_000)
        want(answer.status in (0, 400, 404, 414, 431), f"100 KB of path: {answer.status}")
        want(Answer(place, one.address + "/health").status == 200, "then no answer")
    return ""


@row("service", "curl: keys and rates")
def keys(place):
    server = place.service("--key", KEY, "--rate", "2", flights=False)
    address = server.address + "/airports/v1/cycles"
    want(Answer(place, address).status == 401, "no key, and not 401")
    want(Answer(place, address, "-H", "X-API-Key: wrong").status == 401, "a wrong key, and not 401")
    want(Answer(place, server.address + "/health").status == 200, "health needs no key")
    name = "X-API-Key"
    with open(os.path.join(os.path.dirname(__file__), "..", "..", "Sources", "Service", "ContrailServer", "Resources", "openapi.yaml"),
              encoding="utf-8") as document:
        found = re.search(r"type: apiKey\s+in: header\s+name: (\S+)|name: (\S+)\s+in: header\s+type: apiKey", document.read())
        name = next((group for group in found.groups() if group), name) if found else name
    statuses = [Answer(place, address, "-H", f"{name}: {KEY}") for _ in range(40)]
    want(statuses[0].status == 200, f"the key: {statuses[0].status}")
    limited = [answer for answer in statuses if answer.status == 429]
    want(limited and all(int(answer.fields.get("retry-after", "0")) > 0 for answer in limited), "40 requests, and no 429 with Retry-After")
    return f"{len(limited)} of 40 limited"


@row("service", "curl: 300 requests in parallel, HTTP/2", quick=True)
def parallel(place):
    server = place.service(secured=True, flights=False)
    status, output = run(
        ["curl", "-sSk", "--parallel", "--parallel-max", "50", "--max-time", "60", "-o", "/dev/null", "-w", "%{http_code}\n",
         server.address + "/health?[1-300]"])
    count = output.split().count("200")
    want(count == 300 and status == 0, f"{count} of 300: {output[-200:]}")
    return ""


def need(program):
    if not shutil.which(program):
        raise Skipped(f"{program} isn't installed")


@row("service", "nghttp: padding, windows, 100-continue, trailers", quick=True)
def nghttp(place):
    need("nghttp")
    server = place.service(secured=True, flights=False)
    with open(place.path("body"), "wb") as file:
        file.write(BODY)
    for words in ("-m 40", "-b 200 -m 3", "-w 1", "-W 16", "--no-dep", "-d body -H content-type:application/json",
                  "-d body -H content-type:application/json --expect-continue", "-d body -H content-type:application/json --trailer x:y",
                  "-d body -H content-type:application/json --no-content-length", "--hexdump"):
        address = server.address + (ASK if words.startswith("-d ") else "/openapi.yaml")
        status, output = run(["nghttp", "-n", "-v", *words.split(), address], 60, cwd=place.folder)
        want(status == 0 and re.search(r":status: 200", output), f"nghttp {words}: {status}, {output[-200:]}")
        want("RST_STREAM" not in output.replace("NO_ERROR", "") or re.search(r":status: 200", output), f"nghttp {words}: reset")
    return "10 ways"


@row("service", "h2load: HTTP/2 and HTTP/1.1", quick=True)
def h2load(place):
    need("h2load")
    plain, secured = both(place)
    figures = []
    for server, options in ((secured, ("-c", "20", "-m", "20")), (secured, ("-c", "4", "-m", "100")),
                            (plain, ("-c", "40", "--h1"))):
        _, output = run(["h2load", "-n", "1200", *options, server.address + "/health"])
        found = re.search(r"requests: (\d+) total.*?(\d+) succeeded, (\d+) failed", output)
        want(found and found[2] == "1200", f"{' '.join(options)}: {found[0] if found else output[-300:]}")
        figures.append(re.search(r"([\d.]+) req/s", output)[1])
    return " and ".join(figures) + " requests/s"


@row("service", "wrk: 60 connections", quick=True)
def wrk(place):
    need("wrk")
    figures = []
    for server in both(place):
        _, output = run(["wrk", "-t", "1", "-c", "60", "-d", "2s", "--timeout", "20s", server.address + "/health"])
        want("Non-2xx" not in output and "Socket errors" not in output, " ".join(output.split())[-300:])
        figures.append(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    return " and ".join(figures) + " requests/s"


@row("service", "httpx: HTTP/2, streams, given up", quick=True)
def httpx_rows(place):
    try:
        import httpx
    except ImportError as error:
        raise Skipped("httpx isn't installed") from error
    server = place.service("--requested-faults", secured=True, flights=False)
    with httpx.Client(http2=True, verify=False, timeout=60) as client:
        first = client.get(server.address + "/openapi.yaml")
        want(first.http_version == "HTTP/2" and first.status_code == 200, f"{first.http_version} {first.status_code}")
        posted = client.post(server.address + ASK, content=BODY, headers={"Content-Type": "application/json"})
        want(posted.status_code == 200 and "data" in posted.json(), f"POST: {posted.status_code}")
        streamed = client.post(
            server.address + ASK, content=(BODY[at:at + 7] for at in range(0, len(BODY), 7)),
            headers={"Content-Type": "application/json"})
        want(streamed.status_code == 200, f"a body in pieces: {streamed.status_code}")
        given_up = 0
        for _ in range(20):
            try:
                client.get(server.address + "/airports/v1/cycles", headers={"Contrail-Fault": "latency=30000"}, timeout=0.1)
            except httpx.TimeoutException:
                given_up += 1
        want(given_up == 20, f"{given_up} of 20 timed out")
        want(client.get(server.address + "/health").status_code == 200, "then no answer")

    async def many():
        # One thread: httpx's client isn't safe for several, against any server.
        async with httpx.AsyncClient(http2=True, verify=False, timeout=60) as client:
            return await asyncio.gather(*(client.get(server.address + f"/health?{number}") for number in range(300)))

    statuses = [answer.status_code for answer in asyncio.run(many())]
    want(statuses == [200] * 300, f"300 at once: {statuses.count(200)}")
    return ""


@row("service", "urllib3: kept connections, chunks, Retry-After")
def urllib3_rows(place):
    try:
        import urllib3
    except ImportError as error:
        raise Skipped("urllib3 isn't installed") from error
    server = place.service("--key", KEY, "--rate", "5", flights=False)
    retries = urllib3.Retry(total=8, status_forcelist=[429], respect_retry_after_header=True, backoff_factor=0)
    with urllib3.PoolManager(retries=retries, maxsize=4) as pool:
        statuses = [
            pool.request("GET", server.address + "/airports/v1/cycles", headers={"X-API-Key": KEY, "Api-Key": KEY, "Contrail-Key": KEY}).status
            for _ in range(10)]
        want(len(set(statuses)) == 1 and statuses[0] in (200, 401), f"{statuses}")
        answer = pool.request("GET", server.address + "/openapi.yaml", headers={"Accept-Encoding": "gzip"})
        want(answer.status == 200 and answer.data.startswith(b"openapi"), f"gzip: {answer.status}")
        connections = pool.connection_from_url(server.address).num_connections
        want(connections == 1, f"{connections} connections for 11 requests")
    return ""


@row("service", "HTTP/1: messages that break the rules of RFC 9112", quick=True)
def messages(place):
    server = place.service(flights=False)
    server.answers()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda message: exchange(server.port, message[2]), MESSAGES))
    wrong = [
        f"{name}: {' '.join(statuses) or 'nothing'}{' closed' if is_closed else ''}, not {wanted}"
        for (name, wanted, _), (statuses, is_closed) in zip(MESSAGES, answers) if not verdict(wanted, statuses, is_closed)]
    want(server.answers() < 20, "then no answer")
    want(not wrong, f"{len(wrong)} of {len(MESSAGES)}: " + "; ".join(wrong)[:1500])
    return f"{len(MESSAGES)} messages"


# TLS.


@row("service", "openssl: versions and ciphers of TLS", quick=True)
def tls(place):
    server = place.service(secured=True, flights=False)

    def shake(*options):
        status, output = run(
            ["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-servername", "localhost", "-brief", *options], 30)
        return status == 0 and "Verification" in output, output

    wrong = []
    for option in ("-tls1", "-tls1_1"):
        if shake(option, "-cipher", "ALL:COMPLEMENTOFALL:@SECLEVEL=0")[0]:
            wrong.append(f"{option[1:]} is accepted")
    for option in ("-tls1_2", "-tls1_3"):
        if not shake(option)[0]:
            wrong.append(f"{option[1:]} is refused: {shake(option)[1][-200:]}")
    for ciphers in ("NULL", "aNULL", "RC4", "3DES", "SEED", "IDEA", "CAMELLIA", "PSK", "SRP", "kRSA"):
        if shake("-tls1_2", "-cipher", ciphers + ":@SECLEVEL=0")[0]:
            wrong.append(f"the ciphers {ciphers} are accepted")
    if shake("-tls1_2", "-sigalgs", "ECDSA+SHA1:RSA+SHA1")[0]:
        wrong.append("signatures with SHA-1 are accepted")
    for protocol in ("h2", "http/1.1"):
        _, output = run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-alpn", protocol], 30)
        if f"ALPN protocol: {protocol}" not in output:
            wrong.append(f"ALPN {protocol} isn't negotiated")
        if "Compression: NONE" not in output:
            wrong.append("TLS compression")
    _, output = run(["openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-tls1_2"], 30)
    if "Secure Renegotiation IS supported" not in output:
        wrong.append("no secure renegotiation")
    want(not wrong, "; ".join(wrong))
    want(server.answers() < 20, "then no answer")
    return re.search(r"Cipher\s*(?:is|:)\s*(\S+)", output)[1]


@row("service", "testssl.sh: protocols, ciphers, known attacks")
def testssl(place):
    program = shutil.which("testssl") or shutil.which("testssl.sh")
    if not program:
        raise Skipped("testssl.sh isn't installed")
    server = place.service(secured=True, flights=False)
    report = place.path("testssl.json")
    run([program, "--quiet", "--warnings", "off", "--color", "0", "--connect-timeout", "10", "--openssl-timeout", "10",
         "--jsonfile", report, "-p", "-s", "-f", "-S", "-U", "--ip", "127.0.0.1", f"localhost:{server.port}"], 560)
    with open(report, encoding="utf-8") as file:
        findings = json.load(file)
    # A certificate of our own, for a day.
    own = re.compile(r"^cert|^OCSP|^DNS_CAA|chain_of_trust|^scan|^engine|HSTS")
    bad = sorted({f"{item['id']} {item['finding']}" for item in findings
                  if item["severity"] in ("MEDIUM", "HIGH", "CRITICAL") and not own.search(item["id"])})
    want(not bad, "; ".join(bad)[:400])
    want(len(findings) > 40, f"only {len(findings)} findings; see {report}")
    return f"{len(findings)} findings, none of weight"


# HTTP/2, frame by frame.


@row("service", "HTTP/2: frames that break the rules of RFC 9113", quick=True)
def conformance(place):
    server = place.service(secured=True, flights=False)
    wrong = []
    for name, wanted, body in CASES:
        with Wire(server) as wire:
            try:
                body(wire)
                found = wire.outcome()
            except OSError:
                found = "closed"
        # The error of a stream may be that of the connection, and a server may close without saying why.
        if found not in wanted.split("|") and not ("closed" in wanted and found.startswith("GOAWAY")):
            wrong.append(f"{name}: {found}, not {wanted}")
    want(server.answers() < 20, "then no answer")
    want(not wrong, f"{len(wrong)} of {len(CASES)}: " + "; ".join(wrong)[:1500])
    return f"{len(CASES)} cases"


def flood_rows():
    for name, body, is_quick in FLOODS:
        def flood(place, body=body):
            server = place.service(secured=True, flights=False)
            server.answers()
            problem, figures = server_check.measure(server, 96, lambda: body(server))
            want(not problem, f"{problem} ({figures})")
            return figures

        row("service", f"HTTP/2: {name}", quick=is_quick)(flood)


flood_rows()


@row("service", "h2spec")
def h2spec(place):
    need("h2spec")
    server = place.service(secured=True, flights=False)
    _, output = run(["h2spec", "-h", "127.0.0.1", "-p", str(server.port), "-t", "-k", "-P", "/health"], 300)
    found = re.search(r"(\d+) tests, (\d+) passed, (\d+) skipped, (\d+) failed", output)
    want(found and found[4] == "0", found[0] if found else output[-300:])
    return found[0]
