// The files of Sources/Replay/ContrailViewer/Page. Made by Scripts/page-files.

#include "CContrailPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_0[] = {
#embed "../ContrailViewer/Page/address.js"
};
static const uint8_t file_1[] = {
#embed "../ContrailViewer/Page/app.js"
};
static const uint8_t file_2[] = {
#embed "../ContrailViewer/Page/badge.js"
};
static const uint8_t file_3[] = {
#embed "../ContrailViewer/Page/compare.js"
};
static const uint8_t file_4[] = {
#embed "../ContrailViewer/Page/dom.js"
};
static const uint8_t file_5[] = {
#embed "../ContrailViewer/Page/drop.js"
};
static const uint8_t file_6[] = {
#embed "../ContrailViewer/Page/engine.js"
};
static const uint8_t file_7[] = {
#embed "../ContrailViewer/Page/engine.version"
};
static const uint8_t file_8[] = {
#embed "../ContrailViewer/Page/engine.wasm.gz"
};
static const uint8_t file_9[] = {
#embed "../ContrailViewer/Page/follow.js"
};
static const uint8_t file_10[] = {
#embed "../ContrailViewer/Page/format.js"
};
static const uint8_t file_11[] = {
#embed "../ContrailViewer/Page/icons.js"
};
static const uint8_t file_12[] = {
#embed "../ContrailViewer/Page/index.html"
};
static const uint8_t file_13[] = {
#embed "../ContrailViewer/Page/keys.js"
};
static const uint8_t file_14[] = {
#embed "../ContrailViewer/Page/legend.js"
};
static const uint8_t file_15[] = {
#embed "../ContrailViewer/Page/main.js"
};
static const uint8_t file_16[] = {
#embed "../ContrailViewer/Page/map/camera.js"
};
static const uint8_t file_17[] = {
#embed "../ContrailViewer/Page/map/cells.js"
};
static const uint8_t file_18[] = {
#embed "../ContrailViewer/Page/map/coastline.bin"
};
static const uint8_t file_19[] = {
#embed "../ContrailViewer/Page/map/deck.js"
};
static const uint8_t file_20[] = {
#embed "../ContrailViewer/Page/map/gestures.js"
};
static const uint8_t file_21[] = {
#embed "../ContrailViewer/Page/map/painter.js"
};
static const uint8_t file_22[] = {
#embed "../ContrailViewer/Page/map/plotter.js"
};
static const uint8_t file_23[] = {
#embed "../ContrailViewer/Page/map/scene.js"
};
static const uint8_t file_24[] = {
#embed "../ContrailViewer/Page/map/shaders.js"
};
static const uint8_t file_25[] = {
#embed "../ContrailViewer/Page/map/sphere.js"
};
static const uint8_t file_26[] = {
#embed "../ContrailViewer/Page/map/triangles.js"
};
static const uint8_t file_27[] = {
#embed "../ContrailViewer/Page/map/view.js"
};
static const uint8_t file_28[] = {
#embed "../ContrailViewer/Page/palette.js"
};
static const uint8_t file_29[] = {
#embed "../ContrailViewer/Page/panel/line.js"
};
static const uint8_t file_30[] = {
#embed "../ContrailViewer/Page/panel/lines.js"
};
static const uint8_t file_31[] = {
#embed "../ContrailViewer/Page/panel/now.js"
};
static const uint8_t file_32[] = {
#embed "../ContrailViewer/Page/panel/why.js"
};
static const uint8_t file_33[] = {
#embed "../ContrailViewer/Page/parts.js"
};
static const uint8_t file_34[] = {
#embed "../ContrailViewer/Page/permalink.js"
};
static const uint8_t file_35[] = {
#embed "../ContrailViewer/Page/profile.js"
};
static const uint8_t file_36[] = {
#embed "../ContrailViewer/Page/recording.js"
};
static const uint8_t file_37[] = {
#embed "../ContrailViewer/Page/reports.js"
};
static const uint8_t file_38[] = {
#embed "../ContrailViewer/Page/search-box.js"
};
static const uint8_t file_39[] = {
#embed "../ContrailViewer/Page/search.js"
};
static const uint8_t file_40[] = {
#embed "../ContrailViewer/Page/session.js"
};
static const uint8_t file_41[] = {
#embed "../ContrailViewer/Page/shortcuts.js"
};
static const uint8_t file_42[] = {
#embed "../ContrailViewer/Page/style.css"
};
static const uint8_t file_43[] = {
#embed "../ContrailViewer/Page/timeline/axis.js"
};
static const uint8_t file_44[] = {
#embed "../ContrailViewer/Page/timeline/gestures.js"
};
static const uint8_t file_45[] = {
#embed "../ContrailViewer/Page/timeline/lanes.js"
};
static const uint8_t file_46[] = {
#embed "../ContrailViewer/Page/timeline/marks.js"
};
static const uint8_t file_47[] = {
#embed "../ContrailViewer/Page/timeline/timeline.js"
};
static const uint8_t file_48[] = {
#embed "../ContrailViewer/Page/tip.js"
};
static const uint8_t file_49[] = {
#embed "../ContrailViewer/Page/transport.js"
};

