/// A text kept in a file of its own, with `{{name}}` where the program puts in what it alone knows.
package struct Template {
  private let text: [UInt8]

  package init(_ file: [UInt8]) { text = file }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  /// Names without a value stay. One pass over bytes, as a command may fill the headers of all rules when it starts.
  package func filled(_ values: [String: String]) -> String {
    var result: [UInt8] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
      result += rest[..<open]
      rest = rest[open...]
      if rest.starts(with: "{{".utf8), let end = rest.firstIndex(of: UInt8(ascii: "}")),
        let value = values[String(decoding: rest[(open + 2)..<end], as: UTF8.self)]
      {
        result += value.utf8
        rest = rest[end...].dropFirst("}}".utf8.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }
}
