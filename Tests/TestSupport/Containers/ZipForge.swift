import Archives
import CZlib

/// A zip archive with whatever paths, kinds and marks a test wants, right or not.
/// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
package struct ZipForge {
  private var bytes: [UInt8] = []
  private var list: [UInt8] = []
  private var count = 0

  package init() {}

  /// - Parameters:
  ///   - mode: `st_mode` as Unix has it; its kind makes links.
  ///   - isEncrypted: whether the entry says so.
  ///   - size: what the entry says of its size, if that isn't true.
  ///   - name: the path's bytes, if they aren't UTF-8.
  ///   - ownName: what the entry's own header has for a name, if that isn't what the list has.
  ///   - method: what the entry says of how it is packed, if that isn't true.
  ///   - isDamaged: whether the data isn't what its checksum says.
  package mutating func add(
    _ path: String, _ content: [UInt8] = [], mode: UInt32 = 0o100644, isEncrypted: Bool = false,
    size: Int? = nil, name: [UInt8]? = nil, ownName: [UInt8]? = nil, method: Int = 8, isDamaged: Bool = false
  ) {
    var packed: [UInt8] = []
    let writer = DeflateWriter(.none) {
      packed += $0
      return true
    }
    _ = content.withUnsafeBytes(writer.add)
    _ = writer.finish()
    let flags = (isEncrypted ? 1 : 0) | (name == nil ? 0x800 : 0)
    let name = name ?? Array(path.utf8)
    // 0x800: the name is UTF-8. The time is noon of January 1, 2024.
    let common =
      Self.number(20, 2) + Self.number(flags, 2) + Self.number(method, 2)
      + Self.number(0x6000, 2) + Self.number(0x5821, 2)
      + Self.number(Int(crc32(0, content, uInt(content.count))) ^ (isDamaged ? 1 : 0), 4)
      + Self.number(packed.count, 4)
      + Self.number(size ?? content.count, 4) + Self.number(name.count, 2) + Self.number(0, 2)
    list +=
      Self.number(0x0201_4B50, 4) + Self.number(3 << 8 | 20, 2) + common + Self.number(0, 6)
      + Self.number(Int(mode) << 16, 4) + Self.number(bytes.count, 4) + name
    bytes += Self.number(0x0403_4B50, 4) + common + (ownName ?? name) + packed
    count += 1
  }

  package var ended: [UInt8] {
    bytes + list + Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2)
      + Self.number(count, 2) + Self.number(list.count, 4) + Self.number(bytes.count, 4) + Self.number(0, 2)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
