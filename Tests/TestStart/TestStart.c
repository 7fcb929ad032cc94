#include "TestStart.h"

__attribute__((constructor)) static void begin(void) {
  xtlite_tests_begin();
}
