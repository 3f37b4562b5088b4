import Base
import Lens
import Rendering
import Reports
import StoreModel

/// What `history` prints.
enum HistoryDocument {
  static let forms =
    [
      DocumentForm(
        "without --by", payload: "changes",
        [
          .init(
            "changes", .list(.object(HistoryChange.keys + [HistoryChange.before])),
            "the changes, oldest first")
        ])
    ]
    + HistoryGroup.Dimension.allCases.map { dimension in
      DocumentForm(
        "with --by \(dimension.rawValue)", payload: "groups",
        [.init("groups", .list(.object(HistoryGroup.fields(by: dimension).keys())), "the counts")])
    }

  /// So many changes of one object are shown with the values that the newest update replaced.
  private static let mostWithValues = 10
  /// Who looks at so few wants to know more of them.
  private static let mostWithHint = 5

  static func changes(
    _ reader: HistoryReader, _ filter: HistoryFilter, _ object: ObjectKey?, _ isReversed: Bool,
    _ session: Session, _ invocation: Invocation
  ) throws -> Document {
    let (dates, progress) = (invocation.dates, invocation.progress)
    let open = try session.open()
    let rows = HistoryRows(reader, in: open.store, filter: filter, isReversed: isReversed)
    var stream = RowStream(columns: HistoryRows.columns.map { .init($0.name, isNumber: $0.isNumber) }) {
      sink in
      try rows.produce(into: sink) { progress.step("reading history") }
    }
    stream.impossibleDates = { _ in try rows.impossibleDates() }
    stream.parts = { try rows.parts(readers: session.readers) { progress.phase("reading history") } }
    let titles = ShownTitles(open)
    var short = RowStream(
      columns: HistoryRows.shortColumns.map { .init($0.name, isNumber: $0.isNumber) },
      emptyText: try emptyText(reader, filter, dates, in: open.store),
      count: { try reader.totals(filter).changes }
    ) { sink in
      try rows.produceShort(
        into: sink, isReversed: !isReversed,
        title: { key, tombstone in
          try titles.title(of: key, tombstone: tombstone).map { "\"\($0)\"" }
        }, tombstone: { "tombstone \(CellText.of($0))" }
      ) { progress.step("reading history") }
    }
    // A program's long name is recognized by its beginning: `(none, photo…`. Without the properties nobody sees what changed.
    short = short.toTheMinute().naming("object").leavingOut("transaction", "title")
      .narrowing("author", to: 12).sayingOnce("timestamp", "transaction", "author")
    short = object == nil ? short.narrowing("properties", to: 8) : short.withSentences()
    let identity = try session.identity()
    var hint: String? = try whereValuesAre(object, open, invocation)
    var sums = { try Sums(reader, filter, in: open.store) }
    if let object, !invocation.arguments.has(.chart), let commits = try EarlierCommits(session, progress),
      case let known = try sums(), 1...mostWithValues ~= known.totals.changes
    {
      // Earlier commits are read last, so the rows come first.
      let (all, some) = (RowCollector(), RowCollector())
      try stream.produce(all)
      try short.produce(some)
      let newest = try ReplacedValues(of: object, in: open.store, commits)
      // A filter may leave the newest change out.
      let isListed = all.rows.contains { row in newest.map { row[0] == .integer($0.transaction) } ?? false }
      let replaced = isListed ? newest : nil
      sums = { known }
      short.count = { known.totals.changes }
      if replaced != nil, known.totals.changes == 1 { hint = nil }
      if replaced != nil { stream.columns.append(.init("before")) }
      func isNewest(_ row: [DataValue?], _ column: Int) -> Bool {
        replaced.map { row[column] == .integer($0.transaction) } ?? false
      }
      stream.produce = { sink in
        for row in all.rows {
          let before = isNewest(row, 0) ? replaced?.value : nil
          if try !sink.add(replaced == nil ? row : row + [before]) { return }
        }
      }
      short.produce = { sink in
        for var row in some.rows {
          if isNewest(row, 1), let replaced, let properties = row.last??.text {
            row[row.count - 1] = .text(replaced.shown(in: properties))
          }
          if try !sink.add(row) { return }
        }
      }
    }
    let isOfObject = object != nil
    short.footer = { [hint, sums] shown, isCut, dates in
      let text = try sums().text(isReversed, dates, shown: isCut ? shown : nil)
      let isHelpful = isOfObject || !isCut && shown <= mostWithHint
      return [text, isHelpful ? hint : nil].compactMap(\.self).joined(separator: "\n")
    }
    return Document(
      command: "history", store: identity, fields: [.init("changes", rows: stream)],
      payload: "changes", blocks: [.heading("History"), .table(short)])
  }

