// A VFS for SQLite that fails where a test says so.
//
// It lies between SQLite and the system's own VFS, counts what SQLite asks for, and lets one
// operation fail, or all from one on. Each has a name and a state of its own, so that tests run side
// by side. It says nothing of SQLite's header, which the engine's module brings.

#ifndef XTLITE_FAULT_VFS_H
#define XTLITE_FAULT_VFS_H

// The kinds of operation that are counted and can fail. Giving a lock back never fails.
enum {
  XT_FAULT_OPEN,
  XT_FAULT_READ,
  XT_FAULT_WRITE,
  XT_FAULT_TRUNCATE,
  XT_FAULT_SYNC,
  XT_FAULT_SIZE,
  XT_FAULT_LOCK,
  XT_FAULT_CHECK_LOCK,
  XT_FAULT_DELETE,
  XT_FAULT_ACCESS,
  XT_FAULT_SHM_MAP,
  XT_FAULT_SHM_LOCK,
  XT_FAULT_KINDS
};

typedef struct xt_fault_vfs xt_fault_vfs;

// Registers a VFS; null where memory ran out. The name is copied.
xt_fault_vfs *xt_fault_make(const char *name);

// Unregisters it. No file may be open in it.
void xt_fault_free(xt_fault_vfs *vfs);

// Sets all counts to 0 and lets the `nth` operation of the kind fail with `code`, an extended one of
// SQLite's; where `persistent` is not 0, all later ones too.
//
// A write that fails has written the first half of its bytes. A read that fails with
// SQLITE_IOERR_SHORT_READ gives zeros, as at the end of a file.
void xt_fault_arm(xt_fault_vfs *vfs, int kind, long nth, int persistent, int code);

// Nothing fails any more; the counts go on.
void xt_fault_disarm(xt_fault_vfs *vfs);

// How many operations of the kind there were since `xt_fault_arm`, failed ones with them.
long xt_fault_count(xt_fault_vfs *vfs, int kind);

// How many operations failed since `xt_fault_arm`.
long xt_fault_hits(xt_fault_vfs *vfs);

// How many files are open in it.
long xt_fault_open_files(xt_fault_vfs *vfs);

#endif
