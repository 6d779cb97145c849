"""The timeline, the steps, and the keys."""
import json
import re

from page import RECORDINGS, near

ATLANTIC = RECORDINGS / "atlantic.jsonl"
STORM = RECORDINGS / "listening-storm.jsonl"


def entries(log):
    """The lines of a log."""
    return [json.loads(line) for line in log.read_text().splitlines()]


def requests(log):
    """The requests of a log: each line that starts one, with the line that ends it."""
    started = {}
    for entry in entries(log):
        if entry["kind"] in ("fetch.started", "upload.started"):
            started[entry["request"]] = (entry, None)
        elif entry["kind"] in ("response.received", "response.failed", "fetch.cancelled"):
            started[entry["request"]] = (started[entry["request"]][0], entry)
    return list(started.values())


def column(opened, log, at):
    """The horizontal place of a time in the lanes, while the whole flight is seen."""
    lines = entries(log)
    width = opened.page.locator(".timeline-overlay").bounding_box()["width"]
    return 10 + (at - lines[0]["at"]) / (lines[-1]["at"] - lines[0]["at"]) * (width - 20)


def tip(opened, log, label, at):
    """What the page says of a time in a lane."""
    box = opened.page.locator(".timeline-overlay").bounding_box()
    lane = opened.page.locator(".timeline-label", has_text=label).bounding_box()
    opened.page.mouse.move(box["x"] + column(opened, log, at), lane["y"] + lane["height"] - 6)
    opened.settle()
    return opened.text("#tip")


def test_drag_moves_through_the_flight(viewer):
    with viewer.open(ATLANTIC) as opened:
        box = opened.page.locator(".timeline-overlay").bounding_box()
        end = opened.text(".now-seen")
        mouse = opened.page.mouse
        mouse.move(box["x"] + box["width"] * 0.9, box["y"] + 8)
        mouse.down()
        seen = []
        for share in (0.7, 0.5, 0.3, 0.05):
            mouse.move(box["x"] + box["width"] * share, box["y"] + 8)
            opened.settle()
            seen.append(opened.line())
        mouse.up()
        assert seen == sorted(seen, reverse=True) and seen[0] > seen[-1], seen
        assert opened.text(".now-seen") != end


def test_steps_by_line_decision_and_request(viewer):
    kinds = [line.split('"kind":"')[1].split('"')[0] for line in ATLANTIC.read_text().splitlines()]
    with viewer.open(ATLANTIC) as opened:
        opened.press("Home")
        first = opened.line()
        opened.press("ArrowRight")
        assert opened.line() == first + 1
        opened.press("ArrowLeft")
        assert opened.line() == first
        for _ in range(3):
            opened.press("j")
            assert kinds[opened.line() - 1] in ("fetch.started", "fetch.cancelled"), kinds[opened.line() - 1]
        opened.press("k")
        assert kinds[opened.line() - 1] == "fetch.started"
        opened.press("]")
        assert kinds[opened.line() - 1] == "fetch.started"
        opened.press("End")
        assert opened.line() == len(kinds)


def test_plays_and_pauses(viewer):
    with viewer.open(ATLANTIC) as opened:
        opened.press("Home", ".", " ")
        first = opened.line()
        opened.until(f"!document.querySelector('.transport-line').textContent.startsWith('line {first} ')")
        opened.press(" ")
        stopped = opened.text(".transport-time")
        opened.settle()
        assert opened.text(".transport-time") == stopped


def test_zoom_keeps_the_moment_and_ends_at_the_whole_flight(viewer):
    with viewer.open(ATLANTIC, fragment="line=120") as opened:
        time = opened.text(".transport-time")
        before = opened.picture(".timeline-canvas").tobytes()
        opened.press("+", "+", "+")
        assert opened.picture(".timeline-canvas").tobytes() != before
        assert opened.text(".transport-time") == time
        opened.press("0")
        assert opened.picture(".timeline-canvas").tobytes() == before


def test_idle_stretches_fold(viewer):
    with viewer.open(RECORDINGS / "manual-refresh.jsonl") as opened:
        before = opened.picture(".timeline-canvas").tobytes()
        opened.press("f")
        assert opened.picture(".timeline-canvas").tobytes() != before


def test_only_requests_for_all_data_count_as_full(viewer):
    log = entries(STORM)
    # The second line is that before the first change of the area.
    changed = next(i for i, entry in enumerate(log) if entry.get("rule") == "areaChanged")
    for count in (len(log), changed):
        modes = [entry["mode"] for entry in log[:count] if entry["kind"] == "fetch.started"]
        full, delta = modes.count("full"), modes.count("delta")
        assert full and delta
        with viewer.open(STORM, fragment=f"line={count}") as opened:
            assert f"{full} full fetches, {delta} deltas" in opened.text(".now-pills")


