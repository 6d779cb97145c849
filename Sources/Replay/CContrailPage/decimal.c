// The nearest double of a decimal number.
//
// Numbers of up to fifteen digits and small exponents are exact in doubles, so that one multiplication or division rounds
// correctly. All others are compared in integers of any size: the quotient of digits and power of ten is computed to 64
// bits, and a remainder is remembered. Both ways are from W. Clinger, "How to Read Floating Point Numbers Accurately",
// PLDI 1990 (the fast path and AlgorithmM). Slow, but only numbers written by hand come here.

#include "CContrailRuntime.h"

#include <stdbool.h>
#include <stdint.h>

enum {
  // A double midway between two neighbours has at most 767 significant digits; more can only tell above from equal.
  MAXIMUM_DIGITS = 800,
  // 800 digits and ten to the power of 1,150, in words of 32 bits, and room for shifts.
  MAXIMUM_WORDS = 256,
};

struct integer {
  uint32_t words[MAXIMUM_WORDS];
  int count;
};

static void multiply_add(struct integer *value, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int i = 0; i < value->count; i++) {
    carry += (uint64_t)value->words[i] * factor;
    value->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry && value->count < MAXIMUM_WORDS) value->words[value->count++] = (uint32_t)carry;
}

static void multiply_by_power_of_ten(struct integer *value, int exponent) {
  for (; exponent >= 9; exponent -= 9) multiply_add(value, 1000000000u, 0);
  for (; exponent > 0; exponent--) multiply_add(value, 10, 0);
}

static int bit_count(const struct integer *value) {
  if (value->count == 0) return 0;
  return 32 * value->count - __builtin_clz(value->words[value->count - 1]);
}

static void shift_left(struct integer *value, int bits) {
  int words = bits / 32, rest = bits % 32;
  if (value->count == 0 || value->count + words + 1 > MAXIMUM_WORDS) return;
  for (int i = value->count - 1; i >= 0; i--) value->words[i + words] = value->words[i];
  for (int i = 0; i < words; i++) value->words[i] = 0;
  value->count += words;
  if (rest == 0) return;
  uint32_t carry = 0;
  for (int i = words; i < value->count; i++) {
    uint32_t word = value->words[i];
    value->words[i] = word << rest | carry;
    carry = word >> (32 - rest);
  }
  if (carry) value->words[value->count++] = carry;
}

static int compare(const struct integer *a, const struct integer *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count - 1; i >= 0; i--) {
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  }
  return 0;
}

static void subtract(struct integer *a, const struct integer *b) {
  uint64_t borrow = 0;
  for (int i = 0; i < a->count; i++) {
    uint64_t difference = (uint64_t)a->words[i] - (i < b->count ? b->words[i] : 0) - borrow;
    a->words[i] = (uint32_t)difference;
    borrow = difference >> 63;
  }
  while (a->count > 0 && a->words[a->count - 1] == 0) a->count--;
}

static double from_bits(uint64_t bits) {
  union {
    uint64_t bits;
    double number;
  } value = {.bits = bits};
  return value.number;
}

// Rounds quotient * 2^exponent, whose quotient has its highest bit set, to a double. `rest` tells of bits below.
static double rounded(uint64_t quotient, int exponent, bool rest) {
  // The exponent of the highest bit, as if before the point.
  int top = exponent + 63;
  if (top > 1023) return from_bits(0x7FF0000000000000ull);
  // 53 bits stay of a normal number, fewer of a subnormal one.
  int dropped = top < -1022 ? 11 + (-1022 - top) : 11;
  if (dropped > 64) return 0;
  uint64_t kept = dropped == 64 ? 0 : quotient >> dropped;
  uint64_t half = 1ull << (dropped - 1);
  uint64_t below = dropped == 64 ? quotient : quotient & ((half << 1) - 1);
  if (below > half || (below == half && (rest || (kept & 1)))) kept++;
  // A carry out of the fraction belongs to the exponent, also from the greatest subnormal number.
  uint64_t bits = top < -1022 ? kept : ((uint64_t)(top + 1022) << 52) + kept;
  return from_bits(bits);
}

