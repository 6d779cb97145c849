// A library for LD_PRELOAD that ends a process at a chosen system call, as a power failure does: it loses, reorders or tears
// what the process wrote and didn't sync, and kills it.
//
//   CONTRAIL_POWER_ROOT   the directory whose files are watched; others are left alone
//   CONTRAIL_POWER_AT     the number of the call that changes a file at which the power fails, from 1; 0 only counts
//   CONTRAIL_POWER_SEED   which of the writes that weren't synced are lost; 0 loses none: a kill alone
//   CONTRAIL_POWER_COUNT  a file to which the number of calls is written at the end
//
// Writes belong to their file until it is synced. Creations, renames and removals belong to their directory until that is
// synced. At the failure, those of a directory are undone from the last one back to a random one, since file systems keep
// their order. Of the writes to a file, each is kept, undone, or torn, in any order.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum kind { WRITE, TRUNCATE, CREATE, MAKE_DIRECTORY, RENAME, REMOVE };

// A change that isn't synced, and what undoes it.
struct change {
  enum kind kind;
  int undone;
  dev_t device;
  ino_t file;       // of a write: the file; of others: the directory
  ino_t other;      // of a rename: the directory that it came from
  char *path;       // the name that appeared or went
  char *from;       // of a rename: the name before
  char *kept;       // a link to the file that was there before
  off_t offset;
  off_t size;       // of a write: the size before
  size_t count;     // how many bytes were written
  size_t held;      // how many of them were there before
  unsigned char *old;
};

