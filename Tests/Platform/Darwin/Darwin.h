// What macOS documents in its manual pages, of that which `Sources/Base` uses: so that the branches for Apple's
// systems are type-checked anywhere. Only types count: no call is ever linked, and most numbers are any.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/

// Types: types(3), stdint(3)
typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef long long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef long long blkcnt_t;
typedef int blksize_t;
typedef unsigned int useconds_t;
typedef unsigned int nfds_t;
typedef int nl_item;
typedef unsigned int u_int32_t;

struct timespec { long tv_sec; long tv_nsec; };

// stat(2), with 64-bit inodes
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
  unsigned int st_flags;
  unsigned int st_gen;
};
int stat(const char *path, struct stat *status);
int lstat(const char *path, struct stat *status);
int fstat(int descriptor, struct stat *status);
int fstatat(int folder, const char *path, struct stat *status, int flag);

// open(2), close(2), read(2), write(2)
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_ACCMODE 0x0003
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_NOCTTY 0x20000
#define O_DIRECTORY 0x100000
#define O_CLOEXEC 0x1000000
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define AT_REMOVEDIR 0x0080
#define STDIN_FILENO 0
#define STDERR_FILENO 2
int close(int descriptor);
ssize_t read(int descriptor, void *buffer, size_t count);
ssize_t pread(int descriptor, void *buffer, size_t count, off_t offset);
ssize_t write(int descriptor, const void *buffer, size_t count);
ssize_t pwrite(int descriptor, const void *buffer, size_t count, off_t offset);
int ftruncate(int descriptor, off_t size);
int fsync(int descriptor);

// fcntl(2), flock(2)
#define F_GETFD 1
#define F_SETFD 2
#define FD_CLOEXEC 1
#define F_GETFL 3
#define F_SETFL 4
#define F_GETLK 7
#define F_SETLK 8
#define F_FULLFSYNC 51
#define F_RDAHEAD 45
#define F_DUPFD_CLOEXEC 67
#define F_RDLCK 1
#define F_UNLCK 2
#define F_WRLCK 3
#define SEEK_SET 0
#define SEEK_CUR 1
#define ENXIO 6
off_t lseek(int descriptor, off_t offset, int whence);
#define LOCK_EX 0x02
#define LOCK_NB 0x04
struct flock { off_t l_start; off_t l_len; pid_t l_pid; short l_type; short l_whence; };
int flock(int descriptor, int operation);

// access(2), mkdir(2), link(2), unlink(2), rename(2), chmod(2), chown(2), utimensat(2), realpath(3), getcwd(3)
#define X_OK (1 << 0)
#define W_OK (1 << 1)
#define PATH_MAX 1024
int access(const char *path, int mode);
int mkdir(const char *path, mode_t mode);
int mkdirat(int folder, const char *path, mode_t mode);
int rmdir(const char *path);
int link(const char *path, const char *other);
int linkat(int folder, const char *path, int otherFolder, const char *other, int flag);
int unlink(const char *path);
int unlinkat(int folder, const char *path, int flag);
int rename(const char *path, const char *other);
int renameat(int folder, const char *path, int otherFolder, const char *other);
int fchmod(int descriptor, mode_t mode);
int fchown(int descriptor, uid_t owner, gid_t group);
int futimens(int descriptor, const struct timespec times[2]);
char *realpath(const char *path, char *resolved);
char *getcwd(char *buffer, size_t size);

// statvfs(3)
struct statvfs {
  unsigned long f_bsize;
  unsigned long f_frsize;
  unsigned int f_blocks;
  unsigned int f_bfree;
  unsigned int f_bavail;
  unsigned int f_files;
  unsigned int f_ffree;
  unsigned int f_favail;
  unsigned long f_fsid;
  unsigned long f_flag;
  unsigned long f_namemax;
};
int statvfs(const char *path, struct statvfs *status);

// directory(3)
typedef struct { int __dd_fd; } DIR;
struct dirent {
  unsigned long long d_ino;
  unsigned long long d_seekoff;
  unsigned short d_reclen;
  unsigned short d_namlen;
  unsigned char d_type;
  char d_name[1024];
};
DIR *fdopendir(int descriptor);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);

