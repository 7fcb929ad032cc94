#ifndef XTLITE_CSQLITE_SHIM_H
#define XTLITE_CSQLITE_SHIM_H

#include <sqlite3.h>

#include "functions.h"

#endif
