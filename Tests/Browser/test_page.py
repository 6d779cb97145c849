"""The page itself: it says what can't be unpacked."""
from page import RECORDINGS


def test_a_browser_that_cannot_unpack_is_told_so(viewer):
    with viewer.open(RECORDINGS / "atlantic.jsonl", ready=False, before="delete window.DecompressionStream") as opened:
        opened.until("document.querySelector('#welcome-text').textContent.includes('DecompressionStream')")
        assert opened.page.locator("#welcome-text").is_visible()


def test_an_engine_that_is_damaged_is_told(viewer):
    whole = viewer.make(RECORDINGS / "atlantic.jsonl").read_bytes()
    start = whole.index(b'id="engine"') + 100_000
    for name, page in [
        ("changed", whole[:start] + b"AAAAAAAA" + whole[start + 8:]),
        ("cut", whole[:start] + whole[whole.index(b"</script>", start):]),
    ]:
        viewer.path(f"{name}.html").write_bytes(page)
        viewer.pages[(name,)] = viewer.path(f"{name}.html")
        with viewer.open(name, ready=False) as opened:
            opened.until("document.querySelector('#welcome-title').textContent.includes(\"can't start\")")
            assert opened.page.locator("#welcome-text").is_visible()