// getxattr(2), listxattr(2), setxattr(2)
ssize_t getxattr(
    const char *path, const char *name, void *value, size_t size, u_int32_t position, int options);
ssize_t fgetxattr(
    int descriptor, const char *name, void *value, size_t size, u_int32_t position, int options);
ssize_t listxattr(const char *path, char *names, size_t size, int options);
ssize_t flistxattr(int descriptor, char *names, size_t size, int options);
int setxattr(
    const char *path, const char *name, const void *value, size_t size, u_int32_t position, int options);
int fsetxattr(
    int descriptor, const char *name, const void *value, size_t size, u_int32_t position, int options);

// clock_gettime(3), usleep(3)
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6, CLOCK_THREAD_CPUTIME_ID = 16 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);

// ctime(3)
typedef long time_t;
struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  char *tm_zone;
};
struct tm *localtime_r(const time_t *seconds, struct tm *time);
int usleep(useconds_t microseconds);

// getpid(2), getuid(2), getenv(3), exit(3), strerror(3), sysconf(3), intro(2)
pid_t getpid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getegid(void);
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
__attribute__((noreturn)) void exit(int code);
char *strerror(int number);
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int name);
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EMLINK 31
#define EPIPE 32
#define EAGAIN 35
#define ENOTSUP 45
#define ELOOP 62
#define ENOSYS 78
#define EOPNOTSUPP 102

// string(3), malloc(3)
void *memchr(const void *bytes, int byte, size_t count);
int memcmp(const void *one, const void *other, size_t count);
char *strdup(const char *text);
void *calloc(size_t count, size_t size);

// mmap(2), munmap(2)
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset);
int munmap(void *address, size_t length);
void free(void *memory);
void *malloc(size_t size);
void *realloc(void *memory, size_t size);

// isatty(3), tty(4), poll(2)
int isatty(int descriptor);
int ttyname_r(int descriptor, char *buffer, size_t size);
struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};
#define POLLIN 0x0001
#define POLLOUT 0x0004
#define POLLOUT 0x0004
#define POLLERR 0x0008
#define POLLHUP 0x0010
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *descriptors, nfds_t count, int timeout);

// setlocale(3), nl_langinfo(3)
#define LC_CTYPE 2
#define CODESET 0
char *setlocale(int category, const char *locale);

// newlocale(3), uselocale(3)
typedef struct _xlocale *locale_t;
#define LC_CTYPE_MASK (1 << 1)
locale_t newlocale(int mask, const char *name, locale_t base);
locale_t uselocale(locale_t locale);
int freelocale(locale_t locale);

// termios(4), tcgetattr(3)
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
struct termios {
  tcflag_t c_iflag;
  tcflag_t c_oflag;
  tcflag_t c_cflag;
  tcflag_t c_lflag;
  cc_t c_cc[20];
  speed_t c_ispeed;
  speed_t c_ospeed;
};
#define ECHO 0x00000008
#define TCSANOW 0
#define TCSAFLUSH 2
int tcgetattr(int descriptor, struct termios *settings);
int tcsetattr(int descriptor, int when, const struct termios *settings);
char *nl_langinfo(nl_item item);

// popen(3), system(3), fileno(3)
typedef struct __sFILE FILE;
struct __sFILE { int _file; };
FILE *popen(const char *command, const char *mode);
int pclose(FILE *stream);
int system(const char *command);
int fileno(FILE *stream);

// sigaction(2), signal(3)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGTERM 15
#define SIGCHLD 20
#define SIGTSTP 18
#define SIGPIPE 13
typedef unsigned int sigset_t;
union __sigaction_u { void (*__sa_handler)(int); };
struct sigaction { union __sigaction_u __sigaction_u; sigset_t sa_mask; int sa_flags; };
int sigaction(int signal, const struct sigaction *action, struct sigaction *old);
void (*signal(int signal, void (*handler)(int)))(int);
int raise(int signal);
#define SIGTTOU 22
#define SIG_BLOCK 1
int sigfillset(sigset_t *signals);

// pthread(3)
struct _opaque_pthread_t { long __sig; };
typedef struct _opaque_pthread_t *pthread_t;
struct _opaque_pthread_attr_t { long __sig; char __opaque[56]; };
typedef struct _opaque_pthread_attr_t pthread_attr_t;
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_create(
    pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
    void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable context);
