"""`replay view --follow`: a log as it grows, for this machine alone."""
import http.client
import subprocess
from urllib.parse import urlsplit

from page import RECORDINGS

LINES = (RECORDINGS / "atlantic.jsonl").read_bytes().splitlines(keepends=True)


class Following:
    """A program that serves a log, and the log."""

    def __init__(self, viewer, name, count):
        self.log = viewer.path(name)
        self.log.write_bytes(b"".join(LINES[:count]))
        self.process = subprocess.Popen([viewer.replay, "view", "--follow", str(self.log)], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[0]

    def append(self, start, end, cut=0):
        with self.log.open("ab") as file:
            file.write(b"".join(LINES[start:end]) if not cut else b"".join(LINES[start:end])[:-cut])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def until(page, text, seconds=60):
    for _ in range(seconds * 10):
        if text in (page.text_content(".transport-line") or ""):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"'{text}' didn't come: {page.text_content('.transport-line')}")


def test_a_growing_log_is_shown_at_its_end_and_at_a_moment(viewer):
    with Following(viewer, "growing.jsonl", 50) as following:
        page = viewer.browser.new_page()
        failures = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.goto(following.url)
        until(page, "line 50 of 50")
        following.append(50, 120)
        until(page, "line 120 of 120")
        # Half a line is a client that writes; the rest follows.
        following.append(120, 121, cut=20)
        page.wait_for_timeout(1500)
        with following.log.open("ab") as file:
            file.write(LINES[120][-20:])
        following.append(121, 150)
        until(page, "line 150 of 150")
        # A moment that isn't the end stays.
        page.keyboard.press("Home")
        following.append(150, 160)
        until(page, "line 1 of 160")
        assert page.text_content("#following") == "following"
        following.process.kill()
        for _ in range(100):
            if page.text_content("#following") == "not following":
                break
            page.wait_for_timeout(100)
        assert page.text_content("#following") == "not following" and not failures, failures
        page.close()


def test_only_the_page_itself_may_ask(viewer):
    with Following(viewer, "private.jsonl", 20) as following:
        parts = urlsplit(following.url)

        def status(path, **headers):
            connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
            connection.request("GET", path, headers=headers)
            return connection.getresponse().status

        assert status(parts.path + "log") == 200
        assert status("/log") == 404 and status("/") == 404
        assert status(parts.path + "log", Host="example.com") == 404
        assert parts.hostname == "127.0.0.1"
