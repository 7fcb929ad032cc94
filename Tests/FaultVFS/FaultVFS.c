#include "FaultVFS.h"

#include <stdlib.h>
#include <string.h>

#ifdef XTLITE_SQLCIPHER
#include <sqlcipher/sqlite3.h>
#else
#include <sqlite3.h>
#endif

struct xt_fault_vfs {
  sqlite3_vfs base;
  sqlite3_vfs *real;
  char *name;
  // What fails; read and written by atomic operations only, as all below.
  int kind;
  int persistent;
  int code;
  long nth;
  long counts[XT_FAULT_KINDS];
  long hits;
  long open_files;
};

// The real file lies behind this one, in memory that SQLite gives.
typedef struct {
  sqlite3_file base;
  xt_fault_vfs *vfs;
  int has_shm;
} fault_file;

static sqlite3_file *real_file(sqlite3_file *file) {
  return (sqlite3_file *)((fault_file *)file + 1);
}

static xt_fault_vfs *vfs_of(sqlite3_file *file) { return ((fault_file *)file)->vfs; }

// Counts an operation. Gives the code that it fails with, or SQLITE_OK.
static int fault(xt_fault_vfs *vfs, int kind) {
  long number = __atomic_add_fetch(&vfs->counts[kind], 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&vfs->kind, __ATOMIC_SEQ_CST) != kind) return SQLITE_OK;
  long nth = __atomic_load_n(&vfs->nth, __ATOMIC_SEQ_CST);
  int persistent = __atomic_load_n(&vfs->persistent, __ATOMIC_SEQ_CST);
  if (persistent ? number < nth : number != nth) return SQLITE_OK;
  __atomic_add_fetch(&vfs->hits, 1, __ATOMIC_SEQ_CST);
  return __atomic_load_n(&vfs->code, __ATOMIC_SEQ_CST);
}

#define FAIL_OR(vfs, kind, call)     \
  do {                               \
    int code = fault(vfs, kind);     \
    return code != SQLITE_OK ? code : (call); \
  } while (0)

// MARK: Files

static int file_close(sqlite3_file *file) {
  int code = real_file(file)->pMethods->xClose(real_file(file));
  __atomic_sub_fetch(&vfs_of(file)->open_files, 1, __ATOMIC_SEQ_CST);
  return code;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *real = real_file(file);
  int code = fault(vfs_of(file), XT_FAULT_READ);
  if (code == SQLITE_OK) return real->pMethods->xRead(real, bytes, count, offset);
  if (code == SQLITE_IOERR_SHORT_READ) memset(bytes, 0, (size_t)count);
  return code;
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *real = real_file(file);
  int code = fault(vfs_of(file), XT_FAULT_WRITE);
  if (code == SQLITE_OK) return real->pMethods->xWrite(real, bytes, count, offset);
  if (count > 1) real->pMethods->xWrite(real, bytes, count / 2, offset);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  sqlite3_file *real = real_file(file);
  FAIL_OR(vfs_of(file), XT_FAULT_TRUNCATE, real->pMethods->xTruncate(real, size));
}

// Only counted: no power fails here, and the disk would take most of the time.
static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  FAIL_OR(vfs_of(file), XT_FAULT_SYNC, SQLITE_OK);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  sqlite3_file *real = real_file(file);
  FAIL_OR(vfs_of(file), XT_FAULT_SIZE, real->pMethods->xFileSize(real, size));
}

static int file_lock(sqlite3_file *file, int level) {
  sqlite3_file *real = real_file(file);
  FAIL_OR(vfs_of(file), XT_FAULT_LOCK, real->pMethods->xLock(real, level));
}

static int file_unlock(sqlite3_file *file, int level) {
  return real_file(file)->pMethods->xUnlock(real_file(file), level);
}

