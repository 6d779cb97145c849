"""The tabs of a site with one log: who runs the engine, what the others see, and what goes on when one ends."""
import contextlib
import json
import tarfile

from live import PAGE, ROUTE, Tab, replayed
from sites import MODULE, Service, Site
from test_client import SETTINGS

NOWHERE = "http://localhost:1"
# Refuses files, as a private window of some browsers does.
REFUSAL = b"""navigator.storage.getDirectory = async () => { throw new DOMException("not in this window", "SecurityError"); };"""
REFUSING = b"""import "./refusal.js"; import "./contrail.js";"""
# Holds the files of a log without being a client.
HOLDING = b"""import { OPFSFiles } from "./opfs.js"; OPFSFiles.open("flight").then(() => postMessage("open"));"""
READ = "Object.fromEntries(['dataHistoryTime', 'dataUpdateFrequency', 'isOnline', 'hasLink', 'linkCost'].map((name) => [name, client[name]]))"


@contextlib.contextmanager
def site(viewer, service=None, **made):
    """A function that opens pages of one browser context, on a site with the modules. Without settings, there is no client yet."""
    engine = (MODULE / "contrail.wasm.gz").read_bytes()
    files = {"/": PAGE, "/contrail.wasm": engine, "/favicon.ico": b"", "/refusal.js": REFUSAL, "/refusing.js": REFUSING, "/holding.js": HOLDING, **made}
    with Site(MODULE, made=files) as modules:
        context = viewer.browser.new_context()
        try:
            def tab(settings=None, begins=True, **configuration):
                opened = Tab(context, modules.url, {"server": service.url if service else NOWHERE, **configuration} if begins else None, settings)
                opened.value("""(window.code = (action) => (async () => action())().then((value) => value ?? "nothing", (error) => error.code ?? String(error)),
                  window.locks = async () => (await navigator.locks.query()).held.map(({ name }) => name).filter((name) => name.startsWith("contrail")), null)""")
                return opened
            tab.context, tab.url, tab.made = context, modules.url, files
            yield tab
        finally:
            context.close()


def test_followers_are_told_and_answered_as_the_owner(viewer):
    with Service(viewer.contrail, "--allow-origin", "*", "--sample-airports") as service, site(viewer, service) as tab:
        owner = tab()
        assert owner.value("client.role") == "owner" and owner.value("client.storage") == {"kind": "opfs", "reason": ""}
        first, second = tab(), tab()
        for follower in (first, second):
            follower.until("client.role === 'follower' && client.storage !== null")
            assert follower.value("client.storage") == {"kind": "opfs", "reason": ""}
        # What one sets, all have, and all hear what comes of it.
        first.page.evaluate("(settings) => { window.changes = 0; client.addEventListener('change', () => changes++); client.dataQuery.set(settings.dataQuery); client.dataUpdateFrequency = 'medium'; }", SETTINGS)
        for each in (owner, first, second):
            each.until("told.some(({ kind, scope }) => kind === 'data' && scope === 'corridor') && client.dataUpdateFrequency === 'medium' && client.dataQuery.routeWidth === 100")
        assert first.value("changes") > 0
        first.value("(client.isOnline = false, null)")
        owner.until("!client.isOnline && told.some(({ kind }) => kind === 'status')")
        asked = ["client.turbulence()", "client.pireps({ area: { viewport: [-80, 30, -40, 60] } })", "client.statuses()", "client.ownReports()", "client.byteStatus()", "client.weather([0, 0])",
                 "client.columns().then(({ lo, severity }) => [[...lo], [...severity], lo.constructor.name])", "client.profile({ widthNM: 80 }).then(({ cells, bins }) => [[...cells], bins])"]
        for call in asked:
            ages = f"await {call}.then((value) => JSON.stringify(value).replace(/\"age(MS)?\":\\d+/g, ''))"
            answers = [each.value(ages) for each in (owner, first, second)]
            assert answers[0] == answers[1] == answers[2] and answers[0], call
        # A file of the log comes from the owner, and the engine's module is each tab's.
        assert first.value("await client.exportLog().then(async ({ blob }) => (await blob.text()).includes('session.started'))")
        assert first.value("(await client.geometry()).cellAt(0, 0).id") == owner.value("(await client.geometry()).cellAt(0, 0).id")
        # Errors are answered as well, and each to its own tab.
        assert first.value("code(() => client.turbulence({ area: { polygon: [[0, 0], [1, 1]] } }))") == "invalidQuery"
        assert second.value("code(() => client.report({ position: [0, 0], altitudeFeet: 99_000, severity: 'light', edr: 0.1 }))") == "invalidReport"
        assert second.value("code(async () => { for await (const _ of client.observe('turbulence', { area: { polygon: [[0, 0]] } })); })") == "invalidQuery"
        assert second.value("code(async () => { for await (const _ of client.monitor({ distanceNM: -1 })); })") == "invalidQuery"
        assert first.value("code(() => client.report({ position: [0, 50], altitudeFeet: 30_000, severity: 'light', edr: 0.1 }))") == "nothing"
        assert [len(each.value("await client.ownReports()")) for each in (owner, first, second)] == [1, 1, 1]
        # A loop that is left isn't told any more, and what others watch goes on.
        second.value("""(window.left = [], window.seen = [], ["left", "seen"].forEach(async (name) => {
          for await (const { inserted } of client.observe("turbulence", { origin: "own" })) {
            window[name].push(inserted.length);
            if (name === "left" && left.length === 2) break;
          }
        }), null)""")
        second.until("left.length === 1 && seen.length === 1")
        for n in range(1, 4):
            owner.value(f"client.report({{ position: [{n}, 50], altitudeFeet: 35_000, severity: 'light', edr: 0.1 }})")
            second.until(f"seen.length > {n}")
        assert second.value("left.length") == 2
        for each in (owner, first, second):
            assert not each.console, each.console


