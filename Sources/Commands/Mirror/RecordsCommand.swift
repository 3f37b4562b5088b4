import Base
import Lens
import Rendering
import StoreModel

extension Command {
  static let records = Command(
    "records", summary: "each object's CloudKit record and its state",
    options: [
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, help: "only records of this entity and its sub-entities"),
      CommonOptions.objectInMirror,
      OptionDefinition(
        .state, value: "STATE", kind: .state, choices: RecordState.allCases.map(\.rawValue),
        isRepeatable: true,
        help: "only records in this state"),
      OptionDefinition(.decode, help: "decode each record's stored copy: type, tag, dates and fields"),
      CommonOptions.offset,
    ],
    discussion: """
      'acknowledged' means that the store keeps a copy of the server's answer; later edits may not be uploaded yet. Tables
      show such objects as 'uploaded, changed since' or 'uploaded, deleted since'; their state is 'uploaded'.

      Examples:
        storescope records App.store --state pendingUpload
        storescope records App.store --object Person/p12 --decode --json
      """,
    documents: [DocumentForm(payload: "records", recordFields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let open = try session.open()
    let store = open.store
    let mirror = try open.mirror()
    // States rest on the one, and rows name the others: damage there is reported before anything is printed.
    _ = try (mirror?.token, mirror?.zones)
    var filter = try Command.filter(invocation, store, mirror)
    let states = invocation.arguments.all(.state).compactMap(RecordState.init(rawValue:))
    if !states.isEmpty { filter.states = Set(states) }
    let decodes = invocation.arguments.has(.decode)
    // Several zones may have a record of it.
    let isOfOneObject = filter.objectKey != nil || filter.recordName != nil
    let limit = try invocation.limit() ?? Renderer.tableLimit
    let reader = mirror.map {
      RecordReader($0, filter: filter, decodesArchives: decodes)
    }
    // Unknown where a state is asked for, which is another thing than none.
    func count() throws -> Int? {
      guard let reader else { return 0 }
      return try reader.count()
    }
    let full = RowStream(MirrorRecord.fields, count: count) { sink in
      try reader?.forEach { record in
        invocation.progress.step("reading records")
        return try sink.push(record, MirrorRecord.fields)
      }
    }
    let absence = mirror?.tables.absence(of: .records).map {
      "\($0), so the records are unknown."
    }
    let others = MirrorRecord.fields.only(
      ["recordName", "lastExported", "pendingExport"]
        + (decodes ? ["recordType", "modified", "problem", "fields"] : []))
    let short = RowStream(
      columns: (["object", "title", "state"] + others.map(\.name)).map { .init($0) }, count: count
    ) { sink in
      let words = mirror.map { RecordWords(open, $0, atMost: isOfOneObject ? 1 : limit) }
      try reader?.forEach { record in
        invocation.progress.step("reading records")
        sink.beginRow()
        sink.value(.text(record.objectText))
        sink.value(.optional(try words?.title(of: record)))
        sink.value(.text(try words?.state(of: record) ?? record.state.rawValue))
        for field in others {
          if let cell = field.value(record) { sink.value(cell) } else { sink.skip() }
        }
        return try sink.endRow()
      }
    }.neverCutting("state").neverCutting("recordName")
      .leavingOut("problem", "pendingExport", "lastExported", "modified", "recordName")
    var blocks: [Document.Block] = [.heading("Records")]
    if mirror == nil {
      blocks.append(.text("This store is not mirrored, so it has no records."))
    } else if let absence {
      blocks.append(.text(absence))
    } else if decodes, isOfOneObject {
      let copies = try copies(reader, atMost: limit, count)
      blocks = copies.isEmpty ? blocks + [.text("(none)")] : copies
    } else {
      blocks.append(.table(short.counting("record")))
    }
    return Outcome(
      Document(
        command: "records", store: try session.identity(), payload: "records", recordFields, of: absence,
        rows: full, blocks: blocks))
  }

  /// The whole of one object's records, fields included.
  private static func copies(
    _ reader: RecordReader?, atMost limit: Int, _ count: () throws -> Int?
  ) throws -> [Document.Block] {
    var blocks: [Document.Block] = []
    var shown = 0
    var isCut = false
    try reader?.forEach { record in
      guard shown < limit else {
        isCut = true
        return false
      }
      shown += 1
      blocks += [.heading("Record \(record.recordName ?? "without a name")"), .tree(record.value)]
      return true
    }
    return isCut ? blocks + [.text(RowStream.remainder(of: try count(), after: shown))] : blocks
  }

  /// What `--entity` and `--object` ask for together.
  private static func filter(
    _ invocation: Invocation, _ store: CoreDataStore, _ mirror: Mirror?
  ) throws -> RecordFilter {
    let arguments = invocation.arguments
    var filter = RecordFilter()
    let entity = try arguments[.entity].map(store.entity)
    filter.entities = entity?.subtree
    guard let word = arguments[.object] else { return filter }
    if !word.contains("/"), !word.contains(" "), let name = try mirror?.recordName(like: word) {
      filter.recordName = name
      return filter
    }
    let object = try ObjectSearch(invocation).scope(word, within: entity)
    filter.entities = entity.map { $0.subtree.clamped(to: object.entities) } ?? object.entities
    filter.objectKey = object.primaryKey
    return filter
  }
}

/// What the document has, of the reason why records aren't known.
private let recordFields: [Field<String?>] = [
  Field("problem", "why they aren't known, if the mirror lacks the table") { $0 },
  Field("records", rows: MirrorRecord.shape, "the records"),
]

/// What people read of a record: its object's title, and whether the server has what is here.
final class RecordWords {
  private let mirror: Mirror
  private let titles: ShownTitles
  private let areFew: Bool
  /// Whether what is pending can't be determined.
  private var isUnsure = false

  /// Beyond these, one pass over all records takes less time than one over new history for each.
  private static let few = 3

  /// - Parameter count: how many records are shown at most.
  init(_ open: OpenStore, _ mirror: Mirror, atMost count: Int) {
    self.mirror = mirror
    areFew = count <= Self.few
    titles = ShownTitles(open)
  }

  func title(of record: MirrorRecord) throws -> String? {
    try record.object.flatMap { try titles.title(of: $0, isDeleted: !record.objectExists) }
  }

  /// A record stays `uploaded` until the exporter has processed what was saved later.
  func state(of record: MirrorRecord) throws -> String {
    let state = record.state.rawValue
    guard record.state == .uploaded, !isUnsure, let object = record.object else { return state }
    do {
      guard try mirror.hasLaterChanges(object, isOneOfFew: areFew) else { return state }
      return "\(state), \(record.objectExists ? "changed" : "deleted") since"
    } catch is StoreScopeError {
      isUnsure = true
      return state
    }
  }
}

extension MirrorRecord {
  /// `Person/p12`
  fileprivate var objectText: String {
    guard let objectKey else { return "" }
    return "\(entity ?? entityNumber.map { "entity \($0)" } ?? "?")/p\(objectKey)"
  }
}