static int file_check_lock(sqlite3_file *file, int *is_reserved) {
  sqlite3_file *real = real_file(file);
  FAIL_OR(
      vfs_of(file), XT_FAULT_CHECK_LOCK, real->pMethods->xCheckReservedLock(real, is_reserved));
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real_file(file)->pMethods->xFileControl(real_file(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return real_file(file)->pMethods->xSectorSize(real_file(file));
}

static int file_characteristics(sqlite3_file *file) {
  return real_file(file)->pMethods->xDeviceCharacteristics(real_file(file));
}

static int file_shm_map(
    sqlite3_file *file, int region, int size, int extend, void volatile **memory) {
  sqlite3_file *real = real_file(file);
  int code = fault(vfs_of(file), XT_FAULT_SHM_MAP);
  if (code == SQLITE_OK) {
    code = real->pMethods->xShmMap(real, region, size, extend, memory);
    if (code == SQLITE_OK) ((fault_file *)file)->has_shm = 1;
    return code;
  }
  *memory = NULL;
  return code;
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  sqlite3_file *real = real_file(file);
  // SQLite 3.15 asks for a lock in memory that it has failed to map, and its own VFS then follows a
  // null pointer; a later one's says this.
  if (!((fault_file *)file)->has_shm) return SQLITE_IOERR_SHMLOCK;
  if (flags & SQLITE_SHM_UNLOCK) return real->pMethods->xShmLock(real, offset, count, flags);
  FAIL_OR(
      vfs_of(file), XT_FAULT_SHM_LOCK, real->pMethods->xShmLock(real, offset, count, flags));
}

static void file_shm_barrier(sqlite3_file *file) {
  real_file(file)->pMethods->xShmBarrier(real_file(file));
}

static int file_shm_unmap(sqlite3_file *file, int deletes) {
  ((fault_file *)file)->has_shm = 0;
  return real_file(file)->pMethods->xShmUnmap(real_file(file), deletes);
}

// What files with shared memory and without have alike.
#define METHODS_OF_ALL \
  file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, \
      file_check_lock, file_control, file_sector_size, file_characteristics

// Version 2: without memory mapping, so that every read comes by.
static const sqlite3_io_methods methods_with_shm = {
  2, METHODS_OF_ALL, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, NULL, NULL,
};

static const sqlite3_io_methods methods_without_shm = {
  1, METHODS_OF_ALL, NULL, NULL, NULL, NULL, NULL, NULL,
};

// MARK: The VFS

static xt_fault_vfs *state_of(sqlite3_vfs *vfs) { return (xt_fault_vfs *)vfs->pAppData; }

static int vfs_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  xt_fault_vfs *state = state_of(vfs);
  file->pMethods = NULL;
  ((fault_file *)file)->vfs = state;
  ((fault_file *)file)->has_shm = 0;
  int code = fault(state, XT_FAULT_OPEN);
  if (code != SQLITE_OK) return code;
  sqlite3_file *real = real_file(file);
  memset(real, 0, (size_t)state->real->szOsFile);
  code = state->real->xOpen(state->real, name, real, flags, out_flags);
  if (real->pMethods != NULL) {
    // SQLite closes whatever has methods, also after an error.
    file->pMethods = real->pMethods->iVersion >= 2 && real->pMethods->xShmMap != NULL
      ? &methods_with_shm
      : &methods_without_shm;
    __atomic_add_fetch(&state->open_files, 1, __ATOMIC_SEQ_CST);
  }
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs_folder) {
  sqlite3_vfs *real = state_of(vfs)->real;
  (void)syncs_folder;
  FAIL_OR(state_of(vfs), XT_FAULT_DELETE, real->xDelete(real, name, 0));
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  sqlite3_vfs *real = state_of(vfs)->real;
  FAIL_OR(state_of(vfs), XT_FAULT_ACCESS, real->xAccess(real, name, flags, result));
}

static int vfs_full_path(sqlite3_vfs *vfs, const char *name, int count, char *path) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xFullPathname(real, name, count, path);
}

static void *vfs_dl_open(sqlite3_vfs *vfs, const char *name) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xDlOpen(real, name);
}

static void vfs_dl_error(sqlite3_vfs *vfs, int count, char *message) {
  sqlite3_vfs *real = state_of(vfs)->real;
  real->xDlError(real, count, message);
}

static void (*vfs_dl_sym(sqlite3_vfs *vfs, void *library, const char *name))(void) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xDlSym(real, library, name);
}