def test_when_the_owner_ends_what_is_open_goes_on(viewer):
    with Service(viewer.contrail, "--allow-origin", "*", keys=("right",)) as service, site(viewer, service) as tab:
        owner = tab(SETTINGS, apiKey="wrong")
        owner.until("told.some(({ kind }) => kind === 'failed')")
        follower = tab(apiKey=None)
        follower.until("client.role === 'follower'")
        # The key is set in one tab, and is that of all.
        owner.value("(client.setAPIKey('right'), null)")
        owner.until("(await client.turbulence()).length > 0")
        follower.value("""(window.alerts = [], window.monitor = client.monitor({ minimumSeverity: 'light', distanceNM: 1000, widthNM: 100, altitudeSpanFeet: 100_000 }),
          (async () => { for await (const { event } of monitor) alerts.push(event); })(),
          window.seen = [], (async () => { for await (const { inserted, removed } of client.observe("turbulence")) seen.push([inserted.length, removed.length]); })(), null)""")
        follower.until("seen.length === 1")
        place = f"monitor.update({{ position: {ROUTE[0]}, altitudeFeet: 35_000, trackDegrees: 290, groundSpeedKnots: 450 }})"
        follower.value(place)
        follower.until("alerts.length > 0")
        # A setting of the same turn as the end is kept.
        owner.value("(client.dataHistoryTime = 14_400, window.ending = client.stop(), null)")
        assert follower.value("client.turbulence().then(({ length }) => length > 0)"), "a call waits for the next owner and its data"
        owner.value("ending")
        follower.until("client.role === 'owner'")
        follower.until("seen.length > 1")
        assert follower.value("seen.every(([, removed]) => removed < seen[0][0])"), "what was shown stays"
        assert follower.value("client.dataHistoryTime") == 14_400
        assert follower.value("locks()").count("contrail flight") == 1 and len(follower.value("locks()")) == 2
        follower.value("(alerts.length = 0, null)")
        follower.value(place)
        follower.until("alerts.includes('began')")
        # It has the key, which no file has.
        follower.value("(told.length = 0, client.fetchData({ refresh: true }), null)")
        follower.until("told.some(({ kind, scope }) => ['data', 'confirmed'].includes(kind) && scope === 'corridor')")
        assert not follower.value("told.filter(({ kind }) => kind === 'failed')")
        # So has a tab that was frozen, and goes on.
        follower.value("(client.setAPIKey('wrong'), client.opened())")
        follower.value("(['freeze', 'resume'].forEach((name) => document.dispatchEvent(new Event(name))), client.fetchData({ refresh: true }), null)")
        follower.until("told.some(({ kind, error }) => kind === 'failed' && error.code === 'unauthorized')")
        # Of a client that has ended, nothing is left.
        follower.value("client.stop()")
        follower.until("locks().then(({ length }) => length === 0)")


