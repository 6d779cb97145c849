"""The modules of the client for browsers by themselves, in a page that imports them."""
import contextlib
import io
import tarfile

from sites import MODULE, Site

END = {"done": True, "value": None}


@contextlib.contextmanager
def imported(viewer, *names, answer=None, before=None):
    """A page that has imported modules, and a function for the value of an expression in it. What the modules export is global."""
    with Site(MODULE, made={"/": b"<!doctype html><title>modules</title>"}, answer=answer) as site:
        context = viewer.browser.new_context()
        try:
            page = context.new_page()
            if before:
                before(page)
            page.goto(site.url)
            page.evaluate("async (names) => { for (const name of names) Object.assign(window, await import(`/${name}.js`)); }", names)
            page.evaluate("""() => {
              window.within = (promise) => Promise.race([promise, new Promise((_, fail) => setTimeout(() => fail(new Error("no end")), 20_000))]);
              window.thrown = async (action) => { try { return await action(); } catch (error) { return error.toJSON?.() ?? error.name; } };
            }""")
            value = lambda expression: page.evaluate(f"() => within((async () => ({expression}))())")
            value.page, value.url = page, site.url
            yield value
        finally:
            context.close()


# MARK: Errors and places


def test_an_error_has_a_code_and_what_to_do(viewer):
    with imported(viewer, "errors") as value:
        whole = {"code": "disk", "message": "No space", "advice": "Free some.", "scope": "corridor", "host": "example.com", "isTransient": True}
        value.page.evaluate("(whole) => { window.whole = whole; window.error = new ContrailError(whole); }", whole)
        assert value("JSON.parse(JSON.stringify(error))") == whole
        assert value("[error instanceof Error, error.name, String(error)]") == [True, "ContrailError", "ContrailError: No space"]
        plain = {"code": "disk", "message": "No space", "advice": "", "scope": None, "host": None, "isTransient": False}
        assert value("new ContrailError({ code: 'disk', message: 'No space' }).toJSON()") == plain
        # Errors of the client stay, also after a journey by postMessage; others are internal.
        assert value("asContrailError(error) === error")
        assert value("[asContrailError(whole) instanceof ContrailError, asContrailError(whole).toJSON()]") == [True, whole]
        for other, message in (("new TypeError('x is not a function')", "x is not a function"), ("'text'", "text"), ("null", "null"), ("0", "0"),
                               ("{ code: 'disk', message: 'a' }", "a"), ("{ code: 20, advice: '', message: 'b' }", "b"), ("{ advice: 'c', message: 'c' }", "c")):
            error = value(f"asContrailError({other}).toJSON()")
            assert error["code"] == "internal" and error["message"] == message and error["advice"], (other, error)
        stopped = value("stoppedError().toJSON()")
        assert stopped["code"] == "stopped" and stopped["advice"] and not stopped["isTransient"]


def test_the_url_of_a_server_is_checked(viewer):
    with imported(viewer, "place") as value:
        for url, text in (("https://example.com", "https://example.com"), ("http://example.com:8080/a/b/", "http://example.com:8080/a/b"),
                          ("/api", value.url + "api"), ("", value.url.rstrip("/"))):
            assert value(f"serverText('{url}')") == text
            assert value(f"serverText(new URL('{url}', document.baseURI))") == text
        for url in ("ftp://example.com", "https://", "https://user@example.com", "https://:word@example.com", "https://example.com?a", "https://example.com#a"):
            error = value(f"thrown(() => serverText('{url}'))")
            assert error["code"] == "server" and error["advice"], url
        for url, is_here in (("http://localhost:8080", True), ("http://a.localhost", True), ("http://127.0.0.1", True), ("http://127.9.10.255:1", True),
                             ("http://[::1]:8080", True), ("http://localhost.example.com", False), ("http://128.0.0.1", False),
                             ("http://127.example.com", False), ("http://my127.0.0.1.example.com", False), ("http://notlocalhost", False)):
            assert value(f"isLoopback('{url}')") is is_here, url


def test_a_worker_runs_a_module_of_this_site_or_another(viewer):
    script = b"import './other.js'; postMessage([self.name, import.meta.url, self.imported]);"

    def answer(request):
        if request.path == "/script.js":
            return request.reply(body=script, Content_Type="text/javascript", Access_Control_Allow_Origin="*")
        if request.path == "/other.js":
            return request.reply(body=b"self.imported = true;", Content_Type="text/javascript", Access_Control_Allow_Origin="*")
        return False

    with imported(viewer, "place", answer=answer) as value, Site(answer=answer) as other:
        assert value("home") == value.url + "contrail.js"
        for url in (value.url + "script.js", other.url + "script.js"):
            for given in (f"'{url}'", f"new URL('{url}')"):
                assert value(f"new Promise((done) => {{ makeWorker({given}).onmessage = ({{ data }}) => done(data); }})") == ["contrail", url, True]
        assert value("new Promise((done) => { makeWorker('script.js').onmessage = ({ data }) => done(data[1]); })") == value.url + "script.js"


