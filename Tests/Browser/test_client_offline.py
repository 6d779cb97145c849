"""The service worker of the client for browsers: a page of an application that starts without a link."""
from live import Tab, load
from sites import MODULE, Service, Site

KEPT = "(await (await caches.open('contrail-page')).keys()).map(({ url }) => new URL(url).pathname).sort()"


def page(version):
    return f"""<!doctype html><title>version {version}</title><link rel="icon" href="data:,"><img src="missing.png"><script src="contrail-offline.js"></script>
<script type="module">
import * as contrail from "./contrail.js";
Object.assign(window, contrail, {{ isReady: true }});
fetch("data.json").catch(() => null);
</script>""".encode()


def kept_page(viewer, test):
    """A page that is kept, its site, and its context."""
    with Service(viewer.contrail, "--allow-origin", "*") as service:
        made = {"/": page(1), "/data.json": b"[1]", "/contrail.wasm": load(service.url + "contrail.wasm")}
        with Site(MODULE, made=made) as site:
            context = viewer.browser.new_context()
            try:
                tab = Tab(context, site.url)
                tab.until("(await navigator.serviceWorker.ready).active?.state === 'activated'")
                tab.until(f"({KEPT}).includes('/contrail.wasm')")
                test(tab, made, context, site)
            finally:
                context.close()


def opened(tab):
    tab.page.goto(tab.url)
    tab.page.wait_for_function("window.isReady")
    return tab.page.title()


def test_a_page_starts_without_a_link(viewer):
    def test(tab, _, context, site):
        kept = tab.value(KEPT)
        assert {"/", "/contrail.js", "/contrail-offline.js", "/contrail.wasm"} <= {*kept}, kept
        assert not {"/data.json", "/missing.png"} & {*kept}, kept
        site.close()
        context.set_offline(True)
        assert opened(tab) == "version 1"
        # What isn't a part of the page isn't taken from what is kept.
        assert tab.value("await fetch('/data.json').then(() => 'kept', () => 'none')") == "none"
        assert tab.value("await fetch('/other.wasm').then(({ status }) => status, () => 'none')") == "none"
        assert tab.value("new ContrailClient({ server: 'http://127.0.0.1:9' }).opened().then(() => 'open')") == "open"
    kept_page(viewer, test)


def test_the_next_version_comes_for_the_load_after(viewer):
    def test(tab, made, *_):
        made["/"] = page(2)
        assert opened(tab) == "version 1"
        tab.until("(await (await (await caches.open('contrail-page')).match('/')).text()).includes('version 2')")
        assert opened(tab) == "version 2"
        # A version of which a file is missing isn't kept.
        made["/"] = page(3)
        engine = made.pop("/contrail.wasm")
        opened(tab)
        tab.wait(4000)
        assert opened(tab) == "version 2"
        made["/contrail.wasm"] = engine
        opened(tab)
        tab.until("(await (await (await caches.open('contrail-page')).match('/')).text()).includes('version 3')")
        assert opened(tab) == "version 3"
    kept_page(viewer, test)
