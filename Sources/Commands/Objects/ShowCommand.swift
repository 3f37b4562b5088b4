import Base
import Diagnostics
import Lens
import Rendering
import StoreModel

extension Command {
  package static let show = Command(
    "show", summary: "one object: its values, relationships and history",
    arguments: ObjectSearch.arguments,
    discussion: """
      Examples:
        storescope show App.store Person/p12
        storescope show App.store Person 12 --json
        storescope show App.store "Spring in Lisbon"
      """,
    documents: [DocumentForm(payload: "object", ObjectDocument.fields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let store = try session.open().store
    let object = try ObjectSearch(invocation).find(invocation.arguments.positionals)
    guard let entity = store.schema[object.entity] else {
      throw StoreScopeError(
        .notFound, store.path, "has no entity with the number \(object.entity), which that record has",
        advice: "'storescope trace STORE' shows what is known about it")
    }
    let reference = ObjectReference(entity: entity, primaryKey: object.primaryKey)
    return Outcome(try ObjectDocument(reference, in: session, invocation.dates).document)
  }
}

/// All properties of an object, by the names that they have in views.
struct ObjectProperties {
  let members: [DataValue.Member]
  let relationships: Set<String>

  /// Nil where there is no such object.
  init?(_ reference: ObjectReference, in store: CoreDataStore) throws {
    var options = ObjectRows.Options()
    options.toMany = .all
    options.primaryKey = reference.primaryKey
    let collector = RowCollector(limit: 1)
    let root = store.schema[reference.entity.root] ?? reference.entity
    let rows = try ObjectRows(root, in: store, options: options)
    try rows.produce(into: collector) {}
    guard let cells = collector.rows.first else { return nil }
    members = zip(rows.columns, cells).compactMap { column, cell in
      cell.map { DataValue.Member(column.name, $0) }
    }
    relationships = Set(rows.columns.filter(\.isRelationship).map(\.name))
  }

  subscript(name: String) -> DataValue? { members.first { $0.name == name }?.value }
}

/// What `show` says of an object.
struct ObjectDocument {
  let document: Document

  fileprivate typealias Parts = (
    object: DataValue, trace: ObjectTrace, record: MirrorRecord?, changes: [DataValue]
  )
  fileprivate static let fields: [Field<Parts>] = [
    Field("object", ObjectRows.shape, "the object") { $0.object },
    Field("title", "what people would recognize it by") { $0.trace.title },
    Field("verdict", "whether it is on the server, and why") { $0.trace.verdict },
    ServerComparison.field.of { $0.trace.comparison },
    Field("record", "its CloudKit record") { $0.record },
    Field("changes", .list(.object(HistoryChange.keys)), "its changes in history, oldest first") {
      $0.changes
    },
  ]

  init(_ reference: ObjectReference, in session: Session, _ dates: DateText) throws {
    let open = try session.open()
    let store = open.store
    let root = store.schema[reference.entity.root] ?? reference.entity
    guard let properties = try ObjectProperties(reference, in: store) else {
      throw try Self.absence(of: reference, in: open, dates)
    }
    let (members, relationships) = (properties.members, properties.relationships)
    let object = DataValue.object(members)
    let name = object["entity"]?.text ?? reference.entity.name
    if let found = store.schema[name], !reference.entity.subtree.contains(found.number) {
      throw ObjectReference.wrongEntity(reference, found, store)
    }
    var changes: [DataValue] = []
    if let reader = try HistoryReader(store) {
      let filter = HistoryFilter(entities: root.subtree, primaryKey: reference.primaryKey)
      let collector = RowCollector()
      try HistoryRows(reader, in: store, filter: filter).produce(into: collector) {}
      changes = collector.objects(columns: HistoryRows.columns.map(\.name))
    }
    var record: MirrorRecord?
    if let mirror = try open.mirror() {
      let filter = RecordFilter(entities: root.subtree, objectKey: reference.primaryKey)
      try RecordReader(mirror, filter: filter, decodesArchives: true).forEach { found in
        record = found
        return false
      }
    }
    var trace = try TraceReader(open).trace(
      of: ObjectKey(
        entity: store.schema[name]?.number ?? reference.entity.number, primaryKey: reference.primaryKey),
      hasSteps: false)
    trace.asOf = session.asOf
    let differences = Dictionary(
      firstOf: trace.comparison.differences.map { (ViewNames.key(for: $0.property), $0) })
    let shownMembers = members.map { member in
      let value = relationships.contains(member.name) ? member.value.shortURIs : member.value
      // An empty line would look like an empty text.
      let shown: DataValue = value == .null ? "NULL" : value
      guard let difference = differences[member.name] else { return (member.name, shown) }
      let server = CellText.of(difference.server.compared)
      return (member.name, .text("\(CellText.of(shown))  (server: \(server))"))
    }
    let shownChanges = changes.map { change -> DataValue in
      [
        "transaction": change["transaction"] ?? nil, "timestamp": change["timestamp"] ?? nil,
        "author": change["author"] ?? nil, "change": change["change"] ?? nil,
        "properties": change["properties"] ?? nil,
      ]
    }
    document = Document(
      command: "show", store: try session.identity(), payload: "object", Self.fields,
      of: (object, trace, record, changes),
      blocks: [
        try open.mirror() == nil ? .heading(trace.titledName) : .text(trace.answer),
        .pairs(shownMembers, links: relationships),
        .heading("Changes"),
        .table(RowStream(objects: shownChanges, emptyText: "(none in history)").toTheMinute()),
      ] + (record.map { [.heading("CloudKit record"), .tree($0.value)] } ?? []))
  }
}

extension ObjectDocument {
  /// What to say of an object that isn't there.
  private static func absence(
    of reference: ObjectReference, in open: OpenStore, _ dates: DateText
  ) throws -> StoreScopeError {
    let store = open.store
    let name = "\(reference.entity.name)/p\(reference.primaryKey)"
    let object = ObjectKey(entity: reference.entity.number, primaryKey: reference.primaryKey)
    let deleted = try DeletedObjects(store, open.mirror())
    guard let deletion = try deleted.deletion(of: object) else {
      return StoreScopeError(
        .notFound, store.path, "has no object \(name)",
        advice:
          "'storescope rows STORE \(ShellQuotes.word(reference.entity.name))' lists existing objects")
    }
    let title = try deleted.title(of: object).map { " \"\($0)\"" } ?? ""
    return StoreScopeError(
      .notFound, store.path, "has no object \(name)\(title) anymore: it was deleted\(deletion.words(dates))",
      advice: "'storescope trace STORE \(name)' shows what is known about it")
  }
}

extension DataValue {
  /// Object URIs as `Person/p12`.
  var shortURIs: DataValue {
    switch self {
    case .text(let text): .text(TextForPeople.objectName(ofURI: text))
    case .array(let elements): .text(elements.compactMap(\.shortURIs.text).joined(separator: ", "))
    default: self
    }
  }
}
