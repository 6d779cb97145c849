"""What an application calls of the client for browsers: queries and their forms, settings, alerts, streams, and the end."""
from live import is_as_declared
from test_client import ROUTE, SETTINGS, Flight

ALL = {"dataQuery": {"types": ["turbulence", "pireps", "traffic", "turbulencePolygons"], "route": ROUTE, "routeWidth": 100}}
BERLIN = [13.51, 52.36]


def filled(flight, settings=ALL, **arguments):
    """A tab whose client holds data of each kind that its query asks for."""
    tab = flight.tab(settings, **arguments)
    kinds = settings["dataQuery"]["types"]
    tab.until(" && ".join(f"(await client.{kind}())?.length > 0" for kind in kinds))
    return tab


def test_a_query_has_items_features_and_columns(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight)
        tab.value("(client.isOnline = false, null)")
        tab.until("(await client.status('corridor')).phase === 'offline'")
        kinds = ALL["dataQuery"]["types"]
        # Data expire as time passes: what is compared is asked for at once.
        read = "await Promise.all([client.{0}(), client.geoJSON('{0}').then(({{ features }}) => features)])"
        held = {kind: tab.value(read.format(kind)) for kind in kinds}
        items = {kind: held[kind][0] for kind in kinds}
        for kind, name in (("turbulence", "TurbulenceItem"), ("pireps", "PIREPItem"), ("traffic", "TrafficItem"), ("turbulencePolygons", "AreaItem")):
            assert all(is_as_declared(item, name) for item in items[kind]), (name, items[kind][0])
        assert all(is_as_declared(status, "ScopeStatus") for status in tab.value("await client.statuses()"))
        for kind, (items_of_kind, features) in held.items():
            assert len(features) == len(items_of_kind), kind
            if kind != "turbulencePolygons":
                assert [feature["id"] for feature in features] == [item["id"] for item in items_of_kind], kind
        turbulence, columns = tab.value("await Promise.all([client.turbulence(), client.columns().then((columns) => Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, [...column]])))])")
        assert columns["severity"] == [item["sev"] for item in turbulence]
        assert columns["altitude"] == [item["alt"] for item in turbulence]
        assert columns["edr"] == [round(item["edr"] * 10_000) for item in turbulence]
        assert columns["observedAt"] == [item["observedAt"] for item in turbulence]
        assert [f"{(hi << 32) + lo:x}" for hi, lo in zip(columns["hi"], columns["lo"])] == [item["h3"] for item in turbulence]


def test_a_query_selects(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight, SETTINGS)
        tab.value("(client.isOnline = false, null)")
        tab.until("(await client.status('corridor')).phase === 'offline'")
        held = tab.value("await client.turbulence({ aggregate: false })")
        ids = lambda items: sorted(item["id"] for item in items)
        assert ids(tab.value("await client.turbulence({ aggregate: false, minimumSeverity: 'moderate' })")) == ids(item for item in held if item["sev"] >= 3)
        assert ids(tab.value("await client.turbulence({ aggregate: false, sevs: ['light'] })")) == ids(item for item in held if item["sev"] == 1)
        low = tab.value("await client.turbulence({ aggregate: false, altRange: [30_000, 36_000] })")
        assert ids(low) == ids(item for item in held if 30 <= item["alt"] <= 36) and low
        recent = tab.value("await client.turbulence({ aggregate: false, dataHistoryTime: DataHistoryTime.halfHour })")
        assert 0 < len(recent) < len(held) and all(item["age"] < 1800 for item in recent)
        assert tab.value("(await client.turbulence({ scope: 'viewport' })).length") == 0
        assert tab.value("(await client.turbulence({ origin: 'own' })).length") == 0
        west = tab.value("(await client.pireps({ area: { viewport: [-80, 30, -40, 60] } })).map(({ position }) => position[0])")
        assert all(-80 <= longitude <= -40 for longitude in west)
        assert len(west) == tab.value("(await client.pireps()).filter(({ position }) => position[0] <= -40).length")


