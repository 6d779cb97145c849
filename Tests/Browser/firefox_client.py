#!/usr/bin/env python3
"""Opens the page of the service in Firefox: the client for browsers with its files, its tabs, and the log that it leaves.

Usage: firefox_client.py --replay PATH --contrail PATH --firefox PATH

Scripts/browser-test --firefox calls this.
"""
import argparse
import base64
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback

from firefox import Firefox
from sites import Service

LOG = """await (async () => {
  const { blob } = await contrail.client.exportLog();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
})()"""


class Page:
    """The page of a service in Firefox."""

    def __init__(self, browser, options, service):
        self.browser, self.options, self.service = browser, options, service

    def open(self):
        self.browser.open(self.service.url)

    def until(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while not self.browser.value(f"Boolean({expression})", awaits=True):
            if time.monotonic() > end:
                raise AssertionError(f"didn't come true: {expression}; {self.browser.value('document.body.innerText')[:600]}")
            time.sleep(0.1)

    def replay(self):
        """Replays the log of the page: it must be the same."""
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            data = base64.b64decode(self.browser.value(LOG, awaits=True))
            file.write(data)
            file.flush()
            run = subprocess.run([self.options.replay, "run", file.name], capture_output=True, text=True)
            assert run.returncode == 0, run.stdout + run.stderr
            return data.decode()


def the_log_is_in_a_file_and_replays_the_same(page):
    page.open()
    page.until("contrail.app.state?.reports.lo.length > 0")
    assert page.browser.value("contrail.client.storage.kind") == "opfs"
    page.browser.value("await contrail.client.setDataQuery({ routeWidth: 100, route: [[-0.46, 51.47], [-73.78, 40.64]] })", awaits=True)
    page.until("contrail.app.state.scopes.some((scope) => scope.name === 'corridor' && scope.visible.reports > 0)")
    page.replay()
    box = page.browser.value("document.querySelector('.map-canvas').getBoundingClientRect()")
    drawn = page.browser.picture().crop((box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]))
    assert len(drawn.getcolors(1 << 24)) > 20, "the map is empty"
    left = [url for url in page.browser.requested if not url.startswith((page.service.url, "data:", "blob:"))]
    assert not left, f"requests left the page: {left[:3]}"
    assert not page.browser.logged, page.browser.logged[:3]


def a_reload_goes_on_with_deltas(page):
    page.open()
    page.until("contrail.app.state?.corridor?.length > 0")
    page.until("contrail.app.state.reports.lo.length > 0")
    log = page.replay()
    assert log.count('"kind":"session.started"') == 2
    full = [line for line in log.splitlines() if '"kind":"fetch.started"' in line and '"scope":"corridor"' in line and '"mode":"full"' in line]
    assert len(full) == 1, full


def two_tabs_share_the_log(page):
    browser = page.browser
    first = browser.context
    second = browser.send("browsingContext.create", type="tab")["context"]
    browser.context = second
    page.open()
    page.until("contrail.client.role === 'follower'")
    page.until("contrail.app.state?.reports.lo.length > 0")
    browser.send("browsingContext.close", context=first)
    page.until("contrail.client.role === 'owner'")
    page.until("contrail.app.state?.reports.lo.length > 0")
    page.replay()


def a_private_window_has_a_log_in_memory(page):
    page.open()
    page.until("contrail.app.state?.reports.lo.length > 0")
    storage = page.browser.value("contrail.client.storage")
    assert storage["kind"] == "memory" and storage["reason"], storage
    assert "keeps no files" in page.browser.value("document.querySelector('#log').innerText")
    page.replay()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replay", required=True)
    parser.add_argument("--contrail", required=True)
    parser.add_argument("--firefox", required=True)
    options = parser.parse_args()
    ordinary = [the_log_is_in_a_file_and_replays_the_same, a_reload_goes_on_with_deltas, two_tabs_share_the_log]
    private = [a_private_window_has_a_log_in_memory]
    passed = failed = 0
    for tests, preferences in ((ordinary, {}), (private, {"browser.privatebrowsing.autostart": True})):
        with tempfile.TemporaryDirectory(prefix="contrail-firefox-") as folder, Service(options.contrail, "--sample-airports") as service:
            profile = pathlib.Path(folder) / "profile"
            profile.mkdir()
            browser = Firefox(options.firefox, str(profile), preferences)
            try:
                for test in tests:
                    began = time.monotonic()
                    try:
                        test(Page(browser, options, service))
                        passed += 1
                        print(f"ok    Firefox: {test.__name__.replace('_', ' ')}  ({time.monotonic() - began:.1f} s)", flush=True)
                    except Exception:
                        failed += 1
                        print(f"FAIL  Firefox: {test.__name__.replace('_', ' ')}\n{traceback.format_exc()}", flush=True)
            finally:
                browser.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