def test_a_frozen_tab_gives_up_the_log_and_joins_again(viewer):
    with site(viewer) as tab:
        owner, follower = tab(), tab()
        follower.until("client.role === 'follower'")
        owner.value("(client.dataHistoryTime = 14_400, client.opened())")
        # A tab that only follows joins again as well.
        follower.value("(['freeze', 'resume'].forEach((name) => document.dispatchEvent(new Event(name))), null)")
        assert follower.value("client.statuses().then(({ length }) => length > 0)")
        # A browser freezes only hidden tabs, and not those of a test.
        owner.value("(document.dispatchEvent(new Event('freeze')), null)")
        follower.until("client.role === 'owner'")
        assert follower.value("client.dataHistoryTime") == 14_400
        follower.value("(client.dataHistoryTime = 21_600, client.opened())")
        owner.value("(document.dispatchEvent(new Event('resume')), null)")
        owner.until("client.role === 'follower' && client.dataHistoryTime === 21_600")
        assert owner.value("client.statuses().then(({ length }) => length > 0)")
        # As does one that is kept for going back.
        gone = "(dispatchEvent(new PageTransitionEvent('{}', {{ persisted: {} }})), null)"
        follower.value(gone.format("pagehide", "false"))
        follower.wait(200)
        assert follower.value("client.role") == "owner"
        follower.value(gone.format("pagehide", "true"))
        owner.until("client.role === 'owner'")
        follower.value(gone.format("pageshow", "false"))
        follower.value(gone.format("pageshow", "true"))
        follower.until("client.role === 'follower'")
        assert follower.value("client.statuses().then(({ length }) => length > 0)")
        for each in (owner, follower):
            assert not each.value("told.filter(({ kind }) => kind === 'failed')")
        # A frozen tab doesn't wait for the log: the next one takes it.
        follower.value("(document.dispatchEvent(new Event('freeze')), null)")
        follower.wait(200)
        owner.value("client.stop()")
        third = tab()
        third.until("client.role === 'owner'")


REPORT = "{ position: [0, 50], altitudeFeet: 30_000, severity: 'light', edr: 0.1 }"


def test_what_is_asked_once_is_done_once(viewer):
    with site(viewer) as tab:
        owner, follower = tab(), tab()
        count = "client.ownReports().then(({ length }) => length)"
        follower.until("client.role === 'follower'")
        # It is answered between freezing and joining again, or while the tab joins.
        follower.value(f"(window.asked = client.report({REPORT}), document.dispatchEvent(new Event('freeze')), null)")
        owner.until(f"await {count} === 1")
        follower.value("(document.dispatchEvent(new Event('resume')), asked)")
        follower.value(f"(window.asked = client.report({REPORT}), ['freeze', 'resume'].forEach((name) => document.dispatchEvent(new Event(name))), asked)")
        assert follower.value(count) == 2
        # The owner says again that it is the owner. What it was asked isn't answered yet.
        owner.value("""(window.channel = new BroadcastChannel("contrail flight"), window.reign = "",
          channel.onmessage = ({ data }) => (reign = data.reign || reign), null)""")
        third = tab()
        owner.until("reign")
        follower.value(f"(window.asked = Promise.all([1, 2, 3].map(() => client.report({REPORT}))), null)")
        owner.value("([1, 2, 3].forEach(() => channel.postMessage({ to: 'all', reign })), null)")
        # What was for the owner before, its tab passes on itself.
        owner.value(f"(channel.postMessage({{ to: 'owner', from: 'other', message: {{ do: 'call', number: 1, owner: 'before', name: 'report', args: [{REPORT}] }} }}), null)")
        follower.value("asked")
        assert [each.value(count) for each in (owner, follower, third)] == [5, 5, 5]
        # Nor is anything lost that was asked of an owner that has gone.
        follower.value("(window.asked = [1, 2, 3].map(() => client.statuses()), null)")
        owner.page.close()
        assert follower.value("Promise.all(asked).then(({ length }) => length)") == 3


