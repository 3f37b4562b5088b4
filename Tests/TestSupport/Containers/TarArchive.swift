/// A tar archive in the oldest format that everybody reads, with whatever paths and kinds a test wants.
package struct TarArchive {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// - Parameters:
  ///   - kind: `0` for a file, `1` and `2` for links, as the format has it.
  ///   - target: what a link leads to.
  package mutating func add(_ path: String, _ content: [UInt8] = [], kind: Character = "0", target: String = "") {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) { header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8) }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
    put(path, at: 0)
    put(octal(0o644, 7), at: 100)
    put(octal(content.count, 11), at: 124)
    put(octal(1_700_000_000, 11), at: 136)
    put(String(repeating: " ", count: 8), at: 148)
    put(String(kind), at: 156)
    put(target, at: 157)
    put("ustar\u{0}00", at: 257)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0", at: 148)
    bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }

  /// With the end that says that nothing is missing.
  package var ended: [UInt8] { bytes + [UInt8](repeating: 0, count: 1024) }
}
