// Swift hides it, as a copy of a process lacks all of its threads but one. Whoever calls this has no other. The header
// itself brings types of the C library along, which would then count as this module's.
int fork(void);

static inline int storescope_fork(void) { return fork(); }
