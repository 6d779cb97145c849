/* Measures libh3 with the points and polygons of Benchmarks/Sources/H3Bench; h3_bench.py builds and calls it.
   The functions are passed as pointers from the shared library that contains them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { double lat, lng; } LatLng;
typedef struct { int numVerts; LatLng verts[10]; } CellBoundary;
typedef struct { int numVerts; LatLng *verts; } GeoLoop;
typedef struct { GeoLoop geoloop; int numHoles; GeoLoop *holes; } GeoPolygon;
typedef uint64_t H3Index;

typedef struct {
    uint32_t (*latLngToCell)(const LatLng *, int, H3Index *);
    uint32_t (*cellToLatLng)(H3Index, LatLng *);
    uint32_t (*cellToBoundary)(H3Index, CellBoundary *);
    uint32_t (*cellToParent)(H3Index, int, H3Index *);
    int (*isValidCell)(H3Index);
    uint32_t (*gridDisk)(H3Index, int, H3Index *);
    uint32_t (*maxPolygonToCellsSize)(const GeoPolygon *, int, uint32_t, int64_t *);
    uint32_t (*polygonToCells)(const GeoPolygon *, int, uint32_t, H3Index *);
    uint32_t (*maxExperimental)(const GeoPolygon *, int, uint32_t, int64_t *);
    uint32_t (*experimental)(const GeoPolygon *, int, uint32_t, int64_t, H3Index *);
} Functions;

enum { COUNT = 20000 };
static LatLng points[COUNT];
static H3Index cells[COUNT];
static volatile uint64_t sink;

static uint64_t state = 7;
static uint64_t next(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static double unit(void) { return (double)(next() >> 11) * 0x1p-53; }

/* CPU time in nanoseconds, so that other programs don't affect the result. */
static double now(void) { return (double)clock() * (1e9 / CLOCKS_PER_SEC); }
static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Runs the body once to warm up, then `runs` times, and prints the median. */
#define REPORT(runs, operations, body, ...)                                  \
    do {                                                                     \
        double times[64];                                                    \
        for (int run = -1; run < (runs); run++) {                            \
            double start = now();                                            \
            body if (run >= 0) times[run] = now() - start;                   \
        }                                                                    \
        qsort(times, (runs), sizeof(double), ascending);                     \
        printf(__VA_ARGS__);                                                 \
        printf(" %.2f\n", times[(runs) / 2] / (double)(operations));         \
    } while (0)

static const double RADIAN = 3.14159265358979323846 / 180;

static int circle(LatLng *out, double latitude, double longitude, double radius, int corners) {
    double x = 1, y = 0, t = 3.141592653589793 / corners;
    double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
    for (int k = 0; k < corners; k++) {
        out[k] = (LatLng){(latitude + radius * y) * RADIAN, (longitude + radius * x) * RADIAN};
        double turned = x * c - y * s;
        y = x * s + y * c;
        x = turned;
    }
    return corners;
}

static int corridor(LatLng *out, int corners) {
    int half = corners / 2;
    for (int k = 0; k < half; k++) {
        double t = (double)k / (half - 1);
        double latitude = 40 + 20 * t * (1 - t) * 2, longitude = -70 + 65 * t;
        out[half - 1 - k] = (LatLng){(latitude + 1) * RADIAN, longitude * RADIAN};
        out[half + k] = (LatLng){(latitude - 1) * RADIAN, longitude * RADIAN};
    }
    return 2 * half;
}

static void area(Functions f, const char *name, LatLng *corners, int count, int resolution) {
    GeoPolygon polygon = {{count, corners}, 0, NULL};
    int64_t size, found = 0;
    f.maxPolygonToCellsSize(&polygon, resolution, 0, &size);
    H3Index *out = calloc(size, sizeof(H3Index));
    f.polygonToCells(&polygon, resolution, 0, out);
    for (int64_t k = 0; k < size; k++) found += out[k] != 0;
    free(out);
    REPORT(25, found, {
        f.maxPolygonToCellsSize(&polygon, resolution, 0, &size);
        H3Index *out = calloc(size, sizeof(H3Index));
        f.polygonToCells(&polygon, resolution, 0, out);
        sink ^= out[0];
        free(out);
    }, "polygon to cells, a cell, %s", name);
    REPORT(25, found, {
        f.maxExperimental(&polygon, resolution, 0, &size);
        H3Index *out = calloc(size, sizeof(H3Index));
        f.experimental(&polygon, resolution, 0, size, out);
        sink ^= out[0];
        free(out);
    }, "experimental polygon to cells, a cell, %s", name);
}

void run(const Functions *given) {
    Functions f = *given;
    for (int k = 0; k < COUNT; k++) {
        double latitude = unit() * 160 - 80;
        points[k] = (LatLng){latitude * RADIAN, (unit() * 360 - 180) * RADIAN};
    }
    int resolutions[] = {5, 9, 15};
    for (int r = 0; r < 3; r++) {
        int resolution = resolutions[r];
        REPORT(15, COUNT, {
            for (int k = 0; k < COUNT; k++) f.latLngToCell(&points[k], resolution, &cells[k]);
        }, "point to cell, resolution %d", resolution);
        REPORT(15, COUNT, {
            LatLng center;
            double all = 0;
            for (int k = 0; k < COUNT; k++) { f.cellToLatLng(cells[k], &center); all += center.lat; }
            sink ^= (uint64_t)all;
        }, "centre, resolution %d", resolution);
        REPORT(15, COUNT, {
            CellBoundary boundary;
            double all = 0;
            for (int k = 0; k < COUNT; k++) { f.cellToBoundary(cells[k], &boundary); all += boundary.verts[0].lat; }
            sink ^= (uint64_t)all;
        }, "boundary, resolution %d", resolution);
    }
    for (int k = 0; k < COUNT; k++) f.latLngToCell(&points[k], 5, &cells[k]);
    REPORT(15, 20 * COUNT, {
        H3Index parent;
        uint64_t all = 0;
        for (int n = 0; n < 20; n++)
            for (int k = 0; k < COUNT; k++) { f.cellToParent(cells[k], 4, &parent); all += parent; }
        sink ^= all;
    }, "parent, resolution 5");
    REPORT(15, 20 * COUNT, {
        uint64_t all = 0;
        for (int n = 0; n < 20; n++)
            for (int k = 0; k < COUNT; k++) all += f.isValidCell(cells[k]);
        sink ^= all;
    }, "validity, resolution 5");
    REPORT(15, COUNT, {
        for (int k = 0; k < COUNT; k++) {
            /* Like a caller, which allocates memory for the result. */
            H3Index *disk = calloc(19, sizeof(H3Index));
            f.gridDisk(cells[k], 2, disk);
            sink ^= disk[18];
            free(disk);
        }
    }, "disk of 2, resolution 5");
    LatLng corners[300];
    area(f, "circle of 100 corners, resolution 5", corners, circle(corners, 47, 10, 8, 100), 5);
    area(f, "circle of 8 corners and few cells, resolution 5", corners, circle(corners, 47, 10, 0.3, 8), 5);
    area(f, "circle of 100 corners, resolution 7", corners, circle(corners, 47, 10, 2, 100), 7);
    area(f, "corridor of 250 corners, resolution 5", corners, corridor(corners, 250), 5);
    fflush(stdout);
}
