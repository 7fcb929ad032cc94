// Many values as one: a blob that Swift packs, and the two ways that SQL has to them.
//
//   x IN (SELECT value FROM xt_list(?))   all of them, in order
//   xt_item(?1, 3)                        the fourth
//
// SQLite bounds how many parameters a statement has, at 999 in older libraries; a blob is one. The
// values come out as what they are: integers of 64 bits, texts with a NUL in them, blobs, NULL.
//
// The blob, in the machine's own byte order: the mark, how many values there are, eight bytes for
// each, a byte for the type of each (as sqlite3_value_type numbers them), the bytes of texts and
// blobs. The eight bytes are an integer, a double, or the place and length of bytes in the blob.

#ifndef XTLITE_LISTS_H
#define XTLITE_LISTS_H

#include <stdint.h>
#include <string.h>

#define XT_LIST_MARK 0x4C545801u

typedef struct xt_values {
  const unsigned char *bytes;
  uint32_t size;
  uint32_t count;
} xt_values;

// Whether there are values in it: a blob may come from anywhere.
static inline int xt_values_open(sqlite3_value *value, xt_values *values) {
  uint32_t head[2];
  values->bytes = 0;
  values->size = values->count = 0;
  if (sqlite3_value_type(value) != SQLITE_BLOB) return 0;
  values->bytes = (const unsigned char *)sqlite3_value_blob(value);
  values->size = (uint32_t)sqlite3_value_bytes(value);
  if (!values->bytes || values->size < sizeof head) return 0;
  memcpy(head, values->bytes, sizeof head);
  if (head[0] != XT_LIST_MARK || head[1] > (values->size - sizeof head) / 9) return 0;
  values->count = head[1];
  return 1;
}

static inline void xt_values_give(
    const xt_values *values, uint32_t index, sqlite3_context *context) {
  const unsigned char *payload = values->bytes + 8 + (size_t)index * 8;
  int type = values->bytes[8 + (size_t)values->count * 8 + index];
  int64_t integer;
  double real;
  uint32_t place[2];
  switch (type) {
  case SQLITE_INTEGER:
    memcpy(&integer, payload, sizeof integer);
    sqlite3_result_int64(context, integer);
    return;
  case SQLITE_FLOAT:
    memcpy(&real, payload, sizeof real);
    sqlite3_result_double(context, real);
    return;
  case SQLITE_TEXT:
  case SQLITE_BLOB:
    memcpy(place, payload, sizeof place);
    if (place[0] > values->size || place[1] > values->size - place[0]) break;
    if (type == SQLITE_TEXT) {
      sqlite3_result_text(
          context, (const char *)values->bytes + place[0], (int)place[1], SQLITE_TRANSIENT);
    } else if (place[1] == 0) {
      sqlite3_result_zeroblob(context, 0);
    } else {
      sqlite3_result_blob(context, values->bytes + place[0], (int)place[1], SQLITE_TRANSIENT);
    }
    return;
  case SQLITE_NULL:
    sqlite3_result_null(context);
    return;
  }
  sqlite3_result_error(context, "the list of values is damaged", -1);
}

static inline void xt_item_call(sqlite3_context *context, int count, sqlite3_value **arguments) {
  xt_values values;
  sqlite3_int64 index;
  if (count != 2 || !xt_values_open(arguments[0], &values)) {
    sqlite3_result_error(context, "xt_item needs a list of values", -1);
    return;
  }
  index = sqlite3_value_int64(arguments[1]);
  if (index < 0 || index >= values.count) {
    sqlite3_result_error(context, "the list of values has no such item", -1);
    return;
  }
  xt_values_give(&values, (uint32_t)index, context);
}

typedef struct xt_list_cursor {
  sqlite3_vtab_cursor base;
  sqlite3_value *list;
  xt_values values;
  uint32_t index;
} xt_list_cursor;

