/// Lines of the form `Key: text`; lines that begin with two spaces continue it. Queries, rules and explanations are
/// described in this form.
package struct KeyedLines: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var text: String
  }

  /// In the order of the text.
  package private(set) var entries: [Entry] = []

  /// The comment at the top of a query's file: the same lines, each after two dashes.
  package init(sql: String) {
    for line in sql.split(whereSeparator: \.isNewline) {
      guard line.hasPrefix("--") else { break }
      add(Array(line.utf8)[2...])
    }
  }

  package init(_ text: String) { self.init(Array(text.utf8).split(separator: Self.newline)) }

  private init(_ lines: some Sequence<ArraySlice<UInt8>>) { for line in lines { add(line) } }

  /// Of texts with blank lines between them.
  package static func all(in text: [UInt8]) -> [KeyedLines] { paragraphs(of: text).map { KeyedLines($0) } }

  /// The lines of texts with blank lines between them.
  package static func paragraphs(of text: [UInt8]) -> [ArraySlice<ArraySlice<UInt8>>] {
    text.split(separator: newline, omittingEmptySubsequences: false).split(whereSeparator: \.isEmpty)
  }

  private static let newline = UInt8(ascii: "\n")
  private static let blank = UInt8(ascii: " ")

  /// Over bytes, as a command may read hundreds of rules and explanations when it starts.
  private mutating func add(_ line: ArraySlice<UInt8>) {
    func text(_ bytes: ArraySlice<UInt8>) -> String {
      String(decoding: bytes.drop { $0 == Self.blank }, as: UTF8.self)
    }
    if line.starts(with: [Self.blank, Self.blank]), !entries.isEmpty {
      entries[entries.count - 1].text += " " + text(line)
      return
    }
    let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.count == 2 else { return }
    let words = parts[0].split(separator: Self.blank).map(text)
    entries.append(Entry(key: words.joined(separator: " "), text: text(parts[1])))
  }

  /// The text behind the key, whose case doesn't count.
  package subscript(key: String) -> String? {
    let entry =
      entries.first { $0.key == key }
      ?? entries.first {
        $0.key.utf8.count == key.utf8.count && $0.key.lowercased() == key.lowercased()
      }
    return entry?.text
  }

  /// The texts behind a key that may occur several times.
  package func all(_ key: String) -> [String] { entries.filter { $0.key == key }.map(\.text) }

  /// What stands behind the key with commas between.
  package func list(_ key: String) -> [String] {
    (self[key] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }
  }
}
