"""The engine's module and the geometry of the client for browsers."""
import gzip

from sites import MODULE
from test_modules import imported


def test_the_engine_is_loaded_packed_or_not_and_failures_are_told(viewer):
    packed = (MODULE / "contrail.wasm.gz").read_bytes()
    made = {"/plain.wasm": gzip.decompress(packed), "/torn.wasm": packed[:1000], "/other.wasm": b"<!doctype html>"}

    def answer(request):
        return request.path in made and request.reply(body=made[request.path], Content_Type="application/octet-stream")

    with imported(viewer, "engine", answer=answer) as value:
        for path in ("contrail.wasm.gz", "plain.wasm"):
            assert value(f"loadModule('/{path}').then((module) => module instanceof WebAssembly.Module)"), path
        assert value("loadModule(new URL('/plain.wasm', location.href)).then((module) => module instanceof WebAssembly.Module)")
        # A file that isn't there may be there later; one that is wrong stays so.
        for path, is_transient in (("none.wasm", True), ("torn.wasm", False), ("other.wasm", False)):
            error = value(f"thrown(() => loadModule('/{path}'))")
            assert error["code"] == "module" and f"/{path}" in error["message"] and error["advice"] and error["isTransient"] is is_transient, error
        assert "404" in value("thrown(() => loadModule('/none.wasm'))")["message"]
        error = value("thrown(() => loadModule('http://localhost:1/x.wasm'))")
        assert error["code"] == "module" and error["isTransient"]


def test_hexagons_and_geodesics_are_those_of_others(viewer):
    with imported(viewer, "engine", "geometry") as value:
        value("(window.geometry = new Geometry(await loadModule('/contrail.wasm.gz')), null)")
        # The cell of the documentation of H3, and its boundary.
        cell = value("geometry.cellAt(37.3615593, -122.0553238)")
        assert cell["id"] == "85283473fffffff" and cell["lo"] == 0x3FFFFFFF and cell["hi"] == 0x08528347, cell
        boundary = [
            (37.271355866731895, -121.91508032705622), (37.353926450852256, -121.86222328902491), (37.42834118609435, -121.9235499963016),
            (37.42012867767778, -122.0377349642703), (37.33755608435298, -122.09042892904395), (37.26319797461824, -122.02910130919)]
        shapes = value(f"(({{ latLon, start }}) => [[...latLon], [...start]])(geometry.boundaries(new Uint32Array([{cell['lo']}, {cell['lo']}, 5]), new Uint32Array([{cell['hi']}, {cell['hi']}])))")
        vertices = list(zip(shapes[0][::2], shapes[0][1::2]))
        assert shapes[1] == [0, 6, 12] and len(vertices) == 12
        for i, place in enumerate(boundary * 2):
            assert max(abs(a - b) for a, b in zip(vertices[i], place)) < 1e-9, i
        # Only as many cells as both halves have; none are none.
        assert value("(({ latLon, start }) => [latLon.length, [...start]])(geometry.boundaries(new Uint32Array(0), new Uint32Array(3)))") == [0, [0]]
        assert value("geometry.cellAt(37.3615593, -122.0553238 + 360)") == cell
        assert value("geometry.cellAt(NaN, 0)") is None
        # The example of GeographicLib, from JFK to LHR.
        line = value("geometry.geodesic([-73.8, 40.6], [-0.5, 51.6], 5)")
        assert abs(line["metres"] - 5_551_759.400) < 0.001 and len(line["positions"]) == 5
        assert max(abs(a - b) for end, place in ((0, [-73.8, 40.6]), (4, [-0.5, 51.6])) for a, b in zip(line["positions"][end], place)) < 1e-9
        parts = [value(f"geometry.geodesic({a}, {b}, 2).metres") for a, b in zip(line["positions"], line["positions"][1:])]
        assert max(parts) - min(parts) < 0.001
        for count, points in ((0, 2), (2, 2), (3, 3), (20_000, 10_000)):
            assert value(f"geometry.geodesic([0, 0], [1, 1], {count}).positions.length") == points
        assert value("geometry.geodesic([5, 5], [5, 5], 2).metres") == 0
        for a, b in (("[0, 91]", "[1, 1]"), ("[0, 0]", "[1, -91]")):
            error = value(f"thrown(() => geometry.geodesic({a}, {b}, 2))")
            assert error["code"] == "invalidQuery" and error["advice"], (a, b)
