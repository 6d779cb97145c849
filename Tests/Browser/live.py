"""Pages with the client for browsers, and the log that they leave."""
import base64
import json
import os
import re
import subprocess
import tarfile
import time
import urllib.request

from page import notes
from sites import MODULE, Service, Site

# Runs the clocks of a worker faster, and tells the service its time.
FAST_CLOCK = b"""
const [rate, wall] = ["rate", "start"].map((name) => Number(new URL(location.href).searchParams.get(name)));
const [steady, later, send] = [performance.now(), setTimeout, fetch];
const real = performance.now.bind(performance);
performance.now = () => steady + (real() - steady) * rate;
Date.now = () => Math.floor(wall + performance.now() - steady);
globalThis.setTimeout = (action, milliseconds, ...rest) => later(action, (milliseconds ?? 0) / rate, ...rest);
globalThis.fetch = (url, options = {}) =>
  send(url, String(url).endsWith(".wasm") ? options : { ...options, headers: [...(options.headers ?? []), ["Contrail-Simulated-Time", String(Date.now())]] });
"""
FAST_WORKER = b'import "./fast-clock.js";\nimport "./contrail.js";\n'
PAGE = b"""<!doctype html><title>flight</title><script type="module">
import * as contrail from "./contrail.js";
Object.assign(window, contrail, { told: [], isReady: true });
window.begin = (configuration, set) => {
  window.client = new ContrailClient(configuration);
  client.addEventListener("update", ({ detail }) => told.push({ ...detail, error: detail.error?.toJSON?.() }));
  set?.(client);
  return client.opened();
};
</script>"""

BEGAN = time.time()
# How long tests wait, as a part of the usual time.
PATIENCE = float(os.environ.get("CONTRAIL_PATIENCE", 1))
# London to New York.
ROUTE = [[-0.46, 51.47], [-73.78, 40.64]]


def load(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=30) as answer:
        return answer.read()


def is_as_declared(value, name):
    """Whether an object has the members that a type of the module declares: all that must be there, and no others."""
    block = (MODULE / "types.js").read_text().split(f"@typedef {{object}} {name}")[1].split("@typedef")[0]
    members = re.findall(r"@property \{.*?\}+ (\[?)(\w+)\]?(?=[ \n])", block)
    needed = {member for bracket, member in members if not bracket}
    return needed <= set(value) <= {member for _, member in members}


def module_site(service):
    """A site of its own with the module that a service has."""
    made = {"/": PAGE, "/fast-clock.js": FAST_CLOCK, "/fast-worker.js": FAST_WORKER}
    # Of changed modules, there is no bundle.
    for name in ("contrail.wasm",) if "CONTRAIL_MODULE" in os.environ else ("contrail.js", "contrail.wasm"):
        made[f"/{name}"] = load(service.url + name)
    return Site(MODULE, made=made)


class Tab:
    """A page with a client, and what went wrong in it."""

    def __init__(self, context, url, configuration=None, settings=None, rate=1):
        self.page = context.new_page()
        self.page.set_default_timeout(120_000 * PATIENCE)
        self.console = []
        self.page.on("console", notes(self.console))
        self.page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        self.url, self.configuration, self.settings, self.rate = url, configuration, settings, rate
        self.open()

    def open(self):
        self.page.goto(self.url)
        self.begin()

    def begin(self):
        self.page.wait_for_function("window.isReady")
        if self.configuration is not None:
            configuration = dict(self.configuration)
            if self.rate != 1:
                # The clock goes on where it was for an earlier worker.
                start = BEGAN + (time.time() - BEGAN) * self.rate
                configuration["worker"] = f"/fast-worker.js?rate={self.rate}&start={int(start * 1000)}"
            self.page.evaluate("([configuration, settings]) => { Object.assign(window, { configuration, settings }); }", [configuration, self.settings])
            self.value(
                "begin(configuration, settings && ((client) => { const { dataQuery, ...rest } = settings;"
                " Object.assign(client, rest); if (dataQuery) client.dataQuery.set(dataQuery); }))")

    def reload(self):
        self.page.reload()
        self.begin()

    def value(self, expression):
        """The value of an expression, which may wait for promises."""
        return self.page.evaluate(
            f"() => Promise.race([(async () => ({expression}))(),"
            f" new Promise((_, fail) => setTimeout(() => fail(new Error('no end')), {60_000 * PATIENCE}))])")

    def until(self, expression, seconds=60):
        """Waits until an expression, which may be a promise, holds."""
        for _ in range(int(seconds * PATIENCE / 0.1)):
            if self.value(expression):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"didn't come true in {seconds} s: {expression}; {self.value('window.client ? await client.statuses().catch(String) : null')}")

    def wait(self, milliseconds):
        self.page.wait_for_timeout(milliseconds)

    def status(self, scope):
        return self.value(f"await client.status({json.dumps(scope)})")

    def log(self):
        """The downloaded log: its name and bytes."""
        name, data = self.page.evaluate("""async () => {
          const { name, blob } = await client.exportLog();
          const bytes = new Uint8Array(await blob.arrayBuffer());
          let text = "";
          for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
          return [name, btoa(text)];
        }""")
        return name, base64.b64decode(data)


def saved(viewer, tab, name):
    """The path of the tab's log as a file or folder."""
    kind, data = tab.log()
    path = viewer.path(f"{name}-{kind}")
    path.write_bytes(data)
    if not kind.endswith(".tar"):
        return path
    folder = viewer.path(name)
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    return folder / "flight"


def replayed(viewer, path):
    """What `replay run` says of a log: it must be the same."""
    run = subprocess.run([viewer.replay, "run", "--format", "json", str(path)], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout)["recordings"][0]


def lines(path):
    """The lines of a log, of all its segments."""
    files = [path] if path.is_file() else sorted(path.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def kinds(entries):
    return [entry["kind"] for entry in entries]


def full_fetches(entries, scope):
    """How often everything of a scope was fetched. A request that is repeated because it had no answer counts once: a fast clock
    makes time-outs short, so a busy machine has some."""
    count, waiting = 0, None
    for entry in entries:
        if entry["kind"] == "fetch.started" and entry["scope"] == scope:
            is_full = entry["mode"] == "full"
            count += is_full and waiting is None
            waiting = entry["request"] if is_full else None
        elif entry["kind"] == "response.received" and entry["request"] == waiting:
            waiting = None
    return count
