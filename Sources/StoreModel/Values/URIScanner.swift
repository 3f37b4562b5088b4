import Archives
import Base

/// Finds object URIs in bytes of any kind.
package enum URIScanner {
  private static let scheme = Array("x-coredata:".utf8)
  /// From the first letter to the colon these are the bytes of UTF-16 in both byte orders.
  private static let wideScheme: [UInt8] = scheme.flatMap { byte -> [UInt8] in [byte, 0] }.dropLast()

  /// Whether the bytes may hold one, in UTF-8 or UTF-16.
  package static func mayFind(in bytes: UnsafeRawBufferPointer) -> Bool {
    next(in: bytes, from: beginning(of: bytes)) != nil
  }

  /// An offset before which no scheme begins: 64 places are looked at together, for its first letter and the colon behind
  /// it. An `x` alone is in most texts: to look behind each took three times as long.
  private static func beginning(of bytes: UnsafeRawBufferPointer) -> Int {
    typealias Lane = SIMD16<UInt8>
    guard let base = bytes.baseAddress else { return 0 }
    let (letter, colon) = (Lane(repeating: UInt8(ascii: "x")), Lane(repeating: UInt8(ascii: ":")))
    @inline(__always) func lane(_ offset: Int) -> Lane {
      base.loadUnaligned(fromByteOffset: offset, as: Lane.self)
    }
    /// Not all zeros if a scheme may begin at any of the 16 places from there.
    @inline(__always) func fits(_ start: Int) -> SIMD2<UInt64> {
      let isEnd = (lane(start + 10) .== colon) .| (lane(start + 20) .== colon)
      // To ask a mask whether any of it is set takes longer than all the rest.
      return unsafeBitCast((lane(start) .== letter) .& isEnd, to: SIMD2<UInt64>.self)
    }
    var start = 0
    // The colon of the last place has to be there.
    while start + 64 + 20 <= bytes.count {
      let any = fits(start) | fits(start + 16) | fits(start + 32) | fits(start + 48)
      if any[0] | any[1] != 0 { break }
      start += 64
    }
    return start
  }

  /// Where the scheme is next, and how many bytes its characters take.
  private static func next(in bytes: UnsafeRawBufferPointer, from start: Int) -> (offset: Int, width: Int)? {
    var position = start
    while let offset = Platform.firstOffset(of: UInt8(ascii: "x"), in: bytes, from: position) {
      if starts(with: scheme, bytes, at: offset) { return (offset, 1) }
      if starts(with: wideScheme, bytes, at: offset) { return (offset, 2) }
      position = offset + 1
    }
    return nil
  }

  private static func starts(with word: [UInt8], _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard bytes.count - offset >= word.count else { return false }
    for index in 1..<word.count where bytes[offset + index] != word[index] { return false }
    return true
  }

  /// Every URI of an object, saved or not, however often it is there.
  ///
  /// - Parameter wholeWords: whether what follows a key must be no letter or digit. In binary data it may be anything.
  static func uris(
    in bytes: UnsafeRawBufferPointer, wholeWords: Bool = true, _ body: (String, ObjectURI) throws -> Void
  ) rethrows {
    var position = 0
    while let (offset, width) = next(in: bytes, from: position) {
      var cursor = Cursor(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset...]), width: width)
      if let text = cursor.uri(wholeWords: wholeWords), let uri = ObjectURI(text) { try body(text, uri) }
      position = offset + 1
    }
  }

  static func uris(in text: String, _ body: (String, ObjectURI) throws -> Void) rethrows {
    var text = text
    try text.withUTF8 { try uris(in: UnsafeRawBufferPointer($0), body) }
  }

  /// Reads along one URI. Such URIs are ASCII: everything else in an entity's name is percent-encoded.
  private struct Cursor {
    let bytes: UnsafeRawBufferPointer
    /// Bytes a character.
    let width: Int
    var position = 0
    var text: [UInt8] = []

    /// The URI that begins here.
    mutating func uri(wholeWords: Bool) -> String? {
      guard take("x-coredata://") else { return nil }
      take { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      guard take("/"), take(where: isInName) > 0, take("/") else { return nil }
      if take("p") {
        guard take(where: isDigit) > 0 else { return nil }
      } else {
        // The UUID of the process, and a counter without anything between.
        guard take("t"), take(upTo: 36, where: { isHexadecimal($0) || $0 == UInt8(ascii: "-") }) == 36
        else { return nil }
        take(where: isDigit)
      }
      if wholeWords, let next = peek(), isAlphanumeric(next) { return nil }
      return String(decoding: text, as: UTF8.self)
    }

    /// The next character; JSON may have a backslash before a slash.
    private mutating func peek() -> UInt8? {
      if byte(at: position) == UInt8(ascii: "\\"), byte(at: position + width) == UInt8(ascii: "/") {
        position += width
      }
      return byte(at: position)
    }

    private func byte(at position: Int) -> UInt8? {
      guard position < bytes.count else { return nil }
      if width == 2, position + 1 < bytes.count, bytes[position + 1] != 0 { return nil }
      return bytes[position]
    }

    private mutating func take(_ word: StaticString) -> Bool {
      for index in 0..<word.utf8CodeUnitCount {
        guard peek() == word.utf8Start[index] else { return false }
        text.append(word.utf8Start[index])
        position += width
      }
      return true
    }

    @discardableResult
    private mutating func take(upTo limit: Int = 1024, where belongs: (UInt8) -> Bool) -> Int {
      var count = 0
      while count < limit, let byte = peek(), belongs(byte) {
        text.append(byte)
        position += width
        count += 1
      }
      return count
    }
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
private func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) }
private func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
private func isInName(_ byte: UInt8) -> Bool {
  isAlphanumeric(byte) || [0x25, 0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
}

/// Finds out where in a value its object URIs are, by decoding it.
package struct URIPlaces {
  /// Larger values aren't decoded, as that takes many times their size: their URIs are found, and not where.
  private static let decodedLimit = 4 << 20
  private static let limits = DecodingLimits(values: 100_000, bytes: 16 << 20)

  private let body: (_ path: String, String, ObjectURI) throws -> Void
  private var path: [String] = []
  private var found: Set<String> = []
  private var isCut = false

  /// Calls `body` with every URI in these bytes and with the path to it, which is empty where the value is no
  /// structure, or can't be decoded as one.
  package static func find(
    in bytes: UnsafeRawBufferPointer, _ body: (_ path: String, String, ObjectURI) throws -> Void
  ) throws {
    try withoutActuallyEscaping(body) { body in
      var places = URIPlaces(body: body)
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
