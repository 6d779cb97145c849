"""The example page with MapLibre GL, from a site of its own."""
import pathlib

from live import load
from sites import CLIENT, MODULE, Service, Site


def maplibre():
    """The files of MapLibre GL, from the package that Scripts/browser-test installs."""
    import importlib.util
    folder = pathlib.Path(importlib.util.find_spec("maplibre").origin).parent / "srcjs"
    return {f"/{name}": (folder / name).read_bytes() for name in ("maplibre-gl.js", "maplibre-gl.css")}


def test_the_example_draws_layers_of_the_data(viewer):
    with Service(viewer.contrail, "--allow-origin", "*") as service:
        made = maplibre()
        for name in ("contrail.js", "contrail.wasm"):
            made[f"/{name}"] = load(service.url + name)
        with Site(CLIENT / "Example", MODULE, made=made) as site:
            context = viewer.browser.new_context(viewport={"width": 1000, "height": 700}, device_scale_factor=1)
            page = context.new_page()
            page.set_default_timeout(60_000)
            problems = []
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.goto(f"{site.url}index.html?server={service.url}")
            for _ in range(300):
                colours = colours_of(page)
                if colours > 6:
                    break
                page.wait_for_timeout(200)
            assert colours > 6, f"the map has {colours} colours"
            assert not problems, problems
            text = (CLIENT / "Example/index.html").read_text()
            assert len([line for line in text.splitlines() if line.strip()]) <= 42
            context.close()


def colours_of(page):
    """How many colours of severities are on the map."""
    import io
    from PIL import Image
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return len([count for count, _ in picture.getcolors(1 << 24) if count > 30])
