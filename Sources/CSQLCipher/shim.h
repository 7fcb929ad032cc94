#ifndef XTLITE_CSQLCIPHER_SHIM_H
#define XTLITE_CSQLCIPHER_SHIM_H

// Without it the header hides sqlite3_key and its kin.
#define SQLITE_HAS_CODEC 1
#include <sqlcipher/sqlite3.h>

#include "../CSQLite/functions.h"

#endif
