#ifndef XTLITE_TEST_START_H
#define XTLITE_TEST_START_H

// Defined by TortureWork: what the processes of the tests do before they begin.
void xtlite_tests_begin(void);

#endif
