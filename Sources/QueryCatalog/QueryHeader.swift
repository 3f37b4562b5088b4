/// What the comment lines at the top of a query's file say: `-- Key: text`, a text going on in lines that begin with
/// two spaces behind the dashes.
package struct QueryHeader: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var text: String
  }

  /// In the order of the file.
  package private(set) var entries: [Entry] = []

  package init(sql: String) {
    for line in sql.split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("--") else { break }
      add(line.dropFirst(2))
    }
  }

  /// The same lines without dashes.
  package init(text: String) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { add(Substring(line)) }
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
}