  /// Where values are: history has the names of changed properties only.
  private static func whereValuesAre(
    _ object: ObjectKey?, _ open: OpenStore, _ invocation: Invocation
  ) throws -> String {
    let name = object.map {
      ShellQuotes.word("\(open.store.entityName(ofNumber: $0.entity))/p\($0.primaryKey)")
    }
    // A trace has the newest update's values, too, and compares with the server's copy.
    let isTraced = try name == nil || open.mirror() != nil
    return invocation.wording.worded(
      isTraced
        ? "'storescope trace STORE \(name ?? "OBJECT")' shows old and new values as far as the store has them."
        : "History keeps no values; 'storescope diff BACKUP STORE' shows what changed since a backup.")
  }

  /// What there is in all.
  private struct Sums {
    let totals: HistorySummary
    /// That changes may be missing.
    let purge: String?

    init(_ reader: HistoryReader, _ filter: HistoryFilter, in store: CoreDataStore) throws {
      totals = try reader.totals(filter)
      purge = try HistoryDocument.purge(reader, filter, in: store)
    }

    /// And in which order it was listed, and how to see the rest.
    /// - Parameter shown: how many rows, if there are more.
    func text(_ isReversed: Bool, _ dates: DateText, shown: Int?) -> String {
      var text =
        Sentence.count(totals.changes, "change") + " in "
        + Sentence.count(totals.transactions, "transaction")
      if let first = totals.first, let last = totals.last {
        let (first, last) = (dates.day(first), dates.day(last))
        text += (first == last ? ", \(first)" : ", \(first) to \(last)") + dates.zone
      }
      text += ". \(isReversed ? "Oldest" : "Newest") first."
      if let purge { text += " \(Sentence.begun(purge))." }
      return shown.map { "\(text)\n\(RowStream.remainder(of: totals.changes, after: $0))" } ?? text
    }
  }

  /// Which time was understood, and why nothing is listed if it's that which leaves everything out.
  private static func emptyText(
    _ reader: HistoryReader, _ filter: HistoryFilter, _ dates: DateText, in store: CoreDataStore
  ) throws -> String {
    let period = DateRange(since: filter.since, until: filter.until).words(dates)
    guard let since = filter.since, let newest = try reader.transactions.newestTime(), newest < since else {
      return "(no changes\(period)\(try purge(reader, filter, in: store).map { "; \($0)" } ?? ""))"
    }
    return "(no changes\(period); the newest was saved \(dates.minute(newest))\(dates.zone))"
  }

  /// That changes may be missing; nil where none of those that are asked for can be.
  private static func purge(
    _ reader: HistoryReader, _ filter: HistoryFilter, in store: CoreDataStore
  ) throws -> String? {
    guard let below = try store.historyPurgedBelow(reader.transactions) else { return nil }
    if let since = filter.since, let oldest = try reader.transactions.oldestTime(), oldest <= since {
      return nil
    }
    if let asked = filter.transactions, asked.lowerBound >= below { return nil }
    return "older history was purged"
  }

  static func groups(
    _ reader: HistoryReader, _ dimension: HistoryGroup.Dimension, _ filter: HistoryFilter, _ isReversed: Bool,
    _ session: Session, _ dates: DateText, _ progress: Progress
  ) throws -> Document {
    let store = try session.open().store
    let groups = try reader.groups(by: dimension, filter, entityName: store.entityName(ofNumber:)) { count in
      progress.phase("counting changes: \(count)")
    }
    let shown = (isReversed ? groups.reversed() : groups).map(HistoryGroup.fields(by: dimension).object)
    let narrow = shown.map { group -> DataValue in
      guard case .object(let members) = group else { return group }
      return .object(
        members.filter { !listNames.contains($0.name) }.map {
          $0.name == dimension.rawValue && $0.value == .null ? .init($0.name, "(none)") : $0
        })
    }
    return Document(
      command: "history", store: try session.identity(), fields: [.init("groups", .array(shown))],
      payload: "groups",
      blocks: [
        .heading("History by \(dimension.rawValue)"),
        .table(
          RowStream(objects: narrow, emptyText: try emptyText(reader, filter, dates, in: store)).toTheMinute()
        ),
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