static struct change *changes;
static size_t count, room;
static unsigned long calls, at;
static unsigned long long seed;
static char root[PATH_MAX];
static size_t root_length;
static int enabled;
static pthread_mutex_t gate = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static __thread int inside;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static unsigned long long next_random(void) {
  unsigned long long z = (seed += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

static void forget_kept(void) {
  for (size_t index = 0; index < count; index++) {
    if (changes[index].kept) unlink(changes[index].kept);
  }
}

static void finish(void) {
  if (!enabled) return;
  inside = 1;
  forget_kept();
  const char *path = getenv("CONTRAIL_POWER_COUNT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "%lu\n", calls);
    fclose(file);
  }
}

__attribute__((constructor)) static void start(void) {
  const char *text = getenv("CONTRAIL_POWER_ROOT");
  if (!text || !realpath(text, root)) return;
  root_length = strlen(root);
  if ((text = getenv("CONTRAIL_POWER_AT"))) at = strtoul(text, NULL, 10);
  if ((text = getenv("CONTRAIL_POWER_SEED"))) seed = strtoull(text, NULL, 10);
  enabled = 1;
  atexit(finish);
}

// The absolute path of a name, with the symbolic links of its directory resolved; 0 if it isn't watched.
static int watched(const char *path, char out[PATH_MAX]) {
  if (!enabled || !path) return 0;
  char copy[PATH_MAX], directory[PATH_MAX];
  if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy) return 0;
  size_t length = strlen(copy);
  while (length > 1 && copy[length - 1] == '/') copy[--length] = 0;
  char *slash = strrchr(copy, '/');
  const char *name = slash ? slash + 1 : copy;
  if (slash == copy) {
    strcpy(directory, "/");
  } else {
    if (slash) *slash = 0;
    if (!realpath(slash ? copy : ".", directory)) return 0;
  }
  if (strncmp(directory, root, root_length) != 0 || (directory[root_length] && directory[root_length] != '/')) return 0;
  return snprintf(out, PATH_MAX, "%s/%s", directory, name) < PATH_MAX;
}

static int watched_descriptor(int descriptor, struct stat *status) {
  if (!enabled || inside || fstat(descriptor, status) != 0) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return strncmp(path, root, root_length) == 0 && (!path[root_length] || path[root_length] == '/');
}

static ino_t directory_of(const char *path, dev_t *device) {
  char copy[PATH_MAX];
  snprintf(copy, sizeof copy, "%s", path);
  char *slash = strrchr(copy, '/');
  if (slash) *slash = 0;
  struct stat status;
  if (stat(copy, &status) != 0) return 0;
  if (device) *device = status.st_dev;
  return status.st_ino;
}

static struct change *add(enum kind kind) {
  if (count == room) {
    room = room ? 2 * room : 64;
    changes = realloc(changes, room * sizeof *changes);
    if (!changes) abort();
  }
  struct change *change = &changes[count++];
  memset(change, 0, sizeof *change);
  change->kind = kind;
  return change;
}

static void forget(size_t index) {
  struct change *change = &changes[index];
  if (change->kept) unlink(change->kept);
  free(change->path), free(change->from), free(change->kept), free(change->old);
  memmove(change, change + 1, (--count - index) * sizeof *change);
}

static void undo_write(struct change *change, const char *path, int torn) {
  int descriptor = open(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  size_t kept = torn && change->count > 1 ? (size_t)(next_random() % change->count) : 0;
  if (change->held > kept) {
    if (pwrite(descriptor, change->old + kept, change->held - kept, change->offset + (off_t)kept) < 0) _exit(99);
  }
  struct stat status;
  off_t end = change->offset + (off_t)change->count, least = change->offset + (off_t)kept;
  if (least < change->size) least = change->size;
  // Only the last bytes of the file can be cut off. Others become zeros, as on a file system that grew the file first.
  if (fstat(descriptor, &status) == 0 && end > change->size) {
    if (status.st_size <= end) {
      if (ftruncate(descriptor, least) != 0) _exit(99);
    } else {
      static const char zeros[4096];
      for (off_t place = least; place < end; place += (off_t)sizeof zeros) {
        size_t length = (size_t)(end - place) < sizeof zeros ? (size_t)(end - place) : sizeof zeros;
        if (pwrite(descriptor, zeros, length, place) < 0) _exit(99);
      }
    }
  }
  close(descriptor);
}

static void undo(struct change *change) {
  switch (change->kind) {
  case WRITE: undo_write(change, change->path, next_random() % 4 == 0); break;
  case TRUNCATE: {
    int descriptor = open(change->path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) break;
    if (change->held && pwrite(descriptor, change->old, change->held, change->offset) < 0) _exit(99);
    close(descriptor);
    break;
  }
  case CREATE: unlink(change->path); break;
  case MAKE_DIRECTORY: rmdir(change->path); break;
  case RENAME:
    rename(change->path, change->from);
    if (change->kept) rename(change->kept, change->path);
    break;
  case REMOVE: if (change->kept) rename(change->kept, change->path); break;
  }
  change->undone = 1;
}

static void fail(void) {
  inside = 1;
  if (seed) {
    // The writes first, since names of files may go.
    for (size_t index = count; index-- > 0;) {
      struct change *change = &changes[index];
      if ((change->kind == WRITE || change->kind == TRUNCATE) && next_random() % 2) undo(change);
    }
    // A directory keeps the order of its changes.
    size_t kept = count ? (size_t)(next_random() % (count + 1)) : 0;
    for (size_t index = count; index-- > kept;) {
      if (changes[index].kind > TRUNCATE) undo(&changes[index]);
    }
  }
  forget_kept();
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a call that changes a file; the power fails before the chosen one.
static void step(void) {
  calls++;
  if (at && calls == at) fail();
}

static char *keep(const char *path) {
  static unsigned long number;
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  char kept[PATH_MAX];
  // A process of the same number may have left one behind.
  do {
    snprintf(kept, sizeof kept, "%s/../.power-loss-%d-%lu", root, getpid(), number++);
  } while (link(path, kept) != 0 && errno == EEXIST);
  // Without it, what the power takes couldn't be told from what the program loses.
  return access(kept, F_OK) == 0 ? strdup(kept) : (_exit(98), NULL);
}

#define ENTER pthread_mutex_lock(&gate), inside++
#define LEAVE inside--, pthread_mutex_unlock(&gate)

static void note_write(int descriptor, const struct stat *status, off_t offset, size_t length) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t name = readlink(link, path, sizeof path - 1);
  if (name <= 0) return;
  path[name] = 0;
  struct change *change = add(WRITE);
  change->device = status->st_dev, change->file = status->st_ino;
  change->path = strdup(path), change->offset = offset, change->size = status->st_size, change->count = length;
  change->old = malloc(length ? length : 1);
  ssize_t held = change->old ? pread(descriptor, change->old, length, offset) : 0;
  if (held < 0) {
    // Opened for writing only.
    int other = open(path, O_RDONLY | O_CLOEXEC);
    if (other >= 0) held = pread(other, change->old, length, offset), close(other);
  }
  change->held = held > 0 ? (size_t)held : 0;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  struct stat status;
  if (!watched_descriptor(descriptor, &status)) return REAL(pwrite)(descriptor, bytes, length, offset);
  ENTER;
  step();
  note_write(descriptor, &status, offset, length);
  ssize_t result = REAL(pwrite)(descriptor, bytes, length, offset);
  LEAVE;
  return result;
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  return pwrite(descriptor, bytes, length, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  struct stat status;
  if (!watched_descriptor(descriptor, &status) || !S_ISREG(status.st_mode)) return REAL(write)(descriptor, bytes, length);
  ENTER;
  step();
  off_t offset = fcntl(descriptor, F_GETFL) & O_APPEND ? status.st_size : lseek(descriptor, 0, SEEK_CUR);
  note_write(descriptor, &status, offset, length);
  ssize_t result = REAL(write)(descriptor, bytes, length);
  LEAVE;
  return result;
}

int ftruncate(int descriptor, off_t size) {
  struct stat status;
  if (!watched_descriptor(descriptor, &status)) return REAL(ftruncate)(descriptor, size);
  ENTER;
  step();
  if (size < status.st_size) {
    note_write(descriptor, &status, size, (size_t)(status.st_size - size));
    changes[count - 1].kind = TRUNCATE;
  }
  int result = REAL(ftruncate)(descriptor, size);
  LEAVE;
  return result;
}
int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }

static int synced(int descriptor, int (*call)(int)) {
  struct stat status;
  if (!watched_descriptor(descriptor, &status)) return call(descriptor);
  ENTER;
  step();
  int result = call(descriptor);
  for (size_t index = count; result == 0 && index-- > 0;) {
    if (changes[index].device == status.st_dev && changes[index].file == status.st_ino) forget(index);
  }
  LEAVE;
  return result;
}
int fsync(int descriptor) { return synced(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return synced(descriptor, REAL(fdatasync)); }

static int opened(int directory, const char *path, int flags, mode_t mode) {
  int (*call)(int, const char *, int, ...) = REAL(openat);
  char whole[PATH_MAX];
  if (inside || !(flags & O_CREAT) || (directory != AT_FDCWD && path[0] != '/') || !watched(path, whole)) {
    return call(directory, path, flags, mode);
  }
  ENTER;
  struct stat status;
  int is_new = lstat(whole, &status) != 0;
  if (is_new) step();
  int result = call(directory, path, flags, mode);
  if (is_new && result >= 0) {
    struct change *change = add(CREATE);
    change->path = strdup(whole);
    change->file = directory_of(whole, &change->device);
  }
  LEAVE;
  return result;
}
#define MODE(mode, flags)                                                                                              \
  mode_t mode = 0;                                                                                                     \
  if (flags & (O_CREAT | O_TMPFILE)) {                                                                                 \
    va_list list;                                                                                                      \
    va_start(list, flags);                                                                                             \
    mode = va_arg(list, mode_t);                                                                                       \
    va_end(list);                                                                                                      \
  }
int open(const char *path, int flags, ...) {
  MODE(mode, flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(mode, flags)
  return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int directory, const char *path, int flags, ...) {
  MODE(mode, flags)
  return opened(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
  MODE(mode, flags)
  return opened(directory, path, flags | O_LARGEFILE, mode);
}

int mkdir(const char *path, mode_t mode) {
  char whole[PATH_MAX];
  if (inside || !watched(path, whole)) return REAL(mkdir)(path, mode);
  ENTER;
  step();
  int result = REAL(mkdir)(path, mode);
  if (result == 0) {
    struct change *change = add(MAKE_DIRECTORY);
    change->path = strdup(whole);
    change->file = directory_of(whole, &change->device);
  }
  LEAVE;
  return result;
}

int rename(const char *path, const char *to) {
  char source[PATH_MAX], target[PATH_MAX];
  if (inside || !watched(path, source) || !watched(to, target)) return REAL(rename)(path, to);
  ENTER;
  step();
  char *kept = keep(target);
  int result = REAL(rename)(path, to);
  if (result == 0) {
    // Writes that aren't synced go with the file.
    for (size_t index = 0; index < count; index++) {
      struct change *change = &changes[index];
      if ((change->kind == WRITE || change->kind == TRUNCATE) && strcmp(change->path, source) == 0) {
        free(change->path);
        change->path = strdup(target);
      }
    }
    struct change *change = add(RENAME);
    change->path = strdup(target), change->from = strdup(source), change->kept = kept;
    change->file = directory_of(target, &change->device);
  } else if (kept) {
    int number = errno;
    unlink(kept), free(kept), errno = number;
  }
  LEAVE;
  return result;
}

int link(const char *path, const char *to) {
  char target[PATH_MAX];
  if (inside || !watched(to, target)) return REAL(link)(path, to);
  ENTER;
  step();
  int result = REAL(link)(path, to);
  if (result == 0) {
    struct change *change = add(CREATE);
    change->path = strdup(target);
    change->file = directory_of(target, &change->device);
  }
  LEAVE;
  return result;
}

int unlink(const char *path) {
  char whole[PATH_MAX];
  if (inside || !watched(path, whole)) return REAL(unlink)(path);
  ENTER;
  step();
  char *kept = keep(whole);
  int result = REAL(unlink)(path);
  if (result == 0) {
    struct change *change = add(REMOVE);
    change->path = strdup(whole), change->kept = kept;
    change->file = directory_of(whole, &change->device);
  } else if (kept) {
    int number = errno;
    inside++, REAL(unlink)(kept), inside--, free(kept), errno = number;
  }
  LEAVE;
  return result;
}
