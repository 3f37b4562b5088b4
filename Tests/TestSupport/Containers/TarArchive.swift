import Archives
import Base

/// A tar archive in the oldest format that everybody reads, with whatever paths and kinds a test wants.
package struct TarArchive {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Parameters:
  ///   - kind: `0` for a file, `1` and `2` for links, as the format has it.
  ///   - target: what a link leads to.
  ///   - modified: in seconds since 1970.
  ///   - size: what the header says of the size, if that isn't true.
  package mutating func add(
    _ path: String, _ content: [UInt8] = [], kind: Character = "0", target: String = "",
    modified: Int = 1_700_000_000, size: Int? = nil
  ) {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
    // A path of more than 100 bytes is divided at a slash: https://www.gnu.org/software/tar/manual/html_node/Standard.html
    var name = path
    if path.utf8.count > 100, let slash = path.prefix(155).lastIndex(of: "/") {
      put(String(path[..<slash]), at: 345)
      name = String(path[path.index(after: slash)...])
    }
    put(name, at: 0)
    put(octal(0o644, 7), at: 100)
    put(octal(size ?? content.count, 11), at: 124)
    if modified < 1 << 33 {
      put(octal(modified, 11), at: 136)
    } else {
      // As GNU's tar writes what octal digits have no room for.
      header[136] = 0x80
      for index in 0..<8 { header[147 - index] = UInt8(truncatingIfNeeded: modified >> (index * 8)) }
    }
    put(String(repeating: " ", count: 8), at: 148)
    put(String(kind), at: 156)
    put(target, at: 157)
    put("ustar\u{0}00", at: 257)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", at: 148)
    bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  /// With the end that shows that nothing is missing.
  package var ended: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }

  package enum Compression: String, Sendable, CaseIterable {
    case none = "tar"
    case gzip = "tar.gz"
    case zstandard = "tar.zst"

    /// Those that this system can write.
    package static var available: [Self] {
      allCases.filter { $0 != .zstandard || ZstandardWriter.isAvailable }
    }

    package func packed(_ bytes: [UInt8]) -> [UInt8] {
      var packed: [UInt8] = []
      func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        packed += bytes
        return true
      }
      let compressor: any StreamCompressor
      switch self {
      case .none: return bytes
      case .gzip: compressor = DeflateWriter(.gzip, write: write)
      case .zstandard: compressor = ZstandardWriter(write: write)
      }
      _ = bytes.withUnsafeBytes(compressor.add)
      _ = compressor.finish()
      return packed
    }
  }
}
