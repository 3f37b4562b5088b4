// What Swift can't import from <sqlite3.h> by itself.
#include <sqlite3.h>

// A cast macro: https://www.sqlite.org/c3ref/c_static.html
static inline sqlite3_destructor_type storescope_sqlite_transient(void) { return SQLITE_TRANSIENT; }

// Variadic: https://www.sqlite.org/c3ref/db_config.html
static inline int storescope_db_config(sqlite3 *db, int op, int value, int *result) {
  return sqlite3_db_config(db, op, value, result);
}

// Variadic: https://www.sqlite.org/c3ref/vtab_config.html
static inline int storescope_vtab_is_harmless(sqlite3 *db) { return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS); }

// Reads the main database file through SQLite's own descriptor: a second one of this process, once closed, would take
// all the locks along that SQLite holds. https://www.sqlite.org/c3ref/c_fcntl_begin_atomic_write.html#sqlitefcntlfilepointer
static inline int storescope_read_main(sqlite3 *db, void *buffer, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_MISUSE;
  return file->pMethods->xRead(file, buffer, count, offset);
}

static inline int storescope_main_size(sqlite3 *db, sqlite3_int64 *size) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_MISUSE;
  return file->pMethods->xFileSize(file, size);
}

// Variadic: https://www.sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmalloc
static inline int storescope_config_memory(sqlite3_mem_methods *methods) {
  int code = sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
  return code == SQLITE_OK ? sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) : code;
}
