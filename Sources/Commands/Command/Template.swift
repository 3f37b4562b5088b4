/// A text kept in a file of its own, with `{{name}}` where the program puts in what it alone knows.
struct Template {
  private let text: String

  init(_ text: String) { self.text = text }

  init(_ file: [UInt8]) { self.init(String(decoding: file, as: UTF8.self)) }

  func filled(_ values: [(name: String, value: String)]) -> String {
    values.reduce(text) { $0.replacing("{{\($1.name)}}", with: $1.value) }
  }
}
