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
