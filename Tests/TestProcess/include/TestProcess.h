#ifndef XTLITE_TEST_PROCESS_H
#define XTLITE_TEST_PROCESS_H

// Defined by TortureWork: what the processes of the tests do before they begin.
void xtlite_tests_begin(void);

// Whether the process's memory holds `count` bytes, which are given with each bit turned: else they
// would be found where they were given. -1 where that can't be found out.
int xtlite_tests_memory_holds(const unsigned char *inverted, int count);

#endif
