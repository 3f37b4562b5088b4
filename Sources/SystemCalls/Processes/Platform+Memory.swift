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

  /// Memory of nothing but zeros, for a type that allows them, until `giveBack`. The system makes it when it is touched:
  /// what is never used costs nothing.
  package static func zeroedMemory<T: BitwiseCopyable>(for type: T.Type, count: Int)
    -> UnsafeMutableBufferPointer<T>
  {
    guard let memory = calloc(count, MemoryLayout<T>.stride) else { preconditionFailure("no memory") }
    return UnsafeMutableBufferPointer(start: memory.bindMemory(to: type, capacity: count), count: count)
  }

  package static func giveBack<T: BitwiseCopyable>(_ memory: UnsafeMutableBufferPointer<T>) {
    free(memory.baseAddress)
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
