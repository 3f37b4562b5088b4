import Lens
import Rendering
import Reports
import StoreModel
import Values

extension Command {
  static let history = Command(
    "history", summary: "who changed what and when, from persistent history",
    options: [
      OptionDefinition(.author, value: "NAME", kind: .author, help: "only transactions of this author"),
      OptionDefinition(.noAuthor, help: "only transactions without an author"),
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, help: "only changes of this entity and its sub-entities"),
      OptionDefinition(
        .object, value: "OBJECT", kind: .object, help: "only changes of this object: a URI, or Entity/pN"),
      OptionDefinition(.since, value: "DATE", kind: .date, help: "from this moment on, ISO 8601, UTC"),
      OptionDefinition(.until, value: "DATE", kind: .date, help: "up to this moment"),
      OptionDefinition(.transaction, value: "N", kind: .number, help: "only this transaction, or N..M"),
      OptionDefinition(
        .by, value: "WHAT", kind: .choice, choices: HistoryGroup.Dimension.allCases.map(\.rawValue),
        help: "count instead of listing"),
      OptionDefinition(.reverse, help: "newest first"), CommonOptions.chart,
    ],
    discussion: """
      A change's properties are those that its update names; the framework may name more than really changed.
      Tables leave out bundles, processes and contexts; the other formats have them. --chart splits the changes by
      author, or by what --by names.

      Examples:
        storescope history App.store --by author
        storescope history App.store --chart
        storescope history App.store --object Person/p12
        storescope history App.store --since 2026-03-01 --author widget --json
      """
  ) { invocation in
    let session = try invocation.store()
    let store = try session.open().store
    let filter = try HistoryArguments.filter(invocation, in: store)
    guard let reader = try HistoryReader(store) else {
      return Outcome(try HistoryDocument.absent(session, by: invocation.arguments[.by]))
    }
    let dimension: HistoryGroup.Dimension? = invocation.arguments.choice(.by)
    let isReversed = invocation.arguments.has(.reverse)
    var document =
      try dimension.map { try HistoryDocument.groups(reader, $0, filter, session, invocation.progress) }
      ?? HistoryDocument.changes(reader, filter, reversed: isReversed, session, invocation.progress)
    if invocation.arguments.has(.chart) {
      document.blocks = [
        .heading("History"),
        HistoryChart.block(of: reader, by: dimension ?? .author, filter, in: store, invocation.progress),
      ]
    }
    return Outcome(document)
  }
}

/// The filters of `history`, from words to values.
enum HistoryArguments {
  static func filter(_ invocation: Invocation, in store: CoreDataStore) throws -> HistoryFilter {
    let arguments = invocation.arguments
    var filter = HistoryFilter(since: try invocation.date(.since), until: try invocation.date(.until))
    if let author = arguments[.author] { filter.author = .named(author) }
    if arguments.has(.noAuthor) {
      guard filter.author == nil else {
        throw UsageError.conflict("'--author' and '--no-author' exclude each other; give one of them.")
      }
      filter.author = .missing
    }
    if let name = arguments[.entity] { filter.entities = try store.entity(named: name).subtree }
    if let word = arguments[.object] {
      let object = try ObjectSearch(invocation).find([word])
      filter.entities =
        store.schema[object.entity].map(store.schema.hierarchy) ?? object.entity...object.entity
      filter.primaryKey = object.primaryKey
    }
    if let word = arguments[.transaction] { filter.transactions = try range(word) }
    return filter
  }

  private static func range(_ word: String) throws(UsageError) -> ClosedRange<Int64> {
    let ends = word.split(separator: ".", omittingEmptySubsequences: false)
    let isRange = ends.count == 3 && ends[1].isEmpty
    guard ends.count == 1 || isRange, let first = Int64(ends[0]), let last = Int64(ends[ends.count - 1]),
      first <= last
    else {
      throw .conflict("'--transaction' takes a number or a range such as 10..20, not '\(word)'.")
    }
    return first...last
  }
}

/// What `history` prints.
enum HistoryDocument {
  static func changes(
    _ reader: HistoryReader, _ filter: HistoryFilter, reversed: Bool, _ session: Session, _ progress: Progress
  ) throws -> Document {
    let store = try session.open().store
    let rows = HistoryRows(reader, in: store, filter: filter, isReversed: reversed)
    let stream = RowStream(
      columns: HistoryRows.columns.map { .init($0.name, isNumber: $0.isNumber) },
      emptyText: "(no changes)", count: rows.count
    ) { sink in
      try rows.produce(into: sink) { progress.step("reading history") }
    }
    let short = RowStream(
      columns: HistoryRows.shortColumns.map { .init($0.name, isNumber: $0.isNumber) },
      emptyText: "(no changes)", count: rows.count
    ) { sink in
      try rows.produceShort(into: sink) { progress.step("reading history") }
    }
    return Document(
      command: "history", store: try session.identity(), fields: [.init("changes", rows: stream)],
      payload: "changes", blocks: [.heading("History"), .table(short)])
  }

  static func groups(
    _ reader: HistoryReader, _ dimension: HistoryGroup.Dimension, _ filter: HistoryFilter, _ session: Session,
    _ progress: Progress
  ) throws -> Document {
    let store = try session.open().store
    let groups = try reader.groups(by: dimension, filter, entityName: store.entityName(ofNumber:)) { count in
      progress.phase("counting changes: \(count)")
    }
    let shown = groups.map { $0.value(key: dimension.rawValue) }
    let narrow = shown.map { group -> DataValue in
      guard case .object(let members) = group else { return group }
      return .object(members.filter { !listNames.contains($0.name) })
    }
    return Document(
      command: "history", store: try session.identity(), fields: [.init("groups", .array(shown))],
      payload: "groups",
      blocks: [
        .heading("History by \(dimension.rawValue)"),
        .table(RowStream(objects: narrow, emptyText: "(no transactions)")),
      ])
  }

  /// A store without history is no error: the answer is that there is none.
  static func absent(_ session: Session, by dimension: String?) throws -> Document {
    Document(
      command: "history", store: try session.identity(),
      fields: [.init(dimension == nil ? "changes" : "groups", .array([]))],
      payload: dimension == nil ? "changes" : "groups",
      blocks: [
        .text("This store keeps no persistent history: it has no tables ACHANGE and ATRANSACTION.")
      ])
  }

  /// What would make the table for people too wide.
  private static let listNames: Set = ["bundles", "processes", "contexts"]
}

extension HistoryChart {
  fileprivate static func block(
    of reader: HistoryReader, by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter,
    in store: CoreDataStore, _ progress: Progress
  ) -> Document.Block {
    .chart {
      .counts(
        try make(reader, by: dimension, filter, in: store) { progress.step($0) })
    }
  }
}
