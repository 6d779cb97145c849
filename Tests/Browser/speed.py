#!/usr/bin/env python3
"""Measures the fold of the recordings in a browser, with the page's own modules: MB/s, of all and of each.

Usage: speed.py --chromium PATH [--repeat N]

Scripts/browser-test --speed calls this.
"""
import argparse
import mimetypes
import pathlib

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/ContrailViewer/Page"
RECORDINGS = ROOT / "Recordings"
ORIGIN = "http://contrail.invalid/"

MEASURE = """async ({names, blobs, repeat}) => {
  const { createEngine } = await import("/engine.js");
  const { unlzma } = await import("/lzma.js");
  const { joined } = await import("/streams.js");
  const read = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
  const engine = await createEngine(joined(unlzma(await read("/engine.lzma"))));
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--repeat", type=int, default=21)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto(ORIGIN)
        names = sorted(file.name for file in RECORDINGS.glob("*.jsonl"))
        blobs = sorted(file.name for file in (RECORDINGS / "blobs").iterdir())
        results = page.evaluate(MEASURE, {"names": names, "blobs": blobs, "repeat": options.repeat})
        version = browser.version
        browser.close()
    for result in results:
        print(f"{result['name']:34}{result['bytes'] / 1e3:8.1f} KB{result['ms']:8.2f} ms{result['bytes'] / 1e3 / result['ms']:8.1f} MB/s")
    total, ms = sum(result["bytes"] for result in results), sum(result["ms"] for result in results)
    print(f"{'all, Chromium ' + version:34}{total / 1e3:8.1f} KB{ms:8.2f} ms{total / 1e3 / ms:8.1f} MB/s")


main()
