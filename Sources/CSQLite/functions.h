// What Swift cannot reach in SQLite's header by itself: variadic functions, casts hidden in macros,
// and functions that an older header lacks. Included after sqlite3.h by the shims of both engines.

#ifndef XTLITE_FUNCTIONS_H
#define XTLITE_FUNCTIONS_H

#include "lists.h"
#include "full_text.h"

// sqlite3_db_config is variadic. Options are looked up at run time: a library that does not know
// one answers SQLITE_ERROR, so the numbers are written out for headers that lack the names.
enum {
  XT_DBCONFIG_ENABLE_FKEY = 1002,
  XT_DBCONFIG_ENABLE_TRIGGER = 1003,
  XT_DBCONFIG_ENABLE_LOAD_EXTENSION = 1005,
  XT_DBCONFIG_NO_CKPT_ON_CLOSE = 1006,
  XT_DBCONFIG_RESET_DATABASE = 1009,
  XT_DBCONFIG_DEFENSIVE = 1010,
  XT_DBCONFIG_WRITABLE_SCHEMA = 1011,
  XT_DBCONFIG_DQS_DML = 1013,
  XT_DBCONFIG_DQS_DDL = 1014,
  XT_DBCONFIG_TRUSTED_SCHEMA = 1017
};

static inline int xt_db_config_set(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

static inline int xt_db_config_get(sqlite3 *db, int option, int *value) {
  return sqlite3_db_config(db, option, -1, value);
}

// sqlite3_config is variadic, too. Refused once the library is in use.
static inline int xt_config_log(void (*log)(void *, int, const char *), void *context) {
  return sqlite3_config(SQLITE_CONFIG_LOG, log, context);
}

// SQLITE_STATIC and SQLITE_TRANSIENT are casts of integers to function pointers.
static inline int xt_bind_text(
    sqlite3_stmt *statement, int index, const void *text, int count, int copying) {
  return sqlite3_bind_text(
      statement, index, (const char *)text, count, copying ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

static inline int xt_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, int count, int copying) {
  return sqlite3_bind_blob(
      statement, index, bytes, count, copying ? SQLITE_TRANSIENT : SQLITE_STATIC);
}

static inline void xt_result_text(sqlite3_context *context, const void *text, int count) {
  sqlite3_result_text(context, (const char *)text, count, SQLITE_TRANSIENT);
}

static inline void xt_result_blob(sqlite3_context *context, const void *bytes, int count) {
  sqlite3_result_blob(context, bytes, count, SQLITE_TRANSIENT);
}

// An aggregate that may stand over a window where `value` and `inverse` are given and the library has
// windows (3.25 and later); else one of groups alone.
static inline int xt_create_aggregate(
    sqlite3 *db, const char *name, int count, int flags, void *context,
    void (*step)(sqlite3_context *, int, sqlite3_value **), void (*final)(sqlite3_context *),
    void (*value)(sqlite3_context *),
    void (*inverse)(sqlite3_context *, int, sqlite3_value **), void (*destroy)(void *)) {
#if SQLITE_VERSION_NUMBER >= 3025000
  if (value && sqlite3_libversion_number() >= 3025000) {
    return sqlite3_create_window_function(
        db, name, count, flags, context, step, final, value, inverse, destroy);
  }
#else
  (void)value;
  (void)inverse;
#endif
  return sqlite3_create_function_v2(db, name, count, flags, context, 0, step, final, destroy);
}

// A statement that is kept should not sit in the lookaside memory (3.20 and later).
static inline int xt_prepare(
    sqlite3 *db, const char *sql, int count, int kept, sqlite3_stmt **statement,
    const char **tail) {
#if SQLITE_VERSION_NUMBER >= 3020000
  return sqlite3_prepare_v3(
      db, sql, count, kept ? SQLITE_PREPARE_PERSISTENT : 0, statement, tail);
#else
  (void)kept;
  return sqlite3_prepare_v2(db, sql, count, statement, tail);
#endif
}

// The file's bytes as they are on the disk, read by SQLite's own descriptor.
static inline sqlite3_file *xt_main_file(sqlite3 *db) {
  sqlite3_file *file = 0;
  if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  return file && file->pMethods ? file : 0;
}

static inline int xt_read_file(sqlite3 *db, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *file = xt_main_file(db);
  return file ? file->pMethods->xRead(file, bytes, count, offset) : SQLITE_ERROR;
}

static inline int xt_file_size(sqlite3 *db, sqlite3_int64 *size) {
  sqlite3_file *file = xt_main_file(db);
  return file ? file->pMethods->xFileSize(file, size) : SQLITE_ERROR;
}

// Erases memory that nothing reads any more, which a compiler would leave out.
static inline void xt_erase(void *memory, unsigned long count) {
  volatile unsigned char *byte = (volatile unsigned char *)memory;
  while (count--) *byte++ = 0;
}

// A flag that one thread sets and another reads, without a lock.
static inline int xt_atomic_load(const int *flag) {
  return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static inline void xt_atomic_store(int *flag, int value) {
  __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

static inline unsigned long xt_atomic_load_word(const unsigned long *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void xt_atomic_store_word(unsigned long *word, unsigned long value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

// Adds one to a word that any thread adds to.
static inline void xt_atomic_advance(unsigned long *word) {
  __atomic_fetch_add(word, 1, __ATOMIC_RELEASE);
}

// Adds one to a word that this thread alone writes and others read. Returns the new value.
static inline unsigned long xt_count(unsigned long *word) {
  unsigned long next = *word + 1;
  __atomic_store_n(word, next, __ATOMIC_RELAXED);
  return next;
}

// Tells the processor that this thread only waits for another one's store.
static inline void xt_spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

// Takes a lock of one word. Returns whether it was free.
static inline int xt_atomic_take(int *word) {
  return __atomic_exchange_n(word, 1, __ATOMIC_ACQUIRE) == 0;
}

#if !defined(__APPLE__)
// The Swift runtime's: whether an object's deinit has begun or is over. Its memory must be there.
extern _Bool swift_isDeallocating(void *object);

static inline int xt_is_dead(void *object) {
  return swift_isDeallocating(object);
}
#endif

#endif
