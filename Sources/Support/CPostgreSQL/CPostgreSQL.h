// Debian keeps the headers in a folder of their own; others, and the paths that pg_config tells, don't.
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif
