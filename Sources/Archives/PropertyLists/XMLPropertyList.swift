import Values

/// Property lists in Apple's XML form: http://www.apple.com/DTDs/PropertyList-1.0.dtd
package enum XMLPropertyList {
  /// Reads a whole list. A dictionary with the one key `CF$UID` is a keyed archive's reference.
  package static func read(_ bytes: [UInt8]) throws(ArchiveError) -> PropertyList {
    let root = try XMLReader.read(bytes)
    guard root.name == "plist" else { return try value(root) }
    guard root.children.count == 1 else {
      throw ArchiveError("the XML property list holds \(root.children.count) values instead of one")
    }
    return try value(root.children[0])
  }

  private static func value(_ element: XMLElement) throws(ArchiveError) -> PropertyList {
    let text = trimmed(element.text)
    switch element.name {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "string": return .string(element.text)
    case "integer":
      if let value = integer(text) { return value }
    case "real":
      if let value = Double(text) { return .real(value) }
    case "date":
      if let value = ISO8601.parse(String(text)) { return .date(value) }
    case "data":
      if let value = Base64.decode(element.text) { return .data(value) }
    case "array":
      var elements: [PropertyList] = []
      for child in element.children { elements.append(try value(child)) }
      return .array(elements)
    case "dict": return try dictionary(element)
    default: throw ArchiveError("the XML property list has an unknown element '\(element.name)'")
    }
    throw ArchiveError("the XML property list has '\(text.prefix(40))' as a value of type \(element.name)")
  }

  private static func dictionary(_ element: XMLElement) throws(ArchiveError) -> PropertyList {
    let children = element.children
    var entries: [PropertyListDictionary.Entry] = []
    for position in stride(from: 0, to: children.count, by: 2) {
      guard children[position].name == "key", position + 1 < children.count else {
        throw ArchiveError("the XML property list has a dictionary whose keys and values don't pair")
      }
      entries.append(PropertyListDictionary.Entry(children[position].text, try value(children[position + 1])))
    }
    if entries.count == 1, entries[0].key == "CF$UID", case .integer(let uid) = entries[0].value, uid >= 0 {
      return .uid(UInt64(uid))
    }
    return .dictionary(PropertyListDictionary(entries))
  }

  /// Decimal, or hexadecimal after `0x`.
  private static func integer(_ text: Substring) -> PropertyList? {
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = (isNegative ? "-" : "") + (isHexadecimal ? digits.dropFirst(2) : digits)
    let radix = isHexadecimal ? 16 : 10
    return Int64(number, radix: radix).map { .integer($0) }
      ?? UInt64(number, radix: radix).map { .unsigned($0) }
  }

  private static func trimmed(_ text: String) -> Substring {
    var rest = Substring(text)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
