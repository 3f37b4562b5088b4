import Lens
import SQLite
import StoreModel
import Values

/// What helps with SQL that names a column which isn't there.
enum ColumnHint {
  private static let mark = "no such column: "

  /// A sentence with a blank before it, or nothing. `columns` are those that could have been meant.
  static func sentence(
    for error: SQLiteError, columns: @autoclosure () throws -> [String], in store: CoreDataStore
  ) rethrows -> String {
    guard error.message.hasPrefix(mark) else { return "" }
    // Of a word in double quotes SQLite goes on to ask whether a text was meant.
    var word = String(error.message.dropFirst(mark.count))
    if word.hasPrefix("\""), let end = word.dropFirst().firstIndex(of: "\"") {
      word = String(word[word.index(after: word.startIndex)..<end])
    }
    let columns = try columns()
    if let same = columns.first(where: { $0.lowercased() == word.lowercased() }) {
      return " A name with a dot has to be in double quotes: \(quotedIdentifier(same))."
    }
    // `p.nam`: the column of a view that goes by another name there.
    let last = word.split(separator: ".").last.map(String.init) ?? word
    if let other = elsewhere(last, columns, store) { return other }
    guard
      let near = Suggestion.nearest(to: word, in: columns) ?? Suggestion.nearest(to: last, in: columns)
    else {
      return error.sql?.contains("\"\(word)\"") ?? false
        ? " A text is written in single quotes: \(quotedText(word))." : ""
    }
    return near.contains(".")
      ? " Did you mean \(quotedIdentifier(near))? A name with a dot has to be in double quotes."
      : " Did you mean '\(near)'?"
  }

  /// Who has what the named views lack: another entity, or a view of links.
  private static func elsewhere(_ word: String, _ columns: [String], _ store: CoreDataStore) -> String? {
    let name = word.lowercased()
    let entities = store.schema.entities
    let views = ViewNames.views(for: entities.map(\.name))
    let owners = entities.filter { View.entityColumns(of: $0).values.contains { $0.lowercased() == name } }
    // Sub-entities have what their parent has.
    let highest = owners.filter { owner in !owners.contains { $0.number == owner.parent } }
    if !highest.isEmpty {
      let names = highest.prefix(3).compactMap { views[$0.name] }.joined(separator: ", ")
      return " '\(word)' is a property of \(names)\(highest.count > 3 ? " and others" : "")."
    }
    for entity in entities {
      guard let relationship = entity.relationships.first(where: { $0.name.lowercased() == name }) else {
        continue
      }
      switch relationship.storage {
      case .toMany, .join:
        return
          " '\(relationship.name)' of \(entity.name) is a to-many relationship: join the view \(entity.name)_\(relationship.name), which has the columns source and target."
      case .toOne, .none: continue
      }
    }
    return nil
  }

  /// The columns of the lens's views that the SQL names; of all of them where it names none.
  static func columns(for sql: String, in store: CoreDataStore) throws -> [String] {
    let text = sql.lowercased()
    let views = try store.connection.rows(
      "SELECT name FROM sqlite_temp_master WHERE type = 'view' ORDER BY rowid"
    ) { $0.text(0) }
    let named = views.filter { text.contains($0.lowercased()) }
    var known: Set<String> = []
    return (named.isEmpty ? views : named).flatMap { view in
      // A view over a damaged table has no columns to offer.
      let statement = try? store.connection.prepare("SELECT * FROM temp.\(quotedIdentifier(view))")
      return statement?.columnNames ?? []
    }.filter { known.insert($0).inserted }
  }
}
