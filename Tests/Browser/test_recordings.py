"""Every recording opens, and the engine in the page decides it again as recorded."""
import re

from page import RECORDINGS


def test_opens_and_decides_the_same(viewer, name):
    with viewer.open(RECORDINGS / f"{name}.jsonl") as opened:
        badge = opened.page.locator(".badge")
        assert badge.get_attribute("data-same") == "true", opened.text(".badge")
        assert len(badge.get_attribute("data-digest")) == 16
        lines = sum(1 for _ in open(RECORDINGS / f"{name}.jsonl", "rb"))
        assert opened.text(".transport-line") == f"line {lines} of {lines}"
        badge.click()
        digests = opened.text(".verdict dl")
        assert "all same" in digests and "differ" not in digests, digests


test_opens_and_decides_the_same.cases = sorted(file.stem for file in RECORDINGS.glob("*.jsonl"))


def test_a_changed_decision_is_named(viewer):
    text = (RECORDINGS / "atlantic.jsonl").read_text()
    lines = [re.sub(r',"crc":"[0-9a-f]{8}"', "", line) for line in text.splitlines()]
    lines[0] = lines[0][:-1] + ',"crc":false}'
    index = next(i for i, line in enumerate(lines) if '"mode":"delta"' in line and i > 50)
    lines[index] = lines[index].replace('"rule":"due"', '"rule":"expired"')
    log = viewer.path("changed.jsonl")
    log.write_text("\n".join(lines) + "\n")
    with viewer.open(log) as opened:
        assert opened.page.locator(".badge").get_attribute("data-same") == "false"
        opened.page.locator(".badge").click()
        words = opened.text(".verdict")
        assert "expired" in words and "due" in words, words
        opened.page.get_by_role("button", name="Go to line").click()
        opened.settle()
        assert opened.line() == index + 1
        assert "expired" in opened.text("#pane-why")
        opened.press("Home", "p")
        assert opened.line() == index + 1, "p goes to the next problem"


def test_a_torn_log_shows_what_is_whole(viewer):
    data = (RECORDINGS / "atlantic.jsonl").read_bytes()
    log = viewer.path("torn.jsonl")
    log.write_bytes(data[: len(data) * 2 // 3])
    with viewer.open(log) as opened:
        opened.page.locator(".badge").click()
        assert "cut off" in opened.text(".verdict") or "cut" in opened.text(".verdict")
        assert opened.line() > 100


def test_a_damaged_line_is_named_and_the_rest_before_it_shown(viewer):
    lines = (RECORDINGS / "atlantic.jsonl").read_text().splitlines()
    lines[99] = lines[99][:40] + "#" + lines[99][41:]
    log = viewer.path("damaged.jsonl")
    log.write_text("\n".join(lines) + "\n")
    with viewer.open(log) as opened:
        assert opened.page.locator(".badge").get_attribute("data-same") == "false"
        opened.page.locator(".badge").click()
        assert "damaged.jsonl:100" in opened.text(".verdict"), opened.text(".verdict")
        assert opened.line() == 99
