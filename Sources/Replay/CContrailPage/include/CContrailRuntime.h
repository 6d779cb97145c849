#ifndef CONTRAIL_RUNTIME_H
#define CONTRAIL_RUNTIME_H

#include <stddef.h>

// Converts a decimal number to the nearest double; of two equally near ones, to that with the even last bit.
//
// The text has the form of C's strtod without leading space: an optional sign, then digits with an optional point and
// exponent, or "inf", "infinity" or "nan" in any case. Hexadecimal numbers aren't supported. Returns the number of
// characters that belong to the number, or 0 if there is none, and then leaves `result` as it is.
size_t contrail_decimal_to_double(const char *_Nonnull text, size_t count, double *_Nonnull result);

#endif