def test_settings_are_kept_and_shown_in_each_tab(viewer):
    changed = {
        "dataHistoryTime": 21_600, "dataUpdateFrequency": "medium",
        "byteBudget": {"bytes": 5_000_000, "flight": "night", "savesOnExpensiveLink": False, "savesOnConstrainedLink": True},
        "listening": {"isEnabled": False, "urgentSeverity": "light", "urgentAltitudes": [20_000, 41_000], "confirmationMinutes": 15},
    }
    query = {
        "types": ["turbulence", "traffic"], "viewportTypes": ["pireps"], "sevs": ["light", "moderate"], "route": ROUTE, "routeWidth": 80,
        "altRange": [28_000, 44_000], "globalEnabled": False, "globalTurbulencePolygonsUpToEnabled": True,
    }
    read = f"Object.fromEntries({list(changed)}.map((name) => [name, client[name]]))"
    read_query = f"Object.fromEntries({list(query)}.map((name) => [name, client.dataQuery[name]]))"
    with Flight(viewer) as flight:
        tab = flight.tab(settings=None)
        assert tab.value("client.dataQuery.types") == ["turbulence"] and tab.value("client.dataHistoryTime") == 7200
        assert tab.value("[client.isOnline, client.hasLink, client.dataUpdateFrequency]") == [True, True, "fast"]
        other = flight.tab(settings=None)
        other.until("client.role === 'follower'")
        other.value("(window.changes = 0, client.addEventListener('change', () => { changes++; }), null)")
        tab.page.evaluate("([changed, query]) => { Object.assign(client, changed); client.dataQuery.set(query); }", [changed, query])
        # What was set is read back in the same turn, and copies can't be changed in place.
        assert tab.value(read) == changed and tab.value(read_query) == query
        assert tab.value("(() => { try { client.dataQuery.route.push([0, 0]); return 'changed'; } catch (error) { return error.name; } })()") == "TypeError"
        tab.value("client.opened()")
        other.until("client.dataHistoryTime === 21600")
        assert other.value(read) == changed and other.value(read_query) == query and other.value("changes") > 0
        other.page.close()
        tab.reload()
        assert tab.value(read) == changed and tab.value(read_query) == query
        # One member is changed, and the others stay.
        tab.value("client.setDataQuery({ routeWidth: 90 })")
        query["routeWidth"] = 90
        assert tab.value(read_query) == query
        tab.reload()
        assert tab.value(read_query) == query


