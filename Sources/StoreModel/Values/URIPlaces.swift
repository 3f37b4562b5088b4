import Archives
import Values

/// Finds out where in a value its object URIs are, by decoding it.
package struct URIPlaces {
  /// Larger values aren't decoded, as that takes many times their size: their URIs are found, and not where.
  private static let decodedLimit = 4 << 20
  private static let limits = DecodingLimits(values: 100_000, bytes: 16 << 20)

  private let body: (_ path: String, String, ObjectURI) throws -> Void
  private var path: [String] = []
  private var found: Set<String> = []
  private var isCut = false

  private init(_ body: @escaping (String, String, ObjectURI) throws -> Void) { self.body = body }

  /// Calls `body` with every URI in these bytes and with the path to it, which is empty where the value is no
  /// structure, or can't be decoded as one.
  package static func find(
    in bytes: UnsafeRawBufferPointer, _ body: (_ path: String, String, ObjectURI) throws -> Void
  ) throws {
    try withoutActuallyEscaping(body) { body in
      var places = URIPlaces(body)
      if bytes.count <= decodedLimit, let value = BlobReader.value(of: bytes, limits: limits) {
        try places.visit(value)
        if !places.found.isEmpty, !places.isCut { return }
      }
      let isText = String(validating: bytes, as: UTF8.self) != nil
      try URIScanner.uris(in: bytes, wholeWords: isText) { text, uri in
        if !places.found.contains(text) { try body("", text, uri) }
      }
    }
  }

  private mutating func visit(_ value: DataValue) throws {
    switch value {
    case .text(let text): try visit(text)
    case .array(let elements):
      for (index, element) in elements.enumerated() { try visit(element, below: "[\(index)]") }
    case .object(let members):
      for member in members {
        if member.name == "$truncated" { isCut = true }
        // A dictionary's key may be one.
        if member.name.utf8.count > 11 { try visit(member.name) }
        try visit(member.value, below: "." + member.name)
      }
    case .blob(let summary):
      if let value = summary.value { try visit(value) }
    case .null, .bool, .integer, .real, .date: break
    }
  }

  private mutating func visit(_ value: DataValue, below step: String) throws {
    path.append(step)
    try visit(value)
    path.removeLast()
  }

  private mutating func visit(_ text: String) throws {
    guard text.utf8.count > 11 else { return }
    try URIScanner.uris(in: text) { uriText, uri in
      found.insert(uriText)
      try body(String(path.joined().prefix(200)), uriText, uri)
    }
  }
}
