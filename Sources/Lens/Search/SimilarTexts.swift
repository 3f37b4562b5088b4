import SQLite
package import StoreModel
import SystemCalls
import Values

/// Words and short texts of a store that are nearly what somebody typed, and where each is.
package struct SimilarTexts {
  package struct Text: Sendable {
    package var text: String
    package var object: ObjectKey
    package var property: String

    /// Whether it is what was typed but for its accents: `Belém`, where `belem` was typed.
    package func isAccented(_ typed: String) -> Bool {
      let (written, plain) = (text.lowercased(), typed.lowercased())
      guard written.count == plain.count, written != plain else { return false }
      return zip(written, plain).allSatisfy { $0 == $1 || !$0.isASCII && $0.isLetter && $1.isASCII }
    }
  }

  /// Different words that are compared, and bytes of text that are split into words, at most: about a second.
  private static let mostWords = 100_000
  private static let mostBytes = 64 << 20
  /// Nobody mistypes one letter of a longer text, and comparing takes the square of its length.
  private static let longestTyped = 40

  /// The nearest first, three at most.
  /// - Parameter attribute: of which attribute, or a composite's leaf; nil for all.
  package static func find(
    _ typed: String, entities: [SchemaEntity], attribute: SchemaAttribute? = nil, in store: CoreDataStore,
    step: () -> Void = {}
  ) throws -> [Text] {
    guard typed.count <= longestTyped else { return [] }
    let tables = SearchedTable.all(of: entities, in: store) { property in
      [.string, .uri].contains(property.type) && (attribute.map(property.isPart) ?? true)
    }
    var known: [String: Text] = [:]
    var wholes: Set<String> = []
    var bytes = 0
    // No shorter text has as many characters as the nearest ones have at least, whatever their encoding.
    let lengths = max(2, typed.count - Suggestion.farthest(typed))...typed.utf8.count * 3 / 2 + 2
    func add(_ text: Substring, _ object: ObjectKey, _ property: String, isWhole: Bool) {
      guard lengths.contains(text.utf8.count) else { return }
      let key = text.lowercased()
      // A value that is the word says more than one that has it somewhere.
      guard known[key] == nil || isWhole && !wholes.contains(key) else { return }
      known[key] = Text(text: String(text), object: object, property: property)
      if isWhole { wholes.insert(key) }
    }
    search: for table in tables {
      let statement = try table.statement(in: store)
      while try statement.step() {
        step()
        let entity = statement.integer(1)
        guard let searched = table.properties[entity] else { continue }
        // A loop over the elements would count references of each.
        for index in searched.indices {
          let cell = statement.cell(2 + searched[index].column)
          guard cell.type == .text else { continue }
          let object = ObjectKey(entity: entity, primaryKey: statement.integer(0))
          cell.withBytes { text in
            guard text.count < 10_000 else { return }
            bytes += text.count
            if lengths.contains(text.count) {
              add(
                String(decoding: text, as: UTF8.self)[...], object, searched[index].property.name,
                isWhole: true)
            }
            if text.isASCII {
              ASCIIWords.forEach(in: text, lengths) { word in
                add(
                  String(decoding: text[word], as: UTF8.self)[...], object, searched[index].property.name,
                  isWhole: false)
              }
            } else {
              let value = String(decoding: text, as: UTF8.self)
              for word in value.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                add(word, object, searched[index].property.name, isWhole: false)
              }
            }
          }
          if known.count > mostWords || bytes > mostBytes { break search }
        }
      }
    }
    var near: [String] = []
    var left = known.keys.sorted()[...]
    while !left.isEmpty {
      // Ctrl-C ends this in the shell too.
      try Interruption.check()
      near += Suggestion.nearest(3, to: typed, in: left.prefix(1000))
      left = left.dropFirst(1000)
    }
    return Suggestion.nearest(3, to: typed, in: near).compactMap { known[$0] }
  }
}
