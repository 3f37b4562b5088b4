import Archives
import Base
import CZlib

/// A zip archive with whatever paths, kinds and marks a test wants, right or not.
/// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
///
/// Its numbers have four bytes, as with tools that don't know larger ones: of places and sizes beyond that, the rest is
/// missing.
package struct ZipForge {
  private var bytes: [UInt8] = []
  /// How many bytes were left out before which of those that are there.
  private var holes: [(before: Int, count: Int)] = []
  private var list: [UInt8] = []
  private var count = 0
  private let modulus: Int

  /// - Parameter modulus: what places overflow at.
  package init(modulus: Int = 1 << 32) { self.modulus = modulus }

  /// - Parameters:
  ///   - mode: `st_mode` as Unix has it; its kind makes links.
  ///   - isEncrypted: whether the entry says so.
  ///   - size: what the entry says of its size, if that isn't true.
  ///   - name: the path's bytes, if they aren't UTF-8.
  ///   - ownName: what the entry's own header has for a name, if that isn't what the list has.
  ///   - fields: what the list has behind the name.
  ///   - method: what the entry says of how it is packed, if that isn't true.
  ///   - isStored: whether it isn't packed.
  ///   - isDamaged: whether the data isn't what its checksum says.
  package mutating func add(
    _ path: String, _ content: [UInt8] = [], mode: UInt32 = 0o100644, isEncrypted: Bool = false,
    size: Int? = nil, name: [UInt8]? = nil, ownName: [UInt8]? = nil, fields: [UInt8] = [], method: Int = 8,
    isStored: Bool = false, isDamaged: Bool = false
  ) {
    var packed: [UInt8] = []
    if isStored {
      packed = content
    } else {
      let writer = DeflateWriter(.none) {
        packed += $0
        return true
      }
      _ = content.withUnsafeBytes(writer.add)
      _ = writer.finish()
    }
    let method = isStored ? 0 : method
    let flags = (isEncrypted ? 1 : 0) | (name == nil ? 0x800 : 0)
    let name = name ?? Array(path.utf8)
    // 0x800: the name is UTF-8. The time is noon of January 1, 2024.
    let common =
      Self.number(20, 2) + Self.number(flags, 2) + Self.number(method, 2)
      + Self.number(0x6000, 2) + Self.number(0x5821, 2)
      + Self.number(Int(crc32(0, content, uInt(content.count))) ^ (isDamaged ? 1 : 0), 4)
      + Self.number(packed.count, 4)
      + Self.number(size ?? content.count, 4) + Self.number(name.count, 2)
    list +=
      Self.number(0x0201_4B50, 4) + Self.number(3 << 8 | 20, 2) + common + Self.number(fields.count, 2)
      + Self.number(0, 6) + Self.number(Int(mode) << 16, 4) + Self.number(end % modulus, 4) + name + fields
    bytes += Self.number(0x0403_4B50, 4) + common + Self.number(0, 2) + (ownName ?? name) + packed
    count += 1
  }

  /// Leaves bytes out, as large files would take.
  package mutating func leaveHole(_ count: Int) { holes.append((bytes.count, count)) }

  private var end: Int { bytes.count + holes.reduce(0) { $0 + $1.count } }

  package var ended: [UInt8] {
    bytes + list + Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2)
      + Self.number(count, 2) + Self.number(list.count, 4) + Self.number(end % modulus, 4) + Self.number(0, 2)
  }

  /// The file with its holes, for which the disk needs nothing.
  package func write(to path: String) throws {
    guard let file = OpenFile(path, for: .making) else {
      throw StoreScopeError.couldNotBe("written", path, Platform.lastError())
    }
    defer { file.close() }
    let (all, ends) = (ended, holes.map(\.before) + [ended.count])
    var (start, place) = (0, 0)
    for (index, end) in ends.enumerated() {
      guard all[start..<end].withUnsafeBytes({ file.write($0, at: Int64(place)) }) else {
        throw StoreScopeError.couldNotBe("written", path, Platform.lastError())
      }
      place += end - start + (index < holes.count ? holes[index].count : 0)
      start = end
    }
  }

  /// The field that has a name in UTF-8 and the checksum of the one it is for.
  package static func unicodePath(_ path: String, for name: [UInt8]) -> [UInt8] {
    number(0x7075, 2) + number(path.utf8.count + 5, 2) + [1]
      + number(Int(crc32(0, name, uInt(name.count))), 4) + Array(path.utf8)
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
