"""The profile below the map: the same cells as `replay profile`, at every moment, for each flight."""
import json
import math
import re
import subprocess

from page import RECORDINGS, near

OWN = RECORDINGS / "own-reports.jsonl"
ATLANTIC = RECORDINGS / "atlantic.jsonl"


def told(viewer, log, *arguments):
    """What `replay profile` says."""
    result = subprocess.run([viewer.replay, "profile", str(log), "--json", *arguments], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def count(opened, selector=".profile-text"):
    """The number of reports that the panel tells."""
    return int(opened.text(selector).split("NM, ")[1].split(" report")[0].replace(",", ""))


def point(opened, share, level):
    """Moves the pointer to a share of the route and a row of the chart, from the top, and returns the tip."""
    box = opened.page.locator(".profile-canvas").first.bounding_box()
    opened.page.mouse.move(box["x"] + 42 + (box["width"] - 52) * share, box["y"] + 6 + (box["height"] - 24) * level)
    opened.frames()
    return opened.text("#tip")


def point_cell(opened, nm, length, level):
    """Moves the pointer down at a distance along the route to a level in thousands of feet, and returns the tip."""
    low, high = 0.0, 1.0
    for _ in range(10):
        tip = point(opened, nm / length, (low + high) / 2)
        found = int(re.search(r"FL(\d{3}), ", tip).group(1)) // 10
        if found == level:
            return tip
        low, high = ((low + high) / 2, high) if found > level else (low, (low + high) / 2)
    raise AssertionError(f"FL{level * 10:03} isn't drawn")


def between(start, end, share):
    """The place at a share of the shortest way between two places, in degrees."""
    def vector(place):
        lat, lon = map(math.radians, place)
        return (math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat))

    a, b = vector(start), vector(end)
    angle = math.acos(sum(p * q for p, q in zip(a, b)))
    x, y, z = (math.sin((1 - share) * angle) * p + math.sin(share * angle) * q for p, q in zip(a, b))
    return math.degrees(math.atan2(z, math.hypot(x, y))), math.degrees(math.atan2(y, x))


def test_it_has_the_reports_of_the_command(viewer):
    for log, line, width in [(ATLANTIC, 12, "40"), (ATLANTIC, 150, "100"), (RECORDINGS / "near-the-pole.jsonl", 100, "60"), (RECORDINGS / "antimeridian.jsonl", 60, "200")]:
        with viewer.open(log, fragment=f"line={line}") as opened:
            opened.page.select_option(".profile-width select", width)
            opened.settle()
            expected = told(viewer, log, "--at", str(line - 1), "--width", width)
            assert count(opened) == sum(cell.get("count", 0) for cell in expected["cells"]), (log, line)


def test_scrubbing_and_playing_move_it(viewer):
    with viewer.open(OWN, at_end=False) as opened:
        start = opened.picture(".profile-canvas").tobytes()
        opened.press("End")
        end = opened.picture(".profile-canvas").tobytes()
        assert start != end
        opened.press("Home", "Space")
        opened.page.wait_for_timeout(600)
        opened.press("Space")
        assert opened.picture(".profile-canvas").tobytes() not in (start, end)


def test_the_pointer_tells_all_values_and_marks_the_map(viewer):
    with viewer.open(ATLANTIC, fragment="line=12") as opened:
        expected = told(viewer, ATLANTIC, "--at", "11")
        before = opened.picture(".map-canvas").tobytes()
        tips = {point(opened, share / 40, row / 15) for share in range(1, 40, 3) for row in (2, 6, 8, 11)}
        assert any("Unknown: nobody reported" in tip for tip in tips), tips
        known = [tip for tip in tips if "worst EDR" in tip]
        assert known and all("newest" in tip and "old" in tip and "FL" in tip for tip in known), tips
        assert opened.picture(".map-canvas").tobytes() != before
        assert expected["lengthNM"] > 2900


def test_keys_read_its_cells(viewer):
    with viewer.open(ATLANTIC, fragment="line=12") as opened:
        opened.page.focus(".profile-canvas")
        opened.press("ArrowRight", "ArrowUp")
        label = opened.page.get_attribute(".profile-canvas", "aria-label")
        assert "FL370" in label and "10–20 NM" in label, label
        assert opened.line() == 12


def test_two_flights_have_one_each(viewer):
    with viewer.open(ATLANTIC, RECORDINGS / "ocean-offline.jsonl") as opened:
        boxes = [box.bounding_box() for box in opened.page.locator(".profile-canvas").all()]
        assert len(boxes) == 2 and boxes[0]["y"] == boxes[1]["y"] and boxes[1]["x"] > boxes[0]["x"] + 300, boxes


def test_without_a_route_it_says_so(viewer):
    with viewer.open(RECORDINGS / "nothing-wanted.jsonl", at_end=False) as opened:
        opened.press("Home")
        assert "no route" in opened.text(".profile-text")
        assert not opened.page.locator(".profile-canvas").is_visible()


def test_it_fits_a_phone_and_a_finger_reads_it(viewer):
    with viewer.open(ATLANTIC, fragment="line=12", width=390, height=844, touch=True) as opened:
        canvas = opened.page.locator(".profile-canvas")
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box["width"] >= 380 and box["height"] >= 140, box
        opened.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 40)
        opened.settle()
        assert "FL" in opened.text("#tip")


