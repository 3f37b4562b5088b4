import SQLite
package import StoreModel
import Values

/// Numbers of a store that people may have seen rounded: 1312 where 1312.4 is stored.
package enum SimilarNumbers {
  /// The nearest first, three at most; none for what isn't a number.
  /// - Parameter property: only in what has that name; nil for all.
  package static func find(
    _ typed: String, entities: [SchemaEntity], property: PropertyName? = nil, in store: CoreDataStore,
    step: () -> Void = {}
  ) throws -> [SimilarTexts.Text] {
    guard let number = WrittenNumber(typed)?.readings.last else { return [] }
    let unit = number.integer == nil ? unit(of: typed) : 1
    let tables = SearchedTable.all(of: entities, in: store) { searched in
      switch searched.type {
      case .decimal, .double, .float: property?.includes(searched.path) ?? true
      default: false
      }
    }
    var near: [(distance: Double, text: SimilarTexts.Text)] = []
    for table in tables {
      let statement = try table.statement(in: store)
      while try statement.step() {
        step()
        for (column, property) in table.properties[statement.integer(1)] ?? [] {
          let cell = statement.cell(2 + column)
          guard cell.type == .real || cell.type == .integer else { continue }
          let distance = abs(cell.real - number.real)
          // 5.5 isn't within 0.1 of 5.4, whatever binary fractions say.
          guard distance < unit * 0.999_999, near.count < 3 || distance < near[2].distance else { continue }
          let object = ObjectKey(entity: statement.integer(1), primaryKey: statement.integer(0))
          let real = property.type == .float ? Float(cell.real).description : cell.real.description
          let text = cell.type == .integer ? String(cell.integer) : real
          near.append((distance, .init(text: text, object: object, property: property.name)))
          near = Array(near.sorted { $0.distance < $1.distance }.prefix(3))
        }
      }
    }
    return near.map(\.text)
  }

  /// What the last digit stands for.
  private static func unit(of typed: String) -> Double {
    let digits = typed.reversed().prefix { $0.isNumber }.count
    return (0..<min(digits, 15)).reduce(1) { unit, _ in unit / 10 }
  }
}