def test_an_owner_that_gives_no_sign_is_told(viewer):
    with site(viewer) as tab:
        holder, waiting = tab(begins=False), tab(begins=False)
        holder.value("(navigator.locks.request('contrail flight', () => new Promise((done) => (window.release = done))), null)")
        error = waiting.value(f"begin({{ server: '{NOWHERE}' }}).catch((error) => error.toJSON())")
        assert error["code"] == "inUse" and error["isTransient"] and error["advice"], error
        assert waiting.value("told.filter(({ kind }) => kind === 'failed').map(({ error }) => error.code)") == ["inUse"]
        assert waiting.value("client.role") == "follower"
        # When the other has gone, this one goes on, with what is asked meanwhile.
        waiting.value("(window.asked = client.statuses().then(({ length }) => length > 0, ({ code }) => code), null)")
        holder.value("(release(), null)")
        assert waiting.value("asked") is True
        waiting.until("client.role === 'owner'")


def test_logs_with_other_names_are_other_clients(viewer):
    with site(viewer) as tab:
        first, second = tab(directory="night / 1"), tab(directory="night / 2")
        first.value("(client.dataHistoryTime = 14_400, client.opened())")
        assert first.value("client.role") == "owner" and second.value("client.role") == "owner" and second.value("client.dataHistoryTime") == 7200
        second.reload()
        assert second.value("client.dataHistoryTime") == 7200
        first.reload()
        assert first.value("client.dataHistoryTime") == 14_400


def test_without_files_the_log_is_in_memory_and_the_reason_is_told(viewer):
    with site(viewer) as tab:
        refused = tab(worker="/refusing.js")
        assert refused.value("client.storage") == {"kind": "memory", "reason": "SecurityError: not in this window"}
        refused.value("(client.dataHistoryTime = 14_400, client.opened())")
        refused.value("client.stop()")
        # Another program has the files.
        page = tab(begins=False)
        page.value("new Promise((done) => { window.holder = new Worker('/holding.js', { type: 'module' }); holder.onmessage = done; }).then(() => null)")
        error = page.value(f"begin({{ server: '{NOWHERE}' }}).catch((error) => error.toJSON())")
        assert error["code"] == "inUse" and error["isTransient"] and error["advice"], error
        page.value("client.stop()")
        page.value(f"(holder.terminate(), begin({{ server: '{NOWHERE}' }}))")
        assert page.value("client.storage.kind") == "opfs"
        chosen = tab(storage="memory", directory="other")
        assert chosen.value("client.storage") == {"kind": "memory", "reason": "as configured"}
        chosen.reload()
        assert chosen.value("client.dataHistoryTime") == 7200


def test_an_engine_or_a_worker_that_is_not_there_is_told(viewer):
    with site(viewer) as tab:
        page = tab(begins=False)
        error = page.value(f"begin({{ server: '{NOWHERE}', wasm: 'none.wasm' }}).catch((error) => error.toJSON())")
        assert error["code"] == "module" and f"{tab.url}none.wasm" in error["message"], error
        assert page.value("code(() => client.geometry())") == "module" and page.value("code(() => client.statuses())") == "module"
        assert page.value("told.some(({ kind, error }) => kind === 'failed' && error.code === 'module')")
        # A tab that has the engine gets the log's files.
        assert tab().value("client.storage.kind") == "opfs"
        page.value("client.stop()")
        page.value(f"(begin({{ server: '{NOWHERE}', worker: '/none.js' }}), null)")
        page.until("told.some(({ kind, error }) => kind === 'failed' && error.code === 'module' && error.advice.includes('worker-src'))")


def test_the_log_of_several_segments_is_an_archive(viewer):
    with site(viewer) as tab:
        flight = tab(storage="memory")
        flight.value("""await (async () => {
          // Each takes six thousand bytes of the log.
          for (let i = 0; i < 800; i++) {
            client.byteBudget = { bytes: 1_000_000, flight: i + "\\u0001".repeat(1000) };
            await client.opened();
          }
        })()""")
        assert flight.value("client.exportLog().then(({ name, blob }) => [name, blob.type])") == ["flight.tar", "application/x-tar"]
        _, data = flight.log()
        viewer.path("segments.tar").write_bytes(data)
        with tarfile.open(viewer.path("segments.tar")) as archive:
            assert len(archive.getnames()) > 1 and all(name.startswith("flight/") for name in archive.getnames())
            archive.extractall(viewer.path("segments"), filter="data")
        replayed(viewer, viewer.path("segments") / "flight")
        few = tab(directory="few")
        assert few.value("client.exportLog().then(({ name, blob }) => [name, blob.type, blob.size > 0])") == ["flight.jsonl", "application/jsonl", True]