def test_a_repair_is_neither_full_nor_a_delta(viewer):
    log = RECORDINGS / "repaired.jsonl"
    modes = [start["mode"] for start, _ in requests(log) if "mode" in start]
    with viewer.open(log) as opened:
        expected = f"{modes.count('full')} full fetches, {modes.count('repair')} repairs, {modes.count('delta')} deltas"
        assert expected in opened.text(".now-pills")
        start, end = next((start, end) for start, end in requests(log) if start.get("mode") == "repair")
        assert f"#{start['request']} repair {start['rule']}" in tip(opened, log, "Corridor", (start["at"] + end["at"]) / 2)


def test_a_held_request_is_a_thin_bar_as_long_as_the_wait(viewer):
    def rows(opened, picture, at, colour):
        """The rows of the lane of the corridor with a colour."""
        top = opened.page.locator(".timeline-overlay").bounding_box()["y"]
        lane = opened.page.locator(".timeline-label", has_text="Corridor").bounding_box()
        start = int(lane["y"] - top)
        x = int(column(opened, STORM, at))
        return sum(near(picture.getpixel((x, y)), colour, 24) for y in range(start, start + int(lane["height"])))

    def longest(has_news):
        """The held request that waited longest for an answer with or without news."""
        held = [(start, end) for start, end in requests(STORM) if "hold" in start and start["scope"] == "corridor" and end and end.get("status") == 200]
        held = [(start, end) for start, end in held if bool(end["body"]["data"]["hexagons"]) == has_news]
        return max(held, key=lambda pair: pair[1]["at"] - pair[0]["at"])

    first, _ = requests(STORM)[0]
    news, silence = longest(True), longest(False)
    with viewer.open(STORM) as opened:
        opened.page.mouse.move(0, 0)
        opened.settle()
        picture = opened.picture(".timeline-canvas")
        blue, violet = (20, 150, 212), (143, 124, 255)
        heights = [rows(opened, picture, news[0]["at"] + (news[1]["at"] - news[0]["at"]) * share, blue) for share in (0.1, 0.5, 0.9)]
        assert all(2 <= height <= 6 for height in heights), heights
        assert first["mode"] == "full" and rows(opened, picture, first["at"] + 4000, violet) > 2 * max(heights)
        assert rows(opened, picture, sum(line["at"] for line in silence) / 2, blue) == 0, "an answer without news is paler"
        for (start, end), outcome in [(news, "answered 200"), (silence, "unchanged 200")]:
            told = tip(opened, STORM, "Corridor", (start["at"] + end["at"]) / 2)
            assert f"#{start['request']} held delta listening" in told and outcome in told, told


def test_the_key_tells_what_the_requests_of_a_rule_were(viewer):
    with viewer.open(STORM) as opened:
        opened.page.get_by_role("button", name="Colours").click()
        opened.settle()
        key = dict(zip((each.strip() for each in opened.page.locator("#colors dt").all_inner_texts()), opened.page.locator("#colors dd").all_inner_texts()))
        assert key["listening"].endswith("; held, thin"), key
        assert key["first"].endswith("; all data, tall") and key["requested"].endswith("; a delta, low"), key


def test_every_rule_that_sends_has_a_colour(viewer):
    """The page draws a rule without a colour in grey."""
    palette = (RECORDINGS.parent / "Sources/Replay/ContrailViewer/Page/palette.js").read_text()
    rules = {start["rule"] for log in RECORDINGS.glob("*.jsonl") for start, _ in requests(log)}
    assert "listening" in rules and "unconfirmed" in rules
    assert not [rule for rule in sorted(rules) if not re.search(rf"^  {rule}: \"#[0-9a-f]{{6}}\",$", palette, re.M)]


def test_the_sheet_of_keys_opens_and_closes(viewer):
    with viewer.open(ATLANTIC) as opened:
        opened.press("?")
        assert opened.page.locator("#help[open]").count() == 1
        assert "Next decision" in opened.text("#help")
        opened.press("Escape")
        assert opened.page.locator("#help[open]").count() == 0


def test_the_timeline_tells_its_value(viewer):
    with viewer.open(ATLANTIC, fragment="line=120") as opened:
        slider = opened.page.get_by_role("slider")
        assert "line 120" in slider.get_attribute("aria-valuetext")


def test_everything_that_acts_has_a_name(viewer):
    with viewer.open(ATLANTIC, fragment="line=120") as opened:
        nameless = opened.page.evaluate(
            "[...document.querySelectorAll('button, input, select, [role=slider], [role=application]')]"
            ".filter((each) => each.checkVisibility() && !(each.textContent.trim() || each.getAttribute('aria-label') || each.labels?.length))"
            ".map((each) => each.outerHTML.slice(0, 120))")
        assert not nameless, nameless
