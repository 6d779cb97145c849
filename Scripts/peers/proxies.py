"""Rows of Scripts/peers-check: our client behind the servers of others."""

import contextlib
import os
import shutil
import signal

from matrix import KEY, Certificate, Flight, Problem, Relay, Skipped, await_port, free_port, row, run, server_check, straight

PAGE = "<!DOCTYPE html><html><head><title>Welcome aboard</title></head><body><h1>Buy a pass</h1></body></html>"


class Proxy:
    """A reverse proxy with a port for HTTP and one for TLS with HTTP/2."""

    def __init__(self, place):
        self.place = place
        self.plain, self.secured = free_port(), free_port()

    def address(self, secured):
        return f"https://127.0.0.1:{self.secured}" if secured else f"http://127.0.0.1:{self.plain}"

    def launch(self, command, name, **options):
        if not shutil.which(name):
            raise Skipped(f"{name} isn't installed")
        self.process = self.place.start(command, name, **options)
        for port in (self.plain, self.secured):
            try:
                await_port(port, self.process)
            except Problem as problem:
                raise Problem(f"{name} didn't start: {self.place.text(name + '.out')[-300:]}") from problem
        return self


class Nginx(Proxy):
    """nginx. Texts are added to the blocks http, server and location."""

    def __init__(self, place, upstream, http="", server="", location=""):
        super().__init__(place)
        scheme, port = upstream
        at = place.folder
        place.write("nginx.conf", f"""\
daemon off;
worker_processes 2;
pid {at}/nginx.pid;
error_log {at}/error.log warn;
events {{ worker_connections 512; }}
http {{
  access_log {at}/access.log;
  default_type application/octet-stream;
  client_body_temp_path {at}/body;
  proxy_temp_path {at}/proxy;
  fastcgi_temp_path {at}/fastcgi;
  uwsgi_temp_path {at}/uwsgi;
  scgi_temp_path {at}/scgi;
  {http}
  server {{
    listen 127.0.0.1:{self.plain};
    listen 127.0.0.1:{self.secured} ssl http2;
    ssl_certificate {place.certificate.chain};
    ssl_certificate_key {place.certificate.key};
    {server}
    location / {{
      {location}
      proxy_pass {scheme}://127.0.0.1:{port};
    }}
  }}
}}
""")
        user = ["-g", "user root;"] if os.getuid() == 0 else []
        self.launch(["nginx", "-e", f"{at}/error.log", "-c", f"{at}/nginx.conf", "-p", at, *user], "nginx")

    def reload(self):
        self.process.send_signal(signal.SIGHUP)


class HAProxy(Proxy):
    """HAProxy with the time-outs of Debian's configuration."""

    def __init__(self, place, upstream, defaults="", front=""):
        super().__init__(place)
        scheme, port = upstream
        tls = "ssl verify none alpn h2,http/1.1" if scheme == "https" else ""
        place.write("haproxy.cfg", f"""\
global
  maxconn 256
defaults
  mode http
  timeout connect 5000
  timeout client 50000
  timeout server 50000
  {defaults}
frontend near
  bind 127.0.0.1:{self.plain}
  bind 127.0.0.1:{self.secured} ssl crt {place.certificate.both} alpn h2,http/1.1
  {front}
  default_backend far
backend far
  server service 127.0.0.1:{port} {tls}
""")
        self.launch(["haproxy", "-W", "-f", "haproxy.cfg"], "haproxy")

    def reload(self):
        self.process.send_signal(signal.SIGUSR2)


class Caddy(Proxy):
    """Caddy as its Caddyfile makes it. A text is added to both sites."""

    def __init__(self, place, upstream, site=""):
        super().__init__(place)
        scheme, port = upstream
        far = f"{scheme}://127.0.0.1:{port}"
        transport = "transport http {\n tls_insecure_skip_verify\n }" if scheme == "https" else ""
        body = f"{site}\n  reverse_proxy {far} {{\n {transport}\n }}"
        place.write("Caddyfile", f"""\
{{
  admin 127.0.0.1:{(admin := free_port())}
  auto_https off
  storage file_system {place.path("storage")}
}}
http://127.0.0.1:{self.plain} {{
  bind 127.0.0.1
  {body}
}}
https://127.0.0.1:{self.secured} {{
  bind 127.0.0.1
  tls {place.certificate.chain} {place.certificate.key}
  {body}
}}
""")
        self.admin = admin
        self.home = {**os.environ, "HOME": place.folder, "XDG_CONFIG_HOME": place.folder, "XDG_DATA_HOME": place.folder}
        self.launch(["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"], "caddy", env=self.home)

    def reload(self):
        run(["caddy", "reload", "--config", "Caddyfile", "--adapter", "caddyfile", "--address", f"127.0.0.1:{self.admin}",
             "--force"], cwd=self.place.folder, env=self.home)


