"""The map: no seam at 180° nor at the poles, areas by scale, the filters."""
from page import RECORDINGS, near

CORRIDOR = (76, 184, 245)


def columns_without(picture, test, left, right):
    """The columns of pixels in which no pixel passes a test."""
    return [x for x in range(left, right) if not any(test(picture.getpixel((x, y))) for y in range(picture.height))]


def rows_without(picture, test, top, bottom):
    return [y for y in range(top, bottom) if not any(test(picture.getpixel((x, y))) for x in range(picture.width))]


def is_corridor(pixel):
    return near(pixel, CORRIDOR, 60) and pixel[2] > pixel[0] + 60


def test_open_sea_looks_the_same_at_180_degrees_as_elsewhere(viewer, projection):
    # Both views are centred on a meridian of the grid, in the night, where nothing is drawn but the sea.
    pictures = []
    for longitude in (180, 165):
        with viewer.open(RECORDINGS / "antimeridian.jsonl", fragment=f"line=3&map=30,{longitude},400&projection={projection}") as opened:
            opened.map_only()
            pictures.append(opened.picture())
    worst = max(abs(a - b) for a, b in zip(pictures[0].tobytes(), pictures[1].tobytes()))
    assert worst <= 6, f"pixels differ by {worst}"


test_open_sea_looks_the_same_at_180_degrees_as_elsewhere.cases = ["globe", "flat"]


def test_the_corridor_crosses_180_degrees_without_a_gap(viewer, projection):
    with viewer.open(RECORDINGS / "antimeridian.jsonl", fragment=f"map=-30.5,180,2500&projection={projection}") as opened:
        opened.map_only()
        picture = opened.picture()
        middle = picture.width // 2
        missing = rows_without(picture, is_corridor, picture.height // 2 - 60, picture.height // 2 + 60)
        assert not missing, f"rows without the corridor: {missing[:5]}"
        # A seam would be a straight line from side to side.
        for y in range(picture.height):
            row = sum(is_corridor(picture.getpixel((x, y))) for x in range(0, picture.width, 3))
            assert row < picture.width / 6, f"a line runs across the map at {y}"
        assert middle > 100


test_the_corridor_crosses_180_degrees_without_a_gap.cases = ["globe", "flat"]


def test_the_corridor_passes_the_pole_without_a_gap(viewer, projection):
    with viewer.open(RECORDINGS / "near-the-pole.jsonl", fragment=f"map=89.9,0,2500&projection={projection}") as opened:
        opened.map_only()
        picture = opened.picture()
        columns = columns_without(picture, is_corridor, 4, picture.width - 4)
        rows = rows_without(picture, is_corridor, 4, picture.height - 4)
        assert not rows or not columns, f"rows {rows[:4]}, columns {columns[:4]}"


test_the_corridor_passes_the_pole_without_a_gap.cases = ["globe", "flat"]


def test_hexagons_near_180_degrees_are_small(viewer):
    # A hexagon that is torn at 180° would cover the whole width.
    with viewer.open(RECORDINGS / "antimeridian.jsonl", fragment="line=120&map=-20,179.9,1200") as opened:
        opened.map_only()
        picture = opened.picture()
        for y in range(0, picture.height, 2):
            run = best = 0
            for x in range(picture.width):
                r, g, b = picture.getpixel((x, y))
                run = run + 1 if r > 150 and g > 120 else 0
                best = max(best, run)
            assert best < 120, f"a bright run of {best} pixels at {y}"


def test_areas_stand_for_hexagons_from_3320_metres_a_point(viewer):
    orange = lambda picture: sum(1 for p in picture.getdata() if p[0] > 110 and p[1] < p[0] * 0.75 and p[2] < 70)
    with viewer.open(RECORDINGS / "polygons.jsonl", fragment="map=38,-78,3400") as opened:
        opened.map_only()
        far = orange(opened.picture())
        assert far > 150, f"areas cover {far} pixels"


def test_severities_are_shown_and_hidden(viewer):
    with viewer.open(RECORDINGS / "atlantic.jsonl", fragment="map=51.3,-0.5,700") as opened:
        yellow = lambda: sum(1 for p in opened.picture().crop((200, 0, 800, 400)).getdata() if p[0] > 150 and p[1] > 130 and p[2] < 100)
        shown = yellow()
        opened.press("2", "3")
        assert shown > 30 and yellow() < shown / 4
        assert opened.page.locator(".legend-item[aria-pressed=false]").count() == 2
        assert "hide=12" in opened.fragment()


def test_a_scope_is_hidden_by_its_label(viewer):
    with viewer.open(RECORDINGS / "atlantic.jsonl", fragment="map=51.3,-0.5,700") as opened:
        before = opened.picture().tobytes()
        opened.page.locator(".timeline-label", has_text="Corridor").click()
        opened.settle()
        assert opened.picture().tobytes() != before


def test_the_map_is_moved_by_keys(viewer):
    with viewer.open(RECORDINGS / "atlantic.jsonl") as opened:
        line = opened.line()
        opened.page.locator(".map-canvas").focus()
        before = opened.fragment()
        opened.press("ArrowLeft", "+")
        assert opened.fragment() != before
        assert opened.line() == line, "the arrows move the map, not the moment"


def test_it_works_without_webgl(viewer):
    context = viewer.browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    context.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); };")
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(viewer.make(RECORDINGS / "atlantic.jsonl").as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.locator(".badge[data-same=true]").count() == 1 and not errors, errors
    context.close()
