import CloudKitMirror
import Lens
import Rendering
import SQLite
import StoreModel
import Values

extension Command {
  static let trace = Command(
    "trace", summary: "one object's story: changes, record, exports, what is pending now",
    arguments: [
      .init("OBJECT", help: "a URI, Entity/pN, a record name, or an entity and 'attribute=value'"),
      .init("VALUE", isOptional: true, help: "attribute=value, where OBJECT is an entity's name"),
    ],
    discussion: """
      Exports that ran after a change are told as what may have sent it: the store doesn't keep which objects an
      export sent.

      Examples:
        storescope trace App.store Person/p12
        storescope trace App.store 5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10
        storescope trace App.store Person name=Ann
      """
  ) { invocation in
    let session = try invocation.store()
    let store = try session.store()
    let mirror = try Mirror(store)
    let reader = TraceReader(store, mirror)
    let words = invocation.arguments.positionals
    let object = try TracedObject.find(words, session, reader)
    let steps = try reader.steps(of: object)
    let columns = ["at", "kind", "text"]
    let name = "\(store.schema[object.entity]?.name ?? "entity \(object.entity)")/p\(object.primaryKey)"
    guard try reader.knows(object, from: steps) else {
      throw StoreScopeError(
        "'\(store.path)' has no object \(name), and neither history nor the mirror has a trace of one; 'storescope rows' lists those there are."
      )
    }
    return Outcome(
      Document(
        command: "trace", store: try session.identity(),
        fields: [.init("object", .text(name)), .init("steps", .array(steps.map(\.value)))], payload: "steps",
        blocks: [
          .heading(name),
          .table(
            RowStream(
              columns: columns.map { .init($0) },
              rows: steps.map { [.optional($0.at), .text($0.kind.rawValue), .text($0.text)] },
              emptyText: "(nothing is known of it)")),
        ]))
  }
}

/// The object that `trace` and `show` were asked for, in any of the ways people name one.
enum TracedObject {
  static func find(_ words: [String], _ session: Session, _ reader: TraceReader) throws -> ObjectKey {
    let store = try session.store()
    let text = words.joined(separator: " ")
    if words.count == 2, let split = words[1].firstIndex(of: "="), split != words[1].startIndex {
      let entity = try store.entity(named: words[0])
      let attribute = String(words[1][..<split])
      return try byValue(
        entity, attribute, String(words[1][words[1].index(after: split)...]), try session.lens())
    }
    if words.count == 1, !text.contains("/"), let object = try reader.object(recordName: text) {
      return object
    }
    let reference = try ObjectReference.parse(text, in: store)
    return try concrete(reference, store)
  }

  /// The object's own entity, which may be below the one that was named.
  private static func concrete(_ reference: ObjectReference, _ store: CoreDataStore) throws -> ObjectKey {
    let table = reference.entity.table
    let number =
      store.tables.has(table)
      ? try store.connection.first(
        "SELECT Z_ENT FROM main.\(quotedIdentifier(table)) WHERE Z_PK = ?", [.integer(reference.primaryKey)]
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
    guard let known = entity.attributes.flatMap(\.leaves).first(where: { $0.path == attribute }) else {
      let names = entity.attributes.flatMap(\.leaves).map(\.path)
      throw StoreScopeError(
        "\(entity.name) of '\(store.path)' has no attribute '\(attribute)'.\(Suggestion.sentence(for: attribute, in: names)) 'storescope entities' lists them."
      )
    }
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    let column = EntityView.columns(of: entity)[known.path] ?? known.path
    let keys = try store.connection.rows(
      """
      SELECT r."pk", t.Z_ENT FROM temp.\(quotedIdentifier(view)) r
      JOIN main.\(quotedIdentifier(entity.table)) t ON t.Z_PK = r."pk"
      WHERE CAST(r.\(quotedIdentifier(column)) AS TEXT) = ? ORDER BY 1 LIMIT 11
      """, [.text(value)]
    ) { ObjectKey(entity: $0.integer(1), primaryKey: $0.integer(0)) }
    guard let first = keys.first else {
      throw StoreScopeError(
        "No \(entity.name) in '\(store.path)' has \(attribute) '\(value)'; 'storescope rows' shows the values there are."
      )
    }
    guard keys.count == 1 else {
      let names = keys.prefix(10).map { "\(store.schema[$0.entity]?.name ?? entity.name)/p\($0.primaryKey)" }
      throw StoreScopeError(
        "More than one \(entity.name) in '\(store.path)' has \(attribute) '\(value)': \(names.joined(separator: ", "))\(keys.count > 10 ? " and more" : ""); name one of them."
      )
    }
    return first
  }
}