# MARK: Settings and sequences


def test_a_data_query_has_defaults_and_tells_its_changes(viewer):
    with imported(viewer, "query") as value:
        assert value("DataHistoryTime") == {"halfHour": 1800, "hour": 3600, "twoHours": 7200, "fourHours": 14_400, "sixHours": 21_600}
        assert value("[DataHistoryTime, DataUpdateFrequency, severities].every(Object.isFrozen)")
        assert value("DataUpdateFrequency") == {name: name for name in ("none", "minimal", "medium", "fast")}
        names = ["types", "viewportTypes", "sevs", "polygon", "viewport", "route", "routeWidth", "altRange", "globalEnabled", "globalTurbulencePolygonsUpToEnabled", "weather"]
        value.page.evaluate("""(names) => {
          window.told = [];
          window.query = new DataQuery({}, (change) => told.push(change));
          window.all = () => Object.fromEntries(names.map((name) => [name, query[name]]));
        }""", names)
        defaults = {
            "types": ["turbulence"], "viewportTypes": None, "sevs": ["none", "light", "lightModerate", "moderate", "moderateSevere"], "polygon": None, "viewport": None,
            "route": None, "routeWidth": None, "altRange": None, "globalEnabled": True, "globalTurbulencePolygonsUpToEnabled": False, "weather": {"places": []},
        }
        assert value("all()") == defaults and value("told") == []
        assert value("Object.values(all()).every((member) => member !== undefined)")
        ring = [[0, 0], [1, 0], [1, 1], [0, 0]]
        given = {
            "types": ["pireps"], "viewportTypes": ["traffic"], "sevs": ["light"], "polygon": ring, "viewport": ring, "route": [[0, 0], [1, 1]], "routeWidth": 50,
            "altRange": [100, 200], "globalEnabled": False, "globalTurbulencePolygonsUpToEnabled": True, "weather": {"places": [[1, 2]]},
        }
        value.page.evaluate("(given) => { query.set(given); }", given)
        assert value("all()") == given and value("told") == [{name: member} for name, member in given.items()]
        # What is given is copied; what is returned can't be changed, at any depth.
        assert value("(() => { const route = [[0, 0], [2, 2]]; query.route = route; route[0][0] = 9; return query.route; })()") == [[0, 0], [2, 2]]
        assert value("[query.route, query.route[0], query.weather.places[0]].every(Object.isFrozen)")
        # What the engine has isn't told back. A member that isn't given stays.
        count = value("told.length")
        value("(query.follow({ routeWidth: 70, polygon: null }), null)")
        assert value("all()") == {**given, "route": [[0, 0], [2, 2]], "routeWidth": 70, "polygon": None} and value("told.length") == count
        assert value("(() => { const values = { routeWidth: 1 }; const other = new DataQuery(values, () => {}); other.routeWidth = 2; return [values.routeWidth, other.routeWidth]; })()") == [1, 2]


def test_a_stream_gives_all_values_or_the_newest_until_it_ends(viewer):
    with imported(viewer, "streams") as value:
        value("""(window.made = (options) => {
          const got = [];
          let ends = 0;
          const stream = new Stream({ ...options, onEnd: () => ends++ });
          const reading = (async () => { for await (const each of stream) got.push(each); })().then(() => got.push("end"), (error) => got.push(error.message));
          return { stream, got, reading, ends: () => ends };
        }, null)""")
        # Values before and after there is a reader, in their order.
        assert value("""await (async () => {
          const { stream, got, reading, ends } = made();
          stream.push(1), stream.push(2);
          await null; await null; await null;
          stream.push(3);
          stream.end(), stream.end(), stream.push(4);
          await reading;
          return [got, ends(), await stream.next()];
        })()""") == [[1, 2, 3, "end"], 1, END]
        assert value("""await (async () => {
          const newest = new Stream({ isNewestOnly: true });
          newest.push(1), newest.push(2);
          const first = newest.next(), second = newest.next();
          newest.push(3);
          const all = new Stream();
          all.push(1), all.push(2), all.end();
          return [await first, await second, await all.next(), await all.next(), await all.next()];
        })()""") == [*({"done": False, "value": number} for number in (2, 3, 1, 2)), END]
        # An error comes after what was pushed before. Leaving the loop ends the stream, and drops what is left.
        assert value("await (async () => { const { stream, got, reading } = made(); stream.push(1); stream.fail(new Error('torn')); await reading; return got; })()") == [1, "torn"]
        assert value("""await (async () => {
          const { stream, got, reading } = made();
          await null;
          stream.fail(new Error("torn"));
          await reading;
          return got;
        })()""") == ["torn"]
        assert value("""await (async () => {
          let ends = 0;
          const stream = new Stream({ onEnd: () => ends++ });
          stream.push(1), stream.push(2), stream.push(3);
          for await (const each of stream) if (each === 2) break;
          return [ends, await stream.next(), await stream.return()];
        })()""") == [1, END, END]


