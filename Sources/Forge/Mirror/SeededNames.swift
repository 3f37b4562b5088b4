internal import Values

/// Identifiers and tokens that look random and are the same in every run.
struct SeededNames {
  private let seed: String
  private var count = 0

  init(seed: String) { self.seed = seed }

  /// Up to 32 bytes.
  mutating func bytes(_ size: Int) -> [UInt8] {
    count += 1
    return Array(Self.hash("\(seed) \(count)").prefix(size))
  }

  /// In capitals, as CloudKit's record names are.
  mutating func uuid() -> String {
    bytes(16).withUnsafeBytes { Hexadecimal.uuid($0) } ?? ""
  }

  static func hash(_ text: String) -> [UInt8] {
    var hash = SHA256()
    Array(text.utf8).withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }
}