static inline int xt_list_connect(
    sqlite3 *db, void *context, int count, const char *const *arguments, sqlite3_vtab **table,
    char **message) {
  int code = sqlite3_declare_vtab(db, "CREATE TABLE x(value, list HIDDEN)");
  (void)context, (void)count, (void)arguments, (void)message;
  if (code != SQLITE_OK) return code;
  *table = (sqlite3_vtab *)sqlite3_malloc(sizeof(sqlite3_vtab));
  if (!*table) return SQLITE_NOMEM;
  memset(*table, 0, sizeof(sqlite3_vtab));
  return SQLITE_OK;
}

static inline int xt_list_disconnect(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

// The list has to be given; without one there are no rows.
static inline int xt_list_plan(sqlite3_vtab *table, sqlite3_index_info *info) {
  int index;
  (void)table;
  info->estimatedCost = 1e12;
  for (index = 0; index < info->nConstraint; index++) {
    if (info->aConstraint[index].iColumn != 1 || !info->aConstraint[index].usable ||
        info->aConstraint[index].op != SQLITE_INDEX_CONSTRAINT_EQ) {
      continue;
    }
    info->aConstraintUsage[index].argvIndex = 1;
    info->aConstraintUsage[index].omit = 1;
    info->estimatedCost = 100;
    info->estimatedRows = 100;
    info->idxNum = 1;
    break;
  }
  return SQLITE_OK;
}

static inline int xt_list_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  xt_list_cursor *made = (xt_list_cursor *)sqlite3_malloc(sizeof(xt_list_cursor));
  (void)table;
  if (!made) return SQLITE_NOMEM;
  memset(made, 0, sizeof *made);
  *cursor = &made->base;
  return SQLITE_OK;
}

static inline int xt_list_close(sqlite3_vtab_cursor *base) {
  xt_list_cursor *cursor = (xt_list_cursor *)base;
  sqlite3_value_free(cursor->list);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static inline int xt_list_filter(
    sqlite3_vtab_cursor *base, int plan, const char *name, int count, sqlite3_value **arguments) {
  xt_list_cursor *cursor = (xt_list_cursor *)base;
  (void)name;
  sqlite3_value_free(cursor->list);
  cursor->list = 0;
  cursor->index = 0;
  cursor->values.count = 0;
  if (plan != 1 || count != 1) return SQLITE_OK;
  // What is given is there for this call alone.
  cursor->list = sqlite3_value_dup(arguments[0]);
  if (!cursor->list) return SQLITE_NOMEM;
  if (!xt_values_open(cursor->list, &cursor->values)) {
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("xt_list needs a list of values");
    return SQLITE_ERROR;
  }
  return SQLITE_OK;
}

static inline int xt_list_next(sqlite3_vtab_cursor *base) {
  ((xt_list_cursor *)base)->index++;
  return SQLITE_OK;
}

static inline int xt_list_is_at_end(sqlite3_vtab_cursor *base) {
  xt_list_cursor *cursor = (xt_list_cursor *)base;
  return cursor->index >= cursor->values.count;
}

static inline int xt_list_column(
    sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
  xt_list_cursor *cursor = (xt_list_cursor *)base;
  if (column == 0) xt_values_give(&cursor->values, cursor->index, context);
  return SQLITE_OK;
}

static inline int xt_list_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid) {
  *rowid = ((xt_list_cursor *)base)->index;
  return SQLITE_OK;
}

// Makes both known to a connection.
static inline int xt_register_lists(sqlite3 *db) {
  // Without xCreate it is there by its own name, and CREATE VIRTUAL TABLE can't use it: no file
  // ever depends on it.
  static const sqlite3_module module = {
      .iVersion = 0,
      .xConnect = xt_list_connect,
      .xBestIndex = xt_list_plan,
      .xDisconnect = xt_list_disconnect,
      .xOpen = xt_list_open,
      .xClose = xt_list_close,
      .xFilter = xt_list_filter,
      .xNext = xt_list_next,
      .xEof = xt_list_is_at_end,
      .xColumn = xt_list_column,
      .xRowid = xt_list_rowid,
  };
  int code = sqlite3_create_module(db, "xt_list", &module, 0);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function(
      db, "xt_item", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, 0, xt_item_call, 0, 0);
}

#endif
