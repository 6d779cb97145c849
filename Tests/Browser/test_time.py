"""The timeline, the steps, and the keys."""
from page import RECORDINGS

ATLANTIC = RECORDINGS / "atlantic.jsonl"


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
