#include "TestProcess.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void begin(void) {
  xtlite_tests_begin();
}

static int holds(
    const unsigned char *bytes, long length, const unsigned char *inverted, int count) {
  unsigned char first = (unsigned char)~inverted[0];
  const unsigned char *place = bytes;
  while (length - (place - bytes) >= count) {
    place = memchr(place, first, (size_t)(length - (place - bytes) - count + 1));
    if (!place) return 0;
    int index = 0;
    while (index < count && place[index] == (unsigned char)~inverted[index]) index++;
    if (index == count) return 1;
    place++;
  }
  return 0;
}

int xtlite_tests_memory_holds(const unsigned char *inverted, int count) {
  FILE *maps = fopen("/proc/self/maps", "r");
  int memory = open("/proc/self/mem", O_RDONLY);
  // Not in the memory that is given out and taken back: the part with it is left out.
  static unsigned char buffer[1 << 16];
  const long size = sizeof buffer;
  int result = maps && memory >= 0 ? 0 : -1;
  char line[4096];
  while (result == 0 && fgets(line, sizeof line, maps)) {
    unsigned long start, end;
    char access[5];
    if (sscanf(line, "%lx-%lx %4s", &start, &end, access) != 3) continue;
    // What can't be written is no place for a key.
    if (access[0] != 'r' || access[1] != 'w') continue;
    unsigned long place = start;
    while (result == 0 && place < end) {
      long wanted = end - place < (unsigned long)size ? (long)(end - place) : size;
      long got = pread(memory, buffer, (size_t)wanted, (off_t)place);
      if (got < count) break;
      // The buffer itself is in the memory, too.
      int isOwn = place < (unsigned long)(buffer + size) && place + got > (unsigned long)buffer;
      if (!isOwn) result = holds(buffer, got, inverted, count);
      memset(buffer, 0, (size_t)got);
      place += got > count && got == size ? (unsigned long)(got - count + 1) : (unsigned long)got;
    }
  }
  if (memory >= 0) close(memory);
  if (maps) fclose(maps);
  return result;
}
