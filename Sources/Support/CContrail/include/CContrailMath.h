#ifndef CONTRAIL_MATH_H
#define CONTRAIL_MATH_H

// The functions of the C library's <math.h> that Contrail uses, declared without that header: a freestanding target
// has none. The compiler turns each into a call of the library's function.

static inline double contrail_sin(double x) { return __builtin_sin(x); }
static inline double contrail_cos(double x) { return __builtin_cos(x); }
static inline double contrail_tan(double x) { return __builtin_tan(x); }
static inline double contrail_asin(double x) { return __builtin_asin(x); }
static inline double contrail_acos(double x) { return __builtin_acos(x); }
static inline double contrail_atan(double x) { return __builtin_atan(x); }
static inline double contrail_atan2(double y, double x) { return __builtin_atan2(y, x); }
static inline double contrail_atanh(double x) { return __builtin_atanh(x); }
static inline double contrail_hypot(double x, double y) { return __builtin_hypot(x, y); }
static inline double contrail_cbrt(double x) { return __builtin_cbrt(x); }
static inline double contrail_exp(double x) { return __builtin_exp(x); }
static inline double contrail_log(double x) { return __builtin_log(x); }
static inline double contrail_pow(double x, double y) { return __builtin_pow(x, y); }

#endif
