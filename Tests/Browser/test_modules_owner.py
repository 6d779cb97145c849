"""The owner of a log: the engine with its files and requests, as the tabs of a site use it."""
import contextlib
import json

from live import ROUTE
from sites import Service
from test_modules import imported

OWNER = """(window.lines = async (owner) => (await owner.calls.log()).flatMap(({ bytes }) => new TextDecoder().decode(bytes).trim().split("\\n").map((line) => JSON.parse(line))),
window.make = async (server, more = {}, files = new MemoryFiles()) => {
  window.wasm ??= await loadModule("/contrail.wasm.gz");
  window.posts = [];
  window.news = [];
  window.owner = new Owner(wasm, files, {
    server, weather: null, apiKey: null, weatherToken: null, directory: "flight", isOnline: true, hasLink: true, followsAppLifecycle: true, isVisible: true,
    storage: "memory", wasm: "", ...more,
  }, { deliver: (tab, message) => posts.push([tab, message]), tell: (each) => news.push(each) });
  window.closings = 0;
  owner.onClosed = () => closings++;
  owner.start();
  await owner.see("a", true);
  owner.ready();
  return null;
}, window.code = (action) => (async () => action())().then((value) => value ?? "nothing", (error) => error.code ?? String(error)), null)"""
NOWHERE = "http://localhost:1"
CORRIDOR = {"dataQuery": {"types": ["turbulence", "pireps", "traffic", "turbulencePolygons"], "route": ROUTE, "routeWidth": 100}}


@contextlib.contextmanager
def owner(viewer, server=NOWHERE, **more):
    with imported(viewer, "engine", "files", "owner", "errors") as value:
        value(OWNER)
        value(f"make({json.dumps(server)}, {json.dumps(more)})")

        def until(condition):
            for _ in range(200):
                if value(condition):
                    return
                value.page.wait_for_timeout(50)
            raise AssertionError(f"didn't come true: {condition}")

        value.until = until
        value.call = lambda name, *arguments: value.page.evaluate("([name, args]) => within(owner.call('a', name, args).then((result) => result ?? null, (error) => ({ failed: error.code })))", [name, list(arguments)])
        yield value


def test_tabs_are_told_what_they_watch_and_nothing_else(viewer):
    with Service(viewer.contrail, "--allow-origin", "*") as service, owner(viewer, service.url.rstrip("/")) as value:
        watch = lambda tab, number, name, query: value.page.evaluate("([tab, number, name, query]) => { owner.watch(tab, number, name, query); }", [tab, number, name, query])
        posts = lambda: value("posts.splice(0)")
        watch("a", 1, "observe", {"kind": "turbulence", "form": "items"})
        # The first result is there at once, and is empty.
        assert posts() == [["a", {"ready": 1}]]
        first = value.call("take", "a", 1)
        assert first == {"isFirst": True, "count": 0, "inserted": [], "changed": [], "removed": []} and value.call("take", "a", 1) is None, first
        watch("b", 1, "observe", {"kind": "pireps", "form": "items"})
        watch("b", 2, "observe", {"kind": "profile", "widthNM": 100, "route": ROUTE})
        watch("b", 3, "observe", {"kind": "turbulence", "form": "items"})
        value.call("take", "b", 1), value.call("take", "b", 2), value.call("take", "b", 3)
        watch("b", 4, "monitor", {"minimumSeverity": "light", "distanceNM": 1000, "widthNM": 100, "altitudeSpanFeet": 100_000, "route": ROUTE})
        posts()
        value("(owner.unwatch('b', 3), owner.unwatch('a', 3), owner.unwatch('c', 1), null)")
        value.call("change", CORRIDOR)
        value.until("posts.length >= 3")
        ready = {(tab, message.get("ready")) for tab, message in posts()}
        assert ready == {("a", 1), ("b", 1), ("b", 2)}, ready
        assert len(value.call("take", "a", 1)["inserted"]) == len(value.call("query", {"kind": "turbulence", "form": "items"})) > 0
        assert value("owner.call('b', 'take', ['b', 2]).then(({ profile, changedBins }) => profile.cells instanceof Uint32Array && profile.edges.length === 2 * profile.bins + 2 && changedBins.length > 0)")
        # A monitor tells its own tab.
        value.call("position", "b", 4, {"position": ROUTE[0], "altitudeFeet": 35_000, "trackDegrees": 290, "groundSpeedKnots": 450})
        tab, message = next(post for post in posts() if "watched" in post[1])
        assert tab == "b" and message["watched"] == 4 and message["value"]["event"] == "began" and message["value"]["alert"]["cells"]
        for tab, number in (("a", 2), ("b", 3), ("c", 1), ("b", 4)):
            assert value.call("take", tab, number) == {"failed": "internal"}, (tab, number)
        for tab, number in (("b", 1), ("a", 1), ("b", 3)):
            assert value.call("position", tab, number, {"position": [0, 0]}) == {"failed": "internal"}
        # A tab that has ended is told nothing more, and the engine forgets what it watched.
        value("(window.forgotten = [], ['unobserve', 'unmonitor'].forEach((name) => { const real = owner.engine.exports[name]; owner.engine.exports = { ...owner.engine.exports, [name]: (number) => (forgotten.push(name), real(number)) }; }), owner.forget('b'))")
        assert sorted(value("forgotten")) == ["unmonitor", "unobserve", "unobserve"]
        value.call("change", {"isOnline": False})
        value.call("take", "a", 1), posts()
        value.call("change", {"dataHistoryTime": 1800})
        value.until("posts.length > 0")
        assert {tab for tab, _ in posts()} == {"a"}
        # What isn't watched any more can't be watched or taken again by its number.
        value("(owner.unwatch('a', 1), null)")
        assert value.call("take", "a", 1) == {"failed": "internal"} and value("forgotten.at(-1)") == "unobserve"
        value("owner.stop()")
        value("(owner.unobserve(1), owner.unmonitor(1), null)")
        assert value("forgotten.length") == 4, "a stopped engine isn't called"


