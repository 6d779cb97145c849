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
            ".filter((each) => !each.matches('.timeline-label, .line-card, .age-row')).map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])"
            ".filter(([, box]) => box.height < 40 || box.width < 40).map(([html, box]) => `${html} ${box.width} × ${box.height}`)")
        assert not small, small


def test_words_of_buttons_have_room(viewer):
    with viewer.open(FLIGHT, width=390, height=844, touch=True) as opened:
        tight = opened.page.evaluate(
            "[...document.querySelectorAll('#bar button')].filter((each) => each.scrollWidth > each.clientWidth || "
            "(each.textContent.trim() && (() => { const range = document.createRange(); range.selectNodeContents(each); "
            "return range.getBoundingClientRect().width > each.clientWidth - 8 })())).map((each) => each.textContent)")
        assert not tight, tight
