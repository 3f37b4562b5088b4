import Values

/// `Person name=Ann`; the value may have blanks and further equals signs.
struct AttributeValue {
  var entity = ""
  var attribute: String
  var value: String

  init?(_ text: String) {
    guard let blank = text.firstIndex(of: " "), let equals = text.firstIndex(of: "="), blank < equals else {
      return nil
    }
    entity = String(text[..<blank])
    let name = text[blank..<equals].split(separator: " ")
    guard name.count == 1, !entity.contains("/") else { return nil }
    attribute = String(name[0])
    let value = text[text.index(after: equals)...]
    self.value = Self.value(value, isSpaced: text[blank..<equals].last == " ")
  }

  /// `name=Ann`
  init?(anyEntity text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = text[..<equals].split(separator: " ")
    guard name.count == 1 else { return nil }
    attribute = String(name[0])
    let value = text[text.index(after: equals)...]
    self.value = Self.value(value, isSpaced: text[..<equals].last == " ")
  }

  /// `Person.name=Ann` as `Person name=Ann`, if that is an entity; nil for other names.
  func dividing(isEntity: (String) -> Bool) -> AttributeValue? {
    guard entity.isEmpty, let dot = attribute.firstIndex(of: "."), isEntity(String(attribute[..<dot])) else {
      return nil
    }
    var divided = self
    divided.entity = String(attribute[..<dot])
    divided.attribute = String(attribute[attribute.index(after: dot)...])
    return divided
  }

  /// What stands behind the equals sign: `name = Ann`, `name == 'Ann'`.
  private static func value(_ text: Substring, isSpaced: Bool) -> String {
    var value = text.first == "=" ? text.dropFirst() : text
    if isSpaced || text.first == "=" { value = value.drop { $0 == " " } }
    if let quote = value.first, quote == value.last, value.count > 1, "'\"".contains(quote) {
      value = value.dropFirst().dropLast()
    }
    return String(value)
  }
}