def test_an_owner_answers_by_the_engine(viewer):
    with Service(viewer.contrail, "--allow-origin", "*", keys=("right",)) as service, owner(viewer, service.url.rstrip("/"), apiKey="wrong") as value:
        assert value.call("opened") is None
        assert value.call("none") == {"failed": "internal"} and value.call("toString") == {"failed": "internal"}
        value.call("change", CORRIDOR)
        value.until("news.some(({ updates }) => updates?.some(({ kind, error }) => kind === 'failed' && error.code === 'unauthorized'))")
        error = value("news.flatMap(({ updates }) => updates ?? []).find(({ kind }) => kind === 'failed').error")
        assert error["host"] == "localhost" or error["host"] == service.url.split("/")[2], error
        assert value("news.filter(({ credentials }) => credentials)") == []
        assert value("news.findLast(({ settings }) => settings).settings.dataQuery.routeWidth") == 100
        # Other tabs learn of the key, for when they own the log.
        value.call("change", {"apiKey": "right"})
        assert value("[owner.apiKey, news.findLast(({ credentials }) => credentials)]") == ["right", {"credentials": {"apiKey": "right"}}]
        value.call("change", {"weatherToken": "token"})
        assert value("[owner.apiKey, news.findLast(({ credentials }) => credentials)]") == ["right", {"credentials": {"weatherToken": "token"}}]
        value.until("owner.calls.query({ kind: 'turbulencePolygons', form: 'items' })?.length > 0 && owner.calls.query({ kind: 'turbulence', form: 'items' }).length > 0")
        statuses = value.call("statuses")
        assert value.call("status", "corridor")["scope"] == "corridor" and {status["scope"] for status in statuses} >= {"corridor", "global.7200"}
        assert value.call("settings")["dataQuery"]["routeWidth"] == 100
        columns = value("owner.call('a', 'query', [{ kind: 'turbulence', form: 'columns' }]).then((columns) => Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [column.constructor.name, column.length]])))")
        count = len(value.call("query", {"kind": "turbulence", "form": "items"}))
        names = {"lo": "Uint32Array", "hi": "Uint32Array", "altitude": "Uint8Array", "severity": "Uint8Array", "edr": "Uint16Array", "observedAt": "Uint32Array", "count": "Uint32Array", "ownState": "Uint8Array"}
        assert columns == {name: [kind, count] for name, kind in names.items()}
        # The map's view has a document for each scope with one, but those that the caller has.
        view = value("owner.call('a', 'view', []).then(({ view, reports, documents }) => ({ view, reports: reports.lo.length, documents }))")
        with_document = [scope["polygons"] is not None for scope in view["view"]["scopes"]]
        assert [document is not None for document in view["documents"]] == with_document and True in with_document and view["reports"] > 0
        known = [f"{scope['name']} {scope['polygons']}" for scope in view["view"]["scopes"]]
        assert value.call("view", known)["documents"] == [None] * len(known)
        assert any(value.call("view", ["corridor 0"])["documents"])
        assert value.call("report", {"position": [0, 50], "altitudeFeet": 99_000, "severity": "light", "edr": 0.1}) == {"failed": "invalidReport"}
        assert value.call("report", {"position": [0, 50], "altitudeFeet": 35_000, "severity": "light", "edr": 0.1}) is None
        assert [report["altitudeFeet"] for report in value.call("ownReports")] == [35_000]
        assert value.call("byteStatus")["sessionBytes"] > 0 and value.call("weather", [0, 0]) is None
        # For the browser's tools: how long the newest answer took.
        assert value("performance.getEntriesByName('contrail-answer').length") == 1
        profile = value("owner.call('a', 'profile', [{ widthNM: 100 }]).then(({ cells, edges, bins }) => [cells.length % 8, cells.length > 0, edges.length - 2 * bins])")
        assert profile == [0, True, 2]
        # The log is whole, and its session has a number of 16 digits.
        lines = value("lines(owner)")
        assert [line["seq"] for line in lines] == list(range(len(lines))) and lines[0]["kind"] == "segment.opened"
        session = next(line for line in lines if line["kind"] == "session.started")
        assert len(session["session"]) == 16, session
        assert value("owner.contents('/log/none').length") == 0


