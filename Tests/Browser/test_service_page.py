"""The page of `contrail serve`: the live map."""
import contextlib
import json

from live import lines, replayed
from page import notes
from sites import Service

QUIET = "contrail-first-data"


@contextlib.contextmanager
def page_of(viewer, *arguments, width=1280, height=800, scheme="dark", touch=False, keys=(), service=None, script=None):
    """The page of a service that was started for it. At the end, nothing was asked of another site, and nothing logged."""
    own = service or Service(viewer.contrail, "--sample-airports", *arguments, keys=keys)
    context = viewer.browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", has_touch=touch, device_scale_factor=1)
    page = context.new_page()
    page.set_default_timeout(60_000)
    console, asked = [], []
    page.on("console", notes(console))
    page.on("pageerror", lambda error: console.append(f"error: {error}"))
    context.on("request", lambda request: asked.append(request.url))
    try:
        page.service, page.console, page.asked = own, console, asked
        if script:
            page.add_init_script(script)
        page.goto(own.url)
        page.wait_for_selector("html[data-ready]", state="attached")
        yield page
        other = [url for url in asked if not url.startswith((own.url, "data:", "blob:"))]
        assert not other, f"another site was asked: {other[:3]}"
        left = [line for line in console if not any(text in line for text in ("Failed to load resource", "GL Driver Message", "fetching the script"))]
        assert not left, f"the console isn't empty: {left[:3]}"
    finally:
        context.close()
        if not service:
            own.stop()


def until(page, expression, seconds=30):
    for _ in range(int(seconds / 0.05)):
        if page.evaluate(f"async () => Boolean({expression})"):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"didn't come true in {seconds} s: {expression}; {page.inner_text('body')[:800]}")


def fly(page, start="EGLL", end="KJFK"):
    """Chooses two airports, as a user does."""
    for label, code in (("From", start), ("To", end)):
        field = page.get_by_role("combobox", name=label)
        field.fill(code)
        # A place in degrees needs no directory.
        if " " not in code:
            page.wait_for_selector(".suggestions:not([hidden]) li")
            field.press("Enter")
    page.get_by_role("button", name="Fly").click()
    until(page, "contrail.app.state?.corridor?.length > 0 && contrail.app.state.scopes.some((scope) => scope.name === 'corridor' && scope.visible.reports > 0)")


def test_the_world_is_there_at_once(viewer):
    with page_of(viewer) as page:
        until(page, f"performance.getEntriesByName('{QUIET}').length")
        until(page, "document.querySelector('#state').textContent === 'up to date'")
        assert page.evaluate("contrail.app.map.hexagonCount") > 100
        assert "received" in page.inner_text("#bytes")


# Notes in which order the page asks for its area and draws. On a slow machine the first frame doesn't wait for the client; here it does.
ORDER = """
  globalThis.order = [];
  const { setTimeout: later } = globalThis;
  globalThis.setTimeout = (call, ms, ...rest) => later(call, ms === 500 ? 60_000 : ms, ...rest);
  const noting = (type, method, what) => {
    const own = type.prototype[method];
    type.prototype[method] = function (...all) {
      const found = what(all[0]);
      if (found) order.push(found);
      return own.apply(this, all);
    };
  };
  noting(Worker, "postMessage", (message) => JSON.stringify(message).includes('"viewport":[') && "asked");
  noting(WebGL2RenderingContext, "drawArrays", () => "drawn");
"""


def test_data_is_asked_for_before_the_first_frame(viewer):
    with page_of(viewer, script=ORDER) as page:
        until(page, f"performance.getEntriesByName('{QUIET}').length")
        assert page.evaluate("order").index("asked") < page.evaluate("order").index("drawn")


def test_a_route_by_two_airports_has_a_corridor_and_a_profile(viewer):
    with page_of(viewer) as page:
        fly(page)
        until(page, "document.querySelector('.profile-text').textContent.includes('NM')")
        assert page.locator("#profile").is_visible()
        assert page.locator('.scope[data-scope="corridor"]').get_attribute("data-phase") in ("current", "fetching")
        assert page.evaluate("contrail.app.state.query.route.length") == 2
        # After a reload, the route is there without a choice.
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        until(page, "contrail.app.state?.corridor?.length > 0")
        assert page.get_by_role("combobox", name="From").input_value()


def test_the_link_is_switched_off_and_the_data_stays(viewer):
    with page_of(viewer) as page:
        fly(page)
        # The reports of the corridor, since those of the map change while it moves to the route. Some expire each second.
        reports = "contrail.app.state.scopes.find((scope) => scope.name === 'corridor').visible.reports"
        before = page.evaluate(reports)
        assert before > 0
        page.get_by_role("switch", name="Link").click()
        until(page, "document.querySelector('#state').textContent === 'offline'")
        assert page.get_by_role("switch", name="Link").get_attribute("aria-checked") == "false"
        count = len(page.asked)
        page.wait_for_timeout(1500)
        assert len(page.asked) == count, page.asked[count:]
        after = page.evaluate(reports)
        assert after >= before * 0.9, f"{after} of {before}"
        assert page.evaluate("contrail.app.map.hexagonCount") > 0
        assert "Switched off" in page.inner_text("#link")
        page.keyboard.press("o")
        until(page, "document.querySelector('#state').textContent === 'up to date'")


def test_the_downloaded_log_replays_the_same(viewer):
    with page_of(viewer) as page:
        fly(page)
        with page.expect_download() as event:
            page.click("#download")
        path = viewer.path("downloaded.jsonl")
        event.value.save_as(path)
        assert event.value.suggested_filename == "flight.jsonl"
        verdict = replayed(viewer, path)
        entries = lines(path)
        assert entries[0]["kind"] == "segment.opened" and any(entry["kind"] == "response.received" for entry in entries)
        assert verdict["digest"]


def test_a_key_is_asked_for_and_not_stored(viewer):
    with page_of(viewer, keys=("right",)) as page:
        page.wait_for_selector("#key[open]")
        page.fill("#key-input", "right")
        page.get_by_role("button", name="Use the key").click()
        until(page, "contrail.app.state?.reports.lo.length > 0")
        until(page, "document.querySelector('#problem').hidden")
        page.reload()
        # The key was in memory only.
        page.wait_for_selector("#key[open]")


def test_an_outage_is_told_and_ends(viewer):
    with page_of(viewer) as page:
        until(page, "contrail.app.state?.reports.lo.length > 0")
        page.service.stop()
        page.get_by_role("button", name="Update now").click()
        page.wait_for_selector("#problem:not([hidden])")
        assert page.evaluate("contrail.app.map.hexagonCount") > 0
        page.service.start()
        page.get_by_role("button", name="Update now").click()
        until(page, "document.querySelector('#state').textContent === 'up to date'", seconds=60)


def test_390_pixels_need_no_sideways_scrolling(viewer, scheme):
    with page_of(viewer, width=390, height=844, scheme=scheme, touch=True) as page:
        fly(page)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, width
        outside = page.evaluate(
            "[...document.querySelectorAll('button, select, input')].filter((each) => each.checkVisibility())"
            ".filter((each) => each.getBoundingClientRect().right > 391).map((each) => each.outerHTML.slice(0, 100))")
        assert not outside, outside
        small = page.evaluate(
            "[...document.querySelectorAll('#panel button, #panel select, #panel input:not([type=checkbox]), #tools button')].filter((each) => each.checkVisibility())"
            ".map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()]).filter(([, box]) => box.height < 40 || box.width < 40)"
            ".map(([html, box]) => `${html} ${box.width} × ${box.height}`)")
        assert not small, small
        assert page.evaluate("document.documentElement.dataset.theme") == scheme


test_390_pixels_need_no_sideways_scrolling.cases = ["light", "dark"]


def test_all_controls_have_names_and_keys(viewer):
    with page_of(viewer) as page:
        fly(page)
        nameless = page.evaluate(
            "[...document.querySelectorAll('button, select, input, canvas, summary')].filter((each) => each.checkVisibility())"
            ".filter((each) => !(each.textContent.trim() || each.ariaLabel || each.title || each.labels?.length)).map((each) => each.outerHTML.slice(0, 120))")
        assert not nameless, nameless
        # The whole page is reached by the Tab key.
        page.evaluate("document.activeElement.blur()")
        reached = set()
        for _ in range(60):
            page.keyboard.press("Tab")
            reached.add(page.evaluate("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
        assert any("map-canvas" in each for each in reached) and "download" in reached, reached
        page.keyboard.press("?")
        assert page.locator("#help").is_visible()
        page.keyboard.press("Escape")
        page.locator(".map-canvas").focus()
        page.keyboard.press("Enter")
        assert page.locator("#place").is_visible()


def test_the_page_starts_without_a_link(viewer):
    with page_of(viewer) as page:
        fly(page)
        until(page, "(await navigator.serviceWorker.ready).active?.state === 'activated'")
        until(page, "(await (await caches.open('contrail-page')).keys()).some(({ url }) => url.endsWith('contrail.wasm'))")
        # Data of the corridor is kept for the next launch, that of the visible area isn't.
        corridor = "contrail.app.state?.scopes.find(({ name }) => name === 'corridor')?.visible.reports"
        count = page.evaluate(corridor)
        page.service.stop()
        page.reload()
        page.wait_for_selector("html[data-ready]", state="attached")
        until(page, f"{corridor} >= {count} * 0.9")
        kept = page.evaluate("(async () => (await (await caches.open('contrail-page')).keys()).map(({ url }) => new URL(url).pathname))()")
        assert not [path for path in kept if path.startswith(("/observations/", "/areas/", "/airports/"))], kept


def test_the_policy_holds(viewer):
    with page_of(viewer) as page:
        answer = page.request.get(page.service.url)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe-inline" not in policy
        blocked = page.evaluate("fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => error.name)")
        assert blocked == "TypeError"
        page.console.clear()
        assert json.loads(page.request.get(page.service.url + "health").text())
