import Base
import SQLite
package import StoreModel

/// Words and short texts of a store that are nearly what somebody typed, and where each is.
package struct SimilarTexts {
  package struct Text: Sendable {
    package var text: String
    package var object: ObjectKey
    package var property: String
  }

  /// Different words that are compared, and bytes of text that are split into words, at most: about a second.
  private static let mostWords = 100_000
  private static let mostBytes = 64 << 20
  /// Nobody mistypes one letter of a longer text, and comparing takes the square of its length.
  private static let longestTyped = 40

  private let lengths: ClosedRange<Int>
  /// Whether one word was typed, which may be anywhere in a text; of several, the text is all of them.
  private let isWord: Bool
  private var known: [String: Text] = [:]
  private var wholes: Set<String> = []
  private var bytes = 0

  /// The nearest first, three at most.
  package static func find(
    _ question: SearchQuestion, in store: CoreDataStore, step: () -> Void = {}
  ) throws -> [Text] {
    let typed = question.text
    guard typed.count <= longestTyped else { return [] }
    let tables = SearchedTable.all(of: question.entities, in: store) { property in
      [.string, .uri].contains(property.type) && (question.property?.includes(property.path) ?? true)
    }
    var similar = SimilarTexts(typed)
    for table in tables { try similar.read(table, in: store, step) }
    var near: [String] = []
    var left = similar.known.keys.sorted()[...]
    while !left.isEmpty {
      // Ctrl-C ends this in the shell too.
      try Interruption.check()
      near += Suggestion.nearest(3, to: typed, in: left.prefix(1000))
      left = left.dropFirst(1000)
    }
    return Suggestion.nearest(3, to: typed, in: near).compactMap { similar.known[$0] }
  }

  private init(_ typed: String) {
    // No shorter text has as many characters as the nearest ones have at least, whatever their encoding.
    lengths = max(2, typed.count - Suggestion.farthest(typed))...typed.utf8.count * 3 / 2 + 2
    isWord = !typed.contains(where: \.isWhitespace)
  }

  private var hasRoom: Bool { known.count <= Self.mostWords && bytes <= Self.mostBytes }

  private mutating func read(_ table: SearchedTable, in store: CoreDataStore, _ step: () -> Void) throws {
    guard hasRoom else { return }
    let statement = try table.statement(in: store)
    while hasRoom, try statement.step() {
      step()
      let entity = statement.integer(1)
      guard let searched = table.properties[entity] else { continue }
      // A loop over the elements would count references of each.
      for index in searched.indices {
        let cell = statement.cell(2 + searched[index].column)
        guard cell.type == .text else { continue }
        let object = ObjectKey(entity: entity, primaryKey: statement.integer(0))
        cell.withBytes { read($0, object, searched[index].property.name) }
      }
    }
  }

  private mutating func read(_ text: UnsafeRawBufferPointer, _ object: ObjectKey, _ property: String) {
    guard text.count < 10_000 else { return }
    bytes += text.count
    if lengths.contains(text.count) {
      add(String(decoding: text, as: UTF8.self)[...], object, property, isWhole: true)
    }
    guard isWord else { return }
    if text.isASCII {
      ASCIIWords.forEach(in: text, lengths) { word in
        add(String(decoding: text[word], as: UTF8.self)[...], object, property, isWhole: false)
      }
    } else {
      let value = String(decoding: text, as: UTF8.self)
      for word in value.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
        add(word, object, property, isWhole: false)
      }
    }
  }

  private mutating func add(_ text: Substring, _ object: ObjectKey, _ property: String, isWhole: Bool) {
    guard lengths.contains(text.utf8.count) else { return }
    let key = text.lowercased()
    // A value that is the word says more than one that has it somewhere.
    guard known[key] == nil || isWhole && !wholes.contains(key) else { return }
    known[key] = Text(text: String(text), object: object, property: property)
    if isWhole { wholes.insert(key) }
  }
}

/// The words of ASCII texts that have some length: letters and digits with none before and behind them.
package enum ASCIIWords {
  /// Calls `body` for each word of such a length, the first one first. No word has a gap within its shortest length, so
  /// that most letters aren't looked at.
  package static func forEach(
    in text: UnsafeRawBufferPointer, _ lengths: ClosedRange<Int>, _ body: (Range<Int>) -> Void
  ) {
    // Always where a word may begin.
    var start = 0
    while start + lengths.lowerBound <= text.count {
      var end = start + lengths.lowerBound
      if let gap = (start..<end).last(where: { !isInWord(text[$0]) }) {
        start = gap + 1
        continue
      }
      while end < text.count, isInWord(text[end]) { end += 1 }
      if end - start <= lengths.upperBound { body(start..<end) }
      start = end + 1
    }
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }
}
