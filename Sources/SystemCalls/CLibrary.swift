#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Functions of the C library under names that methods and types called like them don't hide.

func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Keeps `errno`: what is open is often let go because something failed, before anybody asks why.
func systemClose(_ descriptor: Int32) {
  let problem = errno
  close(descriptor)
  errno = problem
}

func systemClaim(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

func systemRename(_ path: String, _ other: String) -> Int32 { rename(path, other) }

func systemExit(_ code: Int32) -> Never { exit(code) }

func systemAlarm(_ seconds: UInt32) -> UInt32 { alarm(seconds) }
func systemKill(_ process: Int32, _ signal: Int32) -> Int32 { kill(process, signal) }

func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }

/// Calls that SQLite makes in our place, see https://www.sqlite.org/c3ref/vfs.html: C functions with the parameters of
/// those of the system.
package enum LibraryCalls {
  /// For `fchown`: files that are open for writing get their owner as ever, others keep it. Nil where it isn't called, as
  /// the process is no administrator's.
  package static var changeOwner: (@convention(c) (Int32, UInt32, UInt32) -> Int32)? {
    guard geteuid() == 0 else { return nil }
    return { descriptor, user, group in
      let status = fcntl(descriptor, F_GETFL)
      return status >= 0 && status & O_ACCMODE == O_RDONLY ? 0 : fchown(descriptor, user, group)
    }
  }

  /// For `open`: what is opened for reading only keeps the time of its last access. Nil where the system has nothing like
  /// that.
  package static var open: (@convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32)? {
    #if canImport(Darwin)
      return nil
    #else
      return { path, flags, mode in
        guard let path else { return -1 }
        if flags & O_ACCMODE == O_RDONLY {
          let descriptor = Glibc.open(path, flags | Platform.noAccessTime, mode_t(bitPattern: mode))
          if descriptor >= 0 || errno != EPERM { return descriptor }
        }
        return Glibc.open(path, flags, mode_t(bitPattern: mode))
      }
    #endif
  }
}
