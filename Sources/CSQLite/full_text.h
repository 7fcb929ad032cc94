// What full-text search needs of C: the way to FTS5's interface, the function that tells where a row
// matches, and the types of FTS3's tokenizers, which no installed header has.

#ifndef XTLITE_FULL_TEXT_H
#define XTLITE_FULL_TEXT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

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

// How often and where a row matches is asked of one phrase after the other. FTS5's own bm25() and
// xInst sort the places of all phrases first, in a time that grows with the places times the phrases:
// that of a text of many hundred words would be seconds.

// Seven bits a byte, the last of a number without the eighth.
static inline int xt_put(unsigned char *to, int number) {
  unsigned value = (unsigned)number;
  int count = 0;
  while (value >= 0x80) {
    to[count++] = (unsigned char)(value | 0x80);
    value >>= 7;
  }
  to[count++] = (unsigned char)value;
  return count;
}

// xt_marks(table): where the row matches, as a blob of four numbers for each place: the phrase's, the
// column's, the first token's, and how many tokens there are. Of most rows nobody looks at it.
static inline void xt_marks_call(
    const Fts5ExtensionApi *api, Fts5Context *row, sqlite3_context *context, int count,
    sqlite3_value **arguments) {
  enum { largest = 2000000, small = 256, place_size = 20 };
  unsigned char buffer[small];
  unsigned char *marks = buffer;
  int room = small;
  int size = 0;
  int phrases = api->xPhraseCount(row);
  int phrase;
  (void)count, (void)arguments;
  for (phrase = 0; phrase < phrases && size < largest; phrase++) {
    Fts5PhraseIter place;
    int column = -1, token = -1;
    int tokens = api->xPhraseSize(row, phrase);
    int code = api->xPhraseFirst(row, phrase, &place, &column, &token);
    while (code == SQLITE_OK && column >= 0 && size < largest) {
      if (room - size < place_size) {
        unsigned char *larger = (unsigned char *)sqlite3_malloc(room * 2);
        if (!larger) {
          code = SQLITE_NOMEM;
          break;
        }
        memcpy(larger, marks, (size_t)size);
        if (marks != buffer) sqlite3_free(marks);
        marks = larger;
        room *= 2;
      }
      size += xt_put(marks + size, phrase);
      size += xt_put(marks + size, column);
      size += xt_put(marks + size, token);
      size += xt_put(marks + size, tokens);
      api->xPhraseNext(row, &place, &column, &token);
    }
    if (code != SQLITE_OK) {
      if (marks != buffer) sqlite3_free(marks);
      sqlite3_result_error_code(context, code);
      return;
    }
  }
  // SQLite copies the few that stand in the buffer, and takes over what was allocated.
  sqlite3_result_blob(
      context, marks, size, marks == buffer ? SQLITE_TRANSIENT : sqlite3_free);
}

// What is the same for all rows of a question.
typedef struct xt_rank_query {
  double average;
  double rarities[1];
} xt_rank_query;

static inline int xt_rank_count(
    const Fts5ExtensionApi *api, Fts5Context *row, void *count) {
  (void)api, (void)row;
  ++*(sqlite3_int64 *)count;
  return SQLITE_OK;
}

static inline int xt_rank_begin(
    const Fts5ExtensionApi *api, Fts5Context *row, xt_rank_query **result) {
  int phrases = api->xPhraseCount(row);
  int phrase;
  sqlite3_int64 rows = 0, tokens = 0;
  xt_rank_query *query = (xt_rank_query *)sqlite3_malloc(
      (int)sizeof *query + (phrases > 1 ? phrases - 1 : 0) * (int)sizeof(double));
  int code = query ? api->xRowCount(row, &rows) : SQLITE_NOMEM;
  if (code == SQLITE_OK) code = api->xColumnTotalSize(row, -1, &tokens);
  if (code == SQLITE_OK) {
    query->average = rows > 0 && tokens > 0 ? (double)tokens / (double)rows : 1;
  }
  for (phrase = 0; code == SQLITE_OK && phrase < phrases; phrase++) {
    sqlite3_int64 found = 0;
    code = api->xQueryPhrase(row, phrase, &found, xt_rank_count);
    if (code == SQLITE_OK) {
      double rarity = log(((double)rows - (double)found + 0.5) / ((double)found + 0.5));
      // A word that most rows have counts next to nothing, and not against a row.
      query->rarities[phrase] = rarity > 0 ? rarity : 1e-6;
    }
  }
  // It is FTS5's from here on, also where it fails.
  if (code == SQLITE_OK) {
    code = api->xSetAuxdata(row, query, sqlite3_free);
    *result = query;
  } else {
    sqlite3_free(query);
  }
  return code;
}

// xt_rank(table, weights...): how well a row fits, the smaller the better, by the formula and with the
// constants that bm25() has.
static inline void xt_rank_call(
    const Fts5ExtensionApi *api, Fts5Context *row, sqlite3_context *context, int count,
    sqlite3_value **arguments) {
  xt_rank_query *query = (xt_rank_query *)api->xGetAuxdata(row, 0);
  int code = query ? SQLITE_OK : xt_rank_begin(api, row, &query);
  int phrases = api->xPhraseCount(row);
  int phrase, tokens = 0;
  double score = 0;
  if (code == SQLITE_OK) code = api->xColumnSize(row, -1, &tokens);
  for (phrase = 0; code == SQLITE_OK && phrase < phrases; phrase++) {
    Fts5PhraseIter place;
    int column = -1, token = -1;
    double often = 0;
    code = api->xPhraseFirst(row, phrase, &place, &column, &token);
    while (code == SQLITE_OK && column >= 0) {
      often += column < count ? sqlite3_value_double(arguments[column]) : 1.0;
      api->xPhraseNext(row, &place, &column, &token);
    }
    score += query->rarities[phrase]
        * ((often * (1.2 + 1.0))
           / (often + 1.2 * (1 - 0.75 + 0.75 * (double)tokens / query->average)));
  }
  if (code == SQLITE_OK) {
    sqlite3_result_double(context, -1.0 * score);
  } else {
    sqlite3_result_error_code(context, code);
  }
}

// Makes the functions known to a connection.
static inline int xt_register_search(fts5_api *api) {
  int code = api->xCreateFunction(api, "xt_marks", 0, xt_marks_call, 0);
  if (code == SQLITE_OK) code = api->xCreateFunction(api, "xt_rank", 0, xt_rank_call, 0);
  return code;
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
