// What the standard library of Swift needs of a C library, for a WebAssembly module without one.

#include "CContrailRuntime.h"

#include <stdint.h>

// MARK: Memory

// Blocks of a size class are carved from the end of the memory and return to the list of their class. Sizes up to 1 KiB
// are multiples of 16; above, there are four classes for each doubling.

enum { HEADER = 16, SMALL = 1024, SMALL_CLASSES = SMALL / 16, CLASSES = SMALL_CLASSES + 4 * 22, PAGE = 65536 };

struct header {
  uint32_t class;
  // The distance from the start of the block to the pointer that was handed out.
  uint32_t distance;
};

struct block {
  struct block *next;
};

extern unsigned char __heap_base;

static struct block *free_blocks[CLASSES];
static uintptr_t end_of_blocks;

static uint32_t class_of(size_t size) {
  if (size <= SMALL) return size == 0 ? 0 : (uint32_t)((size - 1) / 16);
  uint32_t doubling = 31 - (uint32_t)__builtin_clz((uint32_t)(size - 1));
  uint32_t quarter = (uint32_t)((size - 1) >> (doubling - 2)) & 3;
  return SMALL_CLASSES + 4 * (doubling - 10) + quarter;
}

static size_t size_of(uint32_t class) {
  if (class < SMALL_CLASSES) return 16 * (size_t)(class + 1);
  uint32_t doubling = (class - SMALL_CLASSES) / 4 + 10, quarter = (class - SMALL_CLASSES) % 4;
  return ((size_t)1 << doubling) + ((size_t)(quarter + 1) << (doubling - 2));
}

static void *carve(size_t size) {
  if (end_of_blocks == 0) end_of_blocks = ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15;
  uint64_t end = (uint64_t)end_of_blocks + size;
  uint64_t room = (uint64_t)__builtin_wasm_memory_size(0) * PAGE;
  if (end > room) {
    // In steps of at least a megabyte, because each step may move the memory.
    uint64_t missing = end - room < (1 << 20) ? 1 << 20 : end - room;
    size_t pages = (size_t)((missing + PAGE - 1) / PAGE);
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) {
      pages = (size_t)((end - room + PAGE - 1) / PAGE);
      if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return 0;
    }
  }
  void *block = (void *)end_of_blocks;
  end_of_blocks = (uintptr_t)end;
  return block;
}

static void *allocate(size_t size, size_t alignment) {
  if (alignment < 16) alignment = 16;
  if (size > 0x7F000000) return 0;
  uint32_t class = class_of(size + alignment);
  void *block = free_blocks[class];
  if (block) free_blocks[class] = free_blocks[class]->next;
  else block = carve(size_of(class));
  if (!block) return 0;
  uintptr_t place = ((uintptr_t)block + HEADER + alignment - 1) & ~(uintptr_t)(alignment - 1);
  struct header *header = (struct header *)(place - HEADER);
  header->class = class;
  header->distance = (uint32_t)(place - (uintptr_t)block);
  return (void *)place;
}

void *malloc(size_t size) { return allocate(size, 16); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  *result = allocate(size, alignment);
  return *result ? 0 : 12;  // ENOMEM
}

void free(void *pointer) {
  if (!pointer) return;
  struct header *header = (struct header *)((uintptr_t)pointer - HEADER);
  struct block *block = (struct block *)((uintptr_t)pointer - header->distance);
  uint32_t class = header->class;
  block->next = free_blocks[class];
  free_blocks[class] = block;
}

// The compiler makes instructions of these, which would otherwise be calls of the functions themselves.

void *memcpy(void *restrict target, const void *restrict source, size_t count) {
  return __builtin_memcpy(target, source, count);
}

void *memmove(void *target, const void *source, size_t count) { return __builtin_memmove(target, source, count); }

void *memset(void *target, int byte, size_t count) { return __builtin_memset(target, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (size_t i = 0; i < count; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

size_t strlen(const char *text) {
  size_t count = 0;
  while (text[count]) count++;
  return count;
}

// MARK: Numbers

typedef __int128 int128;

// The product of two 128-bit numbers, for the 64-bit multiplication that detects overflow.
int128 __multi3(int128 left, int128 right) {
  uint64_t a = (uint64_t)left, b = (uint64_t)right;
  uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
  uint64_t low = a_low * b_low;
  uint64_t middle = a_high * b_low + (low >> 32);
  uint64_t other = a_low * b_high + (uint32_t)middle;
  uint64_t high = a_high * b_high + (middle >> 32) + (other >> 32);
  high += (uint64_t)(left >> 64) * b + a * (uint64_t)(right >> 64);
  return (int128)((unsigned __int128)high << 64 | (other << 32 | (uint32_t)low));
}

// To the nearest integer; a half rounds away from zero.
double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}

// Given by the page, as the other mathematical functions.
double fmod(double x, double y);

// What is left of x after the nearest multiple of y, with the sign of that difference. IEEE 754, section 5.3.1.
double remainder(double x, double y) {
  if (y == 0 || x != x || y != y || __builtin_isinf(x)) return (x * y) / (x * y);
  if (__builtin_isinf(y)) return x;
  double step = __builtin_fabs(y);
  // With respect to twice the step, so that it is known whether the multiple is even.
  double rest = step <= 0x1p1022 ? fmod(x, 2 * step) : x;
  double size = __builtin_fabs(rest);
  if (size > step / 2 && size - step > -step / 2) {
    size -= step;
    if (size >= step / 2) size -= step;
  }
  return __builtin_copysign(1, x) < 0 ? -size : size;
}

const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  size_t count = contrail_decimal_to_double(text, strlen(text), result);
  return count > 0 ? text + count : 0;
}

// MARK: System

// Seeds the hash tables of Swift, whose order nothing here depends on. Without a source of entropy, every run is equal.
void arc4random_buf(void *buffer, size_t count) {
  unsigned char *bytes = buffer;
  uint64_t state = 0x9E3779B97F4A7C15ull;
  for (size_t i = 0; i < count; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    bytes[i] = (unsigned char)(state >> 56);
  }
}

// MARK: References

// A module with one thread counts references without atomic instructions. WebAssembly without threads has none anyway, so
// these are the ordinary functions.

void *swift_retain(void *object);
void *swift_retain_n(void *object, uint32_t count);
void swift_release(void *object);
void swift_release_n(void *object, uint32_t count);

void *swift_nonatomic_retain(void *object) { return swift_retain(object); }
void *swift_nonatomic_retain_n(void *object, uint32_t count) { return swift_retain_n(object, count); }
void swift_nonatomic_release(void *object) { swift_release(object); }
void swift_nonatomic_release_n(void *object, uint32_t count) { swift_release_n(object, count); }
