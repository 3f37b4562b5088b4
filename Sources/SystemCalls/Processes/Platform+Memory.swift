#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
