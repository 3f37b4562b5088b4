// Swift doesn't import functions with a varying number of parameters. The header itself brings types of the C library
// along, which would then count as this module's: https://man7.org/linux/man-pages/man2/PR_SET_DUMPABLE.2const.html
int prctl(int option, ...);

static inline int storescope_prevent_dumps(void) {
  enum { setDumpable = 4 };
  return prctl(setDumpable, 0UL, 0UL, 0UL, 0UL);
}

// https://man7.org/linux/man-pages/man2/PR_SET_PDEATHSIG.2const.html
static inline int storescope_die_with_parent(void) {
  enum { setSignalOfParentsDeath = 1, kill = 9 };
  return prctl(setSignalOfParentsDeath, (unsigned long)kill, 0UL, 0UL, 0UL);
}

// https://man7.org/linux/man-pages/man2/sync_file_range.2.html
int sync_file_range(int descriptor, __INT64_TYPE__ offset, __INT64_TYPE__ count, unsigned int flags);

static inline void storescope_begin_sync(int descriptor, long long offset, long long count) {
  enum { write = 2 };
  sync_file_range(descriptor, offset, count, write);
}
