"""Two flights on one clock."""
from page import RECORDINGS

A, B = RECORDINGS / "atlantic.jsonl", RECORDINGS / "ocean-offline.jsonl"


def test_both_are_seen_and_their_difference_told(viewer):
    with viewer.open(A, B) as opened:
        assert opened.page.locator(".map-canvas").count() == 2
        assert opened.page.locator(".badge[data-same=true]").count() == 2
        pane = opened.text("#pane-compare")
        assert "more than A" in pane or "less than A" in pane, pane
        assert "First different event" in pane
        assert opened.page.locator(".timeline-label", has_text="Link").count() == 2


def test_the_first_difference_is_a_key_away(viewer):
    with viewer.open(A, B) as opened:
        opened.press("c")
        assert 1 < opened.line() < 60, opened.line()


def test_the_maps_move_together(viewer):
    with viewer.open(A, A) as opened:
        box = opened.page.locator(".map-canvas").first.bounding_box()
        opened.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        opened.page.mouse.wheel(0, -600)
        opened.page.mouse.move(2, 2)
        opened.settle()
        opened.page.evaluate("document.querySelectorAll('.legend, .map-name').forEach((each) => (each.hidden = true))")
        opened.settle()
        pictures = [opened.page.locator(".map-canvas").nth(i).screenshot() for i in range(2)]
        assert pictures[0] == pictures[1], "the same flight looks the same on both maps"


def test_a_flight_doesnt_differ_from_itself(viewer):
    with viewer.open(A, A) as opened:
        pane = opened.text("#pane-compare")
        assert "First different event: none" in pane and "First different decision: none" in pane, pane
        assert "same number of bytes" in pane
