import Archives
import Base
import Forge

/// Byte strings that promise more than they hold, or never end.
extension DamagedContentTests {
  static let huge: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 7)

  /// A list whose last 32 bytes, the trailer, were edited:
  /// https://opensource.apple.com/source/CF/CF-550/ForFoundationOnly.h
  static func trailer(_ edit: (inout [UInt8]) -> Void) -> [UInt8] {
    let list = BinaryPropertyList.write(
      .dictionary(PropertyListDictionary([.init("$top", .array([.integer(1)]))])))
    var trailer = Array(list.suffix(32))
    edit(&trailer)
    return list.dropLast(32) + trailer
  }

  /// `0xAF` announces an array whose count follows, here as an eight-byte integer.
  static let listOfHugeArray: [UInt8] =
    Array("bplist00".utf8) + [0xAF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7) + [0, 8]
    + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    + [0, 0, 0, 0, 0, 0, 0, 18]

  /// Zeros in DEFLATE are runs of 258 at two bits each, and those bits are zeros too: a run of zero bytes in the
  /// stream can be made as long as one likes (RFC 1951, §3.2.5).
  static let tenGibibytes: [UInt8] = {
    let stream = Deflate.raw([UInt8](repeating: 0, count: 1 << 20))
    let middle = stream.count / 2
    return stream[..<middle] + [UInt8](repeating: 0, count: (10 << 30) / (258 * 4)) + stream[middle...]
  }()

  static let cyclicArchive: [UInt8] = {
    let archive = KeyedArchiveWriter()
    let one = archive.object("Node", fields: [])
    let other = archive.object("Node", fields: [("next", .reference(one))])
    archive.set("next", to: .reference(other), of: one)
    archive.set("self", to: .reference(one), of: one)
    return archive.bytes(root: archive.array([one, other]))
  }()

  static let deepArchive: [UInt8] = {
    let archive = KeyedArchiveWriter()
    var node = archive.string("bottom")
    for _ in 0..<5000 { node = archive.array([node]) }
    return archive.bytes(root: node)
  }()

  static let bushyArchive: [UInt8] = {
    let archive = KeyedArchiveWriter()
    var node = archive.string("leaf")
    for _ in 0..<60 { node = archive.array([node, node]) }
    return archive.bytes(root: node)
  }()
}
