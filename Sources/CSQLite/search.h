// What full-text search needs of C: the way to FTS5's interface, the function that tells where a row
// matches, and the types of FTS3's tokenizers, which no installed header has.

#ifndef XTLITE_SEARCH_H
#define XTLITE_SEARCH_H

#include <stdint.h>

// FTS5's functions; null where the library has none.
static inline fts5_api *xt_fts5(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3020000
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, 0) == SQLITE_OK) {
    sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
  }
  sqlite3_finalize(statement);
  return api;
#else
  (void)db;
  return 0;
#endif
}

// xt_marks(table): where the row matches, as a blob of four 32-bit integers for each place: the
// phrase's number, the column's, the first token's, and how many tokens there are.
static inline void xt_marks_call(
    const Fts5ExtensionApi *api, Fts5Context *row, sqlite3_context *context, int count,
    sqlite3_value **arguments) {
  int places = 0;
  int place;
  int32_t *marks;
  int code = api->xInstCount(row, &places);
  (void)count, (void)arguments;
  if (code != SQLITE_OK) {
    sqlite3_result_error_code(context, code);
    return;
  }
  if (places > 100000) places = 100000;
  marks = (int32_t *)sqlite3_malloc(places ? places * 4 * (int)sizeof(int32_t) : 1);
  if (!marks) {
    sqlite3_result_error_nomem(context);
    return;
  }
  for (place = 0; place < places; place++) {
    int phrase = 0, column = 0, token = 0;
    code = api->xInst(row, place, &phrase, &column, &token);
    if (code != SQLITE_OK) {
      sqlite3_free(marks);
      sqlite3_result_error_code(context, code);
      return;
    }
    marks[place * 4] = phrase;
    marks[place * 4 + 1] = column;
    marks[place * 4 + 2] = token;
    marks[place * 4 + 3] = api->xPhraseSize(row, phrase);
  }
  sqlite3_result_blob(context, marks, places * 4 * (int)sizeof(int32_t), sqlite3_free);
}

// Makes the function known to a connection.
static inline int xt_register_marks(fts5_api *api) {
  return api->xCreateFunction(api, "xt_marks", 0, xt_marks_call, 0);
}

// FTS3 and FTS4's tokenizers, as SQLite's documentation has them.
typedef struct xt_fts3_tokenizer xt_fts3_tokenizer;
typedef struct xt_fts3_cursor xt_fts3_cursor;

typedef struct xt_fts3_module {
  int iVersion;
  int (*xCreate)(int count, const char *const *arguments, xt_fts3_tokenizer **tokenizer);
  int (*xDestroy)(xt_fts3_tokenizer *tokenizer);
  int (*xOpen)(
      xt_fts3_tokenizer *tokenizer, const char *text, int count, xt_fts3_cursor **cursor);
  int (*xClose)(xt_fts3_cursor *cursor);
  int (*xNext)(
      xt_fts3_cursor *cursor, const char **token, int *count, int *start, int *end, int *position);
  int (*xLanguageid)(xt_fts3_cursor *cursor, int language);
  // Ours, behind what SQLite knows: whose tokenizer it is.
  void *owner;
} xt_fts3_module;

struct xt_fts3_tokenizer {
  // Set by SQLite once xCreate has returned.
  const xt_fts3_module *pModule;
};

struct xt_fts3_cursor {
  // Set by SQLite once xOpen has returned.
  xt_fts3_tokenizer *pTokenizer;
  // Ours.
  void *tokens;
};

enum { XT_DBCONFIG_ENABLE_FTS3_TOKENIZER = 1004 };

// SQLite takes the module's address as a blob, from who may say so.
static inline int xt_register_fts3(sqlite3 *db, const char *name, const xt_fts3_module *module) {
  sqlite3_stmt *statement = 0;
  int code;
  int before = 0;
  sqlite3_db_config(db, XT_DBCONFIG_ENABLE_FTS3_TOKENIZER, -1, &before);
  sqlite3_db_config(db, XT_DBCONFIG_ENABLE_FTS3_TOKENIZER, 1, (int *)0);
  code = sqlite3_prepare_v2(db, "SELECT fts3_tokenizer(?1, ?2)", -1, &statement, 0);
  if (code == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_blob(statement, 2, &module, (int)sizeof module, SQLITE_TRANSIENT);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
  }
  sqlite3_db_config(db, XT_DBCONFIG_ENABLE_FTS3_TOKENIZER, before, (int *)0);
  return code;
}

#endif
