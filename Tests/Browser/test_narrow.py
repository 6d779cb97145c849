"""A phone, the light theme, and fingers."""
from page import RECORDINGS

FLIGHT = RECORDINGS / "relaunch-in-flight.jsonl"


def test_360_pixels_need_no_sideways_scrolling(viewer):
    with viewer.open(FLIGHT, fragment="line=100", width=360, height=740, scheme="light", touch=True) as opened:
        width = opened.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360, width
        outside = opened.page.evaluate(
            "[...document.querySelectorAll('button, select, input')].filter((each) => each.checkVisibility())"
            ".filter((each) => each.getBoundingClientRect().right > 361).map((each) => each.outerHTML.slice(0, 100))")
        assert not outside, outside


def test_a_tap_moves_the_moment(viewer):
    with viewer.open(FLIGHT, width=360, height=740, touch=True) as opened:
        before = opened.line()
        overlay = opened.page.locator(".timeline-overlay")
        overlay.scroll_into_view_if_needed()
        box = overlay.bounding_box()
        opened.page.touchscreen.tap(box["x"] + box["width"] * 0.3, box["y"] + 10)
        opened.settle()
        assert opened.line() < before


def test_the_theme_follows_the_system_and_the_key(viewer):
    with viewer.open(FLIGHT, scheme="light") as opened:
        assert opened.page.evaluate("document.documentElement.dataset.theme") == "light"
        light = opened.picture().tobytes()
        opened.press("d")
        assert opened.page.evaluate("document.documentElement.dataset.theme") == "dark"
        assert opened.picture().tobytes() != light


def test_the_death_of_the_process_is_a_problem_to_step_to(viewer):
    with viewer.open(FLIGHT) as opened:
        opened.press("Home")
        found = set()
        for _ in range(6):
            opened.press("p")
            found.add(opened.text(".line-words"))
        assert any("session.started" in words or "launch" in words for words in found), found


def test_controls_are_large_enough_for_fingers(viewer):
    with viewer.open(FLIGHT, fragment="line=100", width=390, height=844, touch=True) as opened:
        small = opened.page.evaluate(
            "[...document.querySelectorAll('button, select, summary, input:not([type=checkbox])')].filter((each) => each.checkVisibility())"
            ".filter((each) => !each.matches('.line-card, .age-row')).map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])"
            ".filter(([, box]) => box.height < 40 || box.width < 40).map(([html, box]) => `${html} ${box.width} × ${box.height}`)")
        assert not small, small


def test_words_of_buttons_have_room(viewer):
    with viewer.open(FLIGHT, width=390, height=844, touch=True) as opened:
        tight = opened.page.evaluate(
            "[...document.querySelectorAll('#bar button')].filter((each) => each.scrollWidth > each.clientWidth || "
            "(each.textContent.trim() && (() => { const range = document.createRange(); range.selectNodeContents(each); "
            "return range.getBoundingClientRect().width > each.clientWidth - 8 })())).map((each) => each.textContent)")
        assert not tight, tight


def test_the_legend_is_whole_in_the_middle_of_a_flight(viewer):
    """The worst case is a flight with reports at all altitudes, whose key has a row for each."""
    for name in ["near-the-pole", "own-reports", "atlantic"]:
        log = RECORDINGS / f"{name}.jsonl"
        count = sum(1 for _ in open(log))
        with viewer.open(log, at_end=False) as opened:
            for line in {count // 3, count // 2, min(300, count - 1)}:
                opened.go(f"line={line}")
                assert opened.line() == line
                hidden = opened.page.evaluate("(() => { const box = document.querySelector('.legend'); return box.scrollHeight - box.clientHeight; })()")
                assert hidden <= 1, (name, line, hidden)


def test_labels_of_the_timeline_are_apart(viewer):
    """The texts that are drawn on the ruler, in the coordinates of the canvas, none over another."""
    before = """
      const drawn = (window.drawn = []);
      const fillText = CanvasRenderingContext2D.prototype.fillText;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
        if (y === 12 && this.canvas.className === "timeline-canvas") drawn.push([text, x, x + this.measureText(text).width]);
        return fillText.call(this, text, x, y);
      };
      const clearRect = CanvasRenderingContext2D.prototype.clearRect;
      CanvasRenderingContext2D.prototype.clearRect = function (...box) {
        if (this.canvas.className === "timeline-canvas") drawn.length = 0;
        return clearRect.apply(this, box);
      };
    """
    for name in ["own-reports", "near-the-pole", "offline-past-expiry"]:
        with viewer.open(RECORDINGS / f"{name}.jsonl", before=before) as opened:
            for width in [1280, 900, 390]:
                opened.resize(width)
                labels = sorted(opened.page.evaluate("window.drawn"), key=lambda label: label[1])
                assert labels and labels[-1][2] <= width, (name, width)
                for (one, _, end), (other, start, _) in zip(labels, labels[1:]):
                    assert start >= end, (name, width, one, other)
