#!/usr/bin/env python3
"""Measures the page of the service in Chromium: the time to the first data on the map, with a service and without one, and the time of the
scripts for an answer.

Without a graphics processor, drawing takes most of the time. So the first data is measured in a small window, too, where little is drawn.

Usage: client_speed.py --contrail PATH --chromium PATH [--repeat N]

Scripts/browser-test --speed calls this.
"""
import argparse
import tempfile

from playwright.sync_api import sync_playwright

from page import ARGUMENTS
from sites import Service

WINDOWS = {"": {"width": 1280, "height": 800}, ", small window": {"width": 200, "height": 150}}
FIRST = "performance.getEntriesByName('contrail-first-data')[0]?.startTime ?? 0"


def wait(page, expression, seconds=60):
    for _ in range(int(seconds / 0.02)):
        if value := page.evaluate(f"async () => ({expression})"):
            return value
        page.wait_for_timeout(20)
    raise AssertionError(f"didn't come true: {expression}")


def first_data(page):
    page.wait_for_selector("html[data-ready]", state="attached")
    return wait(page, FIRST)


def row(title, times, unit="ms"):
    times = sorted(times)
    print(f"{title:72}{times[len(times) // 2]:9.1f} {unit} median{times[-1]:9.1f} {unit} at most", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--contrail", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.chromium, args=ARGUMENTS)
        # A first visit: nothing is in the browser.
        with Service(options.contrail) as service:
            for name, window in WINDOWS.items():
                times = []
                for _ in range(options.repeat):
                    context = browser.new_context(viewport=window, reduced_motion="reduce")
                    page = context.new_page()
                    page.goto(service.url)
                    times.append(first_data(page))
                    context.close()
                row(f"first data on the map, first visit, loopback{name}", times)
        # A world with 10,000 reports and more, from the file, without the service. A private window keeps no files.
        with Service(options.contrail, "--aircraft", "700") as service, tempfile.TemporaryDirectory() as profile:
            context = playwright.chromium.launch_persistent_context(
                profile, executable_path=options.chromium, args=ARGUMENTS, viewport=WINDOWS[""], reduced_motion="reduce")
            page = context.new_page()
            page.goto(service.url)
            wait(page, "globalThis.contrail?.app?.state?.reports.lo.length")
            wait(page, "(await navigator.serviceWorker.ready).active?.state === 'activated'")
            wait(page, "(await (await caches.open('contrail-page')).keys()).some(({ url }) => url.endsWith('contrail.wasm'))")
            page.evaluate("async () => { const { client } = contrail; "
                          " client.dataQuery.polygon = [[-175, 75], [175, 75], [175, -60], [-175, -60], [-175, 75]]; await client.opened(); }")
            wait(page, "contrail.app.state.reports.lo.length >= 10000")
            answers, shows, records = [], [], []
            for _ in range(options.repeat):
                page.evaluate("contrail.client.fetchData()")
                page.wait_for_timeout(700)
                answers.append(page.workers[0].evaluate("performance.getEntriesByName('contrail-answer').at(-1)?.duration ?? 0"))
                shows.append(page.evaluate("performance.getEntriesByName('contrail-show').at(-1)?.duration ?? 0"))
            count = page.evaluate("contrail.app.state.reports.lo.length")
            row(f"the engine's part of a delta, {count} reports held", answers)
            row("showing what changed, until the map is drawn", shows)
            service.stop()
            for name, window in WINDOWS.items():
                times = []
                for _ in range(options.repeat):
                    # A new tab: a page that is loaded again waits until the one before has drawn.
                    page.close()
                    page = context.new_page()
                    page.set_viewport_size(window)
                    page.wait_for_timeout(1000)
                    page.goto(service.url, wait_until="commit")
                    times.append(first_data(page))
                    records.append(page.evaluate("contrail.app.state.reports.lo.length"))
                row(f"first data on the map, offline, {min(records)} reports{name}", times)
            context.close()
        browser.close()


main()
