import Diagnostics
import Lens
import SQLite
import StoreModel
import Values

/// The object that `trace` was asked for, in any of the ways people name one.
enum TracedObject {
  /// What is said where a word is none of them.
  static let forms =
    "give a URI, Entity/pN, 'Entity N', a record name, or an entity and attribute=value"

  static func find(_ words: [String], _ session: Session, _ reader: TraceReader) throws -> ObjectKey {
    let open = try session.open()
    let store = open.store
    let text = words.joined(separator: " ")
    if let named = byAttribute(text) {
      return try byValue(
        store.entity(named: named.entity), named.attribute, named.value, try open.lens())
    }
    if !text.contains("/"), !text.contains(" ") {
      if let object = try reader.object(recordName: text) { return object }
      throw StoreScopeError(
        .notFound, text, "names no object and no record of '\(store.path)'", advice: forms)
    }
    return try concrete(ObjectReference.parse(text, in: store), store)
  }

  /// `Person name=Ann`, as one word of the shell's or as two; the value may have blanks and further equals signs.
  private static func byAttribute(_ text: String) -> (entity: String, attribute: String, value: String)? {
    guard let blank = text.firstIndex(of: " "), let equals = text.firstIndex(of: "=") else { return nil }
    let attribute = text.index(after: blank)
    guard attribute < equals, !text[..<blank].contains("/") else { return nil }
    return (
      String(text[..<blank]), String(text[attribute..<equals]), String(text[text.index(after: equals)...])
    )
  }

  /// The object's own entity, which may be below the one that was named.
  private static func concrete(_ reference: ObjectReference, _ store: CoreDataStore) throws -> ObjectKey {
    let number =
      store.tables.holdsObjects(reference.entity.table)
      ? try store.connection.first(
        "SELECT Z_ENT FROM main.\(quotedIdentifier(reference.entity.table)) WHERE Z_PK = ?",
        [.integer(reference.primaryKey)]
      ) { $0.optionalInteger(0) } ?? nil : nil
    let isBelow = number.map(reference.entity.subtree.contains) ?? false
    if !isBelow, let found = number.flatMap({ store.schema[$0] }) {
      throw ObjectReference.wrongEntity(reference, found, store)
    }
    return ObjectKey(
      entity: isBelow ? number ?? 0 : reference.entity.number, primaryKey: reference.primaryKey)
  }

  private static func byValue(
    _ entity: SchemaEntity, _ attribute: String, _ value: String, _ store: CoreDataStore
  ) throws -> ObjectKey {
    let leaves = entity.attributes.flatMap(\.leaves)
    guard let known = leaves.first(where: { $0.path == attribute }) else {
      throw StoreScopeError(
        .notFound,
        "\(entity.name) of '\(store.path)' has no attribute '\(attribute)'.\(Suggestion.sentence(for: attribute, in: leaves.map(\.path)))",
        about: attribute, advice: "'storescope entities' lists them")
    }
    guard store.tables.holdsObjects(entity.table) else {
      throw StoreScopeError(
        .lacking,
        "The table \(entity.table) of '\(store.path)' has no Z_PK or no Z_ENT, so its objects can't be looked up",
        advice: "name one as \(entity.name)/p12")
    }
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    let column = View.entityColumns(of: entity)[known.path] ?? known.path
    let keys = try store.connection.rows(
      """
      SELECT r."pk", t.Z_ENT FROM temp.\(quotedIdentifier(view)) r
      JOIN main.\(quotedIdentifier(entity.table)) t ON t.Z_PK = r."pk"
      WHERE CAST(r.\(quotedIdentifier(column)) AS TEXT) = ? ORDER BY 1 LIMIT 11
      """, [.text(stored(value, known))]
    ) { ObjectKey(entity: $0.integer(1), primaryKey: $0.integer(0)) }
    guard let first = keys.first else {
      throw StoreScopeError(
        .notFound, "No \(entity.name) in '\(store.path)' has \(attribute) '\(value)'", about: value,
        advice: "'storescope rows' shows the values there are")
    }
    guard keys.count == 1 else {
      let names = keys.prefix(10).map { "\(store.schema[$0.entity]?.name ?? entity.name)/p\($0.primaryKey)" }
      throw StoreScopeError(
        .invalid,
        "More than one \(entity.name) in '\(store.path)' has \(attribute) '\(value)': \(names.joined(separator: ", "))\(keys.count > 10 ? " and more" : "")",
        about: value, advice: "name one of them")
    }
    return first
  }

  /// A truth value is kept as 1 or 0, and printed as a word.
  private static func stored(_ value: String, _ attribute: SchemaAttribute) -> String {
    guard attribute.description.type == .boolean else { return value }
    return switch value.lowercased() {
    case "true", "yes": "1"
    case "false", "no": "0"
    default: value
    }
  }
}