def test_a_stopped_owner_refuses_calls_and_closes_once(viewer):
    with owner(viewer) as value:
        value("(window.ended = 0, (() => { const real = owner.files.end; owner.files.end = () => { ended++; real.call(owner.files); }; })(), null)")
        # A call that waits is answered, or fails as stopped.
        value("(window.waiting = code(() => owner.call('a', 'opened', [])), window.stopping = owner.stop(), null)")
        value("stopping")
        assert value("waiting") in ("nothing", "stopped") and value("[closings, ended, owner.isStopped, owner.failure]") == [1, 1, True, None]
        assert value.call("statuses") == {"failed": "stopped"} and value.call("opened") == {"failed": "stopped"}
        assert value("code(() => owner.ticket(() => 0))") == "stopped"
        value("owner.stop()")
        assert value("[closings, ended]") == [1, 1]
        value("(owner.event(1), owner.forget('a'))")
        # Two sessions don't have one number.
        value(f"make('{NOWHERE}')")
        value.call("opened")
        first = value("lines(owner).then((all) => all.find(({ kind }) => kind === 'session.started').session)")
        value(f"make('{NOWHERE}')")
        value.call("opened")
        assert value("lines(owner).then((all) => all.find(({ kind }) => kind === 'session.started').session)") != first


def test_an_owner_that_closes_fails_what_waits(viewer):
    with owner(viewer) as value:
        value("(window.waiting = code(() => owner.ticket(() => owner.engine.exports.statuses(0))), null)")
        # Its export put out no actions.
        assert "undefined" in value("waiting") or value("waiting")
        value("(window.tickets = code(() => owner.ticket((e, ticket, now, wall) => e.exports.event(6, 0, now, wall))), owner.close(), null)")
        assert value("tickets") == "stopped" and value("[closings, owner.tickets.size]") == [1, 0]


