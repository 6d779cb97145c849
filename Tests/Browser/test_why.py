"""Why, search, filter, and the address."""
import json

from page import RECORDINGS

ATLANTIC = RECORDINGS / "atlantic.jsonl"


def request_line(path, number):
    for i, line in enumerate(path.read_text().splitlines()):
        entry = json.loads(line)
        if entry["kind"] == "fetch.started" and entry["request"] == number:
            return i + 1
    raise AssertionError("no such request")


def test_a_request_tells_its_chain(viewer):
    history = RECORDINGS / "history-widened.jsonl"
    with viewer.open(history, fragment="line=1&why=request.10") as opened:
        why = opened.text("#pane-why")
        assert "request 10" in why and "historyWidened" in why, why
        opened.page.locator(".why-row.is-link button", has_text="line").first.click()
        opened.settle()
        assert opened.line() > 1


def test_a_bar_of_the_timeline_is_asked_by_a_click(viewer):
    with viewer.open(ATLANTIC) as opened:
        box = opened.page.locator(".timeline-overlay").bounding_box()
        label = opened.page.locator(".timeline-label", has_text="Corridor").bounding_box()
        opened.page.mouse.click(box["x"] + 10.5, label["y"] + label["height"] / 2)
        opened.settle()
        assert opened.line() == request_line(ATLANTIC, 1)
        assert "first" in opened.text("#pane-why")


def hexagon_place(opened):
    """The place of a coloured hexagon on the screen."""
    picture = opened.picture()
    box = opened.page.locator(".map-canvas").bounding_box()
    for y in range(60, picture.height - 60, 2):
        for x in range(220, picture.width - 30, 2):
            r, g, b = picture.getpixel((x, y))
            if r > 150 and g > 130 and b < 90:
                return box["x"] + x, box["y"] + y
    raise AssertionError("no hexagon is seen")


def test_a_hexagon_and_its_absence_tell_why(viewer):
    with viewer.open(ATLANTIC, fragment="map=51.3,-0.5,700") as opened:
        opened.page.mouse.click(*hexagon_place(opened))
        opened.settle()
        why = opened.text("#pane-why")
        assert "Cell 85" in why and opened.page.locator(".why-row.is-link").count() > 0, why
    with viewer.open(ATLANTIC, fragment="map=10,-40,700") as opened:
        box = opened.page.locator(".map-canvas").bounding_box()
        opened.page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.6)
        opened.settle()
        why = opened.text("#pane-why")
        assert "Cell 85" in why and "isn't in the area" in why, why


def test_bytes_and_ages_tell_why(viewer):
    with viewer.open(ATLANTIC) as opened:
        opened.page.locator(".now-pills button", has_text="↓").click()
        assert "received" in opened.text("#pane-why") and opened.page.locator(".why-row.is-link").count() >= 2
        opened.page.click("#tab-now")
        opened.page.locator(".age-row").first.click()
        assert "old" in opened.text("#pane-why h2")
        assert "brought by" in opened.text("#pane-why")


def test_search_finds_and_steps(viewer):
    text = ATLANTIC.read_text().splitlines()
    wanted = [i + 1 for i, line in enumerate(text) if json.loads(line)["kind"] == "fetch.started"]
    with viewer.open(ATLANTIC) as opened:
        opened.press("Home", "/")
        opened.page.keyboard.type("kind:fetch.started")
        opened.until(f"document.querySelector('.line-summary').textContent.startsWith('{len(wanted)} of')")
        opened.press("Enter")
        assert opened.line() == wanted[0]
        opened.press("Escape", "n", "n")
        assert opened.line() == wanted[2]
        opened.press("N")
        assert opened.line() == wanted[1]


def test_the_filter_combines(viewer):
    # A request and its response have the rule.
    expected = 2 * sum(1 for line in ATLANTIC.read_text().splitlines() if '"rule":"first"' in line)
    with viewer.open(ATLANTIC) as opened:
        opened.page.click("#filter-button")
        opened.page.locator("#filter label", has_text="first").click()
        opened.until(f"document.querySelector('.line-summary').textContent.startsWith('{expected} of')")
        assert opened.page.input_value("#search") == "rule:first"


def test_words_are_sought_in_the_text_of_lines(viewer):
    with viewer.open(ATLANTIC, fragment="q=851b5167fffffff") as opened:
        expected = sum(1 for line in ATLANTIC.read_text().splitlines() if "851b5167fffffff" in line)
        opened.until(f"document.querySelector('.line-summary').textContent.startsWith('{expected} of')")


def test_the_address_shows_the_same_again(viewer):
    with viewer.open(ATLANTIC) as opened:
        opened.press("Home", "j", "j", "j", "g", "1", "w")
        fragment = opened.fragment()
        line, words = opened.line(), opened.text("#pane-why")
    with viewer.open(ATLANTIC, fragment=fragment) as again:
        assert again.line() == line
        assert again.text("#pane-why") == words
        assert again.fragment() == fragment
        picture = again.picture().tobytes()
    # The address rounds the view, so pictures are compared from the second time on.
    with viewer.open(ATLANTIC, fragment=fragment) as third:
        assert third.picture().tobytes() == picture


def test_an_address_that_is_nonsense_is_passed_over(viewer):
    with viewer.open(ATLANTIC, fragment="line=-5&at=1e99&map=x,y,z&why=cell.zz.1&tab=%3Cb%3E&hide=99&projection=cube&q=%22") as opened:
        assert opened.page.locator(".timeline-label").count() > 3