def test_an_observation_takes_what_is_newest(viewer):
    with imported(viewer, "streams") as value:
        assert value("""await (async () => {
          const results = [null, { n: 1 }, { n: 2 }, { n: 3 }];
          let ends = 0;
          const observation = new Observation(async () => results.shift(), () => ends++);
          // A signal without a result gives nothing; signals that nobody waited for are one.
          observation.signal();
          const first = observation.next();
          await null; await new Promise((done) => setTimeout(done, 10));
          observation.signal();
          const values = [(await first).value.n];
          observation.signal(), observation.signal(), observation.signal();
          values.push((await observation.next()).value.n);
          let isWaiting = true;
          const last = observation.next().then((result) => { isWaiting = false; return result; });
          await new Promise((done) => setTimeout(done, 10));
          values.push(isWaiting);
          observation.end();
          return [values, await last, ends, await observation.return()];
        })()""") == [[1, 2, True], END, 1, END]
        # A stopped client ends the loop; any other error is thrown in it.
        take = lambda error: f"""await (async () => {{
          const observation = new Observation(async () => {{ throw {error}; }}, () => {{}});
          observation.signal();
          try {{ for await (const _ of observation); return "end"; }} catch (error) {{ return error.code ?? error.message ?? error; }}
        }})()"""
        assert value(take("{ code: 'stopped' }")) == "end" and value(take("{ code: 'disk' }")) == "disk"
        assert value("""await (async () => {
          const observation = new Observation(async () => 1, () => {});
          observation.fail(new Error("torn"));
          return observation.next().catch((error) => error.message);
        })()""") == "torn"
        assert value("""await (async () => {
          let ends = 0;
          const observation = new Observation(async () => 1, () => ends++);
          observation.signal();
          for await (const _ of observation) break;
          return [ends, await observation.next()];
        })()""") == [1, END]


def test_changes_after_another_engine_are_only_what_differs(viewer):
    with imported(viewer, "streams") as value:
        value("""(window.item = (id, n) => ({ id, n }), window.read = async (...taken) => {
          const waiting = [...taken];
          const changes = new Changes(async () => { const next = waiting.shift(); if (next.isAgain) changes.again(); return next; }, () => {});
          const got = [];
          for (const { again } of taken) {
            if (again) changes.again();
            changes.signal();
            const result = await Promise.race([changes.next(), new Promise((done) => setTimeout(() => done(null), 50))]);
            got.push(result && result.value);
          }
          return got;
        }, null)""")
        change = lambda inserted=(), changed=(), removed=(): {"inserted": list(inserted), "changed": list(changed), "removed": list(removed)}
        a, b, c = ({"id": id, "n": 1} for id in "abc")
        taken = [
            change([a, b]), change([c], [{**a, "n": 2}], ["b"]),
            # The whole result of the next engine: a is as it was, c is another, d is new, and nothing else is left.
            {**change([{**a, "n": 2}, {**c, "n": 3}, {"id": "d", "n": 1}]), "again": True},
            change([], [], ["d"]),
            {**change([a]), "again": True},
            # As it was: there is nothing to tell.
            {**change([a]), "again": True},
        ]
        got = value.page.evaluate("(taken) => within(read(...taken))", taken)
        plain = lambda each: each and {name: each[name] for name in ("inserted", "changed", "removed")}
        assert [plain(each) for each in got] == [
            change([a, b]), change([c], [{**a, "n": 2}], ["b"]), change([{"id": "d", "n": 1}], [{**c, "n": 3}]), change([], [], ["d"]),
            change([], [a], ["c"]), None]
        # An empty first result is told: the reader knows then that there is nothing.
        got = value.page.evaluate("(taken) => within(read(...taken))", [change()])
        assert [plain(each) for each in got] == [change()]


