import Base
import SQLite
package import StoreModel

/// Searches the values of all objects, one match after the other: the entities by their numbers, the objects of a
/// table by their keys. Each property of an object counts once.
package final class ValueSearch {
  private let store: CoreDataStore
  private let matcher: ValueMatcher
  private let step: () -> Void
  private let question: SearchQuestion
  private let readers: () throws -> [CoreDataStore]
  private var tables: ArraySlice<SearchedTable>
  private var current: (table: SearchedTable, statement: Statement)?
  /// What is left of a large table.
  private var ranges: (table: SearchedTable, left: ScreenedRanges)?
  /// The properties of the current row that are still to be looked at.
  private var left: ArraySlice<(column: Int, property: ValueMatcher.Property)> = []

  /// - Parameters:
  ///   - readers: the same store for several threads, without this one's connection; none for small ones.
  ///   - step: called for every row.
  package init(
    _ question: SearchQuestion, in store: CoreDataStore,
    readers: @escaping () throws -> [CoreDataStore] = { [] }, step: @escaping () -> Void = {}
  ) {
    self.question = question
    self.store = store
    self.readers = readers
    self.step = step
    matcher = question.matcher(in: store)
    tables =
      SearchedTable.all(of: question.entities, in: store) { searched in
        question.property.map { $0.includes(searched.name) || $0.includes(searched.path) } ?? true
      }[...]
  }

  /// What could not be searched, a sentence each.
  package var problems: [String] { matcher.problems.map { "A value wasn't searched: \(Sentence.ended($0))" } }

  /// Nil at the end.
  package func next() throws -> SearchMatch? {
    while true {
      if let (table, statement) = current {
        while let (column, property) = left.popFirst() {
          if let bytes = table.unreadBytes(statement, column) {
            matcher.skip(property, bytes: bytes)
            continue
          }
          guard let found = matcher.find(in: statement.cell(2 + column), of: property) else { continue }
          return SearchMatch(
            ObjectKey(entity: statement.integer(1), primaryKey: statement.integer(0)), property.name,
            found.place,
            found.hit)
        }
        if try nextRow() { continue }
      }
      if let (table, left) = ranges {
        if let range = try left.next(whileWaiting: step) {
          current = (table, try table.statement(in: store, range))
          continue
        }
        ranges = nil
      }
      guard let table = tables.popFirst() else { return nil }
      let large = try ScreenedRanges(of: table.name, in: store, by: readers) {
        table.screen($0, question.matcher(in: $0))
      }
      ranges = large.map { (table, $0) }
      if large == nil { current = (table, try table.statement(in: store)) }
    }
  }

  private func nextRow() throws -> Bool {
    guard let (table, statement) = current else { return false }
    guard try statement.step() else {
      current = nil
      return false
    }
    step()
    left = table.properties[statement.integer(1)]?[...] ?? []
    return true
  }
}
