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
