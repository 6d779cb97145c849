"""Pages made by `replay view`, opened in Chromium, with what went wrong in them."""
import io
import pathlib
import subprocess
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDINGS = ROOT / "Recordings"

# The graphics of a machine without a graphics processor. The emulated one draws only WebGL; drawing the rest of a page with it takes longer.
ARGUMENTS = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu-compositing", "--no-sandbox"]


def notes(console):
    """A handler that adds the messages of a page to a list. It leaves out a warning (without graphics, the browser copies each picture of
    WebGL) and what mutants.py counts."""
    def note(message):
        if "GPU stall due to ReadPixels" not in message.text and not message.text.startswith("reached "):
            console.append(f"{message.type}: {message.text}")
    return note


class Viewer:
    """Makes pages and opens them. One browser for all tests."""

    def __init__(self, replay, chromium):
        self.replay = replay
        self.folder = tempfile.TemporaryDirectory(prefix="contrail-view-")
        self.playwright = sync_playwright().start()
        self.browser = self.playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        self.pages = {}

    def close(self):
        self.browser.close()
        self.playwright.stop()
        self.folder.cleanup()

    def path(self, name):
        """A path for a file of a test."""
        return pathlib.Path(self.folder.name) / name

    def make(self, *logs):
        """The HTML file of one or two logs."""
        if logs not in self.pages:
            output = self.path(f"{len(self.pages)}.html")
            result = subprocess.run([self.replay, "view", *map(str, logs), "-o", str(output)], capture_output=True, text=True, timeout=120)
            if not output.exists():
                raise AssertionError(f"replay view wrote nothing: {result.stderr or result.stdout}")
            self.pages[logs] = output
        return self.pages[logs]

    def open(self, *logs, fragment="", width=1280, height=800, scheme="dark", motion="reduce", ready=True, touch=False, before=None,
             at_end=True):
        """An opened page at the end of the flight, unless the fragment says otherwise or `at_end` is false; `ready` waits for its first
        frame, and the script `before` runs before its own."""
        opened = Opened(self, self.make(*logs), fragment, width, height, scheme, motion, ready, touch, before)
        if ready and at_end and "line=" not in fragment and "at=" not in fragment and "why=" not in fragment:
            opened.press("End")
        return opened


class Opened:
    """A page in the browser. As a context, it checks at its end that nothing was logged and no request left."""

    def __init__(self, viewer, file, fragment, width, height, scheme, motion, ready, touch, before):
        self.context = viewer.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion=motion, device_scale_factor=1, has_touch=touch,
            permissions=[], offline=True)
        self.page = self.context.new_page()
        if before:
            self.page.add_init_script(before)
        # A busy machine takes its time; what is judged is what comes, not when.
        self.page.set_default_timeout(240_000)
        self.console = []
        self.requests = []
        self.page.on("console", notes(self.console))
        self.page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        self.url = file.as_uri() + (f"#{fragment}" if fragment else "")
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(self.url)
        if ready:
            self.page.wait_for_selector("html[data-ready]", state="attached", timeout=240_000)
            self.settle()

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.context.close()
        if kind is None:
            left = [url for url in self.requests if url.split("#")[0] != self.url.split("#")[0] and not url.startswith("data:")]
            assert not left, f"requests left the page: {left[:3]}"
            assert not self.console, f"the console isn't empty: {self.console[:3]}"

    def frames(self):
        """Waits until two frames have been drawn."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def settle(self):
        """Waits until two frames have been drawn, and the panel shows the moment."""
        self.frames()
        self.page.wait_for_timeout(150)

    def until(self, condition, seconds=10):
        """Waits until a condition holds. The page's policy forbids Playwright's own way, which evaluates text in the page."""
        for _ in range(int(seconds / 0.05)):
            if self.page.evaluate(f"Boolean({condition})"):
                return
            self.page.wait_for_timeout(50)
        raise AssertionError(f"didn't come true in {seconds} s: {condition}")

    def text(self, selector):
        return self.page.inner_text(selector)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def go(self, fragment):
        """Follows a fragment of the address."""
        self.page.evaluate(f"location.hash = {fragment!r}")
        self.settle()

    def resize(self, width, height=800):
        """Gives the page another size."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.settle()

    def line(self):
        """The number of the line of the moment, from 1."""
        return int(self.text(".transport-line").split()[1].replace(",", ""))

    def fragment(self):
        """The fragment of the address, after it was written."""
        self.page.wait_for_timeout(450)
        return self.page.evaluate("location.hash.slice(1)")

    def picture(self, selector=".map-canvas"):
        """What is seen of an element."""
        return Image.open(io.BytesIO(self.page.locator(selector).first.screenshot())).convert("RGB")

    def map_only(self):
        """Hides what lies over the map."""
        self.page.evaluate("document.querySelectorAll('.legend, .map-scale, .map-notice').forEach((each) => (each.hidden = true))")
        self.settle()


def near(pixel, colour, reach=40):
    """Whether a pixel is close to a colour."""
    return all(abs(a - b) <= reach for a, b in zip(pixel, colour))
