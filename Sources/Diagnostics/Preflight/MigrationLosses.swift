import Lens
import StoreModel
import Values

/// What removed entities and properties take with them.
struct MigrationLosses {
  /// Clauses, such as `Note.text is removed with 1 value`.
  private var clauses: [String] = []
  /// Of removed entities.
  private(set) var rows = 0

  private static let mostListed = 3

  init(_ changes: [ModelChange], _ store: CoreDataStore) throws {
    // Both sides of a many-to-many relationship have the same links.
    var tables: Set<String> = []
    for change in changes where change.removesValues {
      switch change.kind {
      case .entityRemoved:
        let count = try RowConditions(change.entity, in: store)?.rows() ?? 0
        rows += count
        add(change.entity, "is removed", count, "row")
      case .attributeRemoved, .relationshipRemoved, .becameTransient:
        guard let entity = change.older.entity, let property = change.older.properties.first else { continue }
        let how = change.kind == .becameTransient ? "becomes transient" : "is removed"
        let rows = change.older.entities.compactMap { RowConditions($0, in: store) }
        let values = try rows.compactMap { try $0.values(of: property) }
        if !values.isEmpty {
          add("\(entity).\(property)", how, values.reduce(0, +), "value")
        } else if let links = try rows.first?.links(of: property), tables.insert(links.table).inserted {
          add("\(entity).\(property)", how, links.count, "link")
        }
      default: break
      }
    }
  }

  private mutating func add(_ what: String, _ how: String, _ count: Int, _ noun: String) {
    if count > 0 { clauses.append("\(what) \(how) with \(Sentence.count(count, noun))") }
  }

  /// The first of them; nil if nothing is lost.
  var listed: String? {
    guard !clauses.isEmpty else { return nil }
    let more = clauses.count > Self.mostListed ? ", and \(clauses.count - Self.mostListed) more" : ""
    return clauses.prefix(Self.mostListed).joined(separator: ", ") + more
  }

  var reasons: [LaunchForecast.Reason] { clauses.map { .init("\($0).") } }
}