int pthread_sigmask(int how, const sigset_t *signals, sigset_t *old);
pthread_t _Nonnull pthread_self(void);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);

// <sys/resource.h>, string(3)
typedef unsigned long long rlim_t;
struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};
#define RLIMIT_CORE 4
#define RLIMIT_AS 5
int setrlimit(int resource, const struct rlimit *_Nonnull limits);
struct timeval { long tv_sec; int tv_usec; };
struct rusage { struct timeval ru_utime; struct timeval ru_stime; long ru_maxrss; };

// waitpid(2), kill(2), pipe(2), alarm(3), posix_spawn(2)
pid_t waitpid(pid_t process, int *_Nullable status, int options);
#define WNOHANG 0x00000001
#define SIGABRT 6
#define SIGKILL 9
int kill(pid_t process, int signal);
int pipe(int ends[_Nonnull 2]);
unsigned alarm(unsigned seconds);
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Nonnull actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Nonnull actions);
int posix_spawn_file_actions_adddup2(
    posix_spawn_file_actions_t _Nullable *_Nonnull actions, int descriptor, int other);
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t _Nullable *_Nonnull actions, int descriptor, const char *_Nonnull path, int flags,
    mode_t mode);
int posix_spawnattr_init(posix_spawnattr_t _Nullable *_Nonnull attributes);
int posix_spawnattr_destroy(posix_spawnattr_t _Nullable *_Nonnull attributes);
int posix_spawnattr_setflags(posix_spawnattr_t _Nullable *_Nonnull attributes, short flags);
int posix_spawnattr_setpgroup(posix_spawnattr_t _Nullable *_Nonnull attributes, pid_t group);
int posix_spawn(
    pid_t *_Nullable process, const char *_Nonnull path,
    const posix_spawn_file_actions_t _Nullable *_Nullable actions,
    const posix_spawnattr_t _Nullable *_Nullable attributes, char *_Nullable const arguments[_Nonnull],
    char *_Nullable const environment[_Nullable]);
// <crt_externs.h>
char *_Nullable *_Nonnull *_Nonnull _NSGetEnviron(void);
int memset_s(void *_Nonnull bytes, size_t size, int value, size_t count);
int pthread_detach(pthread_t _Nonnull thread);

// <libproc.h>
#define PROC_PIDLISTFDS 1
#define PROC_PIDFDVNODEINFO 1
#define PROX_FDTYPE_VNODE 1
struct proc_fdinfo { int proc_fd; unsigned int proc_fdtype; };
struct vinfo_stat { unsigned int vst_dev; unsigned short vst_mode; unsigned long long vst_ino; };
struct vnode_info { struct vinfo_stat vi_stat; int vi_type; };
struct vnode_fdinfo { struct vnode_info pvi; };
int proc_listallpids(void *buffer, int size);
int proc_pidpath(int process, void *buffer, unsigned int size);
int proc_name(int process, void *buffer, unsigned int size);
int proc_pidinfo(int process, int flavor, unsigned long long argument, void *buffer, int size);
int proc_pidfdinfo(int process, int descriptor, int flavor, void *buffer, int size);

// <mach/thread_act.h>, <mach/thread_info.h>
typedef unsigned int natural_t;
typedef int integer_t;
typedef natural_t mach_msg_type_number_t;
typedef unsigned int mach_port_t;
typedef mach_port_t thread_act_t;
typedef natural_t thread_flavor_t;
typedef int kern_return_t;
typedef struct { integer_t seconds, microseconds; } time_value_t;
struct thread_basic_info {
  time_value_t user_time, system_time;
  integer_t cpu_usage, policy, run_state, flags, suspend_count, sleep_time;
};
#define THREAD_BASIC_INFO 3
#define KERN_SUCCESS 0
kern_return_t thread_info(
    thread_act_t thread, thread_flavor_t flavor, integer_t *_Nonnull info, mach_msg_type_number_t *_Nonnull count);
mach_port_t pthread_mach_thread_np(pthread_t _Nonnull thread);
void _exit(int code) __attribute__((noreturn));
