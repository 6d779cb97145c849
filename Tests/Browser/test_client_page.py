"""What the page tells the client of a browser: the network, whether the tab is seen, and settings of one turn; and what is sent to servers."""
import gzip
import json

from live import PAGE, ROUTE, Tab
from sites import MODULE, Site
from test_client import SETTINGS, Flight

# What the client of a page is told of the tab.
SEEN = "(Object.defineProperty(document, 'visibilityState', {{ value: '{}', configurable: true }}), document.dispatchEvent(new Event('visibilitychange')), null)"
CODE = "(window.code = (action) => (async () => action())().then((value) => value ?? 'nothing', (error) => error.code ?? String(error)), null)"


class Refusal:
    """A server that answers requests with a status, and keeps their paths, fields and bodies."""

    def __init__(self, viewer):
        self.requests = []
        self.bodies = []
        engine = (MODULE / "contrail.wasm.gz").read_bytes()
        self.site = Site(MODULE, made={"/": PAGE, "/favicon.ico": b"", "/contrail.wasm": engine, "/engine.bin": engine}, answer=self.answer)
        self.context = viewer.browser.new_context()

    def answer(self, request):
        if not request.path.startswith(("/data/", "/weather/")):
            return False
        if body := request.rfile.read(int(request.headers.get("Content-Length", 0))):
            self.bodies.append(gzip.decompress(body) if request.headers.get("Content-Encoding") == "gzip" else body)
        self.requests.append((request.path, {name.lower(): text for name, text in request.headers.items()}))
        return request.reply(503)

    def tab(self, settings=None, begins=True, **configuration):
        return Tab(self.context, self.site.url, {"server": self.site.url + "data/", **configuration} if begins else None, settings)

    def until(self, tab, condition):
        for _ in range(100):
            if condition():
                return
            tab.wait(50)
        raise AssertionError(f"didn't come true: {self.requests}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
        self.site.close()


def test_requests_go_to_the_configured_servers_with_their_keys(viewer):
    places = {"weather": {"places": [[13.51, 52.36]]}}
    with Refusal(viewer) as server:
        of = lambda start: [(path, fields.get("x-api-key")) for path, fields in server.requests if path.startswith(start)]
        tab = server.tab({"dataQuery": {**SETTINGS["dataQuery"], **places}}, apiKey="key", weather={"server": server.site.url + "weather", "token": "word"})
        server.until(tab, lambda: of("/data/") and of("/weather/"))
        assert all(key == "key" and "word" not in path for path, key in of("/data/"))
        assert all("/word/" in path and key is None for path, key in of("/weather/"))
        assert not [path for path, _ in server.requests if "//" in path]
        tab.until("['corridor', 'weather'].every((name) => told.some(({ kind, error }) => kind === 'failed' && error.scope?.startsWith(name)))")
        # Other keys, and none.
        tab.value("(client.setAPIKey('other'), client.setWeatherToken('else'), client.fetchData({ refresh: true }), null)")
        server.until(tab, lambda: any(key == "other" for _, key in of("/data/")) and any("/else/" in path for path, _ in of("/weather/")))
        tab.value("(client.setAPIKey(null), client.setWeatherToken(null), await client.opened())")
        server.requests.clear()
        tab.value("(client.fetchData({ refresh: true }), null)")
        server.until(tab, lambda: of("/data/"))
        assert not [key for _, key in of("/") if key] and not [path for path, _ in of("/weather/") if "else" in path]
        tab.value("client.stop()")
        # Without a service of its own, the weather is asked from the server, and without a key none is sent.
        server.requests.clear()
        plain = server.tab({"dataQuery": {**places, "types": []}}, directory="plain", wasm="/engine.bin")
        server.until(plain, lambda: server.requests)
        assert not of("/weather/") and not [key for _, key in of("/data/") if key]


def test_requests_that_are_sent_at_once_have_bodies_of_their_own(viewer):
    with Refusal(viewer) as server:
        tab = server.tab(SETTINGS, isOnline=False)
        tab.value("await client.report({ position: [-30, 52], altitudeFeet: 36000, severity: 'moderate', edr: 0.32 })")
        assert not server.bodies
        tab.value("(client.isOnline = true, null)")
        server.until(tab, lambda: len(server.bodies) >= 2)
        corridor, reports = (json.loads(body) for body in sorted(server.bodies[:2], key=len, reverse=True))
        assert corridor["types"] == SETTINGS["dataQuery"]["types"] and len(reports["reports"]) == 1


def test_nothing_is_sent_while_the_network_or_the_switch_is_off(viewer):
    # What the browser reports of the network, while the page's own site stays reachable.
    report = "(Object.defineProperty(navigator, 'onLine', {{ value: {}, configurable: true }}), dispatchEvent(new Event('{}')), null)"
    with Refusal(viewer) as server:
        tab = server.tab(SETTINGS, isOnline=False)
        assert tab.value("[client.isOnline, client.hasLink]") == [False, True] and tab.status("corridor")["phase"] == "offline"
        tab.value(report.format("false", "offline"))
        # A server on this device needs no network.
        assert tab.value("client.hasLink")
        tab.value("client.stop()")
        for follows, has_link in ((True, False), (False, True), (None, True)):
            follow = "" if follows is None else f", followsSystemLink: {json.dumps(follows)}"
            tab.page.evaluate("(settings) => { window.settings = settings; }", SETTINGS)
            server.requests.clear()
            tab.value(f"begin({{ server: '{server.site.url}data', directory: 'follows {follows}'{follow} }}, (client) => client.dataQuery.set(settings.dataQuery))")
            assert tab.value("client.hasLink") is has_link, follows
            assert (tab.status("corridor")["phase"] == "offline") is not has_link
            if has_link:
                server.until(tab, lambda: server.requests)
            else:
                tab.wait(300)
                assert server.requests == []
            tab.value("client.stop()")
        # A server elsewhere is followed, if nothing else is configured.
        tab.value("begin({ server: 'https://example.invalid', directory: 'elsewhere' }, (client) => client.dataQuery.set(settings.dataQuery))")
        assert tab.value("client.hasLink") is False and tab.status("corridor")["phase"] == "offline"
        error = tab.value("client.airports.search('egll').catch((error) => error.toJSON())")
        assert (error["code"], error["scope"], error["isTransient"]) == ("network", "airports", True) and error["advice"], error
        tab.value(report.format("true", "online"))
        assert tab.value("client.hasLink")
        tab.until("client.status('corridor').then(({ phase }) => phase !== 'offline')")
        # The switch and the link must both be on.
        tab.value("(client.isOnline = false, null)")
        assert tab.value("client.airports.search('egll').catch(({ message }) => message)") == error["message"]
        tab.value("(client.isOnline = true, null)")
        tab.value(report.format("false", "offline"))
        assert tab.value("client.hasLink") is False
        assert tab.value("client.airports.search('egll').catch(({ message }) => message)") == error["message"]
        tab.until("client.status('corridor').then(({ phase }) => phase === 'offline')")
        # A client that has ended follows nothing.
        tab.value("client.stop()")
        tab.value(report.format("true", "online"))
        assert tab.value("client.hasLink") is False


def test_a_network_that_comes_back_is_used_at_once(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab({**SETTINGS, "dataUpdateFrequency": "none"})
        tab.until("(await client.status('corridor')).phase === 'current'")
        last = "(await client.status('corridor')).lastUpdate"
        before = tab.value(last)
        flight.context.set_offline(True)
        tab.wait(500)
        assert tab.value(last) == before
        flight.context.set_offline(False)
        tab.until(f"{last} > {before}")
        tab.value("(client.fetchData(), null)")
        read = """await client.exportLog().then(({ blob }) => blob.text()).then((text) => text.trim().split("\\n").map((line) => JSON.parse(line))
          .filter(({ kind, scope }) => kind === "fetch.started" && scope === "corridor").map(({ mode }) => mode))"""
        tab.until(f"({read}).length === 3")
        assert tab.value(read) == ["full", "delta", "delta"]


def test_a_tab_that_is_not_seen_updates_nothing(viewer):
    settings = {**SETTINGS, "listening": {"isEnabled": False}}
    last = "(await client.status('corridor')).lastUpdate"
    with Flight(viewer) as flight:
        tab = flight.tab(settings, rate=60)
        tab.until("(await client.status('corridor')).phase === 'current'")
        tab.value(SEEN.format("hidden"))
        tab.wait(300)
        before = tab.value(last)
        # Two minutes.
        tab.wait(2000)
        assert tab.value(last) == before
        tab.value(SEEN.format("visible"))
        tab.until(f"{last} > {before}")
        tab.value("client.stop()")
        # An application may want them in any case.
        always = flight.tab(settings, rate=60, followsAppLifecycle=False, directory="always")
        always.value(SEEN.format("hidden"))
        always.until(f"{last} > 0")
        before = always.value(last)
        always.until(f"{last} > {before}")
        always.value("client.stop()")
        # A client that begins unseen fetches what is wanted, and then waits.
        flight.context.add_init_script("Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })")
        unseen = flight.tab(settings, rate=60, directory="unseen")
        unseen.until("(await client.status('corridor')).phase === 'current'")
        before = unseen.value(last)
        unseen.wait(2000)
        assert unseen.value(last) == before
        unseen.value(SEEN.format("visible"))
        unseen.until(f"{last} > {before}")


def test_settings_of_one_turn_are_sent_before_what_is_asked_next(viewer):
    with Refusal(viewer) as server:
        tab = server.tab()
        tab.value(CODE)
        tab.page.evaluate("(route) => { window.route = route; }", ROUTE)
        # A query of the same turn has the route already; so has what is observed.
        assert tab.value("(client.dataQuery.route = route, client.profile({ widthNM: 80 }).then(({ bins }) => bins > 0))")
        assert tab.value("(client.dataQuery.route = null, code(() => client.profile()))") == "invalidQuery"
        assert tab.value("(client.dataQuery.route = route, client.observe('profile').next().then(({ value }) => value.profile.bins > 0))")
        # The last that is set holds, however it is set.
        tab.value("(client.dataQuery.routeWidth = 70, client.setDataQuery({ routeWidth: 90 }))")
        assert tab.value("client.dataQuery.routeWidth") == 90
        tab.value("client.opened()")
        assert tab.value("client.dataQuery.routeWidth") == 90
        tab.value("(client.dataQuery.routeWidth = 80, client.dataQuery.altRange = [10_000, 20_000], client.dataUpdateFrequency = 'none', client.stop())")
        tab.value("(client.dataQuery.routeWidth = 60, client.dataHistoryTime = 1800, null)")
        assert tab.value("code(() => client.setDataQuery({ routeWidth: 50 }))") == "stopped" and tab.value("client.dataHistoryTime") == 7200
        tab.reload()
        assert tab.value("[client.dataQuery.routeWidth, client.dataQuery.altRange, client.dataUpdateFrequency, client.dataHistoryTime]") == [80, [10_000, 20_000], "none", 7200]
        assert tab.value("client.linkCost") == {"isExpensive": False, "isConstrained": False}
        tab.value("(client.linkCost = { isExpensive: true, isConstrained: true }, client.opened())")
        assert tab.value("client.linkCost") == {"isExpensive": True, "isConstrained": True}
        # What the engine doesn't take is told.
        tab.value("(window.failed = [], client.addEventListener('failed', ({ detail }) => failed.push(detail)), client.dataUpdateFrequency = 'often', null)")
        tab.until("failed.length > 0")
        assert tab.value("failed.every((error) => error instanceof ContrailError && error.code && error.message)")
        assert tab.value("told.some(({ kind, error }) => kind === 'failed' && error.code === failed[0].code)")
        # A stream that was left gets no more, and one that goes on does.
        tab.value("(window.heard = [], ['a', 'b'].forEach(async (name) => { for await (const { kind } of client.updates) { heard.push(name); if (name === 'a') break; } heard.push('end of ' + name); }), null)")
        tab.value("(client.dataUpdateFrequency = 'never', null)")
        tab.until("heard.includes('end of a') && heard.includes('b')")
        tab.value("(heard.length = 0, client.dataUpdateFrequency = 'always', null)")
        tab.until("heard.includes('b')")
        assert tab.value("heard").count("a") == 0
