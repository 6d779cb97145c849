"""The client for browsers with the real service: flights, outages, relaunches and tabs."""
import os
import signal
import time

from live import ROUTE, Tab, full_fetches, kinds, lines, module_site, replayed, saved
from sites import Service

SETTINGS = {"dataQuery": {"types": ["turbulence", "pireps", "traffic"], "route": ROUTE, "routeWidth": 100}}


class Flight:
    """A service, a site with the module, and a browser context for its tabs."""

    def __init__(self, viewer, *arguments, keys=()):
        self.service = Service(viewer.contrail, "--allow-origin", "*", "--simulated-time", "--requested-faults", *arguments, keys=keys)
        self.site = module_site(self.service)
        self.context = viewer.browser.new_context()
        self.configuration = {"server": self.service.url}

    def tab(self, settings=SETTINGS, rate=1, **configuration):
        return Tab(self.context, self.site.url, {**self.configuration, **configuration}, settings, rate)

    def kill_tabs(self, viewer):
        """Kills the processes of the browser's tabs."""
        session = viewer.browser.new_browser_cdp_session()
        for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
            if process["type"] == "renderer":
                os.kill(process["id"], signal.SIGKILL)
        session.detach()
        time.sleep(0.5)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.context.close()
        self.site.close()
        self.service.stop()


