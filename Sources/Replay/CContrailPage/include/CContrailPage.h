#ifndef CONTRAIL_PAGE_H
#define CONTRAIL_PAGE_H

#include "CContrailRuntime.h"
#include <stddef.h>
#include <stdint.h>

// The files of the viewer's page, as they were when the program was compiled. In the program itself, so that it can be
// moved and needs no folder beside it.

struct contrail_page_file {
  // The path below the folder of the page, such as "map/globe.js".
  const char *_Nonnull name;
  const uint8_t *_Nonnull bytes;
  size_t count;
};

size_t contrail_page_file_count(void);

// The file at an index below the count.
struct contrail_page_file contrail_page_file_at(size_t index);

// The files of the client for browsers, in the same way.
size_t contrail_module_file_count(void);

struct contrail_page_file contrail_module_file_at(size_t index);

#endif