KINDS = {"nginx": Nginx, "haproxy": HAProxy, "caddy": Caddy}


def upstream(server):
    return ("https" if server.address.startswith("https") else "http"), server.port


# Everything as it is without a proxy.


def plain_rows():
    for kind, make in KINDS.items():
        for secured, words in ((False, "HTTP/1.1"), (True, "TLS and HTTP/2")):
            def body(place, make=make, secured=secured):
                proxy = make(place, upstream(place.service()))
                return Flight(place, proxy.address(secured)).land().judge(straight(place, secured)).figures()

            row("client", f"{kind}: {words}", quick=secured)(body)
        def through(place, make=make):
            proxy = make(place, upstream(place.service(secured=True)))
            return Flight(place, proxy.address(True)).land().judge(straight(place, True)).figures()

        row("client", f"{kind}: TLS to the service" + (" too" if kind == "nginx" else " with HTTP/2 too"))(through)


plain_rows()

KEPT = 'proxy_http_version 1.1; proxy_set_header Connection "";'
GZIP = "gzip on; gzip_min_length 1; gzip_types *; gzip_proxied any; gzip_vary on; gzip_comp_level 6;"


@row("client", "nginx: connections to the service are kept")
def kept_upstream(place):
    server = place.service()
    proxy = Nginx(place, ("http", server.port), location=KEPT)
    return Flight(place, proxy.address(True)).land().judge(straight(place, True)).figures()


@row("client", "nginx: gzip for everything", quick=True)
def nginx_gzip(place):
    proxy = Nginx(place, upstream(place.service()), http=GZIP)
    return Flight(place, proxy.address(False)).land().judge(straight(place)).figures()


@row("client", "nginx: gzip, TLS and HTTP/2")
def nginx_gzip_secured(place):
    proxy = Nginx(place, upstream(place.service()), http=GZIP)
    return Flight(place, proxy.address(True)).land().judge(straight(place, True)).figures()


@row("client", "caddy: encode gzip and zstd")
def caddy_gzip(place):
    proxy = Caddy(place, upstream(place.service()), site="encode zstd gzip {\n minimum_length 1\n match {\n status 2xx\n }\n }")
    return Flight(place, proxy.address(True)).land().judge(straight(place, True)).figures()


@row("client", "haproxy: compression")
def haproxy_gzip(place):
    proxy = HAProxy(place, upstream(place.service()), defaults="compression algo gzip")
    return Flight(place, proxy.address(False)).land().judge(straight(place)).figures()


def cached(place, secured, location):
    path = place.path("cache")
    proxy = Nginx(
        place, upstream(place.service()), http=f"proxy_cache_path {path} keys_zone=z:1m; ",
        location=f"proxy_cache z; add_header X-Cache $upstream_cache_status; {location}")
    return Flight(place, proxy.address(secured)).land()


@row("client", "nginx: a cache that obeys", quick=True)
def cache_obeys(place):
    return cached(place, False, "").judge(straight(place)).figures()


@row("client", "nginx: a cache that obeys, TLS")
def cache_obeys_secured(place):
    return cached(place, True, "").judge(straight(place, True)).figures()


@row("client", "nginx: a cache that keeps all for 1 s")
def cache_forced(place):
    return cached(place, False, "proxy_cache_valid any 1s;").judge().figures()


@row("client", "nginx: a cache that keeps all for 1 s, TLS")
def cache_forced_secured(place):
    return cached(place, True, "proxy_cache_valid any 1s;").judge().figures()


@row("client", "nginx: heads of 1 KB")
def short_heads(place):
    server = "client_header_buffer_size 1k; large_client_header_buffers 2 1k;"
    proxy = Nginx(place, upstream(place.service()), server=server)
    return Flight(place, proxy.address(False)).land().judge(straight(place)).figures()


@row("client", "nginx: bodies of 1 KB, others 413 in HTML")
def short_bodies(place):
    proxy = Nginx(place, upstream(place.service()), server="client_max_body_size 1k;")
    flight = Flight(place, proxy.address(False)).land().judge(is_whole=False)
    if flight.summary["full"] > 60:
        raise Problem(f"refused requests are repeated too often: {flight.figures()}")
    return flight.figures()