# MARK: Archives and clocks


def test_an_archive_is_read_by_other_programs(viewer):
    long = "/log/" + "a" * 120
    files = {"/log/one.jsonl": 1, "/log/empty": 0, "/log/blobs/block": 512, "/log/blobs/more": 513, long: 7}
    with imported(viewer, "tar") as value:
        parts = value.page.evaluate("""(files) => tar("flight", Object.entries(files).map(([path, count]) => ({ path, bytes: new Uint8Array(count).fill(65) })))
          .map((part) => [...part])""", files)
    data = b"".join(map(bytes, parts))
    assert len(data) % 512 == 0 and data.endswith(bytes(1024)) and data[257:265] == b"ustar\x0000"
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:", errorlevel=2) as archive:
        members = archive.getmembers()
        assert [member.name for member in members] == [("flight" + path[4:])[:100] for path in files]
        for member, count in zip(members, files.values()):
            assert (member.size, member.mode, member.uid, member.gid, member.mtime, member.isfile()) == (count, 0o644, 0, 0, 0, True), member.name
            assert archive.extractfile(member).read() == b"A" * count
    # Nothing is between the end of the last file and the two blocks that end an archive.
    assert len(data) == sum(512 + -(-count // 512) * 512 for count in files.values()) + 1024


def at_noon(page):
    page.clock.install(time=1_799_999_000)
    page.clock.pause_at(1_800_000_000)


def test_a_clock_only_moves_forward_and_counts_sleep(viewer):
    with imported(viewer, "clock", before=at_noon) as value:
        page = value.page
        now = lambda: page.evaluate("clock.now - start")
        page.evaluate("() => { window.clock = new Clock(); window.start = Date.now(); }")
        assert now() == 0
        page.clock.run_for(1500)
        assert now() == 1500 and page.evaluate("clock.wall === Date.now()")
        # The wall clock is set back: the time goes on. Set by up to two seconds, it was only corrected.
        set_by = lambda seconds: page.evaluate("(by) => { const real = Date.now; Date.now = () => real() + by; }", seconds * 1000)
        for seconds, expected in ((-3600, 1500), (2, 1500), (2.001, 3501), (3600, 3_603_501)):
            set_by(seconds)
            assert now() == expected, (seconds, now())
        set_by(1)
        page.clock.run_for(1500)
        assert now() == 3_605_001
        # A browser's clock that went back counts as one that stood still.
        page.evaluate("() => { const real = performance.now.bind(performance); performance.now = () => real() - 1000; }")
        assert now() == 3_605_001


def test_a_timer_fires_once_at_its_time(viewer):
    with imported(viewer, "clock", before=at_noon) as value:
        page = value.page
        page.evaluate("""() => {
          window.start = Date.now();
          window.clock = new Clock();
          window.fired = [];
          window.timer = new Timer(clock, () => fired.push(clock.now - start));
          window.begun = 0;
          const real = setTimeout;
          window.setTimeout = (action, after) => { begun++; return real(action, after); };
        }""")
        fired = lambda: page.evaluate("fired.splice(0)")
        page.evaluate("timer.set(start + 25_000)")
        page.clock.run_for(24_999)
        assert fired() == []
        page.clock.run_for(1)
        assert fired() == [25_000]
        page.evaluate("timer.check()")
        page.clock.run_for(60_000)
        assert fired() == [] and page.evaluate("begun") == 3
        # The last time that was set holds; null is never, and a time that has passed is now.
        page.evaluate("timer.set(start + 90_000), timer.set(start + 95_000)")
        page.clock.run_for(12_000)
        assert fired() == [95_000] and page.evaluate("begun") == 5, "what is replaced takes no more turns"
        page.evaluate("timer.set(start + 98_000), timer.set(null), timer.check()")
        page.clock.run_for(30_000)
        assert fired() == []
        page.evaluate("timer.set(start)")
        page.clock.run_for(1)
        assert fired() == [127_000]
        # A device that slept is noticed within ten seconds, or as soon as the timer is told to look.
        page.evaluate("timer.set(start + 1_000_000)")
        page.evaluate("() => { const real = Date.now; window.slept = 900_000; Date.now = () => real() + slept; }")
        page.clock.run_for(10_000)
        assert len(fired()) == 1
        page.evaluate("timer.set(start + 2_000_000); slept += 1_000_000; timer.check()")
        page.clock.run_for(1)
        assert len(fired()) == 1


# MARK: Messages


def test_a_connection_carries_calls_watches_and_news(viewer):
    with imported(viewer, "connection") as value:
        value("""(() => {
          // Answers as it is told, and passes back what it got.
          const script = `onmessage = ({ data }) => {
            if (data.do === "call" && data.name === "later") return;
            if (data.do === "call") return postMessage(data.args[0] === "bad" ? { answer: data.number, error: { code: "disk", message: "No space", advice: "" } } : { answer: data.number, value: data });
            if (data.do === "say") return data.messages.forEach((message) => postMessage(message));
            if (data.do === "stop") return setTimeout(() => (postMessage({ news: "stopping" }), postMessage({ answer: data.number, value: "stopped" })), 50);
            postMessage({ news: data });
          }`;
          const worker = new Worker(URL.createObjectURL(new Blob([script])));
          window.news = [];
          window.connection = new Connection(worker, (each) => news.push(each));
          window.told = [];
          window.watcher = (watch) => ({
            signal: () => told.push([watch, "signal"]), again: () => told.push([watch, "again"]), end: () => told.push([watch, "end"]),
            value: (value, error) => told.push([watch, value ?? null, error ?? null]),
          });
          window.code = (promise) => promise.then((value) => value, ({ code }) => code);
          return null;
        })()""")
        assert value("connection.isEnded") is False
        assert value("connection.call('add', [1, 2])") == {"do": "call", "name": "add", "args": [1, 2], "number": 1}
        assert value("Promise.all([connection.call('a', [1]), connection.call('b', [2])]).then((both) => both.map(({ name, number }) => name + number))") == ["a2", "b3"]
        assert value("connection.call('add', ['bad']).catch((error) => [error.name, error.code, error.message])") == ["ContrailError", "disk", "No space"]
        value("(connection.watch('observe', { kind: 'turbulence' }, (watch) => (window.first = watch, watcher(watch))), connection.watch('monitor', {}, (watch) => (window.second = watch, watcher(watch))), null)")
        value("connection.call('sync', [])")
        first, second = value("[first, second]")
        assert first != second
        assert value("news.splice(0)") == [
            {"do": "watch", "watch": first, "name": "observe", "query": {"kind": "turbulence"}}, {"do": "watch", "watch": second, "name": "monitor", "query": {}}]
        say = lambda messages: value.page.evaluate("(messages) => within((connection.post({ do: 'say', messages }), connection.call('sync', [])).then(() => null))", messages)
        say([{"ready": first}, {"again": first}, {"watched": second, "value": 5}, {"watched": second, "error": {"code": "x"}}, {"news": {"role": "owner"}}, {"ready": 999}, {"answer": 999, "value": 0}])
        assert value("told.splice(0)") == [[first, "signal"], [first, "again"], [second, 5, None], [second, None, {"code": "x"}]]
        assert value("news.splice(0)") == [{"role": "owner"}]
        # What isn't watched any more is told nothing, and the worker learns of it once.
        for told in ([{"do": "unwatch", "watch": first}], []):
            value("(connection.unwatch(first), null)")
            say([{"ready": first}])
            assert value("told") == [] and value("news.splice(0)") == told
        # At the end, calls without an answer fail, what is watched ends, and nothing more is sent.
        value("(window.waiting = connection.call('later', []), window.ending = connection.end({ do: 'stop' }), null)")
        assert value("connection.isEnded")
        value("ending")
        assert value("news.splice(0)") == ["stopping"], "the worker's answer is waited for"
        assert value("code(waiting)") == "stopped" and value("told") == [[second, "end"]]
        assert value("code(connection.call('add', []))") == "stopped" and value("(() => { try { connection.watch('observe', {}, watcher); } catch ({ code }) { return code; } })()") == "stopped"
        value("(connection.post({ do: 'hello' }), new Promise((done) => setTimeout(done, 100)))")
        assert value("news") == []


def test_a_monitor_sends_positions(viewer):
    with imported(viewer, "monitor") as value:
        assert value("""await (async () => {
          const sent = [];
          let ends = 0;
          const monitor = new TurbulenceMonitor(async (position) => { await null; sent.push(position); }, () => ends++);
          await monitor.update({ position: [1, 2] });
          monitor.push({ event: "began" });
          const events = [];
          for await (const { event } of monitor) { events.push(event); break; }
          return [sent, events, ends];
        })()""") == [[{"position": [1, 2]}], ["began"], 1]
        assert value("new TurbulenceMonitor(async () => { throw new RangeError(); }, () => {}).update({}).catch(({ name }) => name)") == "RangeError"