def test_a_flight_survives_outages_reloads_and_the_death_of_its_tab(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab(rate=60, followsSystemLink=True)
        tab.until("(await client.turbulence()).length > 0")
        count = len(tab.value("await client.turbulence()"))
        assert tab.status("corridor")["phase"] in ("current", "fetching")
        # Five minutes of deltas.
        tab.wait(5000)
        assert tab.status("corridor")["sessionBytes"] > 0
        # The browser's own emulation of a lost network: data stays, and ages.
        flight.context.set_offline(True)
        tab.until("(await client.status('corridor')).phase === 'offline'")
        assert len(tab.value("await client.turbulence()")) >= count / 2
        tab.wait(3000)
        flight.context.set_offline(False)
        tab.until("(await client.status('corridor')).phase === 'current'")
        tab.wait(2000)
        tab.reload()
        assert len(tab.value("await client.turbulence()")) > 0, "the data of the last launch is there at once"
        tab.wait(3000)
        # The process of the tab is killed.
        flight.kill_tabs(viewer)
        tab = flight.tab(rate=60, settings=None, followsSystemLink=True)
        assert tab.value("client.dataQuery.route?.length") == 2, "settings survive"
        assert len(tab.value("await client.turbulence()")) > 0
        tab.wait(3000)
        path = saved(viewer, tab, "flight")
        verdict = replayed(viewer, path)
        entries = lines(path)
        assert kinds(entries).count("session.started") == 3
        assert full_fetches(entries, "corridor") == 1, "a relaunch goes on with deltas"
        assert "connectivity.changed" in kinds(entries)
        assert verdict["digest"]
        assert not [line for line in tab.console if "ERR_INTERNET_DISCONNECTED" not in line], tab.console


def test_two_tabs_are_one_client(viewer):
    with Flight(viewer) as flight:
        first = flight.tab()
        first.until("(await client.turbulence()).length > 0")
        second = flight.tab(settings=None)
        second.until("client.role === 'follower'")
        assert first.value("client.role") == "owner"
        ids = "(await client.turbulence()).map((item) => item.id)"
        assert second.value(ids) == first.value(ids)
        assert second.value("client.dataQuery.routeWidth") == 100
        # A setting of one is that of the other.
        second.value("(client.dataHistoryTime = DataHistoryTime.fourHours, await client.opened())")
        first.until("client.dataHistoryTime === 14400")
        first.until("(await client.status('corridor')).phase === 'current'")
        second.value("(window.changes = [], (async () => { for await (const change of client.observe('turbulence')) changes.push(change); })(), true)")
        second.until("changes.length === 1 && changes[0].inserted.length > 0")
        # The other goes on when the one that runs the engine is closed, without asking for everything again.
        first.page.close()
        second.until("client.role === 'owner'")
        second.until("(await client.status('corridor')).phase === 'current'")
        held = second.value("(await client.turbulence()).map((item) => item.id)")
        shown = second.value("changes.reduce((ids, { inserted, removed }) => { removed.forEach((id) => ids.delete(id)); inserted.forEach(({ id }) => ids.add(id)); return ids; }, new Set()).size")
        assert shown == len(held), (shown, len(held))
        path = saved(viewer, second, "two-tabs")
        replayed(viewer, path)
        entries = lines(path)
        assert kinds(entries).count("session.started") == 2
        # The history became longer: a full fetch of the first launch, and no other.
        assert full_fetches(entries, "corridor") <= 2, [(entry["kind"], entry.get("mode"), entry.get("reason")) for entry in entries]


def test_the_profile_of_the_route_is_observed(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab(rate=60)
        tab.value("""(window.profiles = [], (async () => {
          for await (const change of client.observe('profile', { widthNM: 100 })) profiles.push(change);
        })(), true)""")
        tab.until("profiles.length > 2 && profiles.at(-1).profile.cells.length > 0")
        assert tab.value("profiles[0].isFirst && profiles[0].changedBins.length === profiles[0].profile.bins")
        assert tab.value("profiles.slice(1).every(({ isFirst, changedBins, profile }) => !isFirst && changedBins.length > 0 && changedBins.length < profile.bins)")
        # A chart that draws the changed bins alone shows the profile as a query returns it.
        tab.value("client.isOnline = false")
        tab.until("(await client.status('corridor')).phase === 'offline'")
        assert tab.value("""await (async () => {
          const columns = ({ bins, cells }) => {
            const all = Array.from({ length: bins }, () => []);
            for (let i = 0; i < cells.length; i += 8) all[cells[i]].push([...cells.slice(i, i + 8)].join());
            return all;
          };
          for (let attempt = 0; attempt < 100; attempt += 1) {
            const chart = [];
            for (const { changedBins, profile } of profiles) for (const bin of changedBins) chart[bin] = columns(profile)[bin];
            const now = await client.profile({ widthNM: 100 });
            if (JSON.stringify(chart) === JSON.stringify(columns(now)) && now.edges.length === 2 * now.bins + 2) return true;
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          return false;
        })()""")
        problem = tab.value("""await (async () => {
          try { for await (const _ of client.observe('profile', { route: [[0, 0]] })) return 'a profile'; return 'an end'; } catch (error) { return error.code; }
        })()""")
        assert problem == "invalidQuery", problem
        replayed(viewer, saved(viewer, tab, "observed-profile"))


def test_a_refused_key_and_its_correction_are_told(viewer):
    with Flight(viewer, keys=("right",)) as flight:
        tab = flight.tab(apiKey="wrong")
        tab.until("told.some(({ kind, error }) => kind === 'failed' && error.code === 'unauthorized')")
        assert tab.status("corridor")["phase"] == "blocked"
        tab.value("client.setAPIKey('right')")
        tab.until("(await client.turbulence()).length > 0")
        path = saved(viewer, tab, "key")
        replayed(viewer, path)
        text = path.read_text() if path.is_file() else ""
        assert "wrong" not in text and "right" not in text, "a key is in the log"
        stored = tab.value("""await (async () => {
          const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
          const folder = await (await (await navigator.storage.getDirectory()).getDirectoryHandle('contrail')).getDirectoryHandle('flight');
          for await (const [name] of folder.entries()) texts.push(name);
          return [texts.join(), (await indexedDB.databases()).length, (await caches.keys()).length];
        })()""")
        assert "right" not in stored[0] and stored[1] == 0 and stored[2] == 0, stored


def test_an_outage_of_the_service_is_told_and_ends(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab(rate=30)
        tab.until("(await client.turbulence()).length > 0")
        flight.service.stop()
        tab.until("told.some(({ kind, error }) => kind === 'failed' && error.code === 'network')")
        error = tab.value("told.find(({ kind }) => kind === 'failed').error")
        assert error["message"] and error["advice"] and error["isTransient"] and error["scope"] == "corridor", error
        # The next attempt may be under way at this moment.
        tab.until("(await client.status('corridor')).phase === 'waiting'")
        assert len(tab.value("await client.turbulence()")) > 0
        flight.service.start()
        tab.until("told.some(({ kind }) => kind === 'recovered')", seconds=120)
        replayed(viewer, saved(viewer, tab, "outage"))


def test_the_switch_of_the_link_sends_nothing_and_keeps_the_data(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab(rate=60)
        tab.until("(await client.turbulence()).length > 0")
        tab.value("(client.isOnline = false, await client.opened())")
        tab.until("(await client.status('corridor')).phase === 'offline'")
        sent = []
        flight.context.on("request", lambda request: sent.append(request.url))
        tab.wait(3000)
        assert not sent, sent
        assert len(tab.value("await client.turbulence()")) > 0
        tab.value("(client.isOnline = true, await client.opened())")
        tab.until("(await client.status('corridor')).phase === 'current'")
        assert sent


def test_a_report_is_stored_offline_and_sent_later(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab()
        tab.until("(await client.turbulence()).length > 0")
        tab.value("(client.isOnline = false, await client.report({ position: [-30, 52], altitudeFeet: 36000, severity: 'moderate', edr: 0.32 }))")
        assert tab.value("(await client.ownReports()).map(({ state }) => state)") == ["waiting"]
        tab.reload()
        assert tab.value("(await client.ownReports()).length") == 1, "a report survives"
        tab.value("client.isOnline = true")
        tab.until("(await client.ownReports()).every(({ state }) => state === 'confirmed')")
        replayed(viewer, saved(viewer, tab, "report"))
        error = tab.value("await client.report({ position: [-30, 52], altitudeFeet: 99000, severity: 'moderate', edr: 0.3 }).catch((error) => error.code)")
        assert error == "invalidReport", error


def test_an_invalid_query_changes_nothing(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab()
        error = tab.value("await client.setDataQuery({ route: [[0, 0]], routeWidth: 100 }).catch((error) => error.toJSON())")
        assert error["code"] == "invalidQuery" and error["advice"], error
        assert len(tab.value("client.dataQuery.route")) == 2
        assert tab.value("await client.turbulence({ area: { polygon: [[0, 0], [1, 1]] } }).catch((error) => error.code)") == "invalidQuery"


def test_no_space_is_told_and_nothing_is_lost(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab()
        tab.until("(await client.turbulence()).length > 0")
        usage = tab.value("(await navigator.storage.estimate()).usage")
        session = flight.context.new_cdp_session(tab.page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": flight.site.url.rstrip("/"), "quotaSize": int(usage)})
        tab.value("(client.dataHistoryTime = DataHistoryTime.sixHours, true)")
        tab.until("told.some(({ kind, error }) => kind === 'failed' && error.code === 'disk')")
        assert len(tab.value("await client.turbulence()")) > 0
        session.send("Storage.overrideQuotaForOrigin", {"origin": flight.site.url.rstrip("/")})
        tab.until("told.some(({ kind, scope }) => kind === 'recovered' && !scope)", seconds=120)
        replayed(viewer, saved(viewer, tab, "quota"))


def test_without_a_file_system_the_log_is_in_memory(viewer):
    with Flight(viewer) as flight:
        flight.context.add_init_script("Object.defineProperty(navigator, 'isRefused', { value: true })")
        tab = flight.tab(storage="memory")
        tab.until("(await client.turbulence()).length > 0")
        assert tab.value("client.storage.kind") == "memory"
        replayed(viewer, saved(viewer, tab, "memory"))