static void vfs_dl_close(sqlite3_vfs *vfs, void *library) {
  sqlite3_vfs *real = state_of(vfs)->real;
  real->xDlClose(real, library);
}

static int vfs_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xRandomness(real, count, bytes);
}

// SQLite waits up to ten seconds in all for a lock in the shared memory that stays busy.
static int vfs_sleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs;
  return microseconds;
}

static int vfs_time(sqlite3_vfs *vfs, double *days) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xCurrentTime(real, days);
}

static int vfs_last_error(sqlite3_vfs *vfs, int count, char *message) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xGetLastError(real, count, message);
}

static int vfs_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  sqlite3_vfs *real = state_of(vfs)->real;
  return real->xCurrentTimeInt64(real, milliseconds);
}

xt_fault_vfs *xt_fault_make(const char *name) {
  if (sqlite3_initialize() != SQLITE_OK) return NULL;
  sqlite3_vfs *real = sqlite3_vfs_find(NULL);
  xt_fault_vfs *vfs = calloc(1, sizeof(*vfs));
  char *copy = strdup(name);
  if (real == NULL || vfs == NULL || copy == NULL) {
    free(vfs);
    free(copy);
    return NULL;
  }
  vfs->real = real;
  vfs->name = copy;
  vfs->kind = -1;
  vfs->base.iVersion = 2;
  vfs->base.szOsFile = (int)sizeof(fault_file) + real->szOsFile;
  vfs->base.mxPathname = real->mxPathname;
  vfs->base.zName = copy;
  vfs->base.pAppData = vfs;
  vfs->base.xOpen = vfs_open;
  vfs->base.xDelete = vfs_delete;
  vfs->base.xAccess = vfs_access;
  vfs->base.xFullPathname = vfs_full_path;
  vfs->base.xDlOpen = vfs_dl_open;
  vfs->base.xDlError = vfs_dl_error;
  vfs->base.xDlSym = vfs_dl_sym;
  vfs->base.xDlClose = vfs_dl_close;
  vfs->base.xRandomness = vfs_randomness;
  vfs->base.xSleep = vfs_sleep;
  vfs->base.xCurrentTime = vfs_time;
  vfs->base.xGetLastError = vfs_last_error;
  vfs->base.xCurrentTimeInt64 = vfs_time_int64;
  if (sqlite3_vfs_register(&vfs->base, 0) != SQLITE_OK) {
    free(vfs);
    free(copy);
    return NULL;
  }
  return vfs;
}

void xt_fault_free(xt_fault_vfs *vfs) {
  sqlite3_vfs_unregister(&vfs->base);
  free(vfs->name);
  free(vfs);
}

// MARK: Faults

void xt_fault_arm(xt_fault_vfs *vfs, int kind, long nth, int persistent, int code) {
  xt_fault_disarm(vfs);
  for (int index = 0; index < XT_FAULT_KINDS; index++) {
    __atomic_store_n(&vfs->counts[index], 0, __ATOMIC_SEQ_CST);
  }
  __atomic_store_n(&vfs->hits, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&vfs->nth, nth, __ATOMIC_SEQ_CST);
  __atomic_store_n(&vfs->persistent, persistent, __ATOMIC_SEQ_CST);
  __atomic_store_n(&vfs->code, code, __ATOMIC_SEQ_CST);
  __atomic_store_n(&vfs->kind, kind, __ATOMIC_SEQ_CST);
}

void xt_fault_disarm(xt_fault_vfs *vfs) { __atomic_store_n(&vfs->kind, -1, __ATOMIC_SEQ_CST); }

long xt_fault_count(xt_fault_vfs *vfs, int kind) {
  if (kind < 0 || kind >= XT_FAULT_KINDS) return 0;
  return __atomic_load_n(&vfs->counts[kind], __ATOMIC_SEQ_CST);
}

long xt_fault_hits(xt_fault_vfs *vfs) { return __atomic_load_n(&vfs->hits, __ATOMIC_SEQ_CST); }

long xt_fault_open_files(xt_fault_vfs *vfs) {
  return __atomic_load_n(&vfs->open_files, __ATOMIC_SEQ_CST);
}
