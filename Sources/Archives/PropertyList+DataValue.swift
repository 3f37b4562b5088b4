package import Values

extension DataValue {
  /// A number above `Int64.max` as text, as its digits must not be lost.
  init(exactly value: UInt64) { self = Int64(exactly: value).map(DataValue.integer) ?? .text(String(value)) }
}

extension PropertyList {
  /// The list as a readable tree, within the usual limits.
  package var dataValue: DataValue {
    var budget = DecodingBudget(DecodingLimits())
    return dataValue(budget: &budget)
  }

  /// The list as a readable tree. Data is summarised, and decoded in turn where it can be; a reference within a
  /// keyed archive is shown as Apple's XML form does: `{"CF$UID":7}`.
  func dataValue(budget: inout DecodingBudget, depth: Int = 0) -> DataValue {
    if let refusal = budget.spend(bytes: byteCount, depth: depth) { return refusal }
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return DataValue(exactly: value)
    case .real(let value): return .real(value)
    case .string(let value): return .text(value)
    case .date(let value): return .date(value)
    case .uid(let value): return ["CF$UID": DataValue(exactly: value)]
    case .data(let bytes):
      return budget.nested { budget in
        bytes.withUnsafeBytes { .blob(BlobReader.summary(of: $0, decode: true, budget: &budget)) }
      }
    case .array(let elements), .set(let elements):
      if let refusal = budget.refusal(ofElements: elements.count) { return refusal }
      return .array(elements.map { $0.dataValue(budget: &budget, depth: depth + 1) })
    case .dictionary(let dictionary):
      if let refusal = budget.refusal(ofElements: dictionary.entries.count) { return refusal }
      return .object(
        dictionary.entries.map { entry in
          DataValue.Member(entry.key, entry.value.dataValue(budget: &budget, depth: depth + 1))
        })
    }
  }

  private var byteCount: Int {
    switch self {
    case .string(let value): value.utf8.count
    case .data(let bytes): bytes.count
    default: 0
    }
  }
}
