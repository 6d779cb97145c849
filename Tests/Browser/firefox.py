#!/usr/bin/env python3
"""Opens the page of every recording in Firefox, and compares the digests of the engine in it with the native ones; for three of
them also the profile.

Usage: firefox.py --replay PATH --firefox PATH

Firefox is driven by WebDriver BiDi, which it speaks itself. Scripts/browser-test --firefox installs what is needed and calls this.
"""
import argparse
import base64
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from PIL import Image
from websockets.sync.client import connect

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = sorted((ROOT / "Recordings").glob("*.jsonl"))
# The graphics of a machine without a graphics processor, and nothing that Firefox fetches for itself.
PREFERENCES = {
    "webgl.force-enabled": True,
    "gfx.webrender.software": True,
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
# A busy machine takes its time; what is judged is what comes, not when.
PATIENCE = 240


class Firefox:
    """A browser with one page, and what it logged and requested."""

    def __init__(self, program, profile, preferences={}):
        lines = "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in {**PREFERENCES, **preferences}.items())
        (pathlib.Path(profile) / "user.js").write_text(lines)
        self.process = subprocess.Popen(
            [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"BiDi listening on (ws://\S+)", line):
                break
        else:
            raise AssertionError("Firefox didn't start")
        self.stack = contextlib.ExitStack()
        self.socket = self.stack.enter_context(connect(found[1] + "/session", max_size=None))
        self.count = 0
        self.logged, self.requested = [], []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def close(self):
        self.stack.close()
        self.process.terminate()
        self.process.wait()

    def send(self, method, **parameters):
        """Sends a command and returns its result; events that come before it are noted."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=PATIENCE))
            if message.get("id") == self.count:
                if message["type"] == "error":
                    raise AssertionError(f"{method}: {message['message']}")
                return message["result"]
            event = message.get("params", {})
            if message.get("method") == "log.entryAdded":
                self.logged.append(f"{event['level']}: {event['text']}")
            elif message.get("method") == "network.beforeRequestSent":
                self.requested.append(event["request"]["url"])

    def value(self, expression, awaits=False):
        """The value of an expression; if it awaits, of one with `await`."""
        text = f"JSON.stringify({expression} ?? null)"
        result = self.send(
            "script.evaluate", expression=f"(async () => {text})()" if awaits else text, target={"context": self.context},
            awaitPromise=awaits)
        if result["type"] != "success":
            raise AssertionError(f"{expression}: {result['exceptionDetails']['text']}")
        return json.loads(result["result"]["value"])

    def picture(self):
        data = self.send("browsingContext.captureScreenshot", context=self.context)["data"]
        return Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")

    def open(self, url):
        self.logged, self.requested = [], []
        self.send("browsingContext.navigate", context=self.context, url=url, wait="complete")
        end = time.monotonic() + PATIENCE
        while self.value("document.documentElement.dataset.ready") is None:
            if time.monotonic() > end:
                raise AssertionError(self.value("document.querySelector('#welcome-title')?.textContent"))
            time.sleep(0.05)


# A recording with a profile, and a line in the middle of it.
PROFILES = {"atlantic": 150, "near-the-pole": 100, "antimeridian": 60}


def check_profile(browser, replay, log, page, line):
    """Compares the text of the profile panel at a line with `replay profile --json`."""
    result = subprocess.run([replay, "profile", str(log), "--at", str(line - 1), "--json"], capture_output=True, text=True, check=True)
    told = json.loads(result.stdout)
    reports = sum(cell.get("count", 0) for cell in told["cells"])
    browser.open(page.as_uri() + f"#line={line}")
    expected = f"{round(told['lengthNM']):,} NM, {reports:,} report{'' if reports == 1 else 's'} within 20 NM"
    text = browser.value("document.querySelector('.profile-text').textContent")
    assert reports > 0 and text.startswith(expected), (text, expected)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--replay", required=True)
    parser.add_argument("--firefox", required=True)
    options = parser.parse_args()
    run = subprocess.run([options.replay, "run", "--format", "json", *map(str, RECORDINGS)], capture_output=True, text=True, check=True)
    digests = {pathlib.Path(row["path"]).stem: row["digest"] for row in json.loads(run.stdout)["recordings"]}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="contrail-firefox-") as folder:
        profile = pathlib.Path(folder) / "profile"
        profile.mkdir()
        browser = Firefox(options.firefox, str(profile))
        try:
            for log in RECORDINGS:
                page = pathlib.Path(folder) / f"{log.stem}.html"
                subprocess.run([options.replay, "view", str(log), "-o", str(page)], check=True, stdout=subprocess.DEVNULL)
                began = time.monotonic()
                try:
                    browser.open(page.as_uri())
                    badge = browser.value("{...document.querySelector('.badge').dataset}")
                    assert badge["same"] == "true", badge
                    assert badge["digest"] == digests[log.stem], (badge["digest"], digests[log.stem])
                    box = browser.value("document.querySelector('.map-canvas').getBoundingClientRect()")
                    corner = (box["x"], box["y"])
                    drawn = browser.picture().crop((*corner, corner[0] + box["width"], corner[1] + box["height"]))
                    assert len(drawn.getcolors(1 << 24)) > 20, "the map is empty"
                    left = [url for url in browser.requested if url != page.as_uri() and not url.startswith(("data:", "blob:"))]
                    assert not left, f"requests left the page: {left[:3]}"
                    assert not browser.logged, f"the console isn't empty: {browser.logged[:3]}"
                    if log.stem in PROFILES:
                        # Another fragment alone doesn't load the page again.
                        browser.send("browsingContext.navigate", context=browser.context, url="about:blank", wait="complete")
                        check_profile(browser, options.replay, log, page, PROFILES[log.stem])
                    print(f"ok    Firefox: {log.stem}  ({time.monotonic() - began:.1f} s)", flush=True)
                except AssertionError as error:
                    failed += 1
                    print(f"FAIL  Firefox: {log.stem}: {error}", flush=True)
        finally:
            browser.close()
    print(f"{len(RECORDINGS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