static double nearest(const uint8_t *digits, int count, int exponent) {
  while (count > 0 && digits[count - 1] == 0) {
    count--;
    exponent++;
  }
  if (count == 0 || count + exponent < -330) return 0;
  if (count + exponent > 310) return from_bits(0x7FF0000000000000ull);

  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (count <= 15 && -22 <= exponent && exponent <= 22) {
    double number = 0;
    for (int i = 0; i < count; i++) number = number * 10 + digits[i];
    return exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
  }

  struct integer top = {.count = 0}, bottom = {.words = {1}, .count = 1};
  for (int i = 0; i < count; i++) multiply_add(&top, 10, digits[i]);
  if (exponent >= 0) multiply_by_power_of_ten(&top, exponent);
  else multiply_by_power_of_ten(&bottom, -exponent);

  // Scale so that the quotient has 64 bits: top is at least 2^63 and less than 2^64 times bottom.
  int scale = 63 - (bit_count(&top) - bit_count(&bottom));
  struct integer divisor = bottom;
  if (scale >= 0) shift_left(&top, scale);
  else shift_left(&divisor, -scale);
  struct integer limit = divisor;
  shift_left(&limit, 63);
  if (compare(&top, &limit) < 0) {
    shift_left(&top, 1);
    scale++;
  }
  uint64_t quotient = 0;
  for (int bit = 63; bit >= 0; bit--) {
    struct integer part = divisor;
    shift_left(&part, bit);
    if (compare(&top, &part) < 0) continue;
    subtract(&top, &part);
    quotient |= 1ull << bit;
  }
  return rounded(quotient, -scale, top.count > 0);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

// The number of characters of `word` if the text begins with it, in any case; otherwise 0.
static size_t prefix(const char *text, size_t count, const char *word) {
  size_t length = 0;
  while (word[length]) {
    if (length >= count || lower(text[length]) != word[length]) return 0;
    length++;
  }
  return length;
}

size_t contrail_decimal_to_double(const char *text, size_t count, double *result) {
  size_t at = 0;
  bool is_negative = false;
  if (at < count && (text[at] == '-' || text[at] == '+')) is_negative = text[at++] == '-';

  size_t length = prefix(text + at, count - at, "infinity");
  if (!length) length = prefix(text + at, count - at, "inf");
  if (length) {
    *result = from_bits(is_negative ? 0xFFF0000000000000ull : 0x7FF0000000000000ull);
    return at + length;
  }
  length = prefix(text + at, count - at, "nan");
  if (length) {
    *result = from_bits(is_negative ? 0xFFF8000000000000ull : 0x7FF8000000000000ull);
    return at + length;
  }

  uint8_t digits[MAXIMUM_DIGITS + 1];
  int kept = 0;
  // The exponent of the last digit kept. Saturated, because a text may have any number of digits.
  int64_t exponent = 0;
  bool has_digit = false, is_after_point = false, is_cut = false;
  for (; at < count; at++) {
    char c = text[at];
    if (c == '.' && !is_after_point) {
      is_after_point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    has_digit = true;
    if (is_after_point) exponent--;
    if (kept == 0 && c == '0') continue;
    if (kept < MAXIMUM_DIGITS) {
      digits[kept++] = (uint8_t)(c - '0');
    } else {
      if (c != '0') is_cut = true;
      exponent++;
    }
  }
  if (!has_digit) return 0;
  // Whatever follows 800 digits only matters as more than nothing.
  if (is_cut) {
    digits[kept++] = 1;
    exponent--;
  }

  if (at < count && lower(text[at]) == 'e') {
    size_t mark = at + 1;
    bool is_small = false;
    if (mark < count && (text[mark] == '-' || text[mark] == '+')) is_small = text[mark++] == '-';
    if (mark < count && text[mark] >= '0' && text[mark] <= '9') {
      int64_t given = 0;
      for (; mark < count && text[mark] >= '0' && text[mark] <= '9'; mark++) {
        if (given < 1000000000000) given = given * 10 + (text[mark] - '0');
      }
      exponent += is_small ? -given : given;
      at = mark;
    }
  }
  if (exponent > 100000) exponent = 100000;
  if (exponent < -100000) exponent = -100000;
  double number = nearest(digits, kept, (int)exponent);
  *result = is_negative ? -number : number;
  return at;
}
