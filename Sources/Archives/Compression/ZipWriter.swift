package import Base
import CZlib

/// Writes a zip archive as a stream: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
///
/// libarchive could do that, but its writer refers to all of its formats (`archive_write_set_format.c`), and so to libxml2
/// and ICU, whose data alone is larger than this program. It also writes local times; here the same files and time always
/// give the same bytes.
package final class ZipWriter {
  private let output: OutputBuffer
  private let unixSeconds: Int64
  private var entries: [Entry] = []
  private var position: Int64 = 0

  private struct Entry {
    var name: [UInt8]
    var start: Int64
    var checksum: uLong = 0
    var packed: Int64 = 0
    var size: Int64 = 0
    /// Whether its sizes may not fit into four bytes.
    var isLarge: Bool

    var isFolder: Bool { name.last == UInt8(ascii: "/") }
  }

  private enum Signature {
    static let entry: UInt32 = 0x0403_4B50
    static let sizes: UInt32 = 0x0807_4B50
    static let listedEntry: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let largeEnd: UInt32 = 0x0606_4B50
    static let largeEndPlace: UInt32 = 0x0706_4B50
  }

  private static let largest32 = Int64(UInt32.max)
  private static let (plainVersion, largeVersion): (UInt16, UInt16) = (20, 45)

  /// - Parameter modified: the time that all entries bear.
  package init(_ output: OutputBuffer, modified: CoreDataDate) {
    self.output = output
    // From 1980 on, as entries have it, and as long as four bytes with a sign can count.
    unixSeconds = Int64(min(max(modified.unixSeconds, 315_532_800), Double(Int32.max)))
  }

  /// Adds a file.
  /// - Parameters:
  ///   - name: its path in the archive, in ASCII.
  ///   - size: how many bytes it has at most.
  ///   - body: calls what it is given with the file's bytes, piece by piece.
  /// - Throws: what `body` throws, or `ArchiveError` if the bytes can't be compressed.
  package func add(
    _ name: String, size: Int64, _ body: ((UnsafeRawBufferPointer) -> Void) throws -> Void
  ) throws {
    // DEFLATE makes of noise a little more than it was.
    var entry = Entry(name: Array(name.utf8), start: position, isLarge: size > Self.largest32 - 1 << 24)
    begin(entry)
    let start = position
    let compressor = DeflateWriter(.none) { [self] bytes in
      put(bytes)
      return true
    }
    var isWhole = true
    try body { bytes in
      entry.checksum = crc32_z(
        entry.checksum, bytes.bindMemory(to: UInt8.self).baseAddress, z_size_t(bytes.count))
      entry.size += Int64(bytes.count)
      isWhole = isWhole && compressor.add(bytes)
    }
    guard isWhole, compressor.finish() else {
      throw ArchiveError("\(name) can't be compressed: there isn't enough memory")
    }
    entry.packed = position - start
    put(Signature.sizes)
    put(UInt32(entry.checksum))
    if entry.isLarge {
      put(UInt64(entry.packed))
      put(UInt64(entry.size))
    } else {
      putSizes(packed: entry.packed, size: entry.size, isLarge: false)
    }
    entries.append(entry)
  }

  /// Adds a folder, which matters if nothing is in it.
  package func addFolder(_ name: String) {
    let entry = Entry(name: Array("\(name)/".utf8), start: position, isLarge: false)
    begin(entry)
    entries.append(entry)
  }

  /// Writes the list of all that was added.
  package func finish() {
    let start = position
    for entry in entries { list(entry) }
    let size = position - start
    let isLarge = entries.count >= UInt16.max || start + size >= Self.largest32
    if isLarge { putLargeEnd(start, size) }
    put(Signature.end)
    put(UInt32(0))
    let count = UInt16(clamping: entries.count)
    put(count)
    put(count)
    putSizes(packed: size, size: start, isLarge: isLarge)
    put(UInt16(0))
    output.flush()
  }

  private func begin(_ entry: Entry) {
    put(Signature.entry)
    putCommon(entry)
    // The checksum and the sizes follow the bytes.
    put(UInt32(0))
    putSizes(packed: 0, size: 0, isLarge: entry.isLarge)
    putLengths(of: entry, extra: entry.isLarge ? 20 : 0)
    put(entry.name)
    putTime()
    if entry.isLarge { putLargeSizes([0, 0]) }
  }

  private func list(_ entry: Entry) {
    let isFar = entry.start >= Self.largest32
    put(Signature.listedEntry)
    // Made on a system with Unix's rights.
    put(3 << 8 | Self.largeVersion)
    putCommon(entry)
    put(UInt32(entry.checksum))
    putSizes(packed: entry.packed, size: entry.size, isLarge: entry.isLarge)
    let large = (entry.isLarge ? [entry.size, entry.packed] : []) + (isFar ? [entry.start] : [])
    putLengths(of: entry, extra: large.isEmpty ? 0 : 4 + 8 * UInt16(large.count))
    // No comment, on the first disk, and without a word on what it is.
    for _ in 0..<3 { put(UInt16(0)) }
    put(UInt32(entry.isFolder ? 0o040755 : 0o100644) << 16 | (entry.isFolder ? 0x10 : 0))
    put(isFar ? UInt32.max : UInt32(entry.start))
    put(entry.name)
    putTime()
    if !large.isEmpty { putLargeSizes(large) }
  }

  /// What an entry and its place in the list have in common, up to the checksum.
  private func putCommon(_ entry: Entry) {
    put(entry.isLarge || entry.start >= Self.largest32 ? Self.largeVersion : Self.plainVersion)
    // That checksum and sizes follow, and DEFLATE.
    put(UInt16(entry.isFolder ? 0 : 1 << 3))
    put(UInt16(entry.isFolder ? 0 : 8))
    let (days, second) = (unixSeconds / 86_400, unixSeconds % 86_400)
    let (year, month, day) = ISO8601.civil(fromDays: days)
    put(UInt16((second / 3600) << 11 | (second / 60 % 60) << 5 | (second % 60) / 2))
    put(UInt16((year - 1980) << 9 | month << 5 | day))
  }

  /// Of the name, and of what follows it: the time and `extra` bytes.
  private func putLengths(of entry: Entry, extra: UInt16) {
    put(UInt16(entry.name.count))
    put(9 + extra)
  }

  /// The time in UTC, as the entry's own has no zone.
  private func putTime() {
    put(UInt16(0x5455))
    put(UInt16(5))
    put([1])
    put(UInt32(unixSeconds))
  }

  private func putLargeSizes(_ sizes: [Int64]) {
    put(UInt16(1))
    put(UInt16(sizes.count * 8))
    for size in sizes { put(UInt64(size)) }
  }

  private func putLargeEnd(_ start: Int64, _ size: Int64) {
    let end = position
    put(Signature.largeEnd)
    put(UInt64(44))
    put(3 << 8 | Self.largeVersion)
    put(Self.largeVersion)
    put(UInt64(0))
    for count in [entries.count, entries.count] { put(UInt64(count)) }
    put(UInt64(size))
    put(UInt64(start))
    put(Signature.largeEndPlace)
    put(UInt32(0))
    put(UInt64(end))
    put(UInt32(1))
  }

  private func putSizes(packed: Int64, size: Int64, isLarge: Bool) {
    for number in [packed, size] { put(isLarge ? UInt32.max : UInt32(number)) }
  }

  private func put<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { put($0) }
  }

  private func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }

  private func put(_ bytes: UnsafeRawBufferPointer) {
    output.bytes(bytes)
    position += Int64(bytes.count)
  }
}
