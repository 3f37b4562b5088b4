// What <sys/xattr.h> declares. The header itself brings types of the C library along, which would then count as this
// module's: https://man7.org/linux/man-pages/man2/getxattr.2.html
#include <stddef.h>
ptrdiff_t listxattr(const char *path, char *list, size_t size);
ptrdiff_t getxattr(const char *path, const char *name, void *value, size_t size);
int setxattr(const char *path, const char *name, const void *value, size_t size, int flags);
ptrdiff_t flistxattr(int descriptor, char *list, size_t size);
ptrdiff_t fgetxattr(int descriptor, const char *name, void *value, size_t size);
int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags);
