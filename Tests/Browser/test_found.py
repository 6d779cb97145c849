"""What users found in the page, each once."""
import json
import re

from page import RECORDINGS

PAN = RECORDINGS / "pan-rests.jsonl"
ATLANTIC = RECORDINGS / "atlantic.jsonl"
OWN = RECORDINGS / "own-reports.jsonl"


def test_a_flight_opens_at_its_start(viewer):
    with viewer.open(ATLANTIC, at_end=False) as opened:
        assert opened.text(".transport-elapsed") == "+0:00:00" and opened.line() < 10


def test_a_diverging_log_opens_at_its_first_difference(viewer):
    lines = ATLANTIC.read_text().splitlines()
    lines[0] = re.sub(r',"crc":"[0-9a-f]{8}"}$', ',"crc":false}', lines[0])
    lines = [re.sub(r',"crc":"[0-9a-f]{8}"}$', "}", line) for line in lines]
    place = next(i for i, line in enumerate(lines) if '"fetch.started"' in line and '"rule":"due"' in line)
    lines[place] = lines[place].replace('"rule":"due"', '"rule":"requested"')
    log = viewer.path("diverging.jsonl")
    log.write_text("\n".join(lines) + "\n")
    with viewer.open(log, at_end=False) as opened:
        assert opened.line() == place + 1, (opened.line(), place)
        assert "differ" in opened.text(".badge")


def test_a_report_in_corridor_and_viewport_counts_once(viewer):
    for line in (60, 200):
        with viewer.open(PAN, fragment=f"line={line}") as opened:
            shown = opened.page.evaluate("document.querySelector('.now-count b').textContent")
            counts = opened.page.evaluate("[...document.querySelectorAll('.legend-count')].reduce((sum, each) => sum + Number(each.textContent.replaceAll(',', '')), 0)")
            assert int(shown.replace(",", "")) == counts


def test_the_key_names_the_colours(viewer):
    with viewer.open(ATLANTIC) as opened:
        opened.page.click("text=Colours")
        opened.settle()
        text = opened.text("#colors")
        assert "due" in text and "first" in text and "offline" in text, text


def test_severities_are_found_by_name(viewer):
    with viewer.open(OWN) as opened:
        for name, number in [("moderate", "3"), ("light-moderate", "2"), ("smooth", "0")]:
            totals = []
            for value in (name, number):
                opened.page.fill("#search", f"kind:report severity:{value}")
                opened.page.wait_for_timeout(500)
                totals.append(opened.text(".line-summary"))
            assert totals[0] == totals[1] and not totals[0].startswith("0 "), totals


def test_a_click_on_a_hexagon_begins_with_its_report(viewer):
    with viewer.open(ATLANTIC, fragment="line=12&map=51.3,-0.5,700") as opened:
        box = opened.page.locator(".map-canvas").bounding_box()
        for x in range(20, 80, 4):
            for y in range(25, 75, 5):
                opened.page.mouse.click(box["x"] + box["width"] * x / 100, box["y"] + box["height"] * y / 100)
                opened.page.wait_for_timeout(30)
                facts = opened.page.locator(".why-facts")
                if facts.count():
                    assert re.search(r", FL\d{3}, EDR \d\.\d\d, .* old", facts.inner_text()), facts.inner_text()
                    return
    raise AssertionError("no hexagon was met")


def test_the_own_aircraft_is_on_the_map(viewer):
    with viewer.open(OWN) as opened:
        opened.page.mouse.move(5, 5)
        assert "Own aircraft" in opened.text(".legend-lines")


def test_a_torn_log_says_so(viewer):
    log = viewer.path("torn.jsonl")
    log.write_bytes(ATLANTIC.read_bytes()[:-40])
    with viewer.open(log) as opened:
        assert "cut off" in opened.text(".badge")


def test_nothing_is_cut_at_1280_by_800(viewer):
    for logs in [(ATLANTIC,), (ATLANTIC, RECORDINGS / "ocean-offline.jsonl")]:
        with viewer.open(*logs) as opened:
            cut = opened.page.evaluate(
                "['#timeline', '#bottom', '#app'].filter((name) => { const each = document.querySelector(name);"
                " return each.scrollHeight > each.clientHeight + 1 || each.getBoundingClientRect().bottom > innerHeight + 1; })")
            assert not cut, (logs, cut)


def test_the_key_of_the_symbols_is_in_sight_at_1280_by_800(viewer):
    for name in ["near-the-pole", "antimeridian", "atlantic"]:
        with viewer.open(RECORDINGS / f"{name}.jsonl") as opened:
            hidden = opened.page.evaluate("(() => { const it = document.querySelector('.legend'); return it.scrollHeight - it.clientHeight })()")
            assert hidden <= 1, f"{name}: {hidden} pixels of the legend are below its edge"


def test_expired_data_is_not_called_fresh(viewer):
    # With frequency none, no request follows, and after eight hours all reports have expired.
    lines = [re.sub(r',"crc":"[0-9a-f]{8}"}$', "}", line) for line in (RECORDINGS / "manual-refresh.jsonl").read_text().splitlines()]
    lines[0] = lines[0][:-1] + ',"crc":false}'
    last = json.loads(lines[-1])
    lines.append(json.dumps({"seq": last["seq"] + 1, "at": last["at"] + 8 * 3_600_000, "kind": "clock.adjusted", "by": 0}, separators=(",", ":")))
    log = viewer.path("expired.jsonl")
    log.write_text("\n".join(lines) + "\n")
    with viewer.open(log) as opened:
        pill = opened.page.locator(".scope-card .pill").first
        assert pill.inner_text() == "expired" and "is-good" not in pill.get_attribute("class")
        assert re.search(r"\b0 of [\d,]+ held are visible", opened.text(".scope-card")), opened.text(".scope-card")
