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
    // `name = Ann`
    self.value = String(text[blank..<equals].last == " " ? value.drop { $0 == " " } : value)
  }

  /// `name=Ann`
  init?(anyEntity text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = text[..<equals].split(separator: " ")
    guard name.count == 1 else { return nil }
    attribute = String(name[0])
    let value = text[text.index(after: equals)...]
    self.value = String(text[..<equals].last == " " ? value.drop { $0 == " " } : value)
  }
}