def test_an_engine_that_stops_tells_why_and_keeps_what_is_written(viewer):
    with owner(viewer) as value:
        value.call("change", {"dataHistoryTime": 14_400})
        count = len(value("lines(owner)"))
        # Memory runs out.
        value("(owner.files.write = () => { throw new RangeError('Array buffer allocation failed'); }, news.length = 0, window.waiting = code(() => owner.ticket((e, ticket, now, wall) => e.exports.event(6, 0, now, wall))), null)")
        value.call("change", {"dataHistoryTime": 7200})
        value.until("owner.failure !== null")
        assert value("waiting") == "engineStopped"
        errors = value("news.flatMap(({ updates }) => updates ?? []).filter(({ kind }) => kind === 'failed').map(({ error }) => error)")
        assert [error["code"] for error in errors] == ["engineStopped"] and "allocation failed" in errors[0]["message"] and errors[0]["advice"]
        assert value("[closings, owner.isStopped]") == [1, True]
        for call in ("statuses", "opened", "settings"):
            assert value.call(call) == {"failed": "engineStopped"}
        assert value("code(() => owner.ticket(() => 0))") in ("engineStopped", "stopped")
        assert len(value("lines(owner)")) >= count
    with owner(viewer) as value:
        # A query traps.
        value("(owner.engine.exports = { ...owner.engine.exports, statuses: () => { throw new WebAssembly.RuntimeError('unreachable'); } }, null)")
        assert value.call("statuses") == {"failed": "engineStopped"} and value("closings") == 1 and value.call("opened") == {"failed": "engineStopped"}
    with owner(viewer) as value:
        # Another error is that of one call.
        value("(owner.engine.exports = { ...owner.engine.exports, statuses: () => { throw new TypeError('x'); } }, null)")
        assert value("code(() => owner.call('a', 'statuses', []))") == "TypeError: x" and value("closings") == 0 and value.call("opened") is None


def test_a_client_that_no_tab_shows_is_in_the_background(viewer):
    with owner(viewer) as value:
        see = lambda tab, is_visible: value(f"owner.see('{tab}', {'true' if is_visible else 'false'})")
        value("(window.turns = [], ['enterBackground'].forEach((name) => { const real = owner.calls[name]; owner.calls[name] = () => (turns.push('background'), real()); }),"
              " (() => { const real = owner.event.bind(owner); owner.event = (kind, ...more) => (kind === 2 && turns.push('foreground'), real(kind, ...more)); })(), null)")
        turns = lambda: value("turns.splice(0)")
        assert see("a", True) is None and turns() == []
        see("a", False), see("a", False)
        assert turns() == ["background"]
        see("b", False)
        assert turns() == []
        see("b", True), see("a", True)
        assert turns() == ["foreground"]
        # A tab that ends counts no more.
        see("a", False)
        assert turns() == []
        value("owner.forget('b')")
        assert turns() == ["background"]
        # Without any tab, the client isn't in the background: its next tab comes.
        value("owner.forget('a')")
        assert turns() == ["foreground"]
        value("(owner.configuration.followsAppLifecycle = false, null)")
        see("a", False)
        assert turns() == []


def test_servers_are_named_in_errors(viewer):
    for service, more in (("server", {}), ("weather", {"weather": "http://localhost:2/weather"})):
        with owner(viewer, NOWHERE + "/base", **more) as value:
            query = CORRIDOR if service == "server" else {"dataQuery": {"weather": {"places": [[13.51, 52.36]]}}}
            value.call("change", query)
            value.until("news.some(({ updates }) => updates?.some(({ kind, error }) => kind === 'failed' && error.code === 'network'))")
            hosts = value("[...new Set(news.flatMap(({ updates }) => updates ?? []).filter(({ kind }) => kind === 'failed').map(({ error }) => error.host))]")
            assert hosts == [("localhost:1" if service == "server" else "localhost:2")], hosts


def test_a_log_in_memory_stays_small(viewer):
    with owner(viewer) as value:
        # More than five segments of 4 MB of settings.
        sizes = value("""(async () => {
          for (let i = 0; i < 4200; i++) {
            owner.calls.change({ byteBudget: { bytes: 1_000_000, flight: i + "\\u0001".repeat(1000) } });
            if (i % 200 === 0) await new Promise((done) => setTimeout(done, 0));
          }
          return (await owner.calls.log()).map(({ bytes }) => bytes.length);
        })()""")
        assert len(sizes) > 1 and sum(sizes) < 24 << 20 and max(sizes) < 5 << 20, sizes
