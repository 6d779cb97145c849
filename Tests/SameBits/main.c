// fold < PATHS    the verdict of the fold for each path of a log, after the path and a tab

#include "CContrailRuntime.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void contrail_add_file(const uint8_t *path, intptr_t path_count, const uint8_t *bytes, intptr_t count);
intptr_t contrail_fold(const uint8_t *path, intptr_t path_count, uint8_t *output, intptr_t capacity);

// What the standard library of Swift reads decimal numbers with, as in the page's engine.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  size_t count = contrail_decimal_to_double(text, strlen(text), result);
  return count > 0 ? text + count : 0;
}

static void fail(const char *path) {
  fprintf(stderr, "same-bits: %s can't be read\n", path);
  exit(2);
}

static void add_file(const char *path, size_t count) {
  uint8_t *bytes = malloc(count + 1);
  FILE *file = fopen(path, "rb");
  if (!bytes || !file || fread(bytes, 1, count, file) != count) fail(path);
  fclose(file);
  contrail_add_file((const uint8_t *)path, (intptr_t)strlen(path), bytes, (intptr_t)count);
  free(bytes);
}

// Adds a file, or all files of a folder; what is not there is left out.
static void add(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return;
  if (!S_ISDIR(about.st_mode)) return add_file(path, (size_t)about.st_size);
  DIR *folder = opendir(path);
  if (!folder) fail(path);
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    if (entry->d_name[0] == '.') continue;
    char inner[4096];
    snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
    add(inner);
  }
  closedir(folder);
}

int main(void) {
  static uint8_t verdict[1 << 20];
  char path[4096];
  while (fgets(path, sizeof path, stdin)) {
    path[strcspn(path, "\n")] = 0;
    if (path[0] == 0) continue;
    add(path);
    // A single file has its blobs beside it.
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISDIR(about.st_mode)) {
      char blobs[4096];
      const char *slash = strrchr(path, '/');
      snprintf(blobs, sizeof blobs, "%.*s/blobs", slash ? (int)(slash - path) : 1, slash ? path : ".");
      add(blobs);
    }
    intptr_t count = contrail_fold((const uint8_t *)path, (intptr_t)strlen(path), verdict, sizeof verdict);
    if (count > (intptr_t)sizeof verdict) count = sizeof verdict;
    printf("%s\t%.*s\n", path, (int)count, (const char *)verdict);
    fflush(stdout);
  }
  return 0;
}
