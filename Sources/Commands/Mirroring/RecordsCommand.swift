import CloudKitMirror
import Rendering
import StoreModel
import Values

extension Command {
  static let records = Command(
    "records", summary: "each object's CloudKit record and its state",
    options: [
      OptionDefinition(
        "entity", value: "NAME", kind: .entity, help: "only records of this entity and its sub-entities"),
      OptionDefinition(
        "object", value: "OBJECT", kind: .object, help: "only this object's: a URI, or Entity/pN"),
      OptionDefinition(
        "state", value: "STATE", kind: .state, choices: RecordState.allCases.map(\.rawValue),
        isRepeatable: true,
        help: "only records in this state"),
      OptionDefinition("decode", help: "decode each record's stored copy: type, tag, dates and fields"),
    ],
    discussion: """
      'acknowledged' means that the store keeps a copy of what the server answered; it says nothing of later edits.

      Examples:
        storescope records App.store --state pendingUpload
        storescope records App.store --object Person/p12 --decode --json
      """
  ) { invocation in
    let session = try invocation.store()
    let store = try session.store()
    var filter = RecordFilter()
    if let name = invocation.arguments["entity"] { filter.entities = try store.entity(named: name).subtree }
    if let word = invocation.arguments["object"] {
      let object = try ObjectReference.parse(word, in: store)
      filter.entities = store.schema[object.entity.root]?.subtree
      filter.objectKey = object.primaryKey
    }
    let states = invocation.arguments.all("state").compactMap(RecordState.init(rawValue:))
    if !states.isEmpty { filter.states = Set(states) }
    let mirror = try Mirror(store)
    let reader = mirror.map {
      RecordReader($0, filter: filter, decodesArchives: invocation.arguments.has("decode"))
    }
    let full = RowStream(names: MirrorRecord.columns, count: { try reader?.count() ?? 0 }) { sink in
      try reader?.forEach { record in
        invocation.progress.step("reading records")
        return try sink.push(record.value, columns: MirrorRecord.columns)
      }
    }
    let shown = ["recordName", "state", "object", "lastExported", "pendingExport"]
    let short = RowStream(names: shown, count: { try reader?.count() ?? 0 }) { sink in
      try reader?.forEach { record in
        invocation.progress.step("reading records")
        var members = record.value
        members.replace("object", with: .text(record.objectText))
        return try sink.push(members, columns: shown)
      }
    }
    return Outcome(
      Document(
        command: "records", store: try session.identity(), fields: [.init("records", rows: full)],
        payload: "records",
        blocks: [
          .heading("Records"),
          mirror == nil ? .text("This store is not mirrored, so it has no records.") : .table(short),
        ]))
  }
}
