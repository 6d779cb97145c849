#!/usr/bin/env python3
"""Measures the page in a browser: the fold of the recordings with the page's own modules (MB/s), the time of the page's scripts
for each scrub of a log, and for each frame with 50,000 hexagons.

Usage: speed.py --chromium PATH --replay PATH [--repeat N] [--log PATH]    scrubs the log of that path instead of all recordings

Scripts/browser-test --speed calls this.
"""
import argparse
import json
import mimetypes
import pathlib
import random
import subprocess
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/Replay/ContrailViewer/Page"
RECORDINGS = ROOT / "Recordings"
ORIGIN = "http://contrail.invalid/"

MEASURE = """async ({names, blobs, repeat}) => {
  const { createEngine } = await import("/engine.js");
  const { gunzip } = await import("/parts.js");
  const read = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const engine = await createEngine(await gunzip(await read("/engine.wasm.gz")));
  const held = new Map();
  for (const blob of blobs) held.set(blob, await read(`/recordings/blobs/${blob}`));
  const results = [];
  let flight;
  for (const name of names) {
    const bytes = await read(`/recordings/${name}`);
    const times = [];
    for (let turn = 0; turn < repeat; turn++) {
      const start = performance.now();
      flight?.close();
      flight = await engine.open({ name, files: [{ name, bytes }], blobs: held });
      times.push(performance.now() - start);
    }
    if (!flight.verdict.isSame) throw new Error(`${name} differs`);
    results.push({ name, bytes: bytes.length, ms: times.sort((a, b) => a - b)[times.length >> 1] });
  }
  return results;
}"""


def answer(route):
    path = route.request.url.removeprefix(ORIGIN)
    file = RECORDINGS / path.removeprefix("recordings/") if path.startswith("recordings/") else PAGE / path
    if path == "":
        route.fulfill(content_type="text/html", body="<!doctype html>")
    elif file.is_file():
        route.fulfill(content_type=mimetypes.guess_type(file)[0] or "application/octet-stream", body=file.read_bytes())
    else:
        route.fulfill(status=404)


def hexagons_log(folder, count):
    """A log whose only response has so many hexagons, each in a cell of its own, all over the world."""
    log = (RECORDINGS / "atlantic.jsonl").read_text().splitlines()
    end = next(index for index, line in enumerate(log) if '"kind":"response.received"' in line)
    entries = [json.loads(line) for line in log[: end + 1]]
    draw = random.Random(1)
    cells = set()
    while len(cells) < count:
        # Five digits of 0 to 6 in one of 110 base cells, none of them of a pentagon.
        base = draw.choice([cell for cell in range(122) if cell not in (4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117)])
        packed = base
        for _ in range(5):
            packed = packed << 3 | draw.randrange(7)
        cells.add(packed)
    data = entries[-1]["body"]["data"]
    data.pop("count"), data.pop("checksum")
    data["hexagons"] = [
        {"id": f"{0x0850_0000_3FFF_FFFF | cell << 30:x}", "alt": draw.randrange(20, 41), "sev": draw.randrange(5), "edr": 0.1,
         "observedAt": data["lastUpdatedAt"] - draw.randrange(3600)} for cell in sorted(cells)]
    path = folder / f"{count}-hexagons.jsonl"
    with open(path, "w") as file:
        for entry in entries:
            entry.pop("crc", None)
            if entry["kind"] == "segment.opened":
                entry["crc"] = False
            file.write(json.dumps(entry, separators=(",", ":")) + "\n")
    return path


class Scripts:
    """A page made by `replay view`, and the time of its scripts for what is done in it."""

    def __init__(self, browser, replay, log, folder):
        output = folder / f"{log.stem}.html"
        subprocess.run([replay, "view", str(log), "-o", str(output)], check=True, stdout=subprocess.DEVNULL)
        self.page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        self.page.set_default_timeout(600_000)
        self.page.goto(output.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached")
        self.session = self.page.context.new_cdp_session(self.page)
        self.session.send("Performance.enable")

    def total_ms(self):
        metrics = {each["name"]: each["value"] for each in self.session.send("Performance.getMetrics")["metrics"]}
        return 1000 * metrics["ScriptDuration"]

    def times_ms(self, actions):
        """The time of the scripts of each action and of the frames after it."""
        times = []
        for action in actions:
            before = self.total_ms()
            action()
            self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            times.append(self.total_ms() - before)
        return sorted(times)

    def scrub(self, count):
        box = self.page.locator(".timeline-overlay").bounding_box()
        draw = random.Random(2)
        mouse = self.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + 8)
        mouse.down()
        places = [box["x"] + box["width"] * draw.random() for _ in range(count)]
        times = self.times_ms([lambda x=x: mouse.move(x, box["y"] + 8) for x in places])
        mouse.up()
        return times

    def drag_map(self, count):
        box = self.page.locator(".map-canvas").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        times = self.times_ms([lambda i=i: mouse.move(x + 3 * i % 200, y + i % 50) for i in range(1, count)])
        mouse.up()
        return times


def row(title, times):
    print(f"{title:44}{times[len(times) // 2]:8.2f} ms median{times[len(times) * 95 // 100]:8.2f} ms of 95 %{times[-1]:8.2f} ms at most")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--log", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=21)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"])
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto(ORIGIN)
        names = sorted(file.name for file in RECORDINGS.glob("*.jsonl"))
        blobs = sorted(file.name for file in (RECORDINGS / "blobs").iterdir())
        results = page.evaluate(MEASURE, {"names": names, "blobs": blobs, "repeat": options.repeat})
        for result in results:
            print(f"{result['name']:34}{result['bytes'] / 1e3:8.1f} KB{result['ms']:8.2f} ms{result['bytes'] / 1e3 / result['ms']:8.1f} MB/s")
        total, ms = sum(result["bytes"] for result in results), sum(result["ms"] for result in results)
        print(f"{'all, Chromium ' + browser.version:34}{total / 1e3:8.1f} KB{ms:8.2f} ms{total / 1e3 / ms:8.1f} MB/s", flush=True)
        with tempfile.TemporaryDirectory(prefix="contrail-speed-") as temporary:
            folder = pathlib.Path(temporary)
            for log in [options.log] if options.log else [RECORDINGS / f"{name}.jsonl" for name in ("near-the-pole", "antimeridian")]:
                row(f"scripts of a scrub, {log.stem}", Scripts(browser, options.replay, log, folder).scrub(100))
            row("scripts of a frame, 50,000 hexagons", Scripts(browser, options.replay, hexagons_log(folder, 50_000), folder).drag_map(100))
        browser.close()


main()
