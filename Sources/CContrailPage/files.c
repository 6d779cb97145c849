// The files of Sources/ContrailViewer/Page. Made by Scripts/page-files.

#include "CContrailPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_0[] = {
#embed "../ContrailViewer/Page/engine.js"
};
static const uint8_t file_1[] = {
#embed "../ContrailViewer/Page/engine.version"
};
static const uint8_t file_2[] = {
#embed "../ContrailViewer/Page/engine.wasm.gz"
};

static const struct contrail_page_file files[] = {
    {"engine.js", file_0, sizeof file_0},
    {"engine.version", file_1, sizeof file_1},
    {"engine.wasm.gz", file_2, sizeof file_2},
};

size_t contrail_page_file_count(void) { return sizeof files / sizeof files[0]; }

struct contrail_page_file contrail_page_file_at(size_t index) { return files[index]; }
