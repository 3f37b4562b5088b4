import Values

// What changed, as the model editor calls it.

extension Bool {
  func word(_ yes: String, _ no: String) -> String { self ? yes : no }
}

extension AttributeDescription {
  var defaultText: String {
    switch defaultValue {
    case nil, .null: "none"
    case .bool(let flag): flag.word("YES", "NO")
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text)'"
    case .date(let date): date.iso8601 ?? "\(date.seconds)"
    case .blob, .array, .object: "a value"
    }
  }

  /// `min 1, max 10`
  var limitsText: String {
    let sorted = limits.sorted { ($0.comparison.rawValue, $0.number) > ($1.comparison.rawValue, $1.number) }
    return sorted.isEmpty ? "none" : sorted.map { text(of: $0) }.joined(separator: ", ")
  }

  private func text(of limit: ValueLimit) -> String {
    let number =
      type == .date
      ? CoreDataDate(seconds: limit.number).iso8601 ?? limit.numberText : limit.numberText
    let subject = limit.subject == .length ? " length" : ""
    return switch limit.comparison {
    case .atLeast: "min\(subject) \(number)"
    case .atMost: "max\(subject) \(number)"
    default: "\(limit.subject == .length ? "length" : "value") \(limit.comparison.sign) \(number)"
    }
  }

  var transformerText: String {
    valueTransformerName.flatMap { $0.isEmpty ? nil : $0 } ?? "the default"
  }

  var elementNames: String { elements.map { "\($0.name) \($0.type.name)" }.joined(separator: ", ") }
}

extension RelationshipDescription {
  var bounds: String {
    maxCount == 0 ? "at least \(minCount)" : "\(minCount) to \(maxCount)"
  }
}

extension RelationshipDescription.DeleteRule {
  var name: String {
    switch self {
    case .noAction: "No Action"
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    }
  }
}
