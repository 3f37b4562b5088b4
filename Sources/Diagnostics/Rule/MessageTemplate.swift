package import Values

/// Fills a rule's message: `{count}`, `{record|records}`, `{author}`, `{saves:save|saves}` (chosen by that number).
package enum MessageTemplate {
  /// - Parameter first: the evidence of the first finding.
  package static func text(_ template: String, count: Int, _ first: [DataValue.Member]) -> String {
    var text = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      text += rest[..<start]
      text += value(rest[rest.index(after: start)..<end], count, first)
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private static func value(_ word: Substring, _ count: Int, _ first: [DataValue.Member]) -> String {
    let sides = word.split(separator: ":", maxSplits: 1)
    let forms = (sides.last ?? word).split(separator: "|", omittingEmptySubsequences: false)
    if forms.count == 2 {
      let isOne = sides.count == 2 ? first.first { $0.name == sides[0] }?.value.plainText == "1" : count == 1
      return String(isOne ? forms[0] : forms[1])
    }
    if word == "count" { return "\(count)" }
    return first.first { $0.name == word }.map { $0.value.plainText } ?? ""
  }
}

extension DataValue {
  /// For sentences: no quotes, dates in ISO 8601.
  fileprivate var plainText: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .date(let date): date.iso8601 ?? "an impossible time"
    case .null: "none"
    default: ""
    }
  }
}
