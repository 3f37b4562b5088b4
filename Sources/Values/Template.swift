/// A text kept in a file of its own, with `{{name}}` where the program puts in what it alone knows.
package struct Template {
  private let text: String

  package init(_ text: String) { self.text = text }

  package init(_ file: [UInt8]) { self.init(String(decoding: file, as: UTF8.self)) }

  package func filled(_ values: [(name: String, value: String)]) -> String {
    values.reduce(text) { $0.replacing("{{\($1.name)}}", with: $1.value) }
  }
}