static const struct contrail_page_file files[] = {
    {"address.js", file_0, sizeof file_0},
    {"app.js", file_1, sizeof file_1},
    {"badge.js", file_2, sizeof file_2},
    {"compare.js", file_3, sizeof file_3},
    {"dom.js", file_4, sizeof file_4},
    {"drop.js", file_5, sizeof file_5},
    {"engine.js", file_6, sizeof file_6},
    {"engine.version", file_7, sizeof file_7},
    {"engine.wasm.gz", file_8, sizeof file_8},
    {"follow.js", file_9, sizeof file_9},
    {"format.js", file_10, sizeof file_10},
    {"icons.js", file_11, sizeof file_11},
    {"index.html", file_12, sizeof file_12},
    {"keys.js", file_13, sizeof file_13},
    {"legend.js", file_14, sizeof file_14},
    {"main.js", file_15, sizeof file_15},
    {"map/camera.js", file_16, sizeof file_16},
    {"map/cells.js", file_17, sizeof file_17},
    {"map/coastline.bin", file_18, sizeof file_18},
    {"map/deck.js", file_19, sizeof file_19},
    {"map/gestures.js", file_20, sizeof file_20},
    {"map/painter.js", file_21, sizeof file_21},
    {"map/plotter.js", file_22, sizeof file_22},
    {"map/scene.js", file_23, sizeof file_23},
    {"map/shaders.js", file_24, sizeof file_24},
    {"map/sphere.js", file_25, sizeof file_25},
    {"map/triangles.js", file_26, sizeof file_26},
    {"map/view.js", file_27, sizeof file_27},
    {"palette.js", file_28, sizeof file_28},
    {"panel/line.js", file_29, sizeof file_29},
    {"panel/lines.js", file_30, sizeof file_30},
    {"panel/now.js", file_31, sizeof file_31},
    {"panel/why.js", file_32, sizeof file_32},
    {"parts.js", file_33, sizeof file_33},
    {"permalink.js", file_34, sizeof file_34},
    {"profile.js", file_35, sizeof file_35},
    {"recording.js", file_36, sizeof file_36},
    {"reports.js", file_37, sizeof file_37},
    {"search-box.js", file_38, sizeof file_38},
    {"search.js", file_39, sizeof file_39},
    {"session.js", file_40, sizeof file_40},
    {"shortcuts.js", file_41, sizeof file_41},
    {"style.css", file_42, sizeof file_42},
    {"timeline/axis.js", file_43, sizeof file_43},
    {"timeline/gestures.js", file_44, sizeof file_44},
    {"timeline/lanes.js", file_45, sizeof file_45},
    {"timeline/marks.js", file_46, sizeof file_46},
    {"timeline/timeline.js", file_47, sizeof file_47},
    {"tip.js", file_48, sizeof file_48},
    {"transport.js", file_49, sizeof file_49},
};

size_t contrail_page_file_count(void) { return sizeof files / sizeof files[0]; }

struct contrail_page_file contrail_page_file_at(size_t index) { return files[index]; }
