// The files of Sources/Client/ContrailBrowser/Module. Made by Scripts/page-files.

#include "CContrailPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_0[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/airports.js"
};
static const uint8_t file_1[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/client.js"
};
static const uint8_t file_2[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/clock.js"
};
static const uint8_t file_3[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/connection.js"
};
static const uint8_t file_4[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/contrail-offline.js"
};
static const uint8_t file_5[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/contrail.d.ts"
};
static const uint8_t file_6[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/contrail.js"
};
static const uint8_t file_7[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/contrail.version"
};
static const uint8_t file_8[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/contrail.wasm.gz"
};
static const uint8_t file_9[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/engine.js"
};
static const uint8_t file_10[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/errors.js"
};
static const uint8_t file_11[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/files.js"
};
static const uint8_t file_12[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/geometry.js"
};
static const uint8_t file_13[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/monitor.js"
};
static const uint8_t file_14[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/opfs.js"
};
static const uint8_t file_15[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/owner.js"
};
static const uint8_t file_16[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/place.js"
};
static const uint8_t file_17[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/query.js"
};
static const uint8_t file_18[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/streams.js"
};
static const uint8_t file_19[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/tar.js"
};
static const uint8_t file_20[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/transport.js"
};
static const uint8_t file_21[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/types.js"
};
static const uint8_t file_22[] = {
#embed "../../../Sources/Client/ContrailBrowser/Module/worker.js"
};

static const struct contrail_page_file files[] = {
    {"airports.js", file_0, sizeof file_0},
    {"client.js", file_1, sizeof file_1},
    {"clock.js", file_2, sizeof file_2},
    {"connection.js", file_3, sizeof file_3},
    {"contrail-offline.js", file_4, sizeof file_4},
    {"contrail.d.ts", file_5, sizeof file_5},
    {"contrail.js", file_6, sizeof file_6},
    {"contrail.version", file_7, sizeof file_7},
    {"contrail.wasm.gz", file_8, sizeof file_8},
    {"engine.js", file_9, sizeof file_9},
    {"errors.js", file_10, sizeof file_10},
    {"files.js", file_11, sizeof file_11},
    {"geometry.js", file_12, sizeof file_12},
    {"monitor.js", file_13, sizeof file_13},
    {"opfs.js", file_14, sizeof file_14},
    {"owner.js", file_15, sizeof file_15},
    {"place.js", file_16, sizeof file_16},
    {"query.js", file_17, sizeof file_17},
    {"streams.js", file_18, sizeof file_18},
    {"tar.js", file_19, sizeof file_19},
    {"transport.js", file_20, sizeof file_20},
    {"types.js", file_21, sizeof file_21},
    {"worker.js", file_22, sizeof file_22},
};

size_t contrail_module_file_count(void) { return sizeof files / sizeof files[0]; }

struct contrail_page_file contrail_module_file_at(size_t index) { return files[index]; }
