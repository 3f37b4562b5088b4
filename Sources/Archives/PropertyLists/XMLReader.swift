import Base
import CExpat

/// Reads XML documents into trees, with expat.
///
/// Documents may come from anywhere: a declaration of an entity ends the reading, no other file is ever loaded
/// (expat does so only through a handler, and none is set), and depth and number of elements are capped. Expat's
/// own guard against amplification stays on: https://libexpat.github.io/doc/expat-internals-amplification/
package enum XMLReader {
  static let depthLimit = 128
  static let elementLimit = 1_000_000

  /// The root element. Throws where the document is not well-formed, declares entities, or is too deep or large.
  package static func read(_ bytes: [UInt8]) throws(ArchiveError) -> XMLElement {
    guard let parser = XML_ParserCreate(nil) else { throw ArchiveError("expat had no memory for a parser") }
    defer { XML_ParserFree(parser) }
    let builder = XMLTreeBuilder(parser)
    XML_SetUserData(parser, Unmanaged.passUnretained(builder).toOpaque())
    install(parser)
    return try withExtendedLifetime(builder) { () throws(ArchiveError) in
      try feed(bytes, to: parser, builder: builder)
      guard let root = builder.root else { throw ArchiveError("the XML has no element") }
      return root
    }
  }

  private static func feed(
    _ bytes: [UInt8], to parser: XML_Parser, builder: XMLTreeBuilder
  ) throws(ArchiveError) {
    try bytes.withUnsafeBufferPointer { buffer throws(ArchiveError) in
      var position = 0
      repeat {
        // Expat counts in 32 bits.
        let length = min(buffer.count - position, 1 << 20)
        let isLast = position + length == buffer.count
        let status = buffer.withMemoryRebound(to: CChar.self) { characters in
          XML_Parse(parser, characters.baseAddress.map { $0 + position }, Int32(length), isLast ? 1 : 0)
        }
        guard status == XML_STATUS_OK else { throw builder.refusal ?? error(of: parser) }
        position += length
      } while position < buffer.count
    }
  }

  private static func error(of parser: XML_Parser) -> ArchiveError {
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "damaged"
    return ArchiveError("the XML is not well-formed at line \(XML_GetCurrentLineNumber(parser)) (\(reason))")
  }

  private static func install(_ parser: XML_Parser) {
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let name else { return }
        XMLTreeBuilder.from(context)?.start(
          String(cString: name), attributes: XMLReader.attributes(attributes))
      },
      { context, _ in XMLTreeBuilder.from(context)?.end() })
    XML_SetCharacterDataHandler(parser) { context, characters, length in
      guard let characters else { return }
      let bytes = UnsafeRawBufferPointer(start: characters, count: Int(length))
      XMLTreeBuilder.from(context)?.append(String(decoding: bytes, as: UTF8.self))
    }
    XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      XMLTreeBuilder.from(context)?.refuse("the XML declares an entity, which is not allowed")
    }
    XML_SetSkippedEntityHandler(parser) { context, _, _ in
      XMLTreeBuilder.from(context)?.refuse("the XML uses an entity that it doesn't declare")
    }
  }

  /// Names and values in turn, up to a null pointer.
  private static func attributes(
    _ list: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
  ) -> [String: String] {
    var attributes: [String: String] = [:]
    guard var next = list else { return [:] }
    while let name = next[0], let value = next[1] {
      attributes[String(cString: name)] = String(cString: value)
      next += 2
    }
    return attributes
  }
}

/// Builds the tree as expat reports it.
final class XMLTreeBuilder {
  private let parser: XML_Parser
  private var open: [XMLElement] = []
  private var elementCount = 0
  private(set) var root: XMLElement?
  /// Why the document is refused, although expat would read it.
  private(set) var refusal: ArchiveError?

  init(_ parser: XML_Parser) { self.parser = parser }

  /// The builder that was given to expat as its user data.
  static func from(_ userData: UnsafeMutableRawPointer?) -> XMLTreeBuilder? {
    userData.map { Unmanaged<XMLTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
  }

  func start(_ name: String, attributes: [String: String]) {
    elementCount += 1
    guard open.count < XMLReader.depthLimit else {
      return refuse("the XML nests deeper than \(XMLReader.depthLimit) levels")
    }
    guard elementCount <= XMLReader.elementLimit else {
      return refuse("the XML has more than \(XMLReader.elementLimit) elements")
    }
    open.append(XMLElement(name: name, attributes: attributes))
  }

  // Expat may still report the end of an element after it was asked to stop.
  func end() {
    guard refusal == nil, let element = open.popLast() else { return }
    if open.isEmpty {
      root = element
    } else {
      open[open.count - 1].children.append(element)
    }
  }

  func append(_ text: String) {
    guard refusal == nil, !open.isEmpty else { return }
    open[open.count - 1].text += text
  }

  func refuse(_ reason: String) {
    guard refusal == nil else { return }
    refusal = ArchiveError(reason)
    XML_StopParser(parser, XML_Bool(0))
  }
}

/// An element of an XML document with all that is in it.
package struct XMLElement: Sendable, Equatable {
  package var name: String
  package var attributes: [String: String]
  package var children: [XMLElement] = []
  /// The text that stands directly in the element, around and between its children.
  package var text = ""

  package init(name: String, attributes: [String: String] = [:]) {
    self.name = name
    self.attributes = attributes
  }

  /// The children of that name.
  package func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

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
