import Lens
import Rendering
import StoreModel
import Values

/// The values that an object's newest update replaced. History doesn't keep them; earlier commits in the WAL may.
struct ReplacedValues {
  let transaction: Int64
  /// By the names of properties.
  private let before: [(name: String, old: DataValue, new: DataValue)]

  private static let longestValue = 40

  /// Nil if the object's newest change isn't an update, as nothing else shows what it changed to, or if the WAL doesn't go
  /// back that far. The store can't be read after this.
  init?(of object: ObjectKey, in store: CoreDataStore, _ commits: EarlierCommits) throws {
    guard let entity = store.schema[object.entity], let reader = try HistoryReader(store) else { return nil }
    let names = ChangeNames(store)
    let filter = HistoryFilter(
      entities: store.schema.hierarchy(ofNumber: object.entity), primaryKey: object.primaryKey)
    var newest: (transaction: Int64, properties: ChangeNames.Properties)?
    try reader.forEachChange(filter, reversed: true) { cursor, _ in
      if let transaction = cursor.change.transaction, let properties = cursor.properties(names) {
        newest = (transaction, properties)
      }
      return false
    }
    let reference = ObjectReference(entity: entity, primaryKey: object.primaryKey)
    guard let newest, let now = try ObjectProperties(reference, in: store),
      let earlier = try commits.properties(of: reference, before: newest.transaction)
    else { return nil }
    transaction = newest.transaction
    before = newest.properties.names.compactMap { name in
      let key = ViewNames.key(for: name)
      guard let old = earlier[key], let new = now[key], old != new else { return nil }
      return (name, old, new)
    }
    if before.isEmpty { return nil }
  }

  /// The old values, as JSON has them.
  var value: DataValue { .object(before.map { .init($0.name, $0.old) }) }

  /// A text that ends with the names of the changed properties, with the values: `budget (1249.5 → 1312.4)`.
  func shown(in text: String) -> String {
    var text = text
    for (name, old, new) in before {
      // Links to many objects are too long for a line.
      if case .array = old { continue }
      // `date` is in `dateEnd`, too.
      let place = text.ranges(of: name).last { place in
        (place.lowerBound == text.startIndex || text[..<place.lowerBound].last == " ")
          && (place.upperBound == text.endIndex || ",.?".contains(text[place.upperBound]))
      }
      guard let place else { continue }
      text.replaceSubrange(place, with: "\(name) (\(Self.shown(old)) → \(Self.shown(new)))")
    }
    return text
  }

  private static func shown(_ value: DataValue) -> String {
    TerminalText.shortened(CellText.of(value.compared), to: longestValue)
  }
}
