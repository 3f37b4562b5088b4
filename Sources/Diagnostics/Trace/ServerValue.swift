import Base
import StoreModel

/// Whether a value here and a field of a record are the same value.
enum ServerValue {
  /// Nil if that can't be decided.
  static func isSame(_ local: DataValue, _ server: DataValue, _ type: AttributeType) -> Bool? {
    switch (local, server) {
    case (.text(let local), .text(let server)):
      return type == .uuid ? local.uppercased() == server.uppercased() : local == server
    // CloudKit keeps milliseconds.
    case (.date(let local), .date(let server)): return abs(local.seconds - server.seconds) < 0.001
    case (.blob(let local), .blob(let server)): return isSame(local, server)
    default: break
    }
    if case .blob = server { return nil }
    guard let one = number(local), let other = number(server) else { return local == server }
    if case (.whole(let one), .whole(let other)) = (one, other) { return one == other }
    let (real, otherReal) = (one.real, other.real)
    if real.isNaN || otherReal.isNaN { return real.isNaN && otherReal.isNaN }
    return real == otherReal || (type == .float && Float(real) == Float(otherReal))
  }

  private enum Number {
    case whole(Int64)
    case fraction(Double)

    var real: Double {
      switch self {
      case .whole(let number): Double(number)
      case .fraction(let number): number
      }
    }
  }

  /// Numbers have several spellings: `true` is 1, and 5 is 5.0; decimals may be text.
  private static func number(_ value: DataValue) -> Number? {
    switch value {
    case .bool(let value): .whole(value ? 1 : 0)
    case .integer(let value): .whole(value)
    case .real(let value): .fraction(value)
    case .date(let value): .fraction(value.seconds)
    case .text(let text): Double(text).map(Number.fraction)
    default: nil
    }
  }

  /// Archives of equal values needn't have the same bytes: nothing orders the entries of a dictionary or a set.
  private static func isSame(_ local: BlobSummary, _ server: BlobSummary) -> Bool? {
    if local.bytes == server.bytes, local.sha256 == server.sha256 { return true }
    guard let one = local.value, let other = server.value, local.kind == server.kind else { return false }
    let (sorted, otherSorted) = (ordered(one), ordered(other))
    if sorted == otherSorted { return true }
    return ordered(one, sortsLists: true) == ordered(other, sortsLists: true) ? nil : false
  }

  /// With the members of objects by name, and with lists in an order that only their elements decide: that of their
  /// hashes, as a hash is computed once per element and needs no text of a tree that doubles at each level.
  private static func ordered(_ value: DataValue, sortsLists: Bool = false) -> DataValue {
    switch value {
    case .object(let members):
      .object(
        members.map { .init($0.name, ordered($0.value, sortsLists: sortsLists)) }.sorted { $0.name < $1.name }
      )
    case .array(let elements):
      {
        let ordered = elements.map { self.ordered($0, sortsLists: sortsLists) }
        guard sortsLists else { return .array(ordered) }
        return .array(ordered.map { ($0.hashValue, $0) }.sorted { $0.0 < $1.0 }.map(\.1))
      }()
    default: value
    }
  }
}
