"""Logs that try to harm the page, and logs that are too large for it."""
import json

from page import RECORDINGS

SCRIPT = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"><b style='color:red'>"


def head(extra=()):
    lines = [
        {"seq": 0, "at": 1768471200000, "kind": "segment.opened", "format": 1, "first": 0, "crc": False},
        {"seq": 1, "at": 1768471200000, "kind": "session.started", "engine": "1.0.0", "session": "1-1", "seed": 1},
        {"seq": 2, "at": 1768471200000, "kind": "connectivity.changed", "online": True},
        *extra,
    ]
    return "\n".join(json.dumps(line, separators=(",", ":")) for line in lines) + "\n"


def test_scripts_in_every_string_are_text(viewer):
    entries = [json.loads(line) for line in (RECORDINGS / "wider-and-wider.jsonl").read_text().splitlines()]

    def poisoned(value, key=""):
        if isinstance(value, str):
            return value if key in ("kind", "crc", "scope", "rule", "mode", "reason", "area", "id", "types", "checksum", "timer") else value + SCRIPT
        if isinstance(value, list):
            return [poisoned(each, key) for each in value]
        if isinstance(value, dict):
            return {name: poisoned(each, name) for name, each in value.items()}
        return value

    lines = []
    for entry in entries:
        entry.pop("crc", None)
        if entry["kind"] == "segment.opened":
            entry["crc"] = False
        lines.append(json.dumps(poisoned(entry), separators=(",", ":")))
    log = viewer.path("</title><script>document.title='owned'</script>.jsonl".replace("/", "_"))
    log.write_text("\n".join(lines) + "\n")
    with viewer.open(log, ready=False) as opened:
        opened.until("document.documentElement.dataset.ready || document.querySelector('#welcome-title').textContent.includes('shown')")
        if opened.page.evaluate("document.documentElement.dataset.ready"):
            opened.press("w")
            for tab in ("now", "lines", "why"):
                opened.page.click(f"#tab-{tab}")
                opened.settle()
        assert "owned" != opened.page.title()
        assert opened.page.locator("main img, main b[style]").count() == 0
        assert opened.page.evaluate("document.scripts.length") <= 40


def test_what_is_no_log_is_an_error(viewer, text):
    log = viewer.path("nolog.jsonl")
    log.write_text(text)
    viewer.pages.pop((log,), None)
    with viewer.open(log, ready=False) as opened:
        opened.until("document.querySelector('#welcome-title').textContent.includes(\"can't be\")")
        assert "nolog" in opened.text("#welcome-text") or "log" in opened.text("#welcome-text")


test_what_is_no_log_is_an_error.cases = ["hello\n", "{}\n", "[" * 5000 + "\n", "\x00\x01\x02\n"]


def test_a_line_of_50_MB_is_shown_or_an_error(viewer):
    body = "x" * 50_000_000
    log = viewer.path("long.jsonl")
    log.write_text(head([{"seq": 3, "at": 1768471200000, "kind": "query.changed", "query": {"types": ["turbulence"], "note": body}}]))
    with viewer.open(log, ready=False) as opened:
        opened.until(
            "document.documentElement.dataset.ready || document.querySelector('#welcome-title').textContent.includes(\"can't be\")", seconds=120)


def test_a_million_lines_open(viewer):
    log = viewer.path("many.jsonl")
    with open(log, "w") as file:
        file.write(head())
        for i in range(3, 1_000_000):
            file.write(f'{{"seq":{i},"at":{1768471200000 + i * 10},"kind":"connectivity.changed","online":{"true" if i % 2 else "false"}}}\n')
    with viewer.open(log, ready=False) as opened:
        opened.page.wait_for_selector("html[data-ready]", state="attached", timeout=240_000)
        assert "of 1,000,000" in opened.text(".transport-line") or "1000000" in opened.text(".transport-line"), opened.text(".transport-line")
        opened.page.click("#tab-lines")
        opened.press("Home")
        assert opened.line() == 1
        assert opened.page.locator(".line-row").count() < 60


def test_a_dropped_log_opens(viewer):
    with viewer.open(RECORDINGS / "atlantic.jsonl") as opened:
        opened.page.set_input_files("#file", str(RECORDINGS / "ocean-offline.jsonl"))
        opened.until("document.querySelector('#title').textContent.includes('ocean-offline')")
        opened.page.wait_for_selector(".badge[data-same=true]")
        text = (RECORDINGS / "pan-rests.jsonl").read_text()
        transfer = opened.page.evaluate_handle(
            "(text) => { const data = new DataTransfer(); data.items.add(new File([text], 'pan-rests.jsonl')); return data; }", text)
        opened.page.dispatch_event("body", "drop", {"dataTransfer": transfer})
        opened.until("document.querySelector('#title').textContent.includes('pan-rests')")
        opened.page.wait_for_selector(".badge[data-same=true]")
