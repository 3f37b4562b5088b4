import Evidence
import Rendering
import StoreModel
import Values

/// What `summary` says of a store.
struct StoreSummary {
  let identity: StoreIdentity
  let store: CoreDataStore
  let opened: OpenedStore
  let rows: [Int64: Int]
  let history: HistorySummary?

  init(_ session: Session, progress: Progress) throws {
    identity = try session.identity()
    store = try session.store()
    opened = try session.opened()
    rows = try store.rowCounts { progress.phase("counting \($0)") }
    history = try HistorySummary(store.connection)
  }

  func document(showsCommits: Bool, showsMetadata: Bool) -> Document {
    var fields: [Document.Field] = [
      .init("entities", .array(entities)), .init("history", historyValue), .init("mirror", mirrorValue),
      .init("files", filesValue), .init("model", modelValue),
    ]
    var blocks: [Document.Block] = [
      .heading(TextForPeople.fileName(identity.path)), .pairs(overview), .heading("Entities"),
      .table(RowStream(objects: entities, emptyText: "(no entities)")),
    ]
    if showsCommits {
      fields.append(.init("commits", .array(commits)))
      blocks += [
        .heading("Commits in the WAL, newest first"),
        .table(RowStream(objects: commits, emptyText: "(no commit in the WAL)")),
      ]
    }
    if showsMetadata {
      fields.append(.init("metadata", metadata))
      blocks += [.heading("Metadata"), .tree(metadata)]
    }
    if !store.notes.isEmpty {
      fields.append(.init("notes", .array(store.notes.map(DataValue.text))))
      blocks += [.heading("Odd"), .text(store.notes.joined(separator: "\n"))]
    }
    return Document(
      command: "summary", store: identity, fields: fields, payload: showsCommits ? "commits" : "entities",
      blocks: blocks)
  }

  private var entities: [DataValue] {
    store.schema.entities.map { entity in
      [
        "name": .text(entity.name), "number": .integer(entity.number),
        "parent": .optional(entity.parent.flatMap { store.schema[$0]?.name }), "table": .text(entity.table),
        "rows": .count(rows[entity.number] ?? 0),
      ]
    }
  }

  private var historyValue: DataValue {
    [
      "present": .bool(history != nil), "transactions": .count(history?.transactions ?? 0),
      "changes": .count(history?.changes ?? 0), "first": .optional(history?.first),
      "last": .optional(history?.last),
    ]
  }

  private var modelValue: DataValue {
    [
      "source": .text(store.modelSource.name), "entities": .count(store.schema.entities.count),
      "identifiers": .array(store.versionIdentifiers.map(DataValue.text)),
    ]
  }
}
