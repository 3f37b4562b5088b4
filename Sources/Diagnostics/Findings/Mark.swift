import SystemCalls
import Values

/// A short name for a finding that stays the same: for baselines.
package struct Mark: Hashable, Comparable, Sendable {
  /// A number, as a rule may keep ten thousand.
  private let number: UInt64

  /// Of the rule and of what the finding is about. The identifier of the store is left out of URIs: each run of a test
  /// makes a store with a new one.
  init(rule: String, subject: String) {
    let scheme = "x-coredata://"
    var name = ""
    var rest = subject[...]
    while let start = rest.firstRange(of: scheme) {
      name += rest[..<start.upperBound]
      rest = rest[start.upperBound...].drop { $0 != "/" }
    }
    number = Self.number(Array((rule + "\u{0}" + name + rest).utf8).withUnsafeBytes(SHA256.digest))
  }

  /// Nil for what isn't the text of a mark.
  init?(_ text: String) {
    guard text.utf8.count == 16, let bytes = Hexadecimal.bytes(text) else { return nil }
    number = Self.number(bytes)
  }

  private static func number(_ bytes: [UInt8]) -> UInt64 {
    bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// 16 hexadecimal digits.
  var text: String { withUnsafeBytes(of: number.bigEndian) { Hexadecimal.lowercase($0) } }

  package static func < (one: Mark, other: Mark) -> Bool { one.number < other.number }
}
