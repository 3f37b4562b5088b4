import CExpat

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

  // Expat may still report the end of an element after it was told to stop.
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
