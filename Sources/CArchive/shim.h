// What is used of libarchive, as its manual declares it: macOS has the library, but not its headers.
// https://github.com/libarchive/libarchive/wiki/ManualPages
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct archive;
struct archive_entry;

#define STORESCOPE_ARCHIVE_EOF 1
#define STORESCOPE_ARCHIVE_RETRY (-10)
#define STORESCOPE_ARCHIVE_WARN (-20)
#define STORESCOPE_ARCHIVE_FATAL (-30)

struct archive *archive_read_new(void);
int archive_read_support_filter_bzip2(struct archive *);
int archive_read_support_filter_gzip(struct archive *);
int archive_read_support_filter_xz(struct archive *);
int archive_read_support_filter_zstd(struct archive *);
int archive_read_support_format_raw(struct archive *);
int archive_read_support_format_tar(struct archive *);
int archive_read_support_format_zip_streamable(struct archive *);
int archive_read_open_fd(struct archive *, int descriptor, size_t block_size);
int archive_read_next_header(struct archive *, struct archive_entry **);
ssize_t archive_read_data(struct archive *, void *, size_t);
int archive_read_data_block(struct archive *, const void **buffer, size_t *size, int64_t *offset);
int archive_read_free(struct archive *);
int64_t archive_filter_bytes(struct archive *, int);
int archive_filter_count(struct archive *);
int archive_filter_code(struct archive *, int);
int archive_format(struct archive *);
const char *archive_error_string(struct archive *);

// Without this library, libarchive starts a program for it, whichever PATH finds. Debian's has it, macOS's hasn't.
#ifdef __APPLE__
const char *archive_libzstd_version(void);
static inline int storescope_archive_has_zstd(void) { return archive_libzstd_version() != 0; }
#else
static inline int storescope_archive_has_zstd(void) { return 1; }
#endif

const char *archive_entry_pathname_utf8(struct archive_entry *);
const char *archive_entry_pathname(struct archive_entry *);
const char *archive_entry_hardlink_utf8(struct archive_entry *);
mode_t archive_entry_filetype(struct archive_entry *);
int64_t archive_entry_size(struct archive_entry *);
int archive_entry_size_is_set(struct archive_entry *);
time_t archive_entry_mtime(struct archive_entry *);
int archive_entry_mtime_is_set(struct archive_entry *);
int archive_entry_is_data_encrypted(struct archive_entry *);