def test_the_key_tells_the_hatching_and_the_age(viewer):
    for width, height in [(1280, 800), (390, 844)]:
        with viewer.open(ATLANTIC, fragment="line=12", width=width, height=height) as opened:
            assert "nobody reported" in opened.text(".profile-key") and "older is paler" in opened.text(".profile-key")
            assert "planned" not in opened.text(".profile-key")
            choice = opened.page.locator(".profile-width").bounding_box()
            for entry in opened.page.locator(".profile-key > span").all():
                box = entry.bounding_box()
                apart = box["x"] + box["width"] <= choice["x"] or box["y"] >= choice["y"] + choice["height"]
                assert apart and box["x"] >= 0 and box["x"] + box["width"] <= width, (width, box, choice)


def test_planned_levels_are_steps(viewer):
    """The second theme colour is used for nothing else in the profile."""
    def rows(opened, share):
        """The rows of the line in a column of the picture, from the top."""
        picture = opened.picture(".profile-canvas")
        columns = [int(picture.width * share) + offset for offset in range(-8, 8)]
        return sorted({y for x in columns for y in range(picture.height) if near(picture.getpixel((x, y)), (167, 139, 250), 30)})

    with viewer.open(OWN, "--planned", "0:310 800:350 1900:370", fragment="line=150") as opened:
        first, second, third = rows(opened, 0.2), rows(opened, 0.45), rows(opened, 0.8)
        assert first and second and third and min(first) > max(second) > max(third), (first, second, third)
        assert "planned" in opened.text(".profile-key")
        assert "planned FL350" in point(opened, 0.5, 0.3)
    with viewer.open(OWN, fragment="line=150") as opened:
        assert not rows(opened, 0.45) and "planned" not in point(opened, 0.5, 0.3)


def test_a_pirep_beside_the_route_is_known_without_a_hexagon(viewer):
    """A recorded answer without PIREPs gets one at half of the route, at a level without hexagons."""
    source = RECORDINGS / "wider-and-wider.jsonl"
    lines = [re.sub(r',"crc":"[0-9a-f]{8}"', "", line) for line in source.read_text().splitlines()]
    lines[0] = lines[0][:-1] + ',"crc":false}'
    index = next(i for i, line in enumerate(lines) if '"pireps":[]' in line)
    time = json.loads(lines[index])["body"]["data"]["lastUpdatedAt"]
    lat, lon = between((37.62, -122.38), (21.32, -157.92), 0.5)
    pirep = {"id": "p1", "lat": round(lat, 4), "lon": round(lon, 4), "fl": 450, "sev": 3, "urgent": False, "observedAt": time - 600,
             "updatedAt": time - 600, "text": "UA /OV MID /FL450 /TB MOD"}
    lines[index] = re.sub(r'"pirepCount":0,"pirepChecksum":"0{16}","pireps":\[\]',
                          f'"pireps":[{json.dumps(pirep, separators=(",", ":"))}]', lines[index])
    log = viewer.path("pirep.jsonl")
    log.write_text("\n".join(lines) + "\n")
    # The rest of the log doesn't know of it.
    length = told(viewer, source, "--at", str(index))["lengthNM"]
    with viewer.open(log, fragment=f"line={index + 1}") as opened:
        assert "1 PIREP" in opened.text(".profile-text")
        tip = point_cell(opened, length / 2, length, 45)
        assert tip.startswith("PIREP, but no hexagon was reported. FL450"), tip
        assert "NM off: UA /OV MID" in tip and "Unknown" not in tip, tip
        assert point_cell(opened, length / 2, length, 44).startswith("Unknown: nobody reported. FL440")


def test_an_area_is_known_without_a_hexagon(viewer):
    log = RECORDINGS / "polygons.jsonl"
    expected = told(viewer, log, "--at", "40")
    cell = next(each for each in expected["cells"] if "areaSev" in each and not each.get("count") and each["alt"] >= 30)
    with viewer.open(log, fragment="line=41") as opened:
        tip = point_cell(opened, (cell["bin"] + 0.5) * expected["binNM"], expected["lengthNM"], cell["alt"])
        assert re.match(r"(\d+ )?Areas?, but no hexagon was reported\. FL", tip), tip
        assert "area: " in tip and "Unknown" not in tip, tip


def test_the_light_scheme_tells_unknown_from_smooth(viewer):
    """What nobody reported is grey in both schemes; a smooth hexagon is white."""
    with viewer.open(ATLANTIC, fragment="line=12", scheme="light") as light, viewer.open(ATLANTIC, fragment="line=12") as dark:
        assert light.page.evaluate("document.documentElement.dataset.theme") == "light"
        assert light.text(".profile-text") == dark.text(".profile-text")
        assert point(light, 0.5, 0.3) == point(dark, 0.5, 0.3)
        light.page.mouse.move(0, 0)
        light.settle()
        chart = light.picture(".profile-canvas")
        inside = [chart.getpixel((x, y)) for y in range(10, chart.height - 24, 2) for x in range(48, chart.width - 14, 2)]
        unknown = sum(near(pixel, (195, 206, 219), 12) for pixel in inside)
        assert unknown > len(inside) / 4, (unknown, len(inside))
        smooth = sum(min(pixel) > 225 for pixel in inside)
        assert smooth > 30, smooth
        assert near(chart.getpixel((chart.width - 4, 4)), (255, 255, 255), 12), "the ground beside the chart is light"