def test_a_budget_that_is_used_up_is_told(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab({**SETTINGS, "byteBudget": {"bytes": 2000, "flight": "short"}}, rate=60)
        tab.until("told.some(({ kind }) => kind === 'saving')")
        tab.until("(await client.byteStatus()).saving === 'spent'")
        status = tab.value("await client.byteStatus()")
        assert status["used"] >= 2000 and status["left"] <= 0 and status["sessionBytes"] >= status["used"], status
        assert tab.status("corridor")["phase"] == "saving"
        tab.value("(client.byteBudget = {}, await client.opened())")
        tab.until("(await client.status('corridor')).phase !== 'saving'")
        assert tab.value("await client.byteStatus()")["left"] is None


def test_an_expensive_link_carries_no_traffic(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab({**SETTINGS, "linkCost": {"isExpensive": True, "isConstrained": False}})
        tab.until("(await client.turbulence()).length > 0")
        assert tab.value("client.linkCost.isExpensive") and tab.value("(await client.byteStatus()).saving") == "noTraffic"
        assert tab.value("(await client.traffic()).length") == 0
        tab.value("(client.linkCost = { isExpensive: false, isConstrained: false }, null)")
        tab.until("(await client.traffic()).length > 0")


def test_an_update_is_requested(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight, {**SETTINGS, "dataUpdateFrequency": "none"})
        tab.until("(await client.status('corridor')).phase === 'current'")
        last = "(await client.status('corridor')).lastUpdate"
        before = tab.value(last)
        tab.value("(client.fetchData({ refresh: true }), null)")
        tab.until(f"{last} > {before}")
        modes = tab.value("""(await (async () => {
          const { blob } = await client.exportLog();
          return (await blob.text()).split("\\n").filter((line) => line.includes('"fetch.started"')).map((line) => JSON.parse(line).rule);
        })())""")
        assert modes == ["first", "refresh"], modes


def test_in_the_background_nothing_is_requested(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight, {**SETTINGS, "listening": {"isEnabled": False}}, rate=60)
        tab.value("client.enterBackground()")
        before = tab.status("corridor")["lastUpdate"]
        # Three minutes.
        tab.wait(3000)
        assert tab.status("corridor")["lastUpdate"] == before
        tab.value("client.enterForeground()")
        tab.until(f"(await client.status('corridor')).lastUpdate > {before}")


def test_turbulence_ahead_is_an_alert(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight, SETTINGS)
        tab.value("""(window.alerts = [], window.monitor = client.monitor({ minimumSeverity: 'light', distanceNM: 1000, widthNM: 100, altitudeSpanFeet: 100_000 }),
          (async () => { for await (const { event, alert } of monitor) alerts.push([event, alert]); alerts.push(['end']); })(), null)""")
        # Over London, and on the way. The service's weather is that of the hour.
        tab.value(f"monitor.update({{ position: {ROUTE[0]}, altitudeFeet: 35_000, trackDegrees: 290, groundSpeedKnots: 450 }})")
        tab.until("alerts.length > 0")
        event, alert = tab.value("alerts[0]")
        assert is_as_declared(alert, "TurbulenceAlert"), alert
        assert event == "began" and alert["phase"] == "new" and alert["mode"] == "route", alert
        assert 0 <= alert["distanceNM"] <= alert["farthestNM"] <= 1000 and alert["cells"] and alert["severity"] != "none"
        assert abs(alert["timeToGoSeconds"] - alert["distanceNM"] / 450 * 3600) < 2, alert
        # Elsewhere, all of them end.
        tab.value("monitor.update({ position: [0, -60], altitudeFeet: 35_000, trackDegrees: 90, groundSpeedKnots: 450 })")
        tab.until("alerts.filter(([event]) => event === 'ended').length === alerts.filter(([event]) => event === 'began').length")
        tab.value("(monitor.return(), null)")
        tab.until("alerts.at(-1)[0] === 'end'")


def test_the_weather_of_a_place_is_stored(viewer):
    with Flight(viewer) as flight:
        tab = flight.tab({"dataQuery": {"weather": {"places": [BERLIN], "spec": {"language": "en_US"}}}})
        assert tab.value("await client.weather([0, 0])") is None
        tab.until(f"await client.weather({BERLIN})")
        weather = tab.value(f"await client.weather({BERLIN})")
        assert weather["place"] == BERLIN and not weather["isExpired"] and weather["response"]["lang"] == "en_US"
        assert tab.status("weather.13.5100,52.3600")["phase"] == "current"


def test_updates_are_a_stream_and_events(viewer):
    with Flight(viewer, keys=("right",)) as flight:
        tab = flight.tab(settings=None, apiKey="wrong")
        tab.value("""(window.first = [], window.second = [], window.events = [],
          client.addEventListener('failed', ({ detail }) => events.push(detail.code)),
          (async () => { for await (const { kind } of client.updates) first.push(kind); first.push('end'); })(),
          (async () => { for await (const { kind } of client.updates) { second.push(kind); break; } second.push('left'); })(), null)""")
        tab.page.evaluate("(query) => client.dataQuery.set(query)", SETTINGS["dataQuery"])
        tab.until("events.length > 0 && second.length === 2")
        assert tab.value("events") == ["unauthorized"] and tab.value("first").count("failed") == 1
        assert tab.value("second") == [tab.value("first[0]"), "left"]
        tab.value("client.setAPIKey('right')")
        tab.until("first.includes('recovered') && first.includes('data')")
        tab.value("client.stop()")
        tab.until("first.at(-1) === 'end'")


def test_a_stopped_client_ends_its_streams_and_frees_its_log(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight, SETTINGS)
        # One of them waits for its first result when the client stops.
        tab.value("""(window.ends = 0, ['turbulence', 'profile'].forEach(async (kind) => {
          for await (const _ of client.observe(kind));
          ends++;
        }), (async () => {
          for await (const _ of client.monitor());
          ends++;
        })(), null)""")
        tab.value("client.stop()")
        tab.until("ends === 3")
        assert tab.value("await client.turbulence().catch((error) => error.code)") == "stopped"
        assert tab.value("await client.report({ position: [0, 50], altitudeFeet: 30000, severity: 'light', edr: 0.1 }).catch(({ code, advice }) => [code, advice !== ''])") == ["stopped", True]
        tab.value("client.stop()")
        # Nothing is changed any more, and another client of this page goes on with the log.
        tab.value("(client.dataHistoryTime = 1800, null)")
        tab.begin()
        assert tab.value("client.role") == "owner" and tab.value("client.dataHistoryTime") == 7200
        assert tab.value("(await client.turbulence()).length") > 0


def test_shapes_for_a_map(viewer):
    with Flight(viewer) as flight:
        tab = filled(flight, SETTINGS)
        cells = tab.value("""await (async () => {
          const [geometry, { lo, hi }] = [await client.geometry(), await client.columns()];
          const { latLon, start } = geometry.boundaries(lo, hi);
          return [...lo].map((_, i) => {
            const middle = [0, 1].map((part) => {
              let sum = 0;
              for (let vertex = start[i]; vertex < start[i + 1]; vertex++) sum += latLon[2 * vertex + part];
              return sum / (start[i + 1] - start[i]);
            });
            const found = geometry.cellAt(...middle);
            return [start[i + 1] - start[i], found.lo === lo[i] && found.hi === hi[i], found.id.endsWith("fffffff")];
          });
        })()""")
        # A hexagon that crosses edges of the icosahedron has more vertices than corners.
        assert cells and all(5 <= cell[0] <= 10 and cell[1:] == [True, True] for cell in cells), cells[:5]
        line = tab.value(f"(await client.geometry()).geodesic({ROUTE[0]}, {ROUTE[1]}, 101)")
        assert len(line["positions"]) == 101 and abs(line["metres"] - 5_554_000) < 20_000, line["metres"]
        for end, place in ((0, ROUTE[0]), (-1, ROUTE[1])):
            assert max(abs(a - b) for a, b in zip(line["positions"][end], place)) < 1e-6
        assert tab.value("(await client.geometry()).geodesic([0, 0], [1, 1], 1).positions.length") == 2
        assert tab.value("(await client.geometry()).cellAt(91, 0)") is None
        assert tab.value("await client.geometry().then((geometry) => geometry.geodesic([0, 91], [1, 1], 5)).catch((error) => error.code)") == "invalidQuery"