@row("client", "nginx: no buffering")
def unbuffered(place):
    proxy = Nginx(
        place, upstream(place.service()), location=KEPT + "proxy_buffering off; proxy_request_buffering off;")
    return Flight(place, proxy.address(True)).land().judge(straight(place, True)).figures()


# Connections that end.


def with_pauses(place, proxy, secured, pauses, seconds):
    relay = place.keep(Relay(proxy.secured if secured else proxy.plain))
    flight = Flight(place, f"http{'s' if secured else ''}://127.0.0.1:{relay.port}")
    for number in range(pauses):
        relay.at(12 + 17 * number, lambda: flight.halt(seconds))
    flight.land().judge()
    if relay.accepted < pauses // 2:
        raise Problem(f"only {relay.accepted} connections: the pauses didn't end any")
    if flight.failures() > pauses:
        raise Problem(f"more failures than pauses: {flight.figures()}")
    return f"{flight.figures()}, {relay.accepted} connections"


@row("client", "nginx: keep-alive of 1 s, pauses of 1.5 s")
def keep_alive(place):
    proxy = Nginx(place, upstream(place.service()), server="keepalive_timeout 1s;")
    return with_pauses(place, proxy, False, 6, 1.5)


@row("client", "nginx: keep-alive of 1 s, TLS and HTTP/2")
def keep_alive_secured(place):
    proxy = Nginx(place, upstream(place.service()), server="keepalive_timeout 1s;")
    return with_pauses(place, proxy, True, 6, 1.5)


@row("client", "haproxy: keep-alive of 1 s, TLS and HTTP/2")
def haproxy_keep_alive(place):
    proxy = HAProxy(place, upstream(place.service()), defaults="timeout client 1s\n  timeout http-keep-alive 1s")
    return with_pauses(place, proxy, True, 6, 1.5)


@row("client", "caddy: idle time of 1 s, TLS and HTTP/2")
def caddy_idle(place):
    server = place.service()
    proxy = Caddy.__new__(Caddy)
    # The option of servers stands in the global block.
    original = place.write
    place.write = lambda name, text: original(
        name, text.replace("auto_https off", "auto_https off\n  servers {\n    timeouts {\n      idle 1s\n    }\n  }", 1))
    try:
        proxy.__init__(place, upstream(server))
    finally:
        place.write = original
    return with_pauses(place, proxy, True, 6, 1.5)


@row("client", "nginx: five requests a connection")
def few_requests(place):
    proxy = Nginx(place, upstream(place.service()), server="keepalive_requests 5;")
    return Flight(place, proxy.address(False)).land().judge(straight(place)).figures()


@row("client", "nginx: five requests a connection, TLS and HTTP/2", quick=True)
def few_requests_secured(place):
    proxy = Nginx(place, upstream(place.service()), server="keepalive_requests 5;")
    flight = Flight(place, proxy.address(True)).land().judge()
    # GOAWAY can cross a request, which then fails and is sent again.
    if flight.failures() > 5:
        raise Problem(f"too many failures: {flight.figures()}")
    return flight.figures()


def reload_rows():
    for kind, make in KINDS.items():
        for secured, words in ((False, "HTTP/1.1"), (True, "TLS and HTTP/2")):
            def body(place, make=make, secured=secured):
                proxy = make(place, upstream(place.service()))
                relay = place.keep(Relay(proxy.secured if secured else proxy.plain))
                for blocks in (15, 40, 70, 100):
                    relay.at(blocks, proxy.reload)
                flight = Flight(place, f"http{'s' if secured else ''}://127.0.0.1:{relay.port}").land().judge()
                if flight.failures() > 4:
                    raise Problem(f"more failures than reloads: {flight.figures()}")
                return f"{flight.figures()}, {relay.accepted} connections"

            row("client", f"{kind}: four reloads, {words}", quick=kind == "nginx" and secured)(body)


reload_rows()


# Trouble behind and before the proxy.


def outage_rows():
    for kind, make in KINDS.items():
        def body(place, make=make):
            servers = [place.service()]
            behind = place.keep(Relay(servers[0].port))
            proxy = make(place, ("http", behind.port))
            before = place.keep(Relay(proxy.secured))

            def kill():
                behind.shut()
                servers[0].process.kill()
                servers[0].process.wait()

            def restart():
                with flight.halted():
                    servers.append(place.service())
                    behind.target = ("127.0.0.1", servers[1].port)
                    behind.reopen()

            before.at(40, kill)
            before.at(55, restart)
            flight = Flight(place, f"https://127.0.0.1:{before.port}", until="4h")
            flight.land().judge()
            if len(servers) < 2 or not flight.failures():
                raise Problem(f"the outage wasn't seen: {flight.figures()}")
            return flight.figures()

        row("client", f"{kind}: the service is killed and starts again")(body)


