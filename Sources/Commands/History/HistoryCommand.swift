import Base
import Lens
import Rendering
import Reports
import StoreModel

extension Command {
  static let history = Command(
    "history", summary: "who changed what and when, from persistent history",
    arguments: [
      .init(
        "OBJECT", kind: .object, isOptional: true, isRepeatable: true,
        help: "only this object: Entity/pN, a title or another value; the same as --object")
    ],
    options: [
      OptionDefinition(
        .author, value: "NAME", kind: .author, isRepeatable: true, help: "only transactions of this author"),
      OptionDefinition(.noAuthor, help: "only transactions without an author"),
      OptionDefinition(
        .process, value: "NAME", kind: .process, isRepeatable: true, help: "only transactions of this program"
      ),
      OptionDefinition(
        .bundle, value: "ID", kind: .bundle, isRepeatable: true,
        help: "only transactions of this bundle identifier"),
      OptionDefinition(
        .change, value: "KIND", kind: .choice, choices: ChangeKind.allCases.map(\.name), isRepeatable: true,
        help: "only changes of this kind"),
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, help: "only changes of this entity and its sub-entities"),
      OptionDefinition(
        .object, value: "OBJECT", kind: .object, help: "only this object: Entity/pN, Entity N or a title"),
      OptionDefinition(
        .property, value: "NAME", kind: .property, isRepeatable: true,
        help: "only updates of this property"),
      OptionDefinition(.at, value: "WHEN", kind: .date, help: "only in this minute or on this day"),
      OptionDefinition(.since, value: "WHEN", kind: .date, help: "from this moment or day on"),
      OptionDefinition(
        .until, value: "WHEN", kind: .date, help: "up to this moment, or to the end of this day"),
      OptionDefinition(.transaction, value: "N", kind: .number, help: "only this transaction, or N..M"),
      OptionDefinition(
        .by, value: "WHAT", kind: .choice, choices: HistoryGroup.Dimension.allCases.map(\.rawValue),
        help: "count instead of listing"),
      OptionDefinition(.reverse, help: "reverse the order"), CommonOptions.offset, CommonOptions.chart,
    ],
    discussion: """
      Tables and Markdown list the newest changes first, the other formats the oldest
      first. WHEN is \(DateParser.examples).
      The properties are those that an update marks as changed; the framework may mark
      properties that didn't change. Tables leave out bundles, processes and contexts.
      --chart splits the changes by author, or by the origin given with --by.

      Examples:
        storescope history App.store --by author
        storescope history App.store Person/p12
        storescope history App.store "Spring in Lisbon"
        storescope history App.store --since yesterday --author widget
        storescope history App.store --at 'Apr 18 08:02'
        storescope history App.store --property name --change update --json
        storescope history App.store --chart
      """,
    documents: HistoryDocument.forms
  ) { invocation in
    let session = try invocation.store()
    let store = try session.open().store
    let isReversed = invocation.arguments.has(.reverse)
    guard let reader = try HistoryReader(store) else {
      return Outcome(try HistoryDocument.absent(session, by: invocation.arguments[.by]))
    }
    let (filter, object) = try HistoryArguments.filter(invocation, reader, in: store)
    let dimension: HistoryGroup.Dimension? = invocation.arguments.choice(.by)
    var document =
      try dimension.map {
        try HistoryDocument.groups(
          reader, $0, filter, isReversed, session, invocation.dates, invocation.progress)
      }
      ?? HistoryDocument.changes(reader, filter, object, isReversed, session, invocation)
    if invocation.arguments.has(.chart) {
      document.blocks = [
        .heading("History"),
        HistoryChart.block(of: reader, by: dimension ?? .author, filter, in: store, invocation.progress),
      ]
    }
    return Outcome(document)
  }
}

extension HistoryChart {
  /// Time is the axis, so that days have no series of their own: they are bars.
  fileprivate static func block(
    of reader: HistoryReader, by dimension: HistoryGroup.Dimension, _ filter: HistoryFilter,
    in store: CoreDataStore, _ progress: Progress
  ) -> Document.Block {
    .chart {
      guard dimension == .day else {
        return .counts(try make(reader, by: dimension, filter, in: store) { progress.step($0) })
      }
      let groups = try reader.groups(by: .day, filter, entityName: store.entityName(ofNumber:)) { count in
        progress.phase("counting changes: \(count)")
      }
      return .bars(
        BarChart(
          title: "Changes per day (UTC)",
          bars: groups.map { BarChart.Bar($0.key ?? "(no date)", $0.changes.total) }))
    }
  }
}
