// What Swift can't import from <sqlite3.h> by itself.
#include <sqlite3.h>

// A cast macro: https://www.sqlite.org/c3ref/c_static.html
static inline sqlite3_destructor_type storescope_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Variadic: https://www.sqlite.org/c3ref/db_config.html
static inline int storescope_db_config(sqlite3 *db, int op, int value, int *result) {
  return sqlite3_db_config(db, op, value, result);
}