outage_rows()


@row("client", "nginx: the service is silent, 504 in HTML")
def silent_service(place):
    relay = place.keep(Relay(place.service().port))
    proxy = Nginx(place, ("http", relay.port), location="proxy_read_timeout 1s;")
    relay.at(40, lambda: relay.pause(4))
    flight = Flight(place, proxy.address(True), until="3h").land().judge()
    if not flight.failures():
        raise Problem("the silence wasn't seen")
    return flight.figures()


@row("client", "nginx: a rate of 4 a second, 429 in HTML")
def rate_limited(place):
    proxy = Nginx(
        place, upstream(place.service()), http="limit_req_zone $binary_remote_addr zone=r:1m rate=4r/s;",
        server="limit_req zone=r burst=3 nodelay; limit_req_status 429;")
    flight = Flight(place, proxy.address(False), until="3h").land().judge(is_whole=False)
    if not flight.failures():
        raise Problem("no request was refused")
    return flight.figures()


def portal(place, secured, mode, blocks=(40, 48)):
    """A captive portal that stands in the way of some requests."""
    login = free_port()
    at = place.folder
    proxy = Nginx(
        place, upstream(place.service("--key", KEY)),
        http=f"""server {{ listen 127.0.0.1:{login}; access_log {at}/login.log; default_type text/html; location / {{ return 200 '{PAGE}'; }} }}""",
        server=f"""default_type text/html;
    if (-f {at}/302) {{ return 302 http://127.0.0.1:{login}/login; }}
    if (-f {at}/307) {{ return 307 http://127.0.0.1:{login}/login; }}
    if (-f {at}/200) {{ return 200 '{PAGE}'; }}
    if (-f {at}/511) {{ return 511 '{PAGE}'; }}""")
    with contextlib.suppress(FileNotFoundError):
        os.remove(place.path(mode))
    relay = place.keep(Relay(proxy.secured if secured else proxy.plain))
    relay.at(blocks[0], lambda: place.write(mode, ""))
    relay.at(blocks[1], lambda: os.remove(place.path(mode)))
    flight = Flight(
        place, f"http{'s' if secured else ''}://127.0.0.1:{relay.port}", until="3h", environment={"CONTRAIL_KEY": KEY})
    flight.land().judge()
    visits = len(place.text("login.log").splitlines())
    if visits:
        raise Problem(f"the page of the portal was asked for {visits} times")
    if not flight.failures():
        raise Problem(f"the portal wasn't seen: {flight.figures()}")
    return flight.figures()


for title, is_secured, status in [
    ("302 to another host", False, "302"), ("307 to another host, TLS", True, "307"),
    ("200 with a page", False, "200"), ("511 with a page", False, "511"),
]:
    row("client", "captive portal: " + title, quick=status == "302")(
        lambda place, is_secured=is_secured, status=status: portal(place, is_secured, status))


@row("client", "captive portal: a certificate of its own")
def portal_certificate(place):
    other = Certificate(place.path("portal"))
    server = place.service(secured=True)
    trusted, place.certificate = place.certificate, other
    proxy = Nginx(place, ("http", free_port()), server=f"default_type text/html; return 200 '{PAGE}';")
    place.certificate = trusted
    relay = place.keep(Relay(server.port))

    def swap(port):
        relay.target = ("127.0.0.1", port)
        relay.reset()

    relay.at(40, lambda: swap(proxy.secured))
    relay.at(52, lambda: swap(server.port))
    flight = Flight(place, f"https://127.0.0.1:{relay.port}", until="5h").land().judge()
    if not flight.failures():
        raise Problem("the portal wasn't seen")
    return flight.figures()


def refused_rows():
    """Servers that no client should talk to: every request fails before it is sent."""
    old = "ssl_protocols TLSv1 TLSv1.1; ssl_ciphers ALL:@SECLEVEL=0;"
    for name, server, subject in (
            ("TLS 1.0 and 1.1 only", old, {}),
            ("a certificate for another host", "", {"name": "other.example", "alternatives": "DNS:other.example"}),
            ("an expired certificate", "", {"days": -1}),
            ("a certificate without a name", "", {"name": "127.0.0.1", "alternatives": ""})):
        def body(place, server=server, subject=subject):
            place.certificate = Certificate(place.path("certificate"), **subject)
            proxy = Nginx(place, upstream(place.service()), server=server)
            flight = Flight(place, proxy.address(True), until="2h", environment={"CONTRAIL_KEY": KEY}).land().judge(is_whole=False)
            if set(flight.summary["failures"]) != {"security"}:
                raise Problem(f"not refused: {flight.figures()}")
            if place.text("access.log"):
                raise Problem("a request was sent")
            return flight.figures()

        row("client", f"nginx: {name}", quick=server == old)(body)


refused_rows()


# Airport files and weather.


def airport_file(place, airports=4000):
    """A folder with the file of a cycle: made-up airports on a grid."""
    source, folder = place.path("source"), place.path("cycles")
    os.makedirs(source, exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    heads = [text.splitlines()[0] for text in (server_check.AIRPORTS, server_check.RUNWAYS)]
    with open(os.path.join(source, "airports.csv"), "w", encoding="utf-8") as file:
        print(heads[0], file=file)
        for number in range(airports):
            ident = "K" + "".join(chr(65 + number // power % 26) for power in (676, 26, 1))
            lat, lon = -60 + number * 7919 % 120000 / 1000, -180 + number * 104729 % 360000 / 1000
            print(f"{number + 1},{ident},large_airport,Airport {number * 2654435761 % 2**32:x},{lat},{lon},"
                  f"{number % 5000},NA,US,Town {number * 40503 % 2**20:x},{ident},,{ident},", file=file)
    with open(os.path.join(source, "runways.csv"), "w", encoding="utf-8") as file:
        print(heads[1], file=file)
        for number in range(airports):
            lat, lon = -60 + number * 7919 % 120000 / 1000, -180 + number * 104729 % 360000 / 1000
            print(f"{number + 1},{number + 1},{4000 + number % 8000},150,ASP,0,09,{lat},{lon},,{number % 180},,27,,,,{number % 180 + 180},",
                  file=file)
    path = os.path.join(folder, "2511.airports.xz")
    with contextlib.suppress(FileNotFoundError):
        os.remove(path)
    status, output = run([place.contrail, "airports", "build", "--ourairports", source, "--cycle", "2511", "-o", path])
    if status != 0:
        raise Problem("airports build: " + output[-300:])
    return folder, os.path.getsize(path)


def load_airports(place, address, attempts=1):
    database = place.path("airports.sqlite")
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.remove(database + suffix)
    for attempt in range(attempts):
        status, output = run(
            [place.contrail, "airports", "load", address + "/airports/v1", "--cycle", "2511", "--database", database,
             "--at", "2025-11-15"], env={**os.environ, "XDG_CACHE_HOME": place.path("cachehome")})
        if status == 0:
            return attempt + 1, " ".join(output.split())
    raise Problem(f"airports load, attempt {attempts}: " + " ".join(output.split())[-300:])


def airport_rows():
    ways = [
        ("nginx: airports, gzip and a cache", True, lambda place, far: Nginx(
            place, far, http=GZIP + f"proxy_cache_path {place.path('cache')} keys_zone=z:1m; ",
            location="proxy_cache z; proxy_cache_valid 200 206 1m;")),
        ("haproxy: airports", False, lambda place, far: HAProxy(place, far, defaults="compression algo gzip")),
        ("caddy: airports", False, lambda place, far: Caddy(place, far, site="encode gzip")),
    ]
    for name, is_quick, make in ways:
        def body(place, make=make):
            folder, size = airport_file(place)
            proxy = make(place, upstream(place.service("--airports", folder, flights=False)))
            attempts, _ = load_airports(place, proxy.address(False))
            relay = place.keep(Relay(proxy.plain))
            relay.cut_after = size // 3
            relay.at(2, lambda: setattr(relay, "cut_after", None))
            again, _ = load_airports(place, f"http://127.0.0.1:{relay.port}", attempts=3)
            return f"{size} bytes; cut in the middle, whole at attempt {again}"

        row("client", name + ", cut and resumed", quick=is_quick)(body)


airport_rows()


@row("client", "weather behind nginx, haproxy and caddy")
def weather(place):
    server = place.service(flights=False)
    answers = []
    for number, make in enumerate((None, *KINDS.values())):
        address = make(place, upstream(server)).address(False) if make else server.address
        status, output = run(
            [place.contrail, "weather", "103.99,1.36", "--server", address, "--json", "--cache", place.path(f"weather-{number}")])
        if status != 0:
            raise Problem(f"{make.__name__ if make else 'straight'}: {' '.join(output.split())[-300:]}")
        answers.append(len(output))
    return f"{answers} bytes"
