import Lens
import Rendering
import StoreModel
import Values

/// What `history` prints.
enum HistoryReport {
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
