// The files of Sources/Replay/ContrailViewer/Page. Made by Scripts/page-files.

#include "CContrailPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_0[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/address.js"
};
static const uint8_t file_1[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/app.js"
};
static const uint8_t file_2[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/badge.js"
};
static const uint8_t file_3[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/compare.js"
};
static const uint8_t file_4[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/dom.js"
};
static const uint8_t file_5[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/drop.js"
};
static const uint8_t file_6[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/engine.js"
};
static const uint8_t file_7[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/engine.version"
};
static const uint8_t file_8[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/engine.wasm.gz"
};
static const uint8_t file_9[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/follow.js"
};
static const uint8_t file_10[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/format.js"
};
static const uint8_t file_11[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/icons.js"
};
static const uint8_t file_12[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/index.html"
};
static const uint8_t file_13[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/keys.js"
};
static const uint8_t file_14[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/legend.js"
};
static const uint8_t file_15[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/airport-field.js"
};
static const uint8_t file_16[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/data-panel.js"
};
static const uint8_t file_17[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/index.html"
};
static const uint8_t file_18[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/key-dialog.js"
};
static const uint8_t file_19[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/link-panel.js"
};
static const uint8_t file_20[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/live-app.js"
};
static const uint8_t file_21[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/live.css"
};
static const uint8_t file_22[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/log-panel.js"
};
static const uint8_t file_23[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/main.js"
};
static const uint8_t file_24[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/route-form.js"
};
static const uint8_t file_25[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/session.js"
};
static const uint8_t file_26[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/live/visible.js"
};
static const uint8_t file_27[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/main.js"
};
static const uint8_t file_28[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/camera.js"
};
static const uint8_t file_29[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/cells.js"
};
static const uint8_t file_30[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/coastline.bin"
};
static const uint8_t file_31[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/deck.js"
};
static const uint8_t file_32[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/gestures.js"
};
static const uint8_t file_33[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/painter.js"
};
static const uint8_t file_34[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/plotter.js"
};
static const uint8_t file_35[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/scene.js"
};
static const uint8_t file_36[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/shaders.js"
};
static const uint8_t file_37[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/sphere.js"
};
static const uint8_t file_38[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/triangles.js"
};
static const uint8_t file_39[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/map/view.js"
};
static const uint8_t file_40[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/palette.js"
};
static const uint8_t file_41[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/panel/line.js"
};
static const uint8_t file_42[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/panel/lines.js"
};
static const uint8_t file_43[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/panel/now.js"
};
static const uint8_t file_44[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/panel/why.js"
};
static const uint8_t file_45[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/parts.js"
};
static const uint8_t file_46[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/permalink.js"
};
static const uint8_t file_47[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/profile.js"
};
static const uint8_t file_48[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/recording.js"
};
static const uint8_t file_49[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/reports.js"
};
static const uint8_t file_50[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/search-box.js"
};
static const uint8_t file_51[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/search.js"
};
static const uint8_t file_52[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/session.js"
};
static const uint8_t file_53[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/shortcuts.js"
};
static const uint8_t file_54[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/state.js"
};
static const uint8_t file_55[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/style.css"
};
static const uint8_t file_56[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/timeline/axis.js"
};
static const uint8_t file_57[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/timeline/gestures.js"
};
static const uint8_t file_58[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/timeline/lanes.js"
};
static const uint8_t file_59[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/timeline/marks.js"
};
static const uint8_t file_60[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/timeline/timeline.js"
};
static const uint8_t file_61[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/tip.js"
};
static const uint8_t file_62[] = {
#embed "../../../Sources/Replay/ContrailViewer/Page/transport.js"
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
    {"live/airport-field.js", file_15, sizeof file_15},
    {"live/data-panel.js", file_16, sizeof file_16},
    {"live/index.html", file_17, sizeof file_17},
    {"live/key-dialog.js", file_18, sizeof file_18},
    {"live/link-panel.js", file_19, sizeof file_19},
    {"live/live-app.js", file_20, sizeof file_20},
    {"live/live.css", file_21, sizeof file_21},
    {"live/log-panel.js", file_22, sizeof file_22},
    {"live/main.js", file_23, sizeof file_23},
    {"live/route-form.js", file_24, sizeof file_24},
    {"live/session.js", file_25, sizeof file_25},
    {"live/visible.js", file_26, sizeof file_26},
    {"main.js", file_27, sizeof file_27},
    {"map/camera.js", file_28, sizeof file_28},
    {"map/cells.js", file_29, sizeof file_29},
    {"map/coastline.bin", file_30, sizeof file_30},
    {"map/deck.js", file_31, sizeof file_31},
    {"map/gestures.js", file_32, sizeof file_32},
    {"map/painter.js", file_33, sizeof file_33},
    {"map/plotter.js", file_34, sizeof file_34},
    {"map/scene.js", file_35, sizeof file_35},
    {"map/shaders.js", file_36, sizeof file_36},
    {"map/sphere.js", file_37, sizeof file_37},
    {"map/triangles.js", file_38, sizeof file_38},
    {"map/view.js", file_39, sizeof file_39},
    {"palette.js", file_40, sizeof file_40},
    {"panel/line.js", file_41, sizeof file_41},
    {"panel/lines.js", file_42, sizeof file_42},
    {"panel/now.js", file_43, sizeof file_43},
    {"panel/why.js", file_44, sizeof file_44},
    {"parts.js", file_45, sizeof file_45},
    {"permalink.js", file_46, sizeof file_46},
    {"profile.js", file_47, sizeof file_47},
    {"recording.js", file_48, sizeof file_48},
    {"reports.js", file_49, sizeof file_49},
    {"search-box.js", file_50, sizeof file_50},
    {"search.js", file_51, sizeof file_51},
    {"session.js", file_52, sizeof file_52},
    {"shortcuts.js", file_53, sizeof file_53},
    {"state.js", file_54, sizeof file_54},
    {"style.css", file_55, sizeof file_55},
    {"timeline/axis.js", file_56, sizeof file_56},
    {"timeline/gestures.js", file_57, sizeof file_57},
    {"timeline/lanes.js", file_58, sizeof file_58},
    {"timeline/marks.js", file_59, sizeof file_59},
    {"timeline/timeline.js", file_60, sizeof file_60},
    {"tip.js", file_61, sizeof file_61},
    {"transport.js", file_62, sizeof file_62},
};

size_t contrail_page_file_count(void) { return sizeof files / sizeof files[0]; }

struct contrail_page_file contrail_page_file_at(size_t index) { return files[index]; }
