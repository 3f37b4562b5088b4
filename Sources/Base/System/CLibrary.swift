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

/// Lets a C library take names for UTF-8, whatever the user's locale is. The C locale, which a program starts with, knows
/// ASCII only. https://man7.org/linux/man-pages/man3/uselocale.3.html
package final class TextLocale {
  private let locale: locale_t?

  package init() {
    // macOS calls it by the second name.
    let mask = Int32(LC_CTYPE_MASK)
    locale = newlocale(mask, "C.UTF-8", nil) ?? newlocale(mask, "UTF-8", nil)
  }

  deinit { if let locale { freelocale(locale) } }

  /// Calls `body` on this thread with that locale.
  package func use<R>(_ body: () throws -> R) rethrows -> R {
    guard let locale, let former = uselocale(locale) else { return try body() }
    defer { uselocale(former) }
    return try body()
  }
}

/// Which bytes the C library, and with it a terminal, takes for which characters.
package enum CharacterSet {
  /// Takes the one of that locale, "" for the environment's; false where there is no such locale.
  package static func choose(_ locale: String) -> Bool { setlocale(LC_CTYPE, locale) != nil }

  package static var isUTF8: Bool {
    nl_langinfo(nl_item(CODESET)).map { String(cString: $0).uppercased() == "UTF-8" } ?? false
  }
}

/// The C library's own ways with memory.
extension Platform {
  /// Where the byte is first at or behind an offset. The C library's search looks at many bytes at once.
  package static func firstOffset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from offset: Int = 0)
    -> Int?
  {
    guard let start = bytes.baseAddress, offset < bytes.count else { return nil }
    return memchr(start + offset, Int32(byte), bytes.count - offset).map { UnsafeRawPointer($0) - start }
  }

  /// Whether both are the same bytes.
  package static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count, let first = one.baseAddress, let second = other.baseAddress else {
      return one.isEmpty && other.isEmpty
    }
    return memcmp(first, second, one.count) == 0
  }

  /// Bytes of zeros until `giveBack`. The system makes them when they are touched, and has them back at once: the C
  /// library would keep them for what is asked of it later.
  package static func zeroedMemory(byteCount: Int) -> UnsafeMutableRawPointer {
    let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != UnsafeMutableRawPointer(bitPattern: -1) else {
      preconditionFailure("no memory")
    }
    return memory
  }

  package static func giveBack(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    _ = munmap(memory, byteCount)
  }

  /// The text for a C library that keeps it, and frees it if anybody does.
  package static func copyForC(_ text: String) -> UnsafeMutablePointer<CChar>? { strdup(text) }

  /// The same for several, with nothing behind the last one.
  package static func copyForC(
    _ texts: [String]
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    guard let memory = calloc(texts.count + 1, MemoryLayout<UnsafeMutablePointer<CChar>?>.stride) else {
      return nil
    }
    let list = memory.bindMemory(to: UnsafeMutablePointer<CChar>?.self, capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { list[index] = strdup(text) }
    return list
  }

  /// Takes the text that a C library has made.
  package static func takeFromC(_ text: UnsafeMutablePointer<CChar>) -> String {
    defer { free(text) }
    return String(cString: text)
  }
}

/// The C library's heap, for a library that takes memory through functions it is given.
package enum HeapMemory {
  /// Nil if there isn't enough memory.
  package static func take(_ size: Int) -> UnsafeMutableRawPointer? { malloc(size) }

  /// Moves the piece if it must. Nil if there isn't enough memory; the piece stays as it is then.
  package static func resize(_ piece: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer? {
    realloc(piece, size)
  }

  package static func giveBack(_ piece: UnsafeMutableRawPointer) { free(piece) }
}
