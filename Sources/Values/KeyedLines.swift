/// Lines of the form `Key: text`; a text goes on in lines that begin with two spaces. Queries, rules and explanations are
/// described in this form.
package struct KeyedLines: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var text: String
  }

  /// In the order of the text.
  package private(set) var entries: [Entry] = []

  /// The comment at the top of a query's file: the same behind two dashes.
  package init(sql: String) {
    for line in sql.split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("--") else { break }
      add(line.dropFirst(2))
    }
  }

  package init(_ text: Substring) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { add(Substring(line)) }
  }

  /// Of texts with blank lines between them.
  package static func all(in text: String) -> [KeyedLines] {
    text.split(separator: "\n\n").map { KeyedLines($0) }
  }

  private mutating func add(_ line: Substring) {
    if line.hasPrefix("  "), !entries.isEmpty {
      entries[entries.count - 1].text += " " + line.drop { $0 == " " }
      return
    }
    let parts = line.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else { return }
    entries.append(
      Entry(
        key: parts[0].split(separator: " ").joined(separator: " "),
        text: String(parts[1].drop { $0 == " " })
      ))
  }

  /// The text behind the key, whose case doesn't count.
  package subscript(key: String) -> String? {
    let entry =
      entries.first { $0.key == key } ?? entries.first { $0.key.lowercased() == key.lowercased() }
    return entry?.text
  }

  /// The texts behind a key that may occur several times.
  package func all(_ key: String) -> [String] { entries.filter { $0.key == key }.map(\.text) }
}
