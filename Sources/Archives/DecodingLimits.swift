import Base

/// How much a readable tree of a blob may hold. What goes beyond is cut, and the place says so:
/// `{"$truncated":"more than 100000 values"}`.
package struct DecodingLimits: Sendable {
  /// Values in the whole tree.
  package var values: Int
  /// Bytes of text, and of data that is summarized, in the whole tree.
  package var bytes: Int
  /// Levels below the top.
  package var depth: Int
  /// How often data within data is decoded in turn.
  package var nesting: Int
  /// Whether data within data that can't be decoded, such as protocol buffers, is kept as text, for one who searches it.
  package var keepsText: Bool

  package init(
    values: Int = 100_000, bytes: Int = 1 << 26, depth: Int = 64, nesting: Int = 3, keepsText: Bool = false
  ) {
    self.values = values
    self.bytes = bytes
    self.depth = depth
    self.nesting = nesting
    self.keepsText = keepsText
  }
}

/// What is left of the limits while a tree is made.
struct DecodingBudget {
  private let limits: DecodingLimits
  private(set) var values: Int
  private(set) var bytes: Int
  private(set) var nesting: Int
  var keepsText: Bool { limits.keepsText }

  init(_ limits: DecodingLimits) {
    self.limits = limits
    values = limits.values
    bytes = limits.bytes
    nesting = limits.nesting
  }

  /// Spends one value of that many bytes. Returns nil where that was possible, and else what to show instead.
  mutating func spend(bytes count: Int = 0, depth: Int) -> DataValue? {
    guard values > 0 else { return Self.truncated("more than \(limits.values) values") }
    values -= 1
    guard depth <= limits.depth else { return Self.truncated("more than \(limits.depth) levels") }
    guard count <= bytes else { return Self.truncated("more than \(limits.bytes) bytes") }
    bytes -= count
    return nil
  }

  /// As `spend`, for a list whose elements are about to be made at once.
  func refusal(ofElements count: Int) -> DataValue? {
    // Not as `?:`, where a nil next to a DataValue would be its null.
    guard count > values else { return nil }
    return Self.truncated("\(count) elements, with more than \(limits.values) values in all")
  }

  /// Lets the body make values, and take each off what is left.
  mutating func spendValues<Result>(
    _ body: (inout Int) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try body(&values)
  }

  /// Runs the body one level of data within data further down.
  mutating func nested<Result>(_ body: (inout DecodingBudget) -> Result) -> Result {
    nesting -= 1
    defer { nesting += 1 }
    return body(&self)
  }

  static func truncated(_ reason: String) -> DataValue { ["$truncated": .text(reason)] }
}

/// Why bytes could not be decoded, as a short clause that a sentence can end with: "the binary property list's
/// offset table lies outside its 120 bytes".
package struct ArchiveError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
