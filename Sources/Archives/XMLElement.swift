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
