package import Base
import Foundation

/// Validates values against JSON Schema, draft 2020-12, as far as storescope's schemas use it: no library for Swift
/// does that. Any other keyword is an error, so that a schema never promises what isn't checked here.
/// `Tests/Consumers` validates the same with a complete validator.
package struct JSONSchema {
  private let root: DataValue
  /// Compiled once: large documents have a hundred thousand dates.
  private let patterns: [String: NSRegularExpression]

  package init(_ root: DataValue) {
    self.root = root
    patterns = Dictionary(
      Self.patterns(in: root).compactMap { text in
        (try? NSRegularExpression(pattern: text)).map { (text, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func patterns(in schema: DataValue) -> [String] {
    switch schema {
    case .array(let elements): elements.flatMap(patterns)
    case .object(let members):
      members.flatMap { member -> [String] in
        switch (member.name, member.value) {
        case ("pattern", .text(let pattern)): [pattern]
        case ("patternProperties", .object(let properties)):
          properties.map(\.name) + patterns(in: member.value)
        default: patterns(in: member.value)
        }
      }
    default: []
    }
  }

  /// Nil if the pattern can't be read.
  private func matches(_ text: String, _ pattern: String) -> Bool? {
    patterns[pattern].map {
      $0.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
  }

  /// Where a value breaks the schema, and how.
  package struct Violation: CustomStringConvertible {
    package var place: String
    package var what: String
    package var description: String { "\(place.isEmpty ? "/" : place): \(what)" }
  }

  /// Only comments.
  private static let annotations: Set = ["$schema", "$defs", "title", "description"]

  package func violations(_ value: DataValue) -> [Violation] { violations(value, root, "") }

  /// What a line of NDJSON breaks.
  package func violations(line: DataValue) -> [Violation] {
    violations(line, ["$ref": "#/$defs/line"], "")
  }

  private func violations(_ value: DataValue, _ schema: DataValue, _ place: String) -> [Violation] {
    if schema == false { return [Violation(place: place, what: "is not in the schema")] }
    guard case .object(let keywords) = schema else {
      return [Violation(place: place, what: "has no schema but \(schema)")]
    }
    func violation(_ what: String) -> [Violation] { [Violation(place: place, what: what)] }
    return keywords.flatMap { keyword -> [Violation] in
      switch (keyword.name, keyword.value) {
      case ("$ref", .text(let reference)):
        guard let target = resolved(reference) else { return violation("unknown reference \(reference)") }
        return violations(value, target, place)
      case ("type", .text(let type)):
        return value.isA(type) ? [] : violation("is not of the type \(type): \(value)")
      case ("type", .array(let types)):
        return types.contains { value.isA($0.text ?? "") }
          ? [] : violation("is of none of the types \(types)")
      case ("enum", .array(let values)):
        return values.contains(value) ? [] : violation("is none of the code words: \(value)")
      case ("pattern", .text(let pattern)):
        guard let text = value.text else { return [] }
        guard let isMatch = matches(text, pattern) else { return violation("unreadable pattern \(pattern)") }
        return isMatch ? [] : violation("'\(text)' doesn't match \(pattern)")
      case ("items", let items):
        guard case .array(let elements) = value else { return [] }
        return elements.enumerated().flatMap { violations($1, items, "\(place)/\($0)") }
      case ("anyOf", .array(let schemas)):
        let all = schemas.map { violations(value, $0, place) }
        if all.contains(where: \.isEmpty) { return [] }
        // The nearest miss says most.
        return all.min { $0.count < $1.count } ?? []
      case ("required", .array(let names)):
        guard case .object = value else { return [] }
        return names.compactMap(\.text).filter { value[$0] == nil }.flatMap { violation("lacks '\($0)'") }
      case ("properties", .object), ("patternProperties", .object), ("additionalProperties", _):
        // All at once, where the first of them stands.
        let first = keywords.first { Self.ofMembers.contains($0.name) }
        return first?.name == keyword.name ? members(value, schema, place) : []
      case (let name, _):
        return Self.annotations.contains(name) ? [] : violation("the schema has the keyword '\(name)'")
      }
    }
  }

  private static let ofMembers: Set = ["properties", "patternProperties", "additionalProperties"]

  private func members(_ value: DataValue, _ schema: DataValue, _ place: String) -> [Violation] {
    guard case .object(let members) = value else { return [] }
    var byPattern: [DataValue.Member] = []
    if case .object(let all)? = schema["patternProperties"] { byPattern = all }
    return members.flatMap { member -> [Violation] in
      var schemas = [schema["properties"]?[member.name]].compactMap(\.self)
      schemas += byPattern.filter { matches(member.name, $0.name) ?? false }.map(\.value)
      if schemas.isEmpty, let others = schema["additionalProperties"] { schemas = [others] }
      return schemas.flatMap { violations(member.value, $0, "\(place)/\(member.name)") }
    }
  }

  /// `#/$defs/store`
  private func resolved(_ reference: String) -> DataValue? {
    guard reference.hasPrefix("#/") else { return nil }
    return reference.dropFirst(2).split(separator: "/").reduce(DataValue?.some(root)) { value, name in
      value?[String(name)]
    }
  }
}

extension DataValue {
  fileprivate func isA(_ type: String) -> Bool {
    switch (self, type) {
    case (.null, "null"), (.bool, "boolean"), (.integer, "integer"), (.integer, "number"), (.real, "number"),
      (.text, "string"), (.array, "array"), (.object, "object"):
      true
    // What is written as 5.0 is an integer, too: https://json-schema.org/draft/2020-12/json-schema-core#section-4.2.3
    case (.real(let number), "integer"): number == number.rounded()
    default: false
    }
  }
}
